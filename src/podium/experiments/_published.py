"""The numbers that "Evaluating Agents using Social Choice Theory" prints.

`expected/voting_tables.csv` holds Tables 6, 7, 9, 11 to 20 and 22 to 24,
`expected/voting_elo.csv` Tables 5 and 10 (Lanctot et al. 2025). Names of
agents are those of the data, not the shortened ones of the paper.
"""

import csv
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from podium.experiments._sources import EXPECTED

_OPTION = re.compile(r"(?P<name>[^(]+?)(?:\((?:k|numwinners)=(?P<number>\d+)\))?")
_METHODS = {
    "Approval": ("approval", "k"),
    "Borda": ("borda", ""),
    "Copeland": ("copeland", ""),
    "Iterative Maximal Lotteries": ("iterated-lottery", ""),
    "Kemeny-Young": ("kemeny", ""),
    "Plurality": ("plurality", ""),
    "Ranked Pairs": ("ranked-pairs", ""),
    "Schulze": ("schulze", ""),
    "STV": ("stv", "winners"),
}


class Cell(NamedTuple):
    """One printed cell: the rank, the agent and its score as text."""

    rank: int
    agent: str
    score: str


class Column(NamedTuple):
    """One method's part of a table.

    Attributes:
        table: Number of the table.
        printed: The method as the paper writes it.
        cells: The cells, by printed rank.
    """

    table: str
    printed: str
    cells: tuple[Cell, ...]

    @property
    def where(self) -> str:
        """The table, for a finding."""
        return f"Table {self.table}"

    @property
    def order(self) -> tuple[str, ...]:
        """The agents by printed rank."""
        return tuple(cell.agent for cell in self.cells)

    @property
    def method(self) -> str:
        """Podium's name for the method."""
        return _METHODS[self._parts()[0]][0]

    @property
    def options(self) -> dict[str, Any]:
        """The options that give the paper's reading of the method.

        >>> next(c for c in columns("11") if c.method == "approval").options
        {'k': 8}
        """
        name, number = self._parts()
        option = _METHODS[name][1]
        more = {"transfer": "ordered"} if name == "STV" else {}
        return ({option: int(number)} if option else {}) | more

    def _parts(self) -> tuple[str, str]:
        match = _OPTION.fullmatch(self.printed)
        return (match["name"], match["number"]) if match else (self.printed, "")


@cache
def _rows() -> dict[tuple[str, str], tuple[Cell, ...]]:
    found: dict[tuple[str, str], list[Cell]] = {}
    for row in rows("voting_tables.csv"):
        cell = Cell(int(row["rank"]), row["agent"], row["score"])
        found.setdefault((row["table"], row["method"]), []).append(cell)
    return {key: tuple(sorted(cells, key=lambda cell: cell.rank)) for key, cells in found.items()}


def rows(name: str) -> Iterator[dict[str, str]]:
    """Go through the rows of a file of expected numbers."""
    with (EXPECTED / name).open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def columns(*tables: str) -> list[Column]:
    """List the columns of some tables."""
    return [
        Column(table, method, cells)
        for (table, method), cells in _rows().items()
        if table in tables
    ]


def column(table: str, method: str) -> Column:
    """Return the column of a table that shows one of podium's methods."""
    return next(one for one in columns(table) if one.method == method)


def elo(table: str) -> dict[str, int]:
    """Return the Elo ratings of Table 5 (`5-left`, `5-right`) or Table 10 (`10`)."""
    return {r["agent"]: int(r["elo"]) for r in rows("voting_elo.csv") if r["table"] == table}
