"""How much of the ranking each task decides, as bars; those that decide who leads stand out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, INK, ORANGE, altair, styled


class TaskRoles(NamedTuple):
    """What is drawn: a row a task, with the share of pairs that it decides, and its role."""

    bars: list[dict[str, Any]]


MOVES, LEADS = "others follow one another otherwise without it", "others lead without it"


def x_data(roles: Sequence[tuple[str, float, bool]]) -> TaskRoles:
    """Take tasks, the share of pairs that each decides, and whether it decides who leads.

    >>> x_data([("pong", 0.1, True)]).bars
    [{'task': 'pong', 'share': 0.1, 'role': 'others lead without it'}]
    """
    return TaskRoles([
        {"task": task, "share": share, "role": LEADS if leads else MOVES}
        for task, share, leads in roles
    ])  # fmt: skip


def draw(data: TaskRoles, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a bar a task."""
    alt = altair()
    x = alt.X("share:Q", title="pairs whose order changes", scale=alt.Scale(domainMin=0),
              axis=alt.Axis(format=".1%", gridColor="#e2e5e9", domain=False, ticks=False,
                            tickCount=5))  # fmt: skip
    y = alt.Y("task:N", sort=None, title=None, axis=alt.Axis(
        ticks=False, domain=False, labelLimit=220))  # fmt: skip
    colour = alt.Color(
        "role:N",
        scale=alt.Scale(domain=[MOVES, LEADS], range=[BLUE, ORANGE]),
        legend=alt.Legend(title=None, orient="top", labelLimit=320, direction="vertical")
        if any(bar["role"] == LEADS for bar in data.bars) else None,
    )  # fmt: skip
    base = alt.Chart(alt.Data(values=data.bars)).encode(x, y)
    said = base.mark_text(align="left", dx=4, fontSize=11, color=INK).encode(
        text=alt.Text("share:Q", format=".1%")
    )
    chart = base.mark_bar(height=13).encode(color=colour) + said
    size = {"width": 420, "height": 20 * max(len(data.bars), 1)}
    return styled(chart.properties(**size), title, subtitle=subtitle)
