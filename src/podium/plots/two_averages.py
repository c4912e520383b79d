"""Two averages of each name side by side, joined by a line."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, ORANGE, QUIET, altair, styled


class TwoAverages(NamedTuple):
    """What is drawn: the names in order, and a row for each of two averages of each."""

    names: tuple[str, ...]
    points: list[dict[str, Any]]
    labels: tuple[str, str]


def x_data(
    first: Mapping[str, float], second: Mapping[str, float], labels: tuple[str, str]
) -> TwoAverages:
    """Take two averages of the same names, the highest second one first.

    >>> x_data({"a": 1.0, "b": 0.0}, {"a": 0.1, "b": 0.2}, ("even", "Nash")).names
    ('b', 'a')
    """
    names = tuple(sorted(second, key=lambda name: (-round(second[name], 9), -first[name], name)))
    points = [
        {"name": name, "value": values[name], "average": label}
        for name in names
        for values, label in zip((first, second), labels, strict=True)
    ]
    return TwoAverages(names, points, labels)


def draw(data: TwoAverages, title: str, axis: str) -> Any:
    """Draw two dots a name."""
    alt = altair()
    height = alt.Axis(ticks=False, domain=False, grid=False)
    y = alt.Y("name:N", title=None, sort=list(data.names), axis=height)
    x = alt.X("value:Q", title=axis, axis=alt.Axis(gridColor="#e2e5e9", domain=False, ticks=False))
    colour = alt.Color(
        "average:N",
        scale=alt.Scale(domain=list(data.labels), range=[ORANGE, BLUE]),
        legend=alt.Legend(title=None, orient="top"),
    )
    base = alt.Chart(alt.Data(values=data.points)).encode(x, y)
    line = base.mark_line(color=QUIET).encode(detail="name:N")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(color=colour)
    return styled((line + dots).properties(width=420, height=20 * len(data.names)), title)
