"""What a report is made of: plain text, tables and pictures, however it is written in the end.

Every text is plain: whoever writes it escapes it, so that no name can become markup.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Cell: TypeAlias = str | int | float | None
"""What stands in a table."""


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Points:
    """A list of sentences."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Command:
    """A command line that the reader may run."""

    text: str


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        caption: What it shows.
        heads: Headings of the columns.
        rows: The cells, as many a row as there are headings; None is an empty one.
        decimals: Decimals of the numbers of a column, by heading; without, as they come.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    decimals: dict[str, int] = field(default_factory=dict)

    @property
    def numeric(self) -> list[bool]:
        """Tell which columns hold numbers alone."""
        return [
            all(isinstance(row[place], int | float | None) for row in self.rows)
            for place in range(len(self.heads))
        ]

    @property
    def texts(self) -> list[list[str]]:
        """Give the cells as texts.

        >>> Table("", ["a", "b"], [["x", 0.25], ["y", None]], {"b": 1}).texts
        [['x', '0.2'], ['y', '']]
        """
        places = [self.decimals.get(head) for head in self.heads]
        return [
            [_written(cell, place) for cell, place in zip(row, places, strict=True)]
            for row in self.rows
        ]


def _written(cell: Cell, decimals: int | None) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float):
        return f"{cell:.4g}" if decimals is None else f"{cell + 0.0:.{decimals}f}"
    return f"{cell:,}"


@dataclass(frozen=True)
class Figure:
    """A picture, drawn when it is wanted.

    Attributes:
        says: What it shows, for those who do not see it.
        draw: Makes the chart.
    """

    says: str
    draw: Callable[[], Any]


Block: TypeAlias = Prose | Points | Command | Table | Figure


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading; without blocks it is left out."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """A report.

    Attributes:
        title: Its title.
        lead: What matters most, in sentences.
        sections: The parts.
    """

    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
