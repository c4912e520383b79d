"""Ranks of a few agents by several methods, side by side."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from podium.data.ratings import Ranking
from podium.plots._altair import INK, PALETTE, altair, styled

STEP, ROW = 92, 38
"""Pixels from one method to the next, and from one rank to the next."""


class RankChart(NamedTuple):
    """What is drawn.

    Attributes:
        agents: The agents, in the order of their colours.
        methods: The methods, from left to right.
        points: Rows of agent, method, rank, and the place where it is drawn:
            tied agents share the middle of their ranks, spread so that all are seen.
    """

    agents: tuple[str, ...]
    methods: tuple[str, ...]
    points: list[dict[str, Any]]


def x_data(rankings: Mapping[str, Ranking], order: Sequence[str]) -> RankChart:
    """Take the ranks of some agents by each method.

    >>> both = {"borda": Ranking("borda", (("a", "b"), ("c",)), {})}
    >>> [(p["agent"], p["rank"], p["tied"]) for p in x_data(both, "abc").points]
    [('a', 1, 2), ('b', 1, 2), ('c', 3, 1)]
    """
    points = [
        {"agent": agent, "method": method, "rank": ranking.ranks[agent], "tied": len(tier),
         "place": ranking.ranks[agent] + slot}
        for method, ranking in rankings.items()
        for tier in ranking.tiers
        for slot, agent in enumerate(sorted(tier, key=list(order).index))
    ]  # fmt: skip
    return RankChart(tuple(order), tuple(rankings), points)


def draw(chart: RankChart, title: str) -> Any:
    """Draw a line an agent through its ranks; tied agents are joined by a grey bar."""
    alt = altair()
    rows = alt.Scale(domain=[0.5, len(chart.agents) + 0.5], reverse=True, nice=False)
    x = alt.X("method:N", sort=list(chart.methods), title=None, scale=alt.Scale(padding=0.3),
              axis=alt.Axis(orient="top", labelAngle=-30, ticks=False, domain=False,
                            labelLimit=200, labelAlign="left"))  # fmt: skip
    ranks = list(range(1, len(chart.agents) + 1))
    y = alt.Y("place:Q", title=None, scale=rows, axis=alt.Axis(
        values=ranks, format="d", ticks=False, domain=False, grid=False))  # fmt: skip
    colour = alt.Color(
        "agent:N", legend=None,
        scale=alt.Scale(domain=list(chart.agents), range=list(PALETTE[: len(chart.agents)])),
    )  # fmt: skip
    base = alt.Chart(alt.Data(values=chart.points)).encode(x, y)
    bars = alt.Chart(alt.Data(values=_ties(chart))).encode(x, y, alt.Y2("last:Q"))
    ends = alt.Chart(alt.Data(values=[p for p in chart.points if p["method"] == chart.methods[-1]]))
    whole = (
        bars.mark_bar(size=20, color="#e2e5e9", cornerRadius=8)
        + base.mark_line(strokeWidth=2.5, opacity=0.75).encode(color=colour, detail="agent:N")
        + base.mark_circle(size=110, opacity=1).encode(color=colour)
        + ends.encode(x, y)
        .mark_text(align="left", dx=12, fontSize=12, color=INK)
        .encode(text="agent:N")
    )
    width, height = STEP * len(chart.methods), ROW * len(chart.agents)
    say = "A grey bar joins agents that share a rank."
    return styled(whole.properties(width=width, height=height), title, subtitle=[say])


def _ties(chart: RankChart) -> list[dict[str, Any]]:
    return [
        {"method": p["method"], "place": p["place"] - 0.35, "last": p["place"] + p["tied"] - 0.65}
        for p in chart.points
        if p["tied"] > 1 and p["place"] == p["rank"]
    ]
