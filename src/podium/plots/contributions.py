"""What each task adds to the rating of an agent, as bars to both sides of nothing."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, ORANGE, altair, styled

SHOWN = 15
"""So many tasks are drawn, those that add or take most."""


class Contributions(NamedTuple):
    """What is drawn: a row a task, the largest part first, and how many tasks are left out."""

    bars: list[dict[str, Any]]
    left_out: int


def x_data(parts: Mapping[str, float]) -> Contributions:
    """Take tasks and what each adds; those that add nothing have no bar.

    >>> x_data({"s": 0.5, "t": -1.0, "u": 0.0})
    Contributions(bars=[{'task': 't', 'part': -1.0}, {'task': 's', 'part': 0.5}], left_out=1)
    """
    ordered = sorted(parts.items(), key=lambda entry: (-abs(entry[1]), entry[0]))
    bars = [{"task": task, "part": part} for task, part in ordered[:SHOWN] if part]
    return Contributions(bars, len(parts) - len(bars))


def draw(data: Contributions, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a bar a task: blue where it adds, orange where it takes."""
    alt = altair()
    x = alt.X("part:Q", title=None, axis=alt.Axis(
        gridColor="#e2e5e9", domain=False, ticks=False, tickCount=5, format="~s"))  # fmt: skip
    y = alt.Y("task:N", sort=None, title=None, axis=alt.Axis(
        ticks=False, domain=False, labelLimit=220))  # fmt: skip
    colour = alt.condition("datum.part > 0", alt.value(BLUE), alt.value(ORANGE))
    base = alt.Chart(alt.Data(values=data.bars)).encode(x, y)
    said = [
        *subtitle,
        *([f"{data.left_out} other tasks add less, or nothing"] if data.left_out else []),
    ]
    chart = base.mark_bar(height=13).encode(color=colour)
    size = {"width": 420, "height": 20 * max(len(data.bars), 1)}
    return styled(chart.properties(**size), title, subtitle=said)
