"""Profile: all votes over one list of agents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats, Ints, floats, ints, locked
from podium.data.roster import first_seen
from podium.errors import DataError
from podium.words import check_names, counted, listed, unknown

Ballot: TypeAlias = tuple[tuple[str, ...], ...]
"""Tie groups of agents, best first."""


_STRUCTURE = ("lengths", "vote_of_entry", "group_start", "group_size")
"""What is computed once of the ballots, whatever their weights."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Weighted orders of agents; an order may hold ties and may leave agents out.

    An agent that a ballot leaves out is not compared by it. The ballots lie
    end to end in two flat arrays. Use `from_ballots`; the plain constructor
    trusts its arguments.

    Attributes:
        agents: All agents, also those in no ballot.
        who: Codes of the agents of all ballots, ballot after ballot, best first.
        place: Number of the tie group of each entry of `who`, from 0 in each ballot.
        start: Where each ballot starts in `who`, and the end of the last one.
        weights: Weight of each ballot.
        sources: Where each ballot comes from (often a task), or nothing.
        notes: What the reader of these ballots should know.
    """

    agents: tuple[str, ...]
    who: Ints
    place: Ints
    start: Ints
    weights: Floats
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_ballots(
        cls,
        ballots: Iterable[tuple[float, Sequence[Any]]],
        agents: Sequence[str] | None = None,
        *,
        sources: Sequence[str] = (),
    ) -> "Profile":
        """Build a profile from (weight, tie groups best first).

        An agent may stand alone instead of in a group of one.

        >>> profile = Profile.from_ballots([(2.0, [["a"], ["b", "c"]]), (1.0, ["c", "a"])])
        >>> profile.agents
        ('a', 'b', 'c')
        >>> list(profile.ballots())
        [(2.0, (('a',), ('b', 'c'))), (1.0, (('c',), ('a',)))]
        """
        votes = [(weight, order) for weight, order in ballots]
        orders = [order for _, order in votes]
        known = check_names("agent", _names_on(orders) if agents is None else agents)
        who = _plain_codes(orders, known)
        if who is None:
            names, sizes, place = _flatten(orders)
            who = _encode(names, _index(known), sizes)
        else:
            sizes = np.fromiter(map(len, orders), dtype=np.int64, count=len(orders))
            place = np.arange(len(who)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        profile = cls(
            agents=known,
            who=who,
            place=ints(place),
            start=ints(np.concatenate(([0], np.cumsum(sizes)))),
            weights=floats([weight for weight, _ in votes]),
            sources=tuple(sources),
        )
        profile._check()
        return profile

    def _check(self) -> None:
        if not ((self.weights > 0) & (self.weights < np.inf)).all():
            row = int(np.flatnonzero(~((self.weights > 0) & (self.weights < np.inf)))[0])
            msg = f"ballot {row + 1} has weight {self.weights[row]}; give a number above 0"
            raise DataError(msg)
        entry = self.vote_of_entry * len(self.agents) + self.who
        if len(self) * len(self.agents) <= 8 * len(entry):  # then counting is quicker than sorting
            twice = np.flatnonzero(np.bincount(entry) > 1)
        else:
            entry = np.sort(entry)
            twice = entry[1:][entry[1:] == entry[:-1]]
        if twice.size:
            ballot, agent = divmod(int(twice[0]), len(self.agents))
            msg = f"ballot {ballot + 1} names {self.agents[agent]!r} twice; an agent has one place"
            raise DataError(msg)

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def tasks(self) -> tuple[str, ...]:
        """The distinct sources of the ballots."""
        return first_seen(self.sources)

    @cached_property
    def lengths(self) -> Ints:
        """Number of agents on each ballot."""
        return locked(np.diff(self.start))

    @cached_property
    def vote_of_entry(self) -> Ints:
        """Which ballot each entry of `who` belongs to."""
        return locked(np.repeat(np.arange(len(self.weights)), self.lengths))

    @cached_property
    def group_start(self) -> Ints:
        """How many agents of its ballot stand in better tie groups, for each entry."""
        index = np.arange(len(self.who))
        first = np.ones(len(self.who), dtype=bool)
        if len(first) > 1:
            same_vote = self.vote_of_entry[1:] == self.vote_of_entry[:-1]
            first[1:] = ~(same_vote & (self.place[1:] == self.place[:-1]))
        group_first = np.maximum.accumulate(np.where(first, index, 0))
        return locked(group_first - self.start[:-1][self.vote_of_entry])

    @cached_property
    def group_size(self) -> Ints:
        """Number of agents in the tie group of each entry."""
        if not len(self.who):
            return ints([])
        key = self.start[:-1][self.vote_of_entry] + self.group_start
        return locked(np.bincount(key, minlength=len(self.who))[key])

    @property
    def strict(self) -> bool:
        """Whether no ballot holds a tie."""
        return bool((self.group_size == 1).all())

    @property
    def complete(self) -> bool:
        """Whether every ballot lists every agent."""
        return bool((self.lengths == len(self.agents)).all())

    def ballots(self) -> Iterator[tuple[float, Ballot]]:
        """Go through (weight, tie groups best first)."""
        for row, weight in enumerate(self.weights.tolist()):
            span = slice(self.start[row], self.start[row + 1])
            groups: list[list[str]] = []
            places = self.place[span].tolist()
            for index, code in enumerate(self.who[span].tolist()):
                if not index or places[index] != places[index - 1]:
                    groups.append([])
                groups[-1].append(self.agents[code])
            yield weight, tuple(tuple(group) for group in groups)

    def places(self) -> Floats:
        """Place of every agent on every ballot, NaN where a ballot leaves it out."""
        table = np.full((len(self), len(self.agents)), np.nan)
        table[self.vote_of_entry, self.who] = self.place
        return table

    def with_vote_weights(self, weights: ArrayLike) -> "Profile":
        """Return the same ballots with other weights, as resampling does.

        Zero is allowed here: such a ballot was not drawn. What was computed of
        the ballots' structure is carried over.
        """
        profile = replace(self, weights=floats(weights))
        profile.__dict__.update(
            {name: self.__dict__[name] for name in _STRUCTURE if name in self.__dict__}
        )
        return profile

    def with_weights(self, weights: Mapping[str, float]) -> "Profile":
        """Return the same ballots, those of the named sources weighted by a factor."""
        strange = [name for name in weights if name not in self.sources]
        if strange:
            raise DataError(unknown("task", strange[0], self.tasks))
        factor = np.array([weights.get(source, 1.0) for source in self.sources])
        return self.with_vote_weights(self.weights * factor) if weights else self

    def with_notes(self, *notes: str) -> "Profile":
        """Return the same ballots with more said about them."""
        return replace(self, notes=(*self.notes, *notes))

    def only(self, agents: Sequence[str]) -> "Profile":
        """Keep some agents, in the order given; ballots left empty stay, and say nothing."""
        kept = set(check_names("agent", agents))
        strange = kept - set(self.agents)
        if strange:
            raise DataError(unknown("agent", min(strange), self.agents))
        code = np.full(len(self.agents), -1)
        index = {name: number for number, name in enumerate(self.agents)}
        code[[index[name] for name in agents]] = np.arange(len(agents))
        on = code[self.who] >= 0
        vote, place = self.vote_of_entry[on], self.place[on]
        start = np.concatenate(([0], np.cumsum(np.bincount(vote, minlength=len(self)))))
        fresh = np.ones(len(vote), dtype=np.int64)
        fresh[1:] = (vote[1:] != vote[:-1]) | (place[1:] != place[:-1])
        group = np.cumsum(fresh)
        return replace(
            self,
            agents=tuple(agents),
            who=ints(code[self.who][on]),
            place=locked(group - group[start[vote]]),
            start=ints(start),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Profile):
            return NotImplemented
        return self.agents == other.agents and _content(self) == _content(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Profile({len(self.agents)} agents, {counted(len(self), 'ballot')})"


def _content(profile: Profile) -> list[tuple[float, list[frozenset[str]]]]:
    return [(weight, [frozenset(group) for group in order]) for weight, order in profile.ballots()]


def _names_on(orders: list[Sequence[Any]]) -> tuple[str, ...]:
    if set(map(type, chain.from_iterable(orders))) <= {str}:
        return first_seen(chain.from_iterable(orders))
    return first_seen(_flatten(orders)[0])


def _index(agents: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(agents)}


def _plain_codes(orders: list[Sequence[Any]], agents: Sequence[str]) -> Ints | None:
    """Code ballots that hold nothing but names of known agents; None where they hold more."""
    lookup = _index(agents).__getitem__
    try:
        return locked(np.fromiter(map(lookup, chain.from_iterable(orders)), dtype=np.int64))
    except (KeyError, TypeError):
        return None


def _flatten(orders: list[Sequence[Any]]) -> tuple[list[str], Ints, Ints]:
    names: list[str] = []
    sizes: list[int] = []
    places: list[int] = []
    for order in orders:
        before = len(names)
        for place, group in enumerate(order):
            members = [group] if isinstance(group, str) else list(group)
            if not members:
                msg = f"ballot {len(sizes) + 1} has an empty tie group; leave it out"
                raise DataError(msg)
            names += members
            places += [place] * len(members)
        sizes.append(len(names) - before)
    return names, ints(sizes), ints(places)


def _encode(names: list[str], index: dict[str, int], sizes: Ints) -> Ints:
    try:
        return locked(np.fromiter(map(index.__getitem__, names), dtype=np.int64, count=len(names)))
    except (KeyError, TypeError):
        entry = next(i for i, name in enumerate(names) if name not in index)
        ballot = int(np.searchsorted(np.cumsum(sizes), entry, side="right")) + 1
        msg = f"ballot {ballot} names {names[entry]!r}; the agents are {listed(index)}"
        raise DataError(msg) from None
