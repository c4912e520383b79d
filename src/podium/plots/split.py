"""A whole in parts: how much of the results ratings explain, and how much goes in circles."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.plots._altair import ON_DARK, altair, styled

COLOURS = ("#0072b3", "#c25501", "#6b4c9b", "#5f6b77")
"""Shades that stay as they are by night, as does what is written upon them."""


class Split(NamedTuple):
    """What is drawn: a row a part, from left to right, with its ends and its middle."""

    parts: list[dict[str, Any]]


def x_data(shares: Mapping[str, float]) -> Split:
    """Take parts and their shares of the whole.

    >>> x_data({"ratings": 0.75, "circles": 0.25}).parts[1]
    {'part': 'circles', 'start': 0.75, 'end': 1.0, 'middle': 0.875, 'share': 0.25}
    """
    parts, start = [], 0.0
    for part, share in shares.items():
        end = start + share
        middle = (start + end) / 2
        parts.append({"part": part, "start": start, "end": end, "middle": middle, "share": share})
        start = end
    return Split(parts)


def draw(split: Split, title: str, *, subtitle: Sequence[str] = ()) -> Any:
    """Draw one bar in its parts, with a legend above it."""
    alt = altair()
    names = [part["part"] for part in split.parts]
    scale = alt.Scale(domain=[0, 1], nice=False)
    colour = alt.Color(
        "part:N",
        scale=alt.Scale(domain=names, range=list(COLOURS[: len(names)])),
        legend=alt.Legend(title=None, orient="top", labelLimit=300, labelFontSize=12),
    )
    base = alt.Chart(alt.Data(values=split.parts))
    bars = base.mark_bar(height=30).encode(
        alt.X("start:Q", scale=scale, axis=None), alt.X2("end:Q"), color=colour
    )
    wide = alt.Chart(alt.Data(values=[part for part in split.parts if part["share"] >= 0.08]))
    text = wide.mark_text(fontSize=12, color=ON_DARK, fontWeight="bold").encode(
        alt.X("middle:Q", scale=scale), text=alt.Text("share:Q", format=".0%")
    )
    return styled((bars + text).properties(width=460, height=34), title, subtitle=subtitle)
