"""Answers just as good: what else a method could have said about the same data.

Several rules have more than one answer where margins are zero or equal. The
paper prints the one that its solver met first; podium says that there are
several. A printed number is explained when it belongs to another answer that
satisfies the same definition, which is checked here and not taken on trust.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from podium.data.convert import Data
from podium.data.profile import Profile
from podium.data.ratings import Ranking
from podium.data.tally import Tally
from podium.experiments._sources import ballots, ranked, ready, tally

Span: TypeAlias = tuple[float, float]


class Twins(NamedTuple):
    """What answers just as good say.

    Attributes:
        why: Why there are several answers.
        spans: Agent to the lowest and highest number.
        labels: Agent to its label, for the rule that has labels (STV).
    """

    why: str = ""
    spans: Mapping[str, Span] = {}
    labels: Mapping[str, str] = {}


NO_TWINS = Twins()


class _Vote(NamedTuple):
    """A ballot in a count: what is left of its weight, and who is left on it."""

    weight: float
    rest: list[str]


def twins(ranking: Ranking, data: Data, order: Sequence[str]) -> Twins:
    """Bound each agent's number over answers just as good, as far as the order tells them.

    Args:
        ranking: Podium's answer.
        data: What was ranked.
        order: The printed order, which points at the paper's answer.
    """
    finder = {"kemeny": _kemeny, "schulze": _schulze, "iterated-lottery": _iterated_lottery}
    if set(order) != set(ranking.ratings):
        return NO_TWINS
    if ranking.method == "stv":
        return _stv(ranking, ballots(data), order)
    return (
        finder[ranking.method](ranking, tally(data), order)
        if ranking.method in finder
        else NO_TWINS
    )


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
    return Twins("the printed ranking is another one of the highest Kemeny value", spans)


def _schulze(ranking: Ranking, counts: Tally, order: Sequence[str]) -> Twins:
    if not agrees(order, ranking):
        return NO_TWINS
    wins = counts.only(order).wins
    score, spans = 0.0, {order[-1]: (0.0, 0.0)}
    for place in range(len(order) - 2, -1, -1):
        score += float(wins[place, place + 1])
        spans[order[place]] = (score, score)
    return Twins("the printed order is another one that keeps to the strongest paths", spans)


def _iterated_lottery(ranking: Ranking, counts: Tally, order: Sequence[str]) -> Twins:
    if not ready("maximal-lottery"):
        return NO_TWINS
    levels = [tuple(level) for level in ranking.info["levels"]]
    left = list(order)
    spans: dict[str, Span] = {}
    for number, level in enumerate(levels):
        ranges = ranked(counts.only(left), "maximal-lottery").info["ranges"]
        below = len(levels) - 1 - number
        spans |= {agent: (below + ranges[agent][0], below + ranges[agent][1]) for agent in level}
        left = [agent for agent in left if agent not in level]
    return Twins("the printed lottery is another maximal one; podium takes the most even", spans)


def _stv(ranking: Ranking, profile: Profile, order: Sequence[str]) -> Twins:
    if not profile.strict:
        return NO_TWINS
    labels = one_by_one(profile, order, ranking.info["quota"])
    why = "agents level in votes leave one by one as printed; podium lets them leave together"
    return Twins(why, labels=labels) if labels else NO_TWINS


def one_by_one(profile: Profile, order: Sequence[str], quota: float) -> dict[str, str]:
    """Count a single transferable vote in which equals leave in the printed order.

    Each step is checked: who is elected has the highest count and reaches the
    quota, who is eliminated has the lowest count. Surplus passes on by whole
    ballots, those first in the profile being used up.

    Returns:
        Agent to its label, or nothing if a step is not what the rule says.

    >>> votes = Profile.from_ballots([(2, "abc"), (2, "cab"), (1, "bca")])
    >>> one_by_one(votes, "cab", 3)
    {'c': '6.3', 'a': '3.2', 'b': '2.1'}
    """
    votes = [_Vote(weight, [one for (one,) in ballot]) for weight, ballot in profile.ballots()]
    racing, size = list(order), len(order)
    elected: dict[str, float] = {}
    eliminated: dict[str, float] = {}
    while racing:
        counts = {agent: sum(v.weight for v in votes if v.rest[:1] == [agent]) for agent in racing}
        wins = max(counts.values()) >= quota
        agent = racing.pop(0 if wins else -1)
        if counts[agent] != (max if wins else min)(counts.values()):
            return {}
        (elected if wins else eliminated)[agent] = counts[agent]
        if wins:
            votes = _used_up(votes, agent, quota)
        votes = [_Vote(v.weight, [one for one in v.rest if one != agent]) for v in votes]
    best_first = (*elected.items(), *reversed(eliminated.items()))
    won = range(2 * size, 2 * size - len(elected), -1)
    levels = (*won, *range(size, size - len(eliminated), -1))
    return {
        agent: f"{level}.{count:g}"
        for (agent, count), level in zip(best_first, levels, strict=True)
    }


def _used_up(votes: Sequence[_Vote], agent: str, quota: float) -> list[_Vote]:
    """Use up a quota of the ballots that stand with an agent, the first ones first."""
    left = []
    for vote in votes:
        used = min(vote.weight, quota) if vote.rest[:1] == [agent] else 0.0
        quota -= used
        left.append(_Vote(vote.weight - used, vote.rest))
    return left
