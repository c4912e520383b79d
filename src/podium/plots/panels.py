"""Panels of curves with bands that share their legend, such as errors over rounds."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.plots._altair import altair, styled

MOST = 120
"""Points of a line that are drawn; more cannot be told apart."""


class Style(NamedTuple):
    """How a line is drawn: its colour, and its dashes (none for a line without)."""

    colour: str
    dash: tuple[int, ...] = (1, 0)


class Panels(NamedTuple):
    """What is drawn.

    Attributes:
        titles: The panels, row by row.
        styles: How each line is drawn, in the order of the legend.
        points: A row a point: panel, line, x, y, and the ends of its interval.
    """

    titles: tuple[str, ...]
    styles: Mapping[str, Style]
    points: list[dict[str, Any]]


def x_data(
    rows: Sequence[Mapping[str, Any]], styles: Mapping[str, Style], *, log: bool = False
) -> Panels:
    """Take rows with panel, line, x, y, low and high, as many points of a line as can be seen.

    >>> row = {"panel": "p", "line": "a", "x": 1, "y": 2.0, "low": 1.0, "high": 3.0}
    >>> x_data([row], {"a": Style("black")}).titles
    ('p',)
    """
    lines: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault((row["panel"], row["line"]), []).append(dict(row))
    points = [line[place] for line in lines.values() for place in _shown(len(line), log=log)]
    drawn = {row["line"] for row in rows}
    kept = {name: style for name, style in styles.items() if name in drawn}
    return Panels(tuple(dict.fromkeys(panel for panel, _ in lines)), kept, points)


def _shown(count: int, *, log: bool) -> list[int]:
    """Choose places of a line, evenly on its axis, the first and the last among them."""
    if log:
        spread = np.geomspace(1, count, min(count, MOST)) - 1
    else:
        spread = np.linspace(0, count - 1, min(count, MOST))
    return sorted(set(np.rint(spread).astype(int).tolist()))


def draw(
    panels: Panels,
    title: str,
    *,
    x: str,
    y: str,
    columns: int = 2,
    log: bool = False,
    floor: float = 1e-4,
    subtitle: Sequence[str] = (),
) -> Any:
    """Draw the panels side by side.

    Args:
        panels: What to draw.
        title: Title of all.
        x: What goes across.
        y: What goes up.
        columns: Panels in a row.
        log: Whether both axes are logarithmic.
        floor: Lowest value of a logarithmic axis; lines below it end.
        subtitle: Lines below the title.
    """
    alt = altair()
    charts = [_panel(panels, name, x, y, log=log, floor=floor) for name in panels.titles]
    grid = alt.concat(*charts, columns=columns, spacing=18).resolve_scale(
        x="independent", y="independent"
    )
    return styled(grid, title, subtitle=subtitle).configure_concat(spacing=18)


def _panel(panels: Panels, name: str, x: str, y: str, *, log: bool, floor: float) -> Any:
    alt = altair()
    points = [point for point in panels.points if point["panel"] == name]
    if log:
        points = [_lifted(point, floor) for point in points]
    kind = "log" if log else "linear"
    across = alt.X(
        "x:Q",
        title=x,
        scale=alt.Scale(type=kind, nice=False),
        axis=alt.Axis(grid=False, tickCount=5),
    )
    # Lines decide how high the axis goes; a wide band of one of them would flatten all others.
    top = max(point["y"] for point in points) or 1.0
    scale = alt.Scale(type=kind, domain=[floor if log else 0.0, top], nice=False)
    axis = alt.Axis(gridColor="#e2e5e9", domain=False, ticks=False, tickCount=5)
    base = alt.Chart(alt.Data(values=points)).encode(across, **_looks(panels.styles))
    band = base.mark_area(opacity=0.06 if log else 0.12, strokeWidth=0, clip=True).encode(
        alt.Y("low:Q", title=y, scale=scale, axis=axis), alt.Y2("high:Q")
    )
    line = base.mark_line(strokeWidth=1.8, clip=True).encode(alt.Y("y:Q", title=y, scale=scale))
    return (band + line).properties(width=380, height=250, title=name)


def _lifted(point: Mapping[str, Any], floor: float) -> dict[str, Any]:
    """Move what a logarithmic axis cannot show to just below its end."""
    return {**point, **{end: max(point[end], floor / 2) for end in ("y", "low", "high")}}


def _looks(styles: Mapping[str, Style]) -> dict[str, Any]:
    """Give colours, and dashes where lines differ by them, with one legend for both."""
    alt, names = altair(), list(styles)
    legend = alt.Legend(
        symbolType="stroke", symbolSize=300, symbolStrokeWidth=2.5, symbolOpacity=1, labelLimit=260
    )
    colours = alt.Scale(domain=names, range=[style.colour for style in styles.values()])
    looks = {"color": alt.Color("line:N", title=None, scale=colours, legend=legend)}
    if len({style.dash for style in styles.values()}) > 1:
        dashes = alt.Scale(domain=names, range=[list(style.dash) for style in styles.values()])
        looks["strokeDash"] = alt.StrokeDash("line:N", title=None, scale=dashes, legend=legend)
    return looks
