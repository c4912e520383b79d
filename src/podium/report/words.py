"""Sentences of reports."""

from collections import Counter
from collections.abc import Iterator

from podium.analysis._section import joined
from podium.data.ratings import Ranking
from podium.report.findings import Findings
from podium.words import counted


def lead(found: Findings) -> Iterator[str]:
    """Say what matters most: who leads, how sure that is, and what speaks against it."""
    ranking = found.ranking
    first = ranking.tiers[0]
    yield _leaders(ranking)
    yield from certainty(ranking)
    winner = found.inspection.condorcet_winner
    if winner is not None and (winner,) == first:
        yield f"{winner} beats every other agent by majority."
    elif winner is not None:
        yield f"By majority it is {winner} who beats every other agent."
    elif found.inspection.majority is not None:
        smith = found.inspection.smith_set
        yield (
            "Nobody beats every other agent by majority; the smallest set whose members beat all "
            f"others has {counted(len(smith), 'agent')}: {joined(smith, 4)}."
        )
    yield from _methods(found)
    yield from _tasks(found)


def _leaders(ranking: Ranking) -> str:
    first = ranking.tiers[0]
    if len(ranking.ratings) == 1:
        return f"{first[0]} is the only agent."
    if len(first) > 1:
        return f"{joined(first)} share the lead by {ranking.method}."
    return f"{first[0]} leads by {ranking.method}, before {joined(ranking.tiers[1])}."


def certainty(ranking: Ranking) -> Iterator[str]:
    """Say how sure the lead is, where there are intervals."""
    ranks, told = ranking.rank_intervals, ranking.info.get("intervals") or {}
    if not ranks:
        yield from told.get("notes", ())
        return
    open_to = [agent for agent in ranking.order if ranks[agent][0] == 1]
    level = told.get("level", ranking.info.get("level", 0.95))
    if len(open_to) == 1:
        yield f"That lead is sure at level {level:g}: no other agent may have rank 1."
    else:
        number = counted(len(open_to), "agent")
        yield f"At level {level:g}, {number} may be first: {joined(open_to)}."


def _methods(found: Findings) -> Iterator[str]:
    rankings = found.comparison.rankings
    if len(rankings) < 2:
        return
    tops = Counter(ranking.tiers[0] for ranking in rankings.values())
    told = sorted(tops.items(), key=lambda entry: (-entry[1], entry[0]))
    most, others = told[0], told[1:]
    if not others:
        yield f"All {len(rankings)} methods put {_tied(most[0])} first."
        return
    by = {
        tier: [name for name, ranking in rankings.items() if ranking.tiers[0] == tier]
        for tier, _ in others
    }
    rest = "; ".join(f"{_tied(tier)} by {joined(by[tier], 4)}" for tier, _ in others[:3])
    yield f"{most[1]} of {len(rankings)} methods put {_tied(most[0])} first; others: {rest}."


def _tied(tier: tuple[str, ...], limit: int = 4) -> str:
    """Name the agents of a tier.

    >>> _tied(("a", "b"))
    'a = b'
    """
    return " = ".join(tier) if len(tier) <= limit else joined(tier, limit)


def _tasks(found: Findings) -> Iterator[str]:
    if isinstance(found.tasks, str):
        return
    first = found.ranking.tiers[0]
    deciding = [one for one in found.tasks if one.leaders != first]
    if not deciding:
        yield "No single task decides who leads."
        return
    names = joined([one.task for one in deciding], 4)
    verb = "decides" if len(deciding) == 1 else "decide"
    yield (
        f"{counted(len(deciding), 'task')} {verb} who leads: others would lead without {names}, "
        "each left out by itself."
    )
