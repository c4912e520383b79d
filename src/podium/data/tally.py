"""Tally: for each pair of agents, how many votes put which one above."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Bools, Floats, Ints, floats, locked
from podium.data.roster import first_seen
from podium.errors import DataError
from podium.kernels.pairs import merge_lists, merge_pairs
from podium.words import check_names

DENSE_LIMIT = 5_000
"""Above this many agents no agents x agents array is made."""


class Pairs(NamedTuple):
    """The pairs of agents that met, each once, with the left code below the right code.

    Attributes:
        left: Code of the one agent.
        right: Code of the other.
        wins: Weight of the votes that put the left one above.
        losses: Weight of the votes that put the right one above.
        met: Weight of the votes that hold both, ties included.
    """

    left: Ints
    right: Ints
    wins: Floats
    losses: Floats
    met: Floats


class Record(NamedTuple):
    """How each agent fared against the others, one by one.

    Attributes:
        won: Number of rivals that an agent beats by majority.
        lost: Number of rivals that beat it.
        met: Number of rivals that it met at all.
    """

    won: Ints
    lost: Ints
    met: Ints


@dataclass(frozen=True, eq=False)
class Tally:
    r"""Counts of :math:`N(i, j)`, the weight of the votes that put i above j.

    A tie inside a vote counts as met, without a win. Held as two arrays of
    agents x agents, or as the list of pairs that met where there are many
    agents; each form is made from the other on demand.

    Attributes:
        agents: The agents, in the order of their codes.
        dense: Arrays of wins and of meetings, or None.
        sparse: The pairs that met, or None.
        matches: Whether the votes are known to be matches.
        notes: What the reader of these counts should know.
    """

    agents: tuple[str, ...]
    dense: tuple[Floats, Floats] | None = None
    sparse: Pairs | None = None
    matches: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def from_matrix(
        cls, wins: ArrayLike, agents: Sequence[str], met: ArrayLike | None = None
    ) -> "Tally":
        """Build a tally from an array of wins (row over column).

        Without `met`, no vote held a tie: a pair met as often as somebody won.

        >>> Tally.from_matrix([[0, 3], [1, 0]], ["a", "b"]).margins
        array([[ 0.,  2.],
               [-2.,  0.]])
        """
        names = check_names("agent", agents)
        counts = floats(wins)
        if counts.shape != (len(names), len(names)):
            msg = f"wins has shape {counts.shape}; {len(names)} agents need a square of that side"
            raise DataError(msg)
        if not np.isfinite(counts).all() or (counts < 0).any() or counts.diagonal().any():
            msg = "wins holds a number below 0, one that is not finite, or a win over oneself"
            raise DataError(msg)
        meetings = locked(counts + counts.T) if met is None else floats(met)
        return cls(names, dense=(counts, meetings))

    @classmethod
    def of_arrays(cls, agents: tuple[str, ...], wins: Floats, met: Floats) -> "Tally":
        """Build a tally from arrays that are trusted and given away."""
        return cls(agents, dense=(locked(wins), locked(met)))

    @cached_property
    def wins(self) -> Floats:
        """Weight of the votes that put the row agent above the column agent."""
        return self._arrays[0]

    @cached_property
    def met(self) -> Floats:
        """Weight of the votes that hold both agents."""
        return self._arrays[1]

    @cached_property
    def margins(self) -> Floats:
        """Wins less losses: positive where the row agent beats the column agent."""
        return locked(self.wins - self.wins.T)

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs that met."""
        if self.sparse is not None:
            return self.sparse
        left, right = np.nonzero(np.triu(self.met, 1))
        return Pairs(
            locked(left),
            locked(right),
            locked(self.wins[left, right]),
            locked(self.wins[right, left]),
            locked(self.met[left, right]),
        )

    @cached_property
    def record(self) -> Record:
        """Rivals beaten, lost to and met, for each agent and any number of agents.

        >>> Tally.from_matrix([[0, 3, 0], [1, 0, 0], [0, 0, 0]], "abc").record.won.tolist()
        [1, 0, 0]
        """
        if self.dense is not None:
            beats = self.wins > self.wins.T
            counts = [_column_sums(beats.T), _column_sums(beats), _column_sums(self.met > 0)]
        else:
            pairs, here = self.pairs, self.pairs.met > 0
            ahead, behind = pairs.wins > pairs.losses, pairs.wins < pairs.losses
            marks = ((ahead, behind), (behind, ahead), (here, here))
            counts = [self._each(*mark) for mark in marks]
        return Record(*(locked(count) for count in counts))

    def _each(self, of_left: Bools, of_right: Bools) -> Ints:
        """Count the pairs that are marked for the left and for the right agent."""
        size = len(self.agents)
        left = np.bincount(self.pairs.left[of_left], minlength=size)
        return left + np.bincount(self.pairs.right[of_right], minlength=size)

    @cached_property
    def _arrays(self) -> tuple[Floats, Floats]:
        if self.dense is not None:
            return self.dense
        size = len(self.agents)
        if size > DENSE_LIMIT or self.sparse is None:
            msg = (
                f"{size:,} agents are too many for a method that looks at every pair; at most "
                f"{DENSE_LIMIT:,} are allowed. Use copeland, borda, approval or plurality"
            )
            raise DataError(msg)
        wins, met = np.zeros((size, size)), np.zeros((size, size))
        pairs = self.sparse
        wins[pairs.left, pairs.right] = pairs.wins
        wins[pairs.right, pairs.left] = pairs.losses
        met[pairs.left, pairs.right] = met[pairs.right, pairs.left] = pairs.met
        return locked(wins), locked(met)

    def only(self, agents: Sequence[str]) -> "Tally":
        """Keep some agents, in the order given."""
        index = {name: code for code, name in enumerate(self.agents)}
        kept = np.array([index[name] for name in agents], dtype=np.int64)
        if self.dense is None:
            return replace(self, agents=tuple(agents), sparse=self._only_pairs(kept))
        grid = np.ix_(kept, kept)
        dense = locked(self.wins[grid]), locked(self.met[grid])
        return replace(self, agents=tuple(agents), dense=dense)

    def merged(self, other: "Tally") -> "Tally":
        """Add the counts of other votes, perhaps on other agents, to these.

        The agents of this tally come first, then those that only the other knows.

        >>> day = Tally.from_matrix([[0, 3], [1, 0]], "ab")
        >>> both = day.merged(Tally.from_matrix([[0, 1], [0, 0]], "bc"))
        >>> both.agents, both.wins.tolist()
        (('a', 'b', 'c'), [[0.0, 3.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
        """
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        alike = self.matches and other.matches
        if self.agents == other.agents and self.dense and other.dense:
            sums = (locked(a + b) for a, b in zip(self.dense, other.dense, strict=True))
            return replace(self, dense=(next(sums), next(sums)), matches=alike, notes=notes)
        names = first_seen((*self.agents, *other.agents))
        index = {name: code for code, name in enumerate(names)}
        code = np.array([index[name] for name in other.agents], dtype=np.int64)
        more = other.pairs
        recoded = more._replace(left=code[more.left], right=code[more.right])
        summed = merge_lists([self.pairs, recoded], len(names))
        pairs = Pairs(*summed[:2], *(locked(counts) for counts in summed[2:]))
        merged = Tally(names, sparse=pairs, matches=alike, notes=notes)
        return merged.filled() if self.dense or other.dense else merged

    def filled(self) -> "Tally":
        """Hold the counts as arrays, where the agents are few enough for that."""
        if self.dense is not None or len(self.agents) > DENSE_LIMIT:
            return self
        return replace(self, dense=self._arrays, sparse=None)

    def with_notes(self, *notes: str) -> "Tally":
        """Return the same counts with more said about them."""
        return replace(self, notes=(*self.notes, *notes))

    def _only_pairs(self, kept: Ints) -> Pairs:
        code = np.full(len(self.agents), -1)
        code[kept] = np.arange(len(kept))
        pairs = self.pairs
        rows = (code[pairs.left] >= 0) & (code[pairs.right] >= 0)
        left, right = code[pairs.left[rows]], code[pairs.right[rows]]
        wins, losses, met = pairs.wins[rows], pairs.losses[rows], pairs.met[rows]
        return Pairs(*merge_pairs(left, right, wins, losses, met, len(kept)))

    def __repr__(self) -> str:
        return f"Tally({len(self.agents)} agents, {len(self.pairs.left)} pairs met)"


def _column_sums(marks: Bools) -> Ints:
    """Count marks down the columns, in 16 bits where they suffice: that is four times as fast."""
    narrow = len(marks) < np.iinfo(np.int16).max
    sums: Ints = marks.sum(axis=0, dtype=np.int16 if narrow else np.int64)
    return sums.astype(np.int64)
