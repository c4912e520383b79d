"""Answers just as good: what else a method could have said about the same data.

Several rules have more than one answer where margins are zero or equal. The
paper prints the one that its solver met first; podium says that there are
several. A printed number is explained when it belongs to another answer that
satisfies the same definition, which is checked here and not taken on trust.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from podium.data.convert import Data
from podium.data.ratings import Ranking
from podium.data.tally import Tally
from podium.experiments._sources import ranked, ready, tally

Span: TypeAlias = tuple[float, float]


class Twins(NamedTuple):
    """What answers just as good say.

    Attributes:
        spans: Agent to the lowest and highest number.
        why: Why there are several answers.
    """

    spans: dict[str, Span]
    why: str


NO_TWINS = Twins({}, "")


def twins(ranking: Ranking, data: Data, order: Sequence[str]) -> Twins:
    """Bound each agent's number over answers just as good, as far as the order tells them.

    Args:
        ranking: Podium's answer.
        data: What was ranked.
        order: The printed order, which points at the paper's answer.
    """
    finder = {"kemeny": _kemeny, "schulze": _schulze, "iterated-lottery": _iterated_lottery}
    if ranking.method not in finder or set(order) != set(ranking.ratings):
        return NO_TWINS
    return finder[ranking.method](ranking, tally(data), order)


def agrees(order: Sequence[str], ranking: Ranking) -> bool:
    """Tell whether an order keeps to a ranking, tied agents either way.

    The order may hold some of the agents only.

    >>> agrees("ba", Ranking("borda", (("a", "b"),), {}))
    True
    """
    if ranking.method in ("schulze", "ranked-pairs"):
        name = "relation" if ranking.method == "schulze" else "locked"
        above = ranking.info[name]
        held = {pair for pair in above if above[pair]} if name == "relation" else set(above)
        return not any((b, a) in held for i, a in enumerate(order) for b in order[i + 1 :])
    ranks = ranking.ranks
    if ranking.method == "iterated-lottery":
        levels = ranking.info["levels"]
        ranks = {agent: number for number, level in enumerate(levels) for agent in level}
    places = [ranks[agent] for agent in order]
    return places == sorted(places)


def _kemeny(ranking: Ranking, counts: Tally, order: Sequence[str]) -> Twins:
    wins = counts.only(order).wins
    scores = [float(wins[place, place + 1 :].sum()) for place in range(len(order))]
    if sum(scores) < ranking.info["value"]:
        return NO_TWINS
    spans = {agent: (score, score) for agent, score in zip(order, scores, strict=True)}
    return Twins(spans, "the printed ranking is another one of the highest Kemeny value")


def _schulze(ranking: Ranking, counts: Tally, order: Sequence[str]) -> Twins:
    if not agrees(order, ranking):
        return NO_TWINS
    wins = counts.only(order).wins
    score, spans = 0.0, {order[-1]: (0.0, 0.0)}
    for place in range(len(order) - 2, -1, -1):
        score += float(wins[place, place + 1])
        spans[order[place]] = (score, score)
    return Twins(spans, "the printed order is another one that keeps to the strongest paths")


def _iterated_lottery(ranking: Ranking, counts: Tally, order: Sequence[str]) -> Twins:
    if not ready("maximal-lottery"):
        return NO_TWINS
    levels = [tuple(level) for level in ranking.info["levels"]]
    left, spans = list(order), {}
    for number, level in enumerate(levels):
        ranges = ranked(counts.only(left), "maximal-lottery").info["ranges"]
        below = len(levels) - 1 - number
        spans |= {agent: (below + ranges[agent][0], below + ranges[agent][1]) for agent in level}
        left = [agent for agent in left if agent not in level]
    return Twins(spans, "the printed lottery is another maximal one; podium takes the most even")
