"""How far the tasks' own rankings are from the overall one, as a histogram."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, INK, ORANGE, altair, styled

BINS = 20
"""Bars between 0, where a task orders all pairs as the ranking does, and 1."""


class TaskDistances(NamedTuple):
    """What is drawn: a row a bar with its ends, the number of tasks, and some of their names."""

    bars: list[dict[str, Any]]


def x_data(distances: Mapping[str, float]) -> TaskDistances:
    """Take the distance of each task, from 0 to 1.

    >>> x_data({"s": 0.07, "t": 0.08}).bars
    [{'start': 0.05, 'end': 0.1, 'tasks': 2, 'ground': 0}]
    """
    bins = [min(int(distance * BINS), BINS - 1) for distance in distances.values()]
    return TaskDistances([
        {"start": place / BINS, "end": (place + 1) / BINS, "tasks": bins.count(place), "ground": 0}
        for place in sorted(set(bins))
    ])  # fmt: skip


def draw(data: TaskDistances, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw the bars, and a line at one half, where a task says nothing of the ranking."""
    alt = altair()
    most = max((bar["tasks"] for bar in data.bars), default=1)
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(format=".0%", grid=False, tickCount=5)
    across = alt.X("start:Q", title="pairs ordered otherwise", scale=scale, axis=axis)
    up = alt.Y("tasks:Q", title="tasks", axis=alt.Axis(
        gridColor="#e2e5e9", domain=False, ticks=False, tickMinStep=1, format="d",
        tickCount=min(most, 6)))  # fmt: skip
    bars = alt.Chart(alt.Data(values=data.bars)).mark_bar(color=BLUE, stroke="white")
    half = alt.Chart(alt.Data(values=[{"start": 0.5, "tasks": most, "text": "chance"}]))
    chart = (
        bars.encode(across, alt.X2("end:Q"), up, alt.Y2("ground:Q"))
        + half.mark_rule(color=ORANGE, strokeDash=[5, 4], strokeWidth=2).encode(
            alt.X("start:Q", scale=scale)
        )
        + half.mark_text(align="left", dx=5, dy=6, color=INK, fontSize=12).encode(
            alt.X("start:Q", scale=scale), alt.Y("tasks:Q"), text="text:N"
        )
    )
    return styled(chart.properties(width=460, height=180), title, subtitle=subtitle)
