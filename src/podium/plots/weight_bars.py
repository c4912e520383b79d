"""Weights of an equilibrium as bars."""

from collections.abc import Mapping
from typing import Any

from podium.plots._altair import BLUE, INK, altair, styled

LEAST = 1e-6
"""A lower weight is none, and has no bar."""


def x_data(weights: Mapping[str, float]) -> list[dict[str, Any]]:
    """Take the weights above 0, largest first.

    >>> x_data({"a": 0.25, "b": 0.75, "c": 0.0})
    [{'name': 'b', 'weight': 0.75}, {'name': 'a', 'weight': 0.25}]
    """
    kept = [(name, weight) for name, weight in weights.items() if weight > LEAST]
    ordered = sorted(kept, key=lambda entry: (-entry[1], entry[0]))
    return [{"name": name, "weight": weight} for name, weight in ordered]


def draw(bars: list[dict[str, Any]], title: str, *, left_out: int) -> Any:
    """Draw a bar for each name, and say how many have none."""
    alt = altair()
    x = alt.X("weight:Q", title=None, axis=None, scale=alt.Scale(domainMin=0))
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False))
    base = alt.Chart(alt.Data(values=bars)).encode(x, y)
    share = base.mark_text(align="left", dx=4, fontSize=12, color=INK).encode(
        text=alt.Text("weight:Q", format=".0%")
    )
    chart = (base.mark_bar(color=BLUE, height=16) + share).properties(
        width=360, height=26 * len(bars)
    )
    return styled(chart, title, subtitle=[f"the {left_out} others have weight 0"])
