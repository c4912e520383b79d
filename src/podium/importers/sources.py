"""Rows that are somewhere else: what counting asks of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from podium.importers.cells import Cells
from podium.importers.tables import Table

COPIES = "number of rows"
"""Column of a grouped table that says how many rows each of its rows stands for."""


class Source(Protocol):
    """Rows that are somewhere else."""

    @property
    def columns(self) -> Table:
        """The names of the columns, without rows."""
        ...

    def grouped(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> Iterator[Table]:
        """Put rows together that are equal in the key columns, adding their weights up.

        Rows whose weight is none stay apart from the others, so that they are
        found. The answer may come in parts, and rows may be left as they are.

        Args:
            keys: Columns to compare.
            weight: Column of weights, if there is one.
            zero: Whether a weight may be 0.
        """
        ...


def header_of(source: str, names: Iterable[str]) -> Table:
    """Give columns by their names, without rows."""
    return Table(source, dict.fromkeys(names, Cells(())), 0, str)
