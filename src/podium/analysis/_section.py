"""What the sections of an inspection have in common."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Protocol, TypeAlias

import numpy as np

from podium.arrays import Ints, floats, ints
from podium.data.convert import Data, convert, scores_to_profile
from podium.data.game import Game
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Tally
from podium.kernels.meetings import Meetings, dense_meetings, listed_meetings

LARGEST_TABLE = 20_000_000
"""No table of ballots x agents with more cells than this is made."""

Fact: TypeAlias = tuple[str, str]
"""A label and what is to be told under it."""


class Section(Protocol):
    """One part of an inspection: its fields, and how to tell them."""

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""


@dataclass(frozen=True, eq=False)
class View:
    """Data with the other forms in which the sections look at them, each made once."""

    data: Data

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order of their codes."""
        return self.data.agents

    @cached_property
    def tally(self) -> Tally | None:
        """The counts of pairs, or None for a game."""
        return None if isinstance(self.data, Game) else convert(self.data, Tally)

    @cached_property
    def profile(self) -> Profile | None:
        """The ballots of positive weight, where the data are scores or ballots."""
        if isinstance(self.data, Scores):
            return scores_to_profile(self.data)
        return _counting(self.data) if isinstance(self.data, Profile) else None

    @cached_property
    def meetings(self) -> Meetings | None:
        """Who was compared with whom, or None for a game."""
        tally = self.tally
        if tally is None:
            return None
        if len(self.agents) <= DENSE_LIMIT:
            return dense_meetings(tally.wins, tally.met)
        return listed_meetings(*tally.pairs, len(self.agents))

    @cached_property
    def by_names(self) -> Scores | Tally | None:
        """The scores, or else the counts of pairs, with names in the order of the alphabet.

        Numbers that are computed from these do not depend on any listing order.
        """
        agents = sorted(self.agents)
        if isinstance(self.data, Scores):
            return self.data.only(agents=agents, tasks=sorted(self.data.tasks))
        return None if self.tally is None else self.tally.only(agents)

    def names(self, codes: Ints) -> tuple[str, ...]:
        """Name some agents, in the order of the alphabet."""
        return tuple(sorted(self.agents[code] for code in codes.tolist()))

    def by_name(self, codes: Ints) -> Ints:
        """Sort codes by the names that they stand for, so that listing order is forgotten."""
        return np.array(sorted(codes.tolist(), key=self.agents.__getitem__), dtype=np.int64)

    def groups(self, labels: Ints) -> tuple[tuple[str, ...], ...]:
        """Name the agents of each label, the largest group first."""
        found: dict[int, list[str]] = {}
        for agent, label in zip(self.agents, labels.tolist(), strict=True):
            found.setdefault(label, []).append(agent)
        return largest_first(found.values())


def _counting(profile: Profile) -> Profile:
    """Leave out the ballots of weight 0."""
    kept = profile.weights > 0
    if kept.all():
        return profile
    entries = kept[profile.vote_of_entry]
    return replace(
        profile,
        who=ints(profile.who[entries]),
        place=ints(profile.place[entries]),
        start=ints(np.concatenate(([0], np.cumsum(profile.lengths[kept])))),
        weights=floats(profile.weights[kept]),
        sources=tuple(compress(profile.sources, kept.tolist())),
    )


def largest_first(groups: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Sort the names in each group, and the groups by size and then by name.

    >>> largest_first([["c"], ["b", "a"]])
    (('a', 'b'), ('c',))
    """
    return tuple(sorted((tuple(sorted(g)) for g in groups), key=lambda g: (-len(g), g)))


def joined(names: Iterable[str], limit: int = 8) -> str:
    """Write names for a reader, the first few of them where there are many.

    >>> joined("abc", limit=2), joined([])
    ('a, b and 1 more', 'none')
    """
    every = list(names)
    more = len(every) - limit
    text = ", ".join(every[:limit])
    return f"{text} and {more:,} more" if more > 0 else text or "none"


def grouped(groups: Iterable[Iterable[str]], limit: int = 6) -> str:
    """Write groups of names for a reader.

    >>> grouped([["a", "b"], ["c"]])
    '{a, b} {c}'
    """
    every = [f"{{{joined(group)}}}" for group in groups]
    more = len(every) - limit
    text = " ".join(every[:limit])
    return f"{text} and {more:,} more" if more > 0 else text or "none"


def too_many(where: str, number: int, limit: int) -> str:
    """Say why something was not looked for.

    >>> too_many("there are", 6000, 5000)
    'there are 6,000 agents; this is looked for up to 5,000'
    """
    return f"{where} {number:,} agents; this is looked for up to {limit:,}"
