"""Clones: agents that the data cannot tell apart, or that stand together on every ballot."""

from dataclasses import dataclass
from math import comb

import numpy as np

from podium.analysis._section import (
    LARGEST_TABLE,
    Fact,
    View,
    grouped,
    joined,
    largest_first,
)
from podium.arrays import Array, Ints
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.kernels.clones import clone_intervals, lexical_order, nested_intervals

SET_LIMIT = 1_000
"""Above this many agents no clone sets are looked for."""

BY_CHANCE = 0.05
"""Clone pairs are warned of where random ballots would give fewer than this on average."""


@dataclass(frozen=True)
class Clones:
    """Agents that are like one another.

    Attributes:
        identical: Groups of agents with equal scores on all tasks that they share,
            at least two (or tied on every ballot, or with equal payoffs).
        pairs: Pairs of agents that stand next to each other, or are tied, on every
            ballot that lists one of them; no ballot leaves out just one.
        sets: Sets of agents that no outsider splits on any ballot (components in
            the sense of Tideman 1987), those that overlap no other, smallest first.
            Every clone set is one of these, or holds some neighbouring parts of one.
            None where too dear, or where there are no ballots.
        likely: Whether the pairs are more than random ballots would be expected to hold.
        skipped: Which of these were too dear, and why.
    """

    identical: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, str], ...] | None
    sets: tuple[tuple[str, ...], ...] | None
    likely: bool
    skipped: dict[str, str]

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        facts = [("identical agents", grouped(self.identical))]
        if self.pairs is not None:
            facts.append(("clone pairs", grouped(self.pairs)))
        if self.sets is not None:
            facts.append(("clone sets", grouped(self.sets)))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        found = []
        if self.identical:
            found.append(
                f"nothing tells {grouped(self.identical)} apart: if an agent was entered twice, "
                "keep one of each group"
            )
        apart = [
            f"{first} and {second}"
            for first, second in self.pairs or ()
            if not any({first, second} <= set(group) for group in self.identical)
        ]
        if apart and self.likely:
            found.append(
                f"clones: {joined(apart)} stand together on every ballot; they change borda, "
                "copeland and elo, so rank with schulze, ranked-pairs or maximal-lottery too"
            )
        return found


def clones(view: View) -> Clones | str:
    """Find agents that cannot be told apart, and sets that stand together everywhere."""
    if isinstance(view.data, Game):
        return Clones(_equal_strategies(view.data), None, None, likely=False, skipped={})
    if isinstance(view.data, Matches) or view.tally is None:
        return "matches compare two agents at a time, so none can be seen side by side"
    identical = _identical(view)
    if view.profile is None or not len(view.profile.who):
        return Clones(identical, None, None, likely=False, skipped={})
    cells = len(view.profile) * len(view.agents)
    if len(view.agents) > SET_LIMIT or cells > LARGEST_TABLE:
        why = (
            f"there are {len(view.agents):,} agents on {len(view.profile):,} ballots; sets are "
            f"looked for up to {SET_LIMIT:,} agents and {LARGEST_TABLE:,} places"
        )
        return Clones(identical, None, None, likely=False, skipped={"clones.sets": why})
    return _sets(view, view.profile, identical)


def _sets(view: View, profile: Profile, identical: tuple[tuple[str, ...], ...]) -> Clones:
    listed, places = _full_places(profile)
    sorting = lexical_order(places)
    order, places = listed[sorting], places[:, sorting]
    size = len(order)
    spans = clone_intervals(places)
    pairs = {(first, first + 1) for first, final in spans if final == first + 1}
    sets = [order[first : final + 1] for first, final in nested_intervals(spans, size)]
    for group in _equal_columns(places):
        pairs |= {(i, j) for i in group for j in group if i < j} if size > 2 else set()
    named = [sorted((view.agents[order[i]], view.agents[order[j]])) for i, j in pairs]
    expected = comb(size, 2) * (2 / size) ** len(places)
    return Clones(
        identical=identical,
        pairs=tuple(sorted((first, second) for first, second in named)),
        sets=tuple(sorted((view.names(some) for some in sets), key=lambda s: (len(s), s))),
        likely=expected < BY_CHANCE,
        skipped={},
    )


def _full_places(profile: Profile) -> tuple[Ints, Array]:
    """Number the tie groups on each distinct ballot, for the agents that any ballot lists.

    Agents that a ballot leaves out get the number of agents.
    """
    listed, column = np.unique(profile.who, return_inverse=True)
    places = np.full((len(profile), len(listed)), len(listed), dtype=np.int32)
    places[profile.vote_of_entry, column] = profile.group_start
    return listed, np.unique(places, axis=0)


def _equal_columns(ordered: Array) -> list[list[int]]:
    """Group neighbours of lexical order that are tied on every ballot."""
    new = np.ones(ordered.shape[1], dtype=bool)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    parts = np.split(np.arange(len(new)), np.flatnonzero(new)[1:])
    return [part.tolist() for part in parts if len(part) > 1]


def _identical(view: View) -> tuple[tuple[str, ...], ...]:
    """Group agents that tied whenever they met, at least twice; pairs where that is no group."""
    if view.meetings is None:
        return ()
    left, right, met = view.meetings.twins
    if isinstance(view.data, Scores):
        here = view.data.counts[view.data.weights > 0] > 0
        met = (here[:, left] & here[:, right]).sum(axis=0)
    often = met >= 2
    near: dict[int, set[int]] = {}
    for one, other in zip(left[often].tolist(), right[often].tolist(), strict=True):
        near.setdefault(one, {one}).add(other)
        near.setdefault(other, {other}).add(one)
    found: set[frozenset[int]] = set()
    for one, some in near.items():
        if all(near[other] == some for other in some):
            found.add(frozenset(some))
        else:
            found |= {frozenset((one, other)) for other in some - {one}}
    return largest_first([view.agents[code] for code in group] for group in found)


def _equal_strategies(game: Game) -> tuple[tuple[str, ...], ...]:
    rows: dict[bytes, list[str]] = {}
    for code, name in enumerate(game.agents):
        key = b"".join((payoff[code] + 0.0).tobytes() for payoff in game.payoffs)
        rows.setdefault(key, []).append(name)
    return largest_first(names for names in rows.values() if len(names) > 1)
