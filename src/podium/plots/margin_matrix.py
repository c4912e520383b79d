"""Margins of all pairs of some agents as a heat map."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from podium.data.tally import Tally
from podium.plots._altair import BLUE, ON_DARK, ON_LIGHT, ORANGE, altair, styled

CELL = 46
"""Pixels of a cell's side."""


class MarginMatrix(NamedTuple):
    """What is drawn: the agents in order, and a row for each ordered pair."""

    agents: tuple[str, ...]
    cells: list[dict[str, Any]]


def x_data(tally: Tally, order: Sequence[str]) -> MarginMatrix:
    """Take the margins among some agents, in the order given.

    >>> x_data(Tally.from_matrix([[0, 3], [1, 0]], "ab"), "ab").cells[1]
    {'row': 'a', 'column': 'b', 'margin': 2.0}
    """
    margins = tally.only(order).margins
    cells = [
        {"row": a, "column": b, "margin": float(margins[i, j])}
        for i, a in enumerate(order)
        for j, b in enumerate(order)
    ]
    return MarginMatrix(tuple(order), cells)


def draw(matrix: MarginMatrix, title: str, *, unit: str = "votes") -> Any:
    """Draw a square a pair: blue where the agent of the row wins, orange where it loses."""
    alt = altair()
    largest = max((abs(cell["margin"]) for cell in matrix.cells), default=1) or 1
    order = list(matrix.agents)
    column = alt.X("column:N", sort=order, title=None, axis=alt.Axis(
        orient="top", labelAngle=-45, ticks=False, domain=False, labelLimit=220))  # fmt: skip
    row = alt.Y("row:N", sort=order, title=None, axis=alt.Axis(
        ticks=False, domain=False, labelLimit=220))  # fmt: skip
    base = alt.Chart(alt.Data(values=matrix.cells)).encode(column, row)
    colour = alt.Color(
        "margin:Q",
        scale=alt.Scale(domain=[-largest, 0, largest], range=[ORANGE, "#f7f7f7", BLUE]),
        legend=None,
    )
    strong = f"abs(datum.margin) > {0.7 * largest}"
    ink = alt.condition(strong, alt.value(ON_DARK), alt.value(ON_LIGHT))
    number = base.mark_text(fontSize=12).encode(text=alt.Text("margin:Q", format="d"), color=ink)
    chart = base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour) + number
    side = CELL * len(order)
    say = [f"Margin in {unit} of the agent of the row over the agent of the column:",
           "blue where it wins, orange where it loses."]  # fmt: skip
    return styled(chart.properties(width=side, height=side), title, subtitle=say)
