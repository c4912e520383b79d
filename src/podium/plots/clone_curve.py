"""How a model of ratings predicts a pair as clones of a third agent are added."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, INK, ORANGE, altair, styled


class CloneCurve(NamedTuple):
    """What is drawn: the prediction by number of copies, and the truth."""

    points: list[dict[str, float]]
    truth: float


def x_data(predicted: Mapping[int, float], truth: float) -> CloneCurve:
    """Take predictions by the number of copies, and the true probability.

    >>> x_data({1: 0.8}, 0.9).points
    [{'copies': 1, 'predicted': 0.8}]
    """
    return CloneCurve([{"copies": n, "predicted": p} for n, p in predicted.items()], truth)


def draw(curve: CloneCurve, title: str) -> Any:
    """Draw the prediction as a line that leaves the truth."""
    alt = altair()
    last = curve.points[-1]
    x = alt.X("copies:Q", title="copies of B", axis=alt.Axis(grid=False, tickCount=10))
    scale = alt.Scale(domain=[0.5, 1.0])
    axis = alt.Axis(format=".0%", gridColor="#e2e5e9", domain=False, ticks=False)
    y = alt.Y("predicted:Q", title="probability that A beats C", scale=scale, axis=axis)
    line = alt.Chart(alt.Data(values=curve.points)).mark_line(point=True, color=BLUE).encode(x, y)
    truth = [{"copies": p["copies"], "predicted": curve.truth} for p in curve.points]
    rule = alt.Chart(alt.Data(values=truth)).mark_line(color=ORANGE, strokeDash=[6, 4]).encode(x, y)
    words = [
        {"copies": last["copies"], "predicted": curve.truth - 0.02, "text": "truth"},
        {
            "copies": last["copies"],
            "predicted": last["predicted"] + 0.03,
            "text": "Elo's prediction",
        },
    ]
    text = alt.Chart(alt.Data(values=words)).mark_text(align="right", fontSize=13, color=INK)
    chart = rule + line + text.encode(x, y, text="text:N")
    return styled(chart.properties(width=480, height=280), title)
