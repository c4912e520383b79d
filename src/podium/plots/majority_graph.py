"""Who beats whom among a few agents: arcs from winner down to loser, with the margins."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.data.tally import Tally
from podium.plots._altair import BLUE, INK, altair, styled
from podium.words import counted

ROW, SPAN = 62, 46
"""Pixels from one agent to the next, and from the apex of an arc to that of the next longer."""

LEAVE = 0.13
"""An arc leaves this much below its winner and arrives this much above its loser."""


class MajorityGraph(NamedTuple):
    """What is drawn.

    Attributes:
        agents: The agents, from the top down.
        edges: Rows of winner, loser, margin, their places from 0, and whether
            the margin is an estimate.
        left_out: How many majorities are not shown: those that go against the
            order, and those not asked for.
    """

    agents: tuple[str, ...]
    edges: list[dict[str, Any]]
    left_out: int


def x_data(
    tally: Tally,
    order: Sequence[str],
    edges: Collection[tuple[str, str]] | None = None,
    *,
    estimated: Collection[frozenset[str]] = (),
) -> MajorityGraph:
    """Take the majorities among some agents, listed from the top down.

    Args:
        tally: Pairwise counts.
        order: The agents to show.
        edges: The (winner, loser) pairs to show, such as those that ranked
            pairs locked; by default all won majorities.
        estimated: The pairs whose margin is an estimate.

    >>> tally = Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc")
    >>> [(e["winner"], e["loser"], e["margin"]) for e in x_data(tally, "cab").edges]
    [('c', 'a', 1.0), ('c', 'b', 1.0), ('a', 'b', 3.0)]
    """
    margins = tally.only(order).margins
    won: list[dict[str, Any]] = [
        {
            "winner": order[i],
            "loser": order[j],
            "margin": float(margins[i, j]),
            "from": i,
            "to": j,
            "estimated": frozenset((order[i], order[j])) in estimated,
        }
        for i, j in np.argwhere(margins > 0).tolist()
    ]
    shown = [edge for edge in won if edges is None or (edge["winner"], edge["loser"]) in edges]
    down = [edge for edge in shown if edge["from"] < edge["to"]]
    return MajorityGraph(tuple(order), down, len(won) - len(down))


def draw(graph: MajorityGraph, title: str, *, unit: str = "votes") -> Any:
    """Draw agents in a line and each majority as an arc, with its margin at the apex."""
    alt = altair()
    longest = max((edge["to"] - edge["from"] for edge in graph.edges), default=1)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.2, longest + 0.6], nice=False))
    rows = alt.Scale(domain=[-0.4, len(graph.agents) - 0.6], reverse=True, nice=False)
    y = alt.Y("y:Q", axis=None, scale=rows)

    def layer(values: list[dict[str, Any]]) -> Any:
        return alt.Chart(alt.Data(values=values)).encode(x, y)

    arcs = layer([p for number, edge in enumerate(graph.edges) for p in _arc(number, edge)])
    heads = layer([{"x": 0.14, "y": edge["to"] - LEAVE} for edge in graph.edges])
    apexes = layer([_apex(edge) for edge in graph.edges])
    agents = layer([{"x": 0, "y": place, "name": name} for place, name in enumerate(graph.agents)])
    chart = (
        arcs.mark_line(color=BLUE, opacity=0.5, strokeWidth=1.5).encode(
            order="t:Q", detail="edge:N"
        )
        + heads.mark_point(
            shape="triangle-left", filled=True, size=60, color=BLUE, opacity=1, angle=0
        )
        + apexes.mark_text(fontSize=12, stroke="white", strokeWidth=5).encode(text="margin:N")
        + apexes.mark_text(fontSize=12, color=INK).encode(text="margin:N")
        + agents.mark_circle(size=90, color=INK, opacity=1)
        + agents.mark_text(align="right", dx=-10, fontSize=13, color=INK).encode(text="name:N")
    )
    width, height = int((longest + 0.8) * SPAN), int((len(graph.agents) - 0.2) * ROW)
    return styled(chart.properties(width=width, height=height), title, subtitle=_say(graph, unit))


def _arc(number: int, edge: dict[str, Any]) -> list[dict[str, float]]:
    """Lay points along half an ellipse from winner to loser."""
    first, last = edge["from"] + LEAVE, edge["to"] - LEAVE
    turn = np.linspace(0, np.pi, 40)
    across = (edge["to"] - edge["from"]) * np.sin(turn) + 0.1
    down = (first + last) / 2 - (last - first) / 2 * np.cos(turn)
    points = zip(turn.tolist(), across.tolist(), down.tolist(), strict=True)
    return [{"edge": number, "t": t, "x": right, "y": below} for t, right, below in points]


def _apex(edge: dict[str, Any]) -> dict[str, Any]:
    span = edge["to"] - edge["from"]
    margin = f"{'~' if edge['estimated'] else ''}{edge['margin']:g}"
    return {"x": span + 0.1, "y": (edge["from"] + edge["to"]) / 2, "margin": margin}


def _say(graph: MajorityGraph, unit: str) -> list[str]:
    lines = [f"An arc goes from the winner down to the loser; the number is the margin in {unit}."]
    if any(edge["estimated"] for edge in graph.edges):
        lines.append("~ marks an estimate.")
    ties = len(graph.agents) * (len(graph.agents) - 1) // 2 - len(graph.edges) - graph.left_out
    unseen = {"tied pair": ties, "other majority": graph.left_out}
    lines += [f"Not shown: {counted(n, what)}." for what, n in unseen.items() if n]
    return lines
