"""Which places each agent may truly have, as a heat map of probabilities."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from podium.plots._altair import BLUE, ON_DARK, ON_LIGHT, altair, styled

SIDE, SMALLEST, LARGEST = 620, 12, 46
"""Pixels of the whole, and the least and the most of a cell."""

TOLD = 14
"""Up to so many agents, each cell says its probability."""

LEAST = 0.005
"""A lower probability is not drawn."""


class Places(NamedTuple):
    """What is drawn: the agents, best first, and a row for each place that one may have."""

    agents: tuple[str, ...]
    cells: list[dict[str, Any]]


def x_data(agents: Sequence[str], places: ArrayLike) -> Places:
    """Take the probability of each place, agents x places.

    >>> x_data("ab", [[0.75, 0.25], [0.25, 0.75]]).cells[0]
    {'agent': 'a', 'place': 1, 'chance': 0.75}
    """
    table = np.asarray(places, dtype=np.float64)
    cells = [
        {"agent": agent, "place": place + 1, "chance": float(table[row, place])}
        for row, agent in enumerate(agents)
        for place in np.flatnonzero(table[row] >= LEAST).tolist()
    ]
    return Places(tuple(agents), cells)


def draw(data: Places, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a square for each place of each agent, the darker the likelier."""
    alt, order = altair(), list(data.agents)
    cell = min(max(SIDE // max(len(order), 1), SMALLEST), LARGEST)
    count = max((row["place"] for row in data.cells), default=1)
    up = alt.Y("agent:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=alt.Axis(
        ticks=False, domain=False, labelLimit=200, labelOverlap=False, grid=False,
        labelFontSize=min(12, max(cell - 1, 8))))  # fmt: skip
    across = alt.X("place:O", title="place", scale=alt.Scale(domain=list(range(1, count + 1))),
                   axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False,
                                 grid=False, labelOverlap=True))  # fmt: skip
    base = alt.Chart(alt.Data(values=data.cells)).encode(across, up)
    scale = alt.Scale(domain=[0, 1], range=["#eef4f9", BLUE])
    legend = alt.Legend(title=None, format=".0%", gradientLength=120)
    chart = base.mark_rect(stroke="white").encode(
        color=alt.Color("chance:Q", scale=scale, legend=legend)
    )
    if len(order) <= TOLD:
        ink = alt.condition("datum.chance > 0.6", alt.value(ON_DARK), alt.value(ON_LIGHT))
        text = base.mark_text(fontSize=11).encode(
            text=alt.Text("chance:Q", format=".0%"), color=ink
        )
        chart = chart + text
    size = {"width": cell * count, "height": cell * len(order)}
    return styled(chart.properties(**size), title, subtitle=subtitle)
