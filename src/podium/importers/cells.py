"""Columns: cells as a source holds them, read as names, as numbers or as times.

A column is read once, as a whole. Cells that are not of the kind asked for are
not yet errors: the reader decides what a column has to hold, and the `Sieve` of
a table says so.
"""

import datetime as dt
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints

BLANK, NOT_TEXT = -1, -2
"""Codes of cells without a name: an empty one, and one that holds something else."""

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""Text that is a number: no grouping, no comma, no sign but + and -, no nan, no inf."""

BLANKS = " \t\r\n"
"""What may stand around a number; nothing else makes an empty cell."""

_NUMBER = re.compile(NUMBER)
_PLAIN = frozenset("0123456789+-.eE \n")


class Names(NamedTuple):
    """A column read as names: a code a row, and the names in the order they first come."""

    codes: Ints
    names: tuple[str, ...]


class Numbers(NamedTuple):
    """A column read as numbers: NaN where a cell is blank, or wrong."""

    values: Floats
    blank: Bools
    wrong: Bools


class Column(Protocol):
    """One column of a table."""

    def names(self) -> Names:
        """Read all cells as names."""
        ...

    def numbers(self) -> Numbers:
        """Read all cells as numbers."""
        ...

    def times(self) -> Floats:
        """Read dates as seconds since 1970; NaN where a cell is none."""
        ...

    def cell(self, row: int) -> object:
        """Return one cell as it came, for a message."""
        ...

    def cells(self) -> Sequence[object]:
        """Return all cells as they came."""
        ...


class _Absent:
    """Stands for a cell that a JSON row does not even name."""

    def __repr__(self) -> str:
        return "nothing, not even null"


ABSENT = _Absent()


@dataclass(frozen=True)
class Cells:
    """A column of Python values: text, and numbers where the source has types.

    >>> Cells(["x", "", "x"]).names()
    Names(codes=array([ 0, -1,  0]), names=('x',))
    >>> Cells(["1.5", "", "1_000"]).numbers().wrong
    array([False, False,  True])
    """

    values: Sequence[Any]

    def names(self) -> Names:
        """Read all cells as names; whole numbers are names where all cells are such."""
        kinds = set(map(type, self.values))
        texts: Sequence[Any] = self.values
        if int in kinds and kinds <= {int, type(None)}:
            texts = [value if value is None else str(value) for value in self.values]
        elif not kinds <= {str, type(None)}:
            texts = [value if isinstance(value, str | None) else ABSENT for value in self.values]
        index: dict[Any, int] = {None: BLANK, "": BLANK, ABSENT: NOT_TEXT}
        names = [name for name in dict.fromkeys(texts) if name not in index]
        index |= {name: code for code, name in enumerate(names)}
        codes = np.fromiter(map(index.__getitem__, texts), dtype=np.int64, count=len(texts))
        return Names(codes, tuple(names))

    def numbers(self) -> Numbers:
        """Read all cells as numbers, or text that is one."""
        plain = _plain_numbers(self.values)
        if plain is not None:
            return Numbers(plain, np.zeros(len(plain), dtype=np.bool_), ~np.isfinite(plain))
        values = np.array([_number(value) for value in self.values], dtype=np.float64)
        blank = np.fromiter(map(_is_blank, self.values), dtype=np.bool_, count=len(values))
        return Numbers(values, blank, ~np.isfinite(values) & ~blank)

    def times(self) -> Floats:
        """Read dates, as text or as values."""
        return np.array([seconds(value) for value in self.values], dtype=np.float64)

    def cell(self, row: int) -> object:
        """Return one value."""
        value: object = self.values[row]
        return value

    def cells(self) -> Sequence[object]:
        """Return the values."""
        return self.values


@dataclass(frozen=True)
class Reals:
    """A column of numbers that a typed source holds as an array.

    >>> Reals(np.array([1.0, np.nan]), np.array([False, True])).numbers().wrong
    array([False, False])
    """

    values: Array
    blank: Bools

    def names(self) -> Names:
        """Read whole numbers as names; others are no names."""
        if self.values.dtype.kind not in "iu":
            codes = np.where(self.blank, BLANK, NOT_TEXT)
            return Names(codes.astype(np.int64), ())
        values = self.values.tolist()
        return Cells([None if b else v for v, b in zip(values, self.blank, strict=True)]).names()

    def numbers(self) -> Numbers:
        """Read the numbers; those that are not finite are wrong."""
        values = np.where(self.blank, np.nan, self.values).astype(np.float64)
        return Numbers(values, self.blank, ~np.isfinite(values) & ~self.blank)

    def times(self) -> Floats:
        """Find no dates."""
        return np.full(len(self.values), np.nan)

    def cell(self, row: int) -> object:
        """Return one number."""
        value: object = None if self.blank[row] else self.values[row].item()
        return value

    def cells(self) -> Sequence[object]:
        """Return the numbers, None where there is none."""
        return [None if b else v for v, b in zip(self.values.tolist(), self.blank, strict=True)]


class Remembered:
    """A column that is read once, however often its parts are asked."""

    def __init__(self, column: Column) -> None:
        self.names = functools.cache(column.names)
        self.numbers = functools.cache(column.numbers)
        self.times = functools.cache(column.times)
        self.cell = column.cell
        self.cells = column.cells


@dataclass(frozen=True)
class Part:
    """Some rows of a column."""

    column: Column
    rows: Ints

    def names(self) -> Names:
        """Read the kept cells as names."""
        codes, names = self.column.names()
        return kept_names(codes[self.rows], names)

    def numbers(self) -> Numbers:
        """Read the kept cells as numbers."""
        values, blank, wrong = self.column.numbers()
        return Numbers(values[self.rows], blank[self.rows], wrong[self.rows])

    def times(self) -> Floats:
        """Read the dates of the kept cells."""
        return self.column.times()[self.rows]

    def cell(self, row: int) -> object:
        """Return one kept cell."""
        return self.column.cell(int(self.rows[row]))

    def cells(self) -> Sequence[object]:
        """Return the kept cells."""
        cells = self.column.cells()
        return [cells[row] for row in self.rows]


def kept_names(codes: Ints, names: tuple[str, ...], among: Ints | None = None) -> Names:
    """Number names anew after rows were left out, keeping their order.

    Args:
        codes: Codes of the rows that are left.
        names: The names so far.
        among: More codes whose names have to stay.

    >>> kept_names(np.array([2, 0]), ("a", "b", "c"))
    Names(codes=array([1, 0]), names=('a', 'c'))
    """
    used = np.zeros(len(names), dtype=np.bool_)
    for part in (codes, among):
        if part is not None:
            used[part[part >= 0]] = True
    if used.all():
        return Names(codes, names)
    place = np.append(np.cumsum(used) - 1, [NOT_TEXT, BLANK])  # negative codes stay as they are
    return Names(place[codes], tuple(name for name, on in zip(names, used, strict=True) if on))


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip(BLANKS))


def _plain_numbers(values: Sequence[Any]) -> Floats | None:
    """Read a column of nothing but numbers, or of nothing but simple text, fast; or give up."""
    try:
        if set(map(type, values)) <= {int, float} or _PLAIN.issuperset("".join(values)):
            return np.fromiter(map(float, values), dtype=np.float64, count=len(values))
    except (TypeError, ValueError, OverflowError):
        pass
    return None


def _number(value: object) -> float:
    """Read one cell; NaN where it is no number."""
    if isinstance(value, str):
        text = value.strip(BLANKS)
        return float(text) if _NUMBER.fullmatch(text) else np.nan
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return np.nan
    try:
        return float(value)
    except OverflowError:
        return np.inf


def seconds(value: object) -> float:
    """Read a date, or text that is one in ISO 8601, as seconds since 1970; NaN for others.

    A time without a zone is taken as UTC.

    >>> seconds("1970-01-02"), seconds(dt.date(1970, 1, 2)), seconds("soon")
    (86400.0, 86400.0, nan)
    """
    try:
        moment = dt.datetime.fromisoformat(value.strip(BLANKS)) if isinstance(value, str) else value
    except ValueError:
        return np.nan
    if isinstance(moment, dt.date) and not isinstance(moment, dt.datetime):
        moment = dt.datetime(moment.year, moment.month, moment.day, tzinfo=dt.UTC)
    if not isinstance(moment, dt.datetime):
        return np.nan
    return moment.replace(tzinfo=moment.tzinfo or dt.UTC).timestamp()
