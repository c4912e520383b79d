"""Bars: shares of a few answers, one panel a way to find them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, altair, styled


class Bars(NamedTuple):
    """What is drawn: a row a bar, with its panel, its answer and its share."""

    rows: list[dict[str, Any]]


def x_data(shares: Mapping[str, Sequence[tuple[str, float]]]) -> Bars:
    """Take answers and their shares, by panel.

    >>> x_data({"one": [("a > b", 0.5)]}).rows
    [{'panel': 'one', 'answer': 'a > b', 'share': 0.5}]
    """
    return Bars([
        {"panel": panel, "answer": answer, "share": share}
        for panel, answers in shares.items()
        for answer, share in answers
    ])  # fmt: skip


def draw(bars: Bars, title: str, *, x: str) -> Any:
    """Draw a panel of bars below another, the largest first."""
    alt = altair()
    up = alt.Y("answer:N", title=None, sort="-x", axis=alt.Axis(ticks=False, domain=False))
    across = alt.X("share:Q", title=x, axis=alt.Axis(format="%", gridColor="#e2e5e9"))
    panels = []
    for panel in dict.fromkeys(row["panel"] for row in bars.rows):
        rows = [row for row in bars.rows if row["panel"] == panel]
        chart = alt.Chart(alt.Data(values=rows)).mark_bar(color=BLUE).encode(across, up)
        panels.append(chart.properties(width=360, height=20 * len(rows), title=panel))
    return styled(alt.vconcat(*panels), title)
