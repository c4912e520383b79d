"""Ranks: each agent's rank, and the ranks that it could have."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from podium.data.ratings import Ranking
from podium.plots._altair import BLUE, altair, styled


class Ranks(NamedTuple):
    """What is drawn.

    Attributes:
        rows: A row an agent, best first: name, rank, best and worst rank.
        method: Name of the method.
        level: Share that an interval holds, or None without intervals.
    """

    rows: list[dict[str, Any]]
    method: str
    level: float | None


def x_data(ranking: Ranking) -> Ranks:
    """Take the ranks of a ranking.

    >>> ranking = Ranking("borda", (("a",), ("b",)), {"a": 2.0, "b": 1.0})
    >>> x_data(ranking).rows[1]
    {'agent': 'b', 'rank': 2, 'low': 2, 'high': 2}
    """
    rows = [
        {
            "agent": row["agent"],
            "rank": row["rank"],
            "low": row["rank_low"] or row["rank"],
            "high": row["rank_high"] or row["rank"],
        }
        for row in ranking.table()
    ]
    return Ranks(rows, ranking.method, ranking.info.get("intervals", {}).get("level"))


def draw(ranks: Ranks, title: str = "", *, subtitle: Sequence[str] = ()) -> Any:
    """Draw a bar from the best to the worst rank of each agent, and a dot at its rank."""
    alt = altair()
    said = [f"bars: {ranks.level:.0%} rank intervals"] if ranks.level else []
    base = alt.Chart(alt.Data(values=ranks.rows)).encode(
        y=alt.Y("agent:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False))
    )
    axis = alt.Axis(
        tickMinStep=1, format="d", orient="top", gridColor="#e5e8eb", domain=False, ticks=False
    )
    scale = alt.Scale(domain=[0.5, len(ranks.rows) + 0.5], nice=False)
    low = alt.X("low:Q", title="rank", scale=scale, axis=axis)
    bars = base.mark_rule(strokeWidth=7, color=BLUE, opacity=0.35, strokeCap="round").encode(
        x=low, x2="high:Q"
    )
    dots = base.mark_circle(size=130, color=BLUE, opacity=1).encode(
        x=alt.X("rank:Q", scale=scale), tooltip=["agent:N", "rank:Q", "low:Q", "high:Q"]
    )
    chart = (bars + dots).properties(width=460, height=26 * len(ranks.rows))
    return styled(chart, title or f"Ranking by {ranks.method}", subtitle=subtitle or said)
