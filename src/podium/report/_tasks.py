"""The part of a report on tasks: which decide, which contradict, which say the same."""

from collections.abc import Iterator
from functools import partial

from podium.analysis._section import grouped
from podium.analysis.influence import Influence
from podium.plots import contributions, task_distances, task_roles
from podium.report.document import Block, Cell, Figure, Points, Prose, Table
from podium.report.findings import Findings

SHOWN = 25
"""So many tasks are drawn, those that decide most."""

EXPLAINED = 2
"""Of so many agents, the first ones, it is drawn what tasks add to them."""


def blocks(found: Findings) -> Iterator[Block]:
    """Show what each task does to the ranking."""
    if not found.has_tasks:
        return
    if isinstance(found.tasks, str):
        yield Prose(f"What single tasks decide is not told here: {found.tasks}.")
        return
    tasks = found.tasks
    yield from _contributions(found)
    yield from _pictures(tasks, found.ranking.tiers[0])
    rows: list[list[Cell]] = [
        [one.task, one.moved, one.distance, ", ".join(one.leaders[:3]), one.alike, one.likeness]
        for one in tasks
    ]
    heads = ["task", "decides", "contradicts", "leads without it", "most like it", "agree"]
    decimals = {"decides": 3, "contradicts": 2, "agree": 2}
    yield Table("What each task does to the ranking", heads, rows, decimals)
    yield Prose(
        "decides: share of all pairs of agents whose order changes when the task is left out. "
        "contradicts: share of the pairs that the task alone orders otherwise; 0.5 is chance. "
        "agree: share of all pairs that it and the task most like it order the same way, where a "
        "pair without scores on both counts half."
    )
    doubled = found.inspection.duplicate_tasks
    if doubled is not None and doubled.scores:
        yield Points([f"Tasks on which every agent has the same score: {grouped(doubled.scores)}."])


def _contributions(found: Findings) -> Iterator[Block]:
    """Draw what tasks add to the first agents by deviation ratings, which are sums over tasks."""
    ranking = found.comparison.rankings.get("deviation")
    parts = ranking.info.get("contributions") if ranking else None
    if not parts:
        return
    for agent in found.order[:EXPLAINED]:
        says = f"What tasks add to the deviation rating of {agent}"
        drawn = contributions.x_data(parts[agent])
        if drawn.bars:
            yield Figure(says, partial(contributions.draw, drawn, says))


def _pictures(tasks: tuple[Influence, ...], first: tuple[str, ...]) -> Iterator[Block]:
    most, least = tasks[0].moved, tasks[-1].moved
    if most > least:
        says = "How much of the ranking each task decides"
        roles = [(one.task, one.moved, one.leaders != first) for one in tasks[:SHOWN] if one.moved]
        yield Figure(says, lambda: task_roles.draw(task_roles.x_data(roles), says))
    else:
        yield Prose(
            f"No task stands out: without any one of them, {most:.1%} of all pairs of agents "
            "change their order."
        )
    apart = "How far the tasks' own rankings are from the overall one"
    distances = {one.task: one.distance for one in tasks}
    yield Figure(apart, lambda: task_distances.draw(task_distances.x_data(distances), apart))
