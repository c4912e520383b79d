"""Figures 11 and 13: who beats whom among the first agents of ranked pairs."""

from collections.abc import Collection
from typing import Any

from podium.data.convert import Data
from podium.experiments._registry import Picture
from podium.experiments._sources import ranked, ready, tally

TOP = 8
"""How many agents the figures show."""


def top_order(data: Data) -> tuple[str, ...]:
    """Name the first agents by ranked pairs, or by Copeland until podium has it."""
    method = "ranked-pairs" if ready("ranked-pairs") else "copeland"
    return ranked(data, method).order[:TOP]


def top_margins(data: Data, estimated: Collection[frozenset[str]] = ()) -> list[dict[str, Any]]:
    """Lay the margins among the first agents out, a row an agent; ~ marks an estimate."""
    order = top_order(data)
    margins = tally(data).only(order).margins
    return [
        {"agent": agent}
        | {
            other: f"{'~' if frozenset((agent, other)) in estimated else ''}{margin:g}"
            for other, margin in zip(order, row, strict=True)
        }
        for agent, row in zip(order, margins.tolist(), strict=True)
    ]


def graph_picture(
    name: str,
    title: str,
    data: Data,
    *,
    unit: str = "tasks",
    estimated: Collection[frozenset[str]] = (),
) -> Picture:
    """Make the picture of the locked majorities among the first agents."""

    def draw() -> Any:
        from podium.plots import majority_graph

        locked = set(ranked(data, "ranked-pairs").info["locked"])
        graph = majority_graph.x_data(tally(data), top_order(data), locked, estimated=estimated)
        return majority_graph.draw(graph, title, unit=unit)

    return Picture(name, title, draw)
