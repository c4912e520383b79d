"""Rankings side by side: a row for each agent, a column for each ranking."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from podium.analysis.beside import Row, disagreement, rows_of
from podium.analysis.compare import Comparison
from podium.cli._answers import print_errors, shared_notes
from podium.cli._ranking import in_figures
from podium.cli._screen import line, safe_text, screen, show, table
from podium.cli.options import Format
from podium.cli.output import write
from podium.data.ratings import Ranking

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

PADDING = 3
"""Blanks that the screen puts between two columns."""


def cells(rankings: Mapping[str, Ranking]) -> list[dict[str, Any]]:
    """Give the table as mappings, for CSV and Markdown."""
    return [
        {
            "agent": row.agent,
            "average_rank": row.average,
            **dict(zip(rankings, row.ranks, strict=True)),
        }
        for row in rows_of(rankings)
    ]


def write_beside(comparison: Comparison, form: Format) -> None:
    """Write the rankings of all methods side by side."""
    write(
        form,
        document=comparison.to_dict,
        rows=lambda: cells(comparison.rankings),
        table=lambda: print_comparison(comparison),
    )


def print_comparison(comparison: Comparison) -> None:
    """Print the rankings of all methods side by side, and where they disagree."""
    line(f"{in_figures(comparison.data)}. Rank by each method, best on average first.")
    line()
    print_beside(comparison.rankings)
    for note in shared_notes(comparison.rankings):
        line(f"Note: {note}")
    for sentence in disagreement(rows_of(comparison.rankings)):
        line(sentence)
    print_errors(comparison.errors)


def print_beside(rankings: Mapping[str, Ranking]) -> None:
    """Print rankings side by side, in as many tables as the width of the screen asks for."""
    rows, labels = rows_of(rankings), list(rankings)
    for part in _parts(labels, rows):
        show(_table(labels, rows, part))


def _parts(labels: Sequence[str], rows: Sequence[Row]) -> Iterator[range]:
    """Cut the columns where the screen ends."""
    fixed = max(len(row.agent) for row in rows) + len("average") + len("range") + 3 * PADDING
    room = max(screen().width - fixed, 0)
    start, used = 0, 0
    for column, name in enumerate(labels):
        width = max(len(name), LEAST_COLUMN) + PADDING
        if used + width > room and column > start:
            yield range(start, column)
            start, used = column, 0
        used += width
    yield range(start, len(labels))


LEAST_COLUMN = 4
"""Width of a rank with its star."""


def _table(labels: Sequence[str], rows: Sequence[Row], part: range) -> "Table":
    shown = [labels[column] for column in part]
    made = table("agent", "average", "range", *shown, right=("average", "range", *shown))
    for row in rows:
        best, worst = min(row.known), max(row.known)
        made.add_row(
            safe_text(row.agent),
            safe_text(f"{row.average:.2f}"),
            safe_text(f"{best}-{worst}" if worst > best else str(best)),
            *(_cell(row, row.ranks[column], len(rows)) for column in part),
        )
    return made


def _cell(row: Row, rank: int | None, agents: int) -> "Text":
    if rank is None:
        return safe_text("")
    far = row.far(rank, agents)
    return safe_text(f"{rank}{'*' if far else ' '}", "bold yellow" if far else "")
