"""Terms: columns of matches that may explain outcomes beside who met whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.arrays import Floats, Ints, floats, ints, locked
from podium.errors import DataError
from podium.words import check_name


@dataclass(frozen=True, eq=False)
class Term:
    """One column of matches: a number a row, or a label (a judge, a position).

    Attributes:
        name: Name of the column.
        values: The number of each row, or the code of its label.
        labels: The labels that codes stand for; empty where values are numbers.
    """

    name: str
    values: Floats | Ints
    labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, column: Sequence[Any]) -> "Term":
        """Take a column of numbers, or one of labels.

        >>> Term.of("judge", ["ann", "bob", "ann"]).labels
        ('ann', 'bob')
        """
        check_name("term", name)
        cells = list(column)
        if all(isinstance(cell, str) for cell in cells):
            index = {label: code for code, label in enumerate(dict.fromkeys(cells))}
            return cls(name, ints([index[cell] for cell in cells]), tuple(index))
        try:
            values = floats(cells)
        except (TypeError, ValueError):
            values = floats([np.nan] * len(cells))
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            cell = cells[wrong[0]]
            msg = (
                f"term {name!r} holds {cell!r} in match {wrong[0] + 1}; give finite numbers, or "
                "text in all rows"
            )
            raise DataError(msg)
        return cls(name, values)

    def compact(self) -> "Term":
        """Leave out labels that no row has."""
        codes, values = np.unique(self.values, return_inverse=True)
        if not self.labels or len(codes) == len(self.labels):
            return self
        labels = tuple(self.labels[code] for code in codes.tolist())
        return replace(self, values=ints(values), labels=labels)

    def taken(self, rows: Ints) -> "Term":
        """Return the rows listed."""
        return replace(self, values=locked(self.values[rows]))


def terms_of(columns: Mapping[str, Sequence[Any]] | None, size: int) -> tuple[Term, ...]:
    """Take columns of as many rows as there are matches."""
    for name, column in (columns or {}).items():
        if len(column) != size:
            msg = f"term {name!r} has {len(column):,} rows; there are {size:,} matches"
            raise DataError(msg)
    return tuple(Term.of(name, column) for name, column in (columns or {}).items())
