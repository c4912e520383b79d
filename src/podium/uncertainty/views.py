"""Views: the data as they look after a draw, made from counts wherever counts are enough."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, locked
from podium.data.convert import Data
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Pairs, Tally
from podium.kernels.pairs import above_blocks, both_blocks, exact_type, multiplied

BLOCK = 1 << 23
"""Counts made at once, draws x pairs: some tens of megabytes."""

Marks: TypeAlias = list[tuple[slice, Array]]
"""Votes, and for each of them the pairs that it marks."""


class Views(Protocol):
    """Turns draws into data, one after the other."""

    def of(self, times: Ints) -> Iterator[Data]:
        """Give the data of each draw, a row of `times` each."""
        ...


@dataclass(frozen=True, eq=False)
class ScoresOfTasks:
    """Scores of the tasks that were drawn."""

    scores: Scores

    def of(self, times: Ints) -> Iterator[Data]:
        """Weigh each task by how often it was drawn; others are not there."""
        return (self.scores.drawn(row) for row in times)


@dataclass(frozen=True, eq=False)
class ScoresOfSamples:
    """Scores of the samples that were drawn."""

    scores: Scores
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        """Repeat the rows of each unit as often as it was drawn."""
        rows = np.arange(len(self.unit))
        return (self.scores.taken(np.repeat(rows, row[self.unit])) for row in times)


@dataclass(frozen=True, eq=False)
class Ballots:
    """Votes with other weights.

    Attributes:
        profile: The votes.
        each: Weight of a vote that was drawn once.
        unit: The unit that each vote belongs to.
    """

    profile: Profile
    each: Floats
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        """Weigh each ballot by how often its unit was drawn."""
        return (self.profile.with_vote_weights(self.each * row[self.unit]) for row in times)


@dataclass(frozen=True, eq=False)
class RepeatedBallots:
    """Votes for a method that reads them one by one, in their order.

    Attributes:
        profile: The votes.
        each: Weight of a vote that was drawn once.
        unit: The unit that each vote belongs to.
    """

    profile: Profile
    each: Floats
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        """Repeat each ballot as often as its unit was drawn, where it stands."""
        return (self._repeated(np.repeat(np.arange(len(self.unit)), r[self.unit])) for r in times)

    def _repeated(self, rows: Ints) -> Profile:
        lengths = self.profile.lengths[rows]
        ends = np.cumsum(lengths)
        entries = np.arange(int(lengths.sum())) + np.repeat(
            self.profile.start[rows] - (ends - lengths), lengths
        )
        return Profile(
            agents=self.profile.agents,
            who=locked(self.profile.who[entries]),
            place=locked(self.profile.place[entries]),
            start=locked(np.concatenate(([0], ends))),
            weights=locked(self.each[rows]),
        )


@dataclass(frozen=True, eq=False)
class TableTallies:
    """Tallies of votes that lie in a table.

    Attributes:
        agents: The agents.
        places: Votes x agents, lower is better, NaN where not listed.
        each: Weight of a vote that was drawn once.
        unit: The unit that each vote belongs to.
    """

    agents: tuple[str, ...]
    places: Array
    each: Floats
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        r"""Count the pairs of many draws in one product.

        .. math:: N^{(b)}_{ij} = \sum_v k^{(b)}_v w_v [p_{vi} < p_{vj}]

        that is, draws x votes times votes x pairs.
        """
        step = max(1, BLOCK // max(1, len(self.agents) ** 2))
        for first in range(0, len(times), step):
            yield from self._block(self.each * times[first : first + step, self.unit])

    def _block(self, weights: Floats) -> Iterator[Data]:
        size, kind = len(self.agents), exact_type(weights)
        # Of fractions, the last bits of a sum depend on how a product is cut.
        weights = weights.astype(kind) if kind is np.float32 else rounded(weights)
        wins = multiplied(weights, self._above or above_blocks(self.places))
        meetings = weights.sum(axis=1, dtype=np.float64)[:, None]
        if np.isnan(self.places).any():
            meetings = multiplied(weights, self._both or both_blocks(self.places))
        for won, met in zip(wins, meetings, strict=True):
            both = np.empty(size * size)
            both[:] = met
            both[:: size + 1] = 0.0  # the diagonal
            square = won.astype(np.float64).reshape(size, size)
            yield Tally.of_arrays(self.agents, square, both.reshape(size, size))

    @cached_property
    def _above(self) -> Marks:
        return self._kept(above_blocks)

    @cached_property
    def _both(self) -> Marks:
        return self._kept(both_blocks)

    def _kept(self, blocks: Callable[[Array], Iterator[tuple[slice, Array]]]) -> Marks:
        """Keep what all draws multiply with, where it is small."""
        if len(self.places) * len(self.agents) ** 2 > BLOCK:
            return []
        marks = [block for _, block in blocks(self.places)]
        return [(slice(None), np.concatenate(marks).astype(np.float32))]


@dataclass(frozen=True, eq=False)
class WeightedMatches:
    """Matches of which only the sums count, so that rows have weights.

    Attributes:
        matches: The matches, or one of each kind of equal matches.
        unit: The unit that each row belongs to.
    """

    matches: Matches
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        """Weigh each row by how often its unit was drawn."""
        return (self.matches.with_weight(self.matches.weight * row[self.unit]) for row in times)


@dataclass(frozen=True, eq=False)
class RepeatedMatches:
    """Matches for a method that reads them one by one, in their order."""

    matches: Matches
    unit: Ints

    def of(self, times: Ints) -> Iterator[Data]:
        """Repeat each row as often as its unit was drawn, where it stands."""
        rows = np.arange(len(self.unit))
        return (self.matches.taken(np.repeat(rows, row[self.unit])) for row in times)


@dataclass(frozen=True, eq=False)
class TalliedPairs:
    """Tallies whose pairs met anew: wins, losses and ties of each pair lie side by side."""

    agents: tuple[str, ...]
    pairs: Pairs
    dense: bool

    def of(self, times: Ints) -> Iterator[Data]:
        """Put wins, losses and ties of each pair together."""
        for row in times:
            wins, losses, ties = row.reshape(3, -1).astype(np.float64)
            counts = (wins, losses, wins + losses + ties)
            pairs = Pairs(self.pairs.left, self.pairs.right, *(locked(c) for c in counts))
            tally = Tally(self.agents, sparse=pairs)
            yield Tally.of_arrays(self.agents, tally.wins, tally.met) if self.dense else tally


def rounded(weights: Floats) -> Floats:
    """Round weights so that their sums are exact, in whatever order they are added.

    >>> parts = rounded(np.array([0.1, 0.2, 0.3]))
    >>> bool(parts.sum() == parts[::-1].sum()), bool(abs(parts - [0.1, 0.2, 0.3]).max() < 1e-15)
    (True, True)
    """
    total = weights.sum(axis=-1).max(initial=0.0)
    step = 2.0 ** (np.frexp(total)[1] - 52)
    return np.asarray(np.round(weights / step) * step)


def seen(data: Data) -> Bools:
    """Mark the agents of whom the data say anything.

    >>> seen(Profile.from_ballots([(1, "ab")], agents="abc")).tolist()
    [True, True, False]
    """
    if isinstance(data, Scores):
        marked: Bools = np.any(data.counts[data.weights > 0] > 0, axis=0)
    elif isinstance(data, Profile):
        who = data.who[data.weights[data.vote_of_entry] > 0]
        marked = np.bincount(who, minlength=len(data.agents)) > 0
    elif isinstance(data, Matches):
        rows = data.weight > 0
        who = np.concatenate([data.left[rows], data.right[rows]])
        marked = np.bincount(who, minlength=len(data.agents)) > 0
    elif isinstance(data, Tally):
        marked = data.record.met > 0
    else:
        marked = np.ones(len(data.agents), dtype=bool)
    return marked
