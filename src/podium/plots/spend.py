"""How certain a study was for what it had spent, its goal, and where it may be reached."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from podium.plots._altair import BLUE, INK, ORANGE, altair, styled

FAR = 1.6
"""The band of a forecast is drawn up to so many times its middle."""


class Forecast(NamedTuple):
    """Spend at which a goal may be reached: a band, and what lies in its middle."""

    low: float
    middle: float
    high: float


class Spend(NamedTuple):
    """What is drawn.

    Attributes:
        points: Rows of spend, certainty, and the ends of its interval.
        goal: The certainty that is wanted, or None.
        forecast: Where it may be reached, as far as it is in sight: rows with low, middle, high.
    """

    points: list[dict[str, float]]
    goal: float | None
    forecast: list[dict[str, float]]


def x_data(
    path: Sequence[tuple[float, float]],
    *,
    draws: int = 400,
    goal: float | None = None,
    forecast: Forecast | None = None,
) -> Spend:
    """Take spends with how certain the study was, and what is to come.

    The band is that of a share that was counted in so many draws (Wilson 1927), at level 0.95.

    Args:
        path: Spend and certainty, in the order of time.
        draws: Truths that were drawn to tell the certainty.
        goal: The certainty that is wanted.
        forecast: Where it may be reached.

    >>> x_data([(10.0, 0.5)], goal=0.9, forecast=Forecast(20.0, 40.0, math.inf)).forecast
    [{'low': 20.0, 'middle': 40.0, 'high': 40.0, 'goal': 0.9}]
    """
    from podium.kernels.shares import normal_quantile, wilson

    points = []
    for spent, certainty in path:
        low, high = wilson(certainty, draws, normal_quantile(0.95))
        points.append({"spent": spent, "certainty": certainty, "low": low, "high": high})
    band = []
    if forecast is not None and goal is not None and math.isfinite(forecast.middle):
        high = forecast.high if math.isfinite(forecast.high) else forecast.middle
        ends = {"low": forecast.low, "middle": forecast.middle, "high": high}
        band = [{**ends, "goal": goal}] if forecast.middle > forecast.low else []
    return Spend(points, goal, band)


def draw(data: Spend, title: str, *, unit: str = "cost", subtitle: Sequence[str] = ()) -> Any:
    """Draw the path with its band, a line at the goal, and the band of the forecast on it."""
    alt = altair()
    last = max(
        [p["spent"] for p in data.points] + [_end(band) for band in data.forecast], default=1.0
    )
    axis = alt.Axis(grid=False, tickCount=6, format=",.0f" if last >= 10 else "~g")
    across = alt.X("spent:Q", title=unit, axis=axis, scale=alt.Scale(domain=[0, last], nice=False))
    axis = alt.Axis(format=".0%", gridColor="#e2e5e9", domain=False, ticks=False, tickCount=5)
    share = alt.Scale(domain=[0, 1])
    up = alt.Y("certainty:Q", title="probability to be right", axis=axis, scale=share)
    base = alt.Chart(alt.Data(values=data.points)).encode(across)
    chart = (
        base.mark_area(color=BLUE, opacity=0.15).encode(
            alt.Y("low:Q", scale=share), alt.Y2("high:Q")
        )
        + base.mark_line(color=BLUE, strokeWidth=2).encode(up)
        + base.mark_circle(color=BLUE, size=40, opacity=1).encode(up)
    )
    if data.goal is not None:
        goal = alt.Chart(alt.Data(values=[{"certainty": data.goal, "spent": 0, "text": "wanted"}]))
        chart = chart + goal.mark_rule(color=ORANGE, strokeDash=[5, 4]).encode(
            alt.Y("certainty:Q", scale=share)
        )
        text = goal.mark_text(align="left", dx=4, dy=-8, color=INK, fontSize=12)
        chart = chart + text.encode(across, alt.Y("certainty:Q", scale=share), text="text:N")
    if data.forecast:
        band = alt.Chart(alt.Data(values=data.forecast)).encode(alt.Y("goal:Q", scale=share))
        chart = chart + band.mark_rule(color=ORANGE, strokeWidth=6, opacity=0.45, clip=True).encode(
            alt.X("low:Q"), alt.X2("high:Q")
        )
        chart = chart + band.mark_circle(color=ORANGE, size=110, opacity=1).encode(
            alt.X("middle:Q")
        )
    return styled(chart.properties(width=480, height=260), title, subtitle=subtitle)


def _end(band: dict[str, float]) -> float:
    """Choose where the axis ends: a wide band would flatten all that was seen so far."""
    return min(band["high"], FAR * band["middle"])
