"""The part of a report that shows a ranking."""

from collections.abc import Iterator

from podium.data.ratings import Ranking
from podium.plots import ranks
from podium.report.document import Block, Cell, Figure, Prose, Table

SHOWN = 40
"""So many agents are drawn, the best ones."""


def blocks(ranking: Ranking) -> Iterator[Block]:
    """Show a ranking as a picture, where it has intervals, and as a table."""
    if ranking.rank_intervals:
        says = "The rank of each agent, and the ranks that it may have"
        if len(ranking.ratings) > SHOWN:
            says = f"{says}: the first {SHOWN}"
        yield Figure(says, lambda: ranks.draw(_first(ranking), says))
    yield table(ranking)
    for note in ranking.info.get("notes", ()):
        yield Prose(str(note))


def _first(ranking: Ranking) -> ranks.Ranks:
    drawn = ranks.x_data(ranking)
    return drawn._replace(rows=drawn.rows[:SHOWN])


def table(ranking: Ranking) -> Table:
    """Give a row an agent: rank, ranks that it may have, rating."""
    spread, inner = bool(ranking.rank_intervals), bool(ranking.intervals)
    heads = ["rank", *["could be"] * spread, "agent", "rating", *["low", "high"] * inner]
    rows: list[list[Cell]] = []
    for row in ranking.table():
        cells: list[Cell] = [row["rank"]]
        if spread:
            cells.append(_span(row["rank_low"], row["rank_high"]))
        cells += [row["agent"], float(row["rating"])]
        if inner:
            cells += [row["rating_low"], row["rating_high"]]
        rows.append(cells)
    return Table(f"Ranking by {ranking.method}", heads, rows)


def _span(low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return ""
    return str(low) if low == high else f"{low} to {high}"
