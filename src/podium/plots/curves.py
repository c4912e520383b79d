"""Curves: a number by another, a line a method, with bands for intervals."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import PALETTE, altair, styled


class Curves(NamedTuple):
    """What is drawn.

    Attributes:
        names: The lines, in the order of their colours.
        points: A row a point: line, x, y, and the ends of its interval.
    """

    names: tuple[str, ...]
    points: list[dict[str, Any]]


def x_data(lines: Mapping[str, Sequence[tuple[float, float, float]]]) -> Curves:
    """Take lines of (x, y, half of the width of the interval).

    >>> x_data({"sco": [(5, 2.0, 0.5)]}).points
    [{'line': 'sco', 'x': 5, 'y': 2.0, 'low': 1.5, 'high': 2.5}]
    """
    points = [
        {"line": name, "x": x, "y": y, "low": y - half, "high": y + half}
        for name, line in lines.items()
        for x, y, half in line
    ]
    return Curves(tuple(lines), points)


def draw(curves: Curves, title: str, *, x: str, y: str, log: bool = False) -> Any:
    """Draw the lines, each with its band."""
    alt = altair()
    scale = alt.Scale(type="log" if log else "linear", nice=False)
    grid = alt.Axis(grid=False, values=sorted({point["x"] for point in curves.points}))
    across = alt.X("x:Q", title=x, scale=scale, axis=grid if log else alt.Axis(grid=False))
    up = alt.Axis(gridColor="#e2e5e9", domain=False, ticks=False)
    colours = alt.Scale(domain=list(curves.names), range=list(PALETTE[: len(curves.names)]))
    legend = alt.Legend(symbolOpacity=1, symbolType="stroke", symbolStrokeWidth=3)
    colour = alt.Color("line:N", title=None, scale=colours, legend=legend)
    base = alt.Chart(alt.Data(values=curves.points)).encode(across, color=colour)
    low = alt.Y("low:Q", title=y, axis=up, scale=alt.Scale(zero=False))
    band = base.mark_area(opacity=0.15).encode(low, alt.Y2("high:Q"))
    line = base.mark_line(point=len(curves.points) < 200).encode(alt.Y("y:Q", title=y))
    return styled((band + line).properties(width=480, height=300), title)
