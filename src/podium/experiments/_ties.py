"""Ties: what a printed number may be when its authors broke ties by lot.

The paper broke ties between equal scores at random. Podium keeps them. So a
printed number is compared with all the ways in which the ties could have been
broken: every one of them where they are few, a stored one where they are many,
and for rules that are monotone in an agent's own ties, with the case where it
loses them all and the case where it wins them all.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import chain, permutations, product
from typing import NamedTuple

from podium.data.profile import Ballot, Profile
from podium.experiments._published import rows

FEW = 64
"""Up to this many ways to break the ties are all tried."""


class TieBreak(NamedTuple):
    """Ballots without ties, and where they come from."""

    label: str
    profile: Profile


def every_tie_break(profile: Profile) -> list[TieBreak]:
    """List all ways to break the ties of some ballots, or none where they are many.

    >>> [one.label for one in every_tie_break(Profile.from_ballots([(1, [["a", "b"]])]))]
    ['tie-break 1 of 2', 'tie-break 2 of 2']
    """
    groups = [g for _, ballot in profile.ballots() for g in ballot]
    number = math.prod(math.factorial(min(len(group), 20)) for group in groups)
    if number > FEW:
        return []
    ways = product(*(permutations(group) for group in groups))
    return [
        TieBreak(f"tie-break {n} of {number}", _strict(profile, iter(way)))
        for n, way in enumerate(ways, start=1)
    ]


def _strict(profile: Profile, groups: Iterator[Sequence[str]]) -> Profile:
    orders = [
        (weight, list(chain.from_iterable(next(groups) for _ in ballot)))
        for weight, ballot in profile.ballots()
    ]
    return Profile.from_ballots(orders, profile.agents, sources=profile.sources)


def stored_tie_break(profile: Profile, name: str, method: str) -> list[TieBreak]:
    """Break ties as a file of expected numbers says for a method.

    The file has a row for each tie group: method, task, and the order of its
    agents. It was found by annealing, which the slow tests do again; that it
    gives the printed numbers is checked each time.
    """
    kept = {(r["task"], frozenset(o)): o for r, o in _stored(name) if r["method"] == method}
    if not kept:
        return []
    groups = [
        list(group) if len(group) == 1 else kept[source, frozenset(group)]
        for source, (_, ballot) in zip(profile.sources, profile.ballots(), strict=True)
        for group in ballot
    ]
    return [TieBreak("a stored tie-break", _strict(profile, iter(groups)))]


def _stored(name: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    return ((row, row["order"].split(" > ")) for row in rows(name))


def lost_and_won(profile: Profile, agent: str) -> tuple[Profile, Profile]:
    """Break the ties of one agent, once all against it and once all for it.

    >>> lost, won = lost_and_won(Profile.from_ballots([(1, [["a", "b", "c"]])]), "b")
    >>> list(lost.ballots()), list(won.ballots())
    ([(1.0, (('a', 'c'), ('b',)))], [(1.0, (('b',), ('a', 'c')))])
    """

    def moved(ballot: Ballot, *, up: bool) -> Iterator[tuple[str, ...]]:
        for group in ballot:
            if agent not in group or len(group) == 1:
                yield group
                continue
            others = tuple(other for other in group if other != agent)
            yield from ((agent,), others) if up else (others, (agent,))

    votes = list(profile.ballots())
    lost, won = (
        Profile.from_ballots(
            [(weight, list(moved(ballot, up=up))) for weight, ballot in votes],
            profile.agents,
            sources=profile.sources,
        )
        for up in (False, True)
    )
    return lost, won
