"""How far apart the rankings of some methods are, as a heat map."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.data.ratings import Ranking
from podium.plots._altair import ON_DARK, ON_LIGHT, ORANGE, altair, styled

CELL = 38
"""Pixels of a cell's side."""


class MethodDistances(NamedTuple):
    """What is drawn: the methods in order, and a row for each two of them."""

    methods: tuple[str, ...]
    cells: list[dict[str, Any]]


def x_data(rankings: Mapping[str, Ranking]) -> MethodDistances:
    """Take the share of pairs of agents that two methods order otherwise; a tie of one is half.

    >>> two = {"x": Ranking("x", (("a",), ("b",)), {}), "y": Ranking("y", (("a", "b"),), {})}
    >>> x_data(two).cells[1]
    {'row': 'x', 'column': 'y', 'share': 0.5}
    """
    names = tuple(rankings)
    agents = sorted({agent for ranking in rankings.values() for agent in ranking.order})
    above = []
    for ranking in rankings.values():
        ranks = np.array([ranking.ranks[agent] for agent in agents])
        above.append(np.sign(ranks[:, None] - ranks[None, :])[np.triu_indices(len(agents), 1)])
    pairs = max(len(agents) * (len(agents) - 1) // 2, 1)
    cells = [
        {"row": row, "column": column, "share": float(np.abs(one - other).sum() / 2 / pairs)}
        for row, one in zip(names, above, strict=True)
        for column, other in zip(names, above, strict=True)
    ]
    return MethodDistances(names, cells)


def draw(data: MethodDistances, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a square for each two methods, the darker the farther apart."""
    alt, order = altair(), list(data.methods)
    largest = max((cell["share"] for cell in data.cells), default=0.0) or 1.0
    axis = {"ticks": False, "domain": False, "labelLimit": 160, "grid": False}
    column = alt.X("column:N", sort=order, title=None,
                   axis=alt.Axis(orient="top", labelAngle=-60, **axis))  # fmt: skip
    row = alt.Y("row:N", sort=order, title=None, axis=alt.Axis(**axis))
    base = alt.Chart(alt.Data(values=data.cells)).encode(column, row)
    scale = alt.Scale(domain=[0, largest], range=["#f7f7f7", ORANGE])
    strong = f"datum.share > {0.75 * largest}"
    ink = alt.condition(strong, alt.value(ON_DARK), alt.value(ON_LIGHT))
    chart = base.mark_rect(stroke="white").encode(
        color=alt.Color("share:Q", scale=scale, legend=None)
    ) + base.mark_text(fontSize=11).encode(text=alt.Text("share:Q", format=".0%"), color=ink)
    side = CELL * len(order)
    return styled(chart.properties(width=side, height=side), title, subtitle=subtitle)
