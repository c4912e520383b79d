"""The part of a report that sets methods side by side, and says why they disagree."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from podium.analysis._section import grouped
from podium.analysis.beside import disagreement, rows_of
from podium.data.ratings import Ranking
from podium.plots import method_distances, rank_chart
from podium.report.document import Block, Cell, Figure, Points, Prose, Table
from podium.report.findings import Findings
from podium.words import counted

SHOWN = 10
"""So many agents are drawn, each in a colour of its own."""


def blocks(found: Findings) -> Iterator[Block]:
    """Show the ranks by all methods, how far these are apart, and reasons for that."""
    rankings = found.comparison.rankings
    if len(rankings) > 1:
        rows = rows_of(rankings)
        yield Points([text for text in disagreement(rows) if not text.startswith("*")])
        yield from _pictures(rankings, [row.agent for row in rows[:SHOWN]])
        heads = ["agent", "average", *rankings]
        cells: list[list[Cell]] = [[row.agent, row.average, *row.ranks] for row in rows]
        yield Table("Rank by each method", heads, cells, {"average": 1})
    reasons = list(_reasons(found))
    if reasons:
        yield Points(reasons)
    left = {**found.comparison.errors, **found.skipped}
    if left:
        reasons_of: list[list[Cell]] = [[name, why] for name, why in left.items()]
        yield Table("Not ranked by", ["method", "why"], reasons_of)


def _pictures(rankings: Mapping[str, Ranking], best: list[str]) -> Iterator[Block]:
    few = {name: _among(ranking, best) for name, ranking in rankings.items()}
    alike = _alike(few)
    drawn = {_column(names): few[names[0]] for names in alike}
    says = "Ranks by each method"
    if len(best) == SHOWN:
        says = f"Ranks of the {SHOWN} best on average among one another"
    yield Figure(says, lambda: rank_chart.draw(rank_chart.x_data(drawn, best), says))
    merged = [f"{_column(names)}: {', '.join(names)}" for names in alike if len(names) > 1]
    if merged:
        yield Prose(f"Methods that order these agents the same way: {'; '.join(merged)}.")
    apart = "How many pairs of agents two methods order otherwise"
    yield Figure(apart, lambda: method_distances.draw(method_distances.x_data(rankings), apart))


def _alike(rankings: Mapping[str, Ranking]) -> list[list[str]]:
    """Group methods that agree, large groups first."""
    groups: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, ranking in rankings.items():
        groups.setdefault(ranking.tiers, []).append(name)
    return sorted(groups.values(), key=lambda names: -len(names))


def _column(names: list[str]) -> str:
    """Name a column.

    >>> _column(["borda", "elo", "mean"]), _column(["borda"])
    ('borda +2', 'borda')
    """
    return names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}"


def _among(ranking: Ranking, agents: list[str]) -> Ranking:
    """Keep some agents, with their ranks among one another."""
    tiers = (tuple(agent for agent in tier if agent in agents) for tier in ranking.tiers)
    return replace(ranking, tiers=tuple(tier for tier in tiers if tier))


def _reasons(found: Findings) -> Iterator[str]:
    """Say what in the data makes methods disagree."""
    seen = found.inspection
    if seen.majority is not None and seen.majority.cycles is not None:
        cycles = seen.majority.cycles
        if cycles.example:
            circle = " > ".join([*cycles.example, cycles.example[0]])
            yield (
                f"Majorities go in circles among {grouped(cycles.components, 3)}, such as "
                f"{circle}: each method breaks them in its own way."
            )
        elif not cycles.components:
            yield (
                "Majorities go in no circle, so ranked-pairs, schulze and kemeny agree wherever "
                "no two agents are level; others differ for what they count beside majorities."
            )
    alike = seen.clones and (seen.clones.identical or (seen.clones.likely and seen.clones.pairs))
    if alike:
        yield (
            f"Clones: {grouped(alike, 4)}. They move borda, copeland, elo and means of ranks, and "
            "do not move the winners of schulze, ranked-pairs and maximal-lottery."
        )
    if seen.ties is not None and seen.ties.share:
        yield (
            f"{seen.ties.share:.1%} of all comparisons are ties, which methods count differently; "
            f"{counted(seen.ties.level_pairs, 'pair')} of agents level by majority."
        )
    if seen.hodge is not None:
        yield (
            f"Ratings cannot explain {seen.hodge.cyclic_share:.0%} of what differs between agents: "
            "one number an agent leaves that much out."
        )
