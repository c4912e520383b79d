"""Mixtures of three strategies as points of a triangle, coloured by their ratings."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from podium.arrays import Floats
from podium.plots._altair import INK, altair

SIDE = 150
"""Pixels of the side of a triangle."""

HEIGHT = 0.866
"""Height of a triangle of side 1."""


class SimplexChart(NamedTuple):
    """What is drawn.

    Attributes:
        points: Rows of population, rating, x, y, value and played.
        populations: The populations, from left to right.
    """

    points: list[dict[str, Any]]
    populations: tuple[str, ...]


def x_data(
    populations: Mapping[str, tuple[Floats, Mapping[str, Floats], Floats]],
) -> SimplexChart:
    """Place mixtures in a triangle, and scale each rating to its range.

    Args:
        populations: By name the mixtures, their ratings by method, and how
            often each is played.

    >>> import numpy as np
    >>> one = (np.eye(3), {"uniform": np.array([0.0, 1.0, 2.0])}, np.array([0.5, 0.5, 0.0]))
    >>> [(p["x"], p["y"], p["value"], p["played"]) for p in x_data({"all": one}).points]
    [(0.0, 0.0, 0.0, True), (1.0, 0.0, 0.5, True), (0.5, 0.866, 1.0, False)]
    """
    points = []
    for name, (mixtures, ratings, played) in populations.items():
        for method, values in ratings.items():
            span = float(values.max() - values.min())
            flat = span <= 1e-6
            for (_, right, top), value, mass in zip(mixtures, values, played, strict=True):
                points.append({
                    "population": name,
                    "rating": method,
                    "x": float(right + top / 2),
                    "y": float(HEIGHT * top),
                    "value": 0.5 if flat else float((value - values.min()) / span),
                    "played": bool(mass > 1e-6),
                })  # fmt: skip
    return SimplexChart(points, tuple(populations))


def draw(chart: SimplexChart, title: str) -> Any:
    """Draw a row a rating and a column a population; strategies that are played have a rim."""
    alt = altair()
    hidden = alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    return (
        alt.Chart(alt.Data(values=chart.points), title=title)
        .mark_circle(size=45, opacity=1, strokeWidth=1.5)
        .encode(
            alt.X("x:Q", title="rock to paper", axis=hidden, scale=alt.Scale(domain=[0, 1])),
            alt.Y("y:Q", title="scissors", axis=hidden, scale=alt.Scale(domain=[0, HEIGHT])),
            color=alt.Color("value:Q", title="rating in its range"),
            stroke=alt.condition("datum.played", alt.value(INK), alt.value("transparent")),
            column=alt.Column("population:N", sort=list(chart.populations), title=None),
            row=alt.Row("rating:N", sort=["uniform", "deviation"], title=None),
        )
        .properties(width=SIDE, height=SIDE * HEIGHT)
    )
