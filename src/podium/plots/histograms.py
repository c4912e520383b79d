"""Histograms of whole numbers, one panel a set, beside what was expected."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, ORANGE, altair, styled


class Histograms(NamedTuple):
    """What is drawn.

    Attributes:
        titles: The panels, row by row.
        bars: A row a bar: panel, number, how often, and how often it is expected, if known.
    """

    titles: tuple[str, ...]
    bars: list[dict[str, Any]]


def x_data(
    counts: Mapping[str, Sequence[int]], expected: Mapping[str, Sequence[float]] | None = None
) -> Histograms:
    """Take how often 0, 1, 2, ... occur, by panel, and how often they are expected.

    >>> x_data({"p": [3, 1]}, {"p": [2.5, 1.5]}).bars[1]
    {'panel': 'p', 'number': 1, 'count': 1, 'expected': 1.5}
    """
    bars = []
    for panel, found in counts.items():
        for number, count in enumerate(found):
            bar = {"panel": panel, "number": number, "count": count}
            bars.append(bar | ({"expected": expected[panel][number]} if expected else {}))
    return Histograms(tuple(counts), bars)


def draw(
    histograms: Histograms, title: str, *, x: str, y: str, columns: int = 2,
    subtitle: Sequence[str] = (),
) -> Any:  # fmt: skip
    """Draw the panels side by side: bars, and a line of what was expected."""
    alt = altair()
    charts = []
    for panel in histograms.titles:
        rows = [bar for bar in histograms.bars if bar["panel"] == panel]
        axis = alt.Axis(grid=False, labelAngle=0, labelOverlap=True)
        across = alt.X("number:O", title=x, axis=axis)
        up = alt.Axis(gridColor="#e2e5e9", domain=False, ticks=False, tickCount=5)
        base = alt.Chart(alt.Data(values=rows)).encode(across)
        chart = base.mark_bar(color=BLUE).encode(alt.Y("count:Q", title=y, axis=up))
        if "expected" in rows[0]:
            line = base.mark_line(color=ORANGE, strokeWidth=2, point={"color": ORANGE, "size": 18})
            chart = chart + line.encode(alt.Y("expected:Q", title=y))
        charts.append(chart.properties(width=340, height=160, title=panel))
    return styled(alt.concat(*charts, columns=columns, spacing=18), title, subtitle=subtitle)
