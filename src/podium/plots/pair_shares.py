"""A share for each ordered pair of agents as a heat map, such as how often one beats the other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats
from podium.data.tally import Tally
from podium.plots._altair import BLUE, ON_DARK, ON_LIGHT, ORANGE, altair, styled

SIDE, SMALLEST, LARGEST = 620, 11, 46
"""Pixels of the whole, and the least and the most of a cell."""

TOLD = 16
"""Up to so many agents, each cell says its share."""


class PairShares(NamedTuple):
    """What is drawn: the agents in order, and a row for each ordered pair that has a share."""

    agents: tuple[str, ...]
    cells: list[dict[str, Any]]


def win_rates(tally: Tally, order: Sequence[str]) -> Floats:
    """Give the share of its meetings that the row agent wins, a tie half; NaN without any.

    >>> win_rates(Tally.from_matrix([[0, 3], [1, 0]], "ab"), "ba").tolist()
    [[nan, 0.25], [0.75, nan]]
    """
    some = tally.only(order)
    met = np.where(some.met > 0, some.met, np.nan)
    np.fill_diagonal(met, np.nan)
    return np.asarray(0.5 + some.margins / met / 2, dtype=np.float64)


def x_data(agents: Sequence[str], shares: ArrayLike) -> PairShares:
    """Take shares, agents x agents; NaN where there is none.

    >>> x_data("ab", [[np.nan, 0.75], [0.25, np.nan]]).cells[0]
    {'row': 'a', 'column': 'b', 'share': 0.75}
    """
    table = np.asarray(shares, dtype=np.float64)
    cells = [
        {"row": a, "column": b, "share": float(table[i, j])}
        for i, a in enumerate(agents)
        for j, b in enumerate(agents)
        if i != j and np.isfinite(table[i, j])
    ]
    return PairShares(tuple(agents), cells)


def draw(data: PairShares, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a square a pair: blue where the share is above a half, orange where below."""
    alt, order = altair(), list(data.agents)
    cell = min(max(SIDE // max(len(order), 1), SMALLEST), LARGEST)
    size = min(12, max(cell - 1, 8))
    axis = {"ticks": False, "domain": False, "labelLimit": 160, "labelFontSize": size,
            "labelOverlap": False, "grid": False}  # fmt: skip
    column = alt.X("column:N", sort=order, title=None, scale=alt.Scale(domain=order), axis=alt.Axis(
        orient="top", labelAngle=-60, **axis))  # fmt: skip
    row = alt.Y("row:N", sort=order, title=None, scale=alt.Scale(domain=order),
                axis=alt.Axis(**axis))  # fmt: skip
    base = alt.Chart(alt.Data(values=data.cells)).encode(column, row)
    colour = alt.Color(
        "share:Q",
        scale=alt.Scale(domain=[0, 0.5, 1], range=[ORANGE, "#f7f7f7", BLUE], clamp=True),
        legend=alt.Legend(title=None, format=".0%", gradientLength=160),
    )
    chart = base.mark_rect(stroke="white", strokeWidth=1 if cell < 24 else 2).encode(color=colour)
    if len(order) <= TOLD:
        ink = alt.condition(
            "abs(datum.share - 0.5) > 0.35", alt.value(ON_DARK), alt.value(ON_LIGHT)
        )
        text = base.mark_text(fontSize=11).encode(text=alt.Text("share:Q", format=".0%"), color=ink)
        chart = chart + text
    side = cell * len(order)
    return styled(chart.properties(width=side, height=side), title, subtitle=subtitle)
