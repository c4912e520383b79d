"""The part of a report on who beats whom."""

from collections.abc import Iterator
from typing import Any

from podium.data.tally import Tally
from podium.plots import disc, majority_graph, pair_shares, split, weight_bars
from podium.report.document import Block, Figure
from podium.report.findings import Findings

SHOWN, GRAPH = 30, 8
"""So many agents are drawn, the best ones."""

WEIGHTS = 20
"""So many weights of a lottery are drawn."""


def blocks(found: Findings) -> Iterator[Block]:
    """Draw win rates, majorities, lotteries, and what ratings leave out."""
    if found.tally is not None and len(found.order) > 1:
        yield _rates(found.tally, found.order[:SHOWN])
        yield from _graphs(found, found.tally)
    yield from _lotteries(found)
    yield from _circles(found)


def _rates(tally: Tally, best: tuple[str, ...]) -> Figure:
    says = "How often the agent of the row beats the agent of the column"
    said = [f"agents in the order of the ranking, the first {len(best)}; a tie is half a win"]

    def draw() -> Any:
        shares = pair_shares.x_data(best, pair_shares.win_rates(tally, best))
        return pair_shares.draw(shares, says, subtitle=said)

    return Figure(says, draw)


def _graphs(found: Findings, tally: Tally) -> Iterator[Block]:
    """Draw the majorities that ranked pairs locked, and those down the ranking by Schulze."""
    rankings, drawn = found.comparison.rankings, []
    if "ranked-pairs" in rankings:
        ranking = rankings["ranked-pairs"]
        locked = set(ranking.info["locked"])
        graph = majority_graph.x_data(tally, ranking.order[:GRAPH], locked)
        drawn.append((graph, "Majorities that ranked-pairs locked"))
    if "schulze" in rankings:
        graph = majority_graph.x_data(tally, rankings["schulze"].order[:GRAPH])
        if not drawn or graph.edges != drawn[0][0].edges:
            drawn.append((graph, "Majorities down the ranking by schulze"))
    for graph, title in drawn:
        yield _graph(graph, f"{title}, among the first {len(graph.agents)}")


def _graph(graph: majority_graph.MajorityGraph, says: str) -> Figure:
    return Figure(says, lambda: majority_graph.draw(graph, says, unit="wins"))


def _lotteries(found: Findings) -> Iterator[Block]:
    rankings = found.comparison.rankings
    if "maximal-lottery" in rankings:
        yield _weights("Maximal lottery", rankings["maximal-lottery"].ratings)
    if "nash-average" in rankings:
        info = rankings["nash-average"].info
        yield _weights("Agents in the Nash equilibrium", info.get("agents") or {})
        if info.get("tasks"):
            yield _weights("Tasks in the Nash equilibrium", info["tasks"])


def _weights(title: str, weights: dict[str, float]) -> Figure:
    bars = weight_bars.x_data(weights)
    says = title if len(bars) <= WEIGHTS else f"{title}: the largest {WEIGHTS} of {len(bars)}"

    def draw() -> Any:
        return weight_bars.draw(bars[:WEIGHTS], says, left_out=len(weights) - len(bars))

    return Figure(says, draw)


def _circles(found: Findings) -> Iterator[Block]:
    if "hodge" not in found.comparison.rankings:
        return
    info = found.comparison.rankings["hodge"].info
    cyclic = float(info["cyclic_share"])
    says = "What ratings explain of the results"
    parts = {"one rating an agent": 1.0 - cyclic, "the rest: circles, skills, chance": cyclic}
    yield Figure(says, lambda: split.draw(split.x_data(parts), says))
    vectors = {agent: list(point) for agent, point in info["vectors"].items()}
    if all(len(point) >= 2 for point in vectors.values()):
        skills = "difficulty" in info
        title = "Two latent skills beside the rating" if skills else "Beyond ratings: the disc"
        said = (
            "Agents in the same direction do well on the same tasks."
            if skills
            else "An agent beats those counterclockwise of it, more than ratings say."
        )
        yield Figure(title, lambda: disc.draw(disc.x_data(vectors), title, subtitle=[said]))
