"""Who beats whom beyond what ratings say: agents as points around the centre of a disc."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, INK, QUIET, altair, styled

HIGH, WIDE = 0.085, 0.04
"""Height of a name, and width of each of its letters, as shares of the reach of the disc."""


class Disc(NamedTuple):
    """What is drawn: a row an agent, farthest out first, and how far the disc reaches."""

    points: list[dict[str, Any]]
    reach: float


def x_data(vectors: Mapping[str, Sequence[float]]) -> Disc:
    """Take two coordinates of each agent.

    >>> x_data({"a": [0.5, 0.0], "b": [-3.0, 4.0]}).points[0]
    {'agent': 'b', 'x': -3.0, 'y': 4.0, 'far': 5.0}
    """
    points: list[dict[str, Any]] = [
        {"agent": agent, "x": x, "y": y, "far": (x * x + y * y) ** 0.5}
        for agent, (x, y, *_) in vectors.items()
    ]
    points.sort(key=lambda point: (-point["far"], point["agent"]))
    return Disc(points, max((point["far"] for point in points), default=1.0) or 1.0)


def draw(disc: Disc, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw the agents and the centre; names are written where there is room for them."""
    alt = altair()
    scale = alt.Scale(domain=[-1.15 * disc.reach, 1.15 * disc.reach], nice=False)
    x, y = alt.X("x:Q", axis=None, scale=scale), alt.Y("y:Q", axis=None, scale=scale)

    def layer(values: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=values)).encode(x, y)

    rim = layer([{"x": 0, "y": 0}]).mark_point(
        shape="circle", size=400**2 * (2 / 2.3) ** 2, color="#e2e5e9", strokeWidth=1.5
    )
    centre = layer([{"x": 0, "y": 0}]).mark_circle(size=24, color=QUIET)
    dots = layer(disc.points).mark_circle(size=60, color=BLUE, opacity=0.9)
    names = layer(_labels(disc)).mark_text(fontSize=11, color=INK).encode(text="agent:N")
    chart = (rim + centre + dots + names).properties(width=400, height=400)
    return styled(chart, title, subtitle=subtitle)


def _labels(disc: Disc) -> list[dict[str, Any]]:
    """Place names above or below their points, farthest out first, where there is room."""
    placed: list[dict[str, Any]] = []
    for point in disc.points:
        aside = 0.07 * disc.reach * (1 if point["y"] >= 0 else -1)
        label = {**point, "y": point["y"] + aside}
        if not any(_touch(label, other, disc.reach) for other in placed):
            placed.append(label)
    return placed


def _touch(one: Mapping[str, Any], other: Mapping[str, Any], reach: float) -> bool:
    letters = (len(one["agent"]) + len(other["agent"])) / 2
    near = abs(one["x"] - other["x"]) < WIDE * reach * letters
    return bool(near and abs(one["y"] - other["y"]) < HIGH * reach)
