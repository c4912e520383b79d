"""Counting a single transferable vote: quotas, surpluses, eliminations."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, add_up

SAME_COUNT = 1e-9
"""Counts that differ by less than this share of all votes are equal."""

LARGEST_TABLE = 1 << 24
"""Votes times agents up to which a table of places is made: it is looked up faster."""

NOWHERE = 1 << 30
"""Place of an agent that a ballot leaves out."""


class Round(NamedTuple):
    """What one round decided.

    Attributes:
        agents: Codes of the agents elected or eliminated, more than one if tied.
        elected: Whether they were elected.
        votes: What each of them stood at.
        tied: Whether the counts of this round did not say whose turn it was.
        racing: Codes of the agents still in the race, if asked for.
        counts: Votes of each of these at the start of the round, if asked for.
    """

    agents: Ints
    elected: bool
    votes: float
    tied: bool
    racing: Ints
    counts: Floats


class Parts(NamedTuple):
    """Where ballots stand: a ballot is shared by the agents in its first tie group.

    Attributes:
        vote: Number of a ballot.
        agent: Code of an agent that it stands with.
        share: Part of the ballot that this agent has.
    """

    vote: Ints
    agent: Ints
    share: Floats


def droop_quota(total: float, seats: int) -> float:
    r"""Give the votes that a seat costs.

    .. math:: q = \lfloor n / (k + 1) + 1 \rfloor

    No more than k agents can reach it.

    >>> droop_quota(54.0, 3)
    14.0
    """
    share = total / (seats + 1)
    return float(np.floor(share + SAME_COUNT * max(1.0, share)) + 1)


@dataclass
class Race:
    """The ballots of a count, and who is still in the race.

    Attributes:
        who: Codes of the agents of all ballots, ballot after ballot, best first.
        place: Number of the tie group of each entry.
        first: Where each ballot starts; moved on past those who left the race.
        end: Where each ballot ends.
        weights: What is left of each ballot.
        racing: Which agents are still in the race.
        strict: Whether no ballot holds a tie.
        table: Place of each agent on each ballot, `NOWHERE` where it is left
            out; None where that would be too large.
        parts: Where the ballots stand.
    """

    who: Ints
    place: Ints
    first: Ints
    end: Ints
    weights: Floats
    racing: Bools
    strict: bool
    table: Array | None
    parts: Parts

    @classmethod
    def of(cls, who: Ints, place: Ints, start: Ints, weights: Floats, size: int) -> "Race":
        """Make a race that everybody is in."""
        votes = np.repeat(np.arange(len(weights)), np.diff(start))
        level = (place[1:] == place[:-1]) & (votes[1:] == votes[:-1])
        table = None
        if len(weights) * size <= LARGEST_TABLE:
            table = np.full((len(weights), size), NOWHERE, dtype=np.int32)
            table[votes, who] = place
        first, end = start[:-1].copy(), start[1:].copy()
        racing, nobody = np.ones(size, dtype=np.bool_), Parts(votes[:0], who[:0], weights[:0])
        strict = not level.any()
        race = cls(who, place, first, end, weights.copy(), racing, strict, table, nobody)
        race.parts = race.tops(np.flatnonzero(weights > 0))
        return race

    def counts(self) -> Floats:
        """Add up the votes of each agent."""
        vote, agent, share = self.parts
        return add_up(agent, self.weights[vote] * share, len(self.racing))

    def tops(self, votes: Ints) -> Parts:
        """Find where some ballots stand: the first tie group with anybody still in the race."""
        vote, agent = self._look_up(votes) if self.table is not None else self._search(votes)
        if self.strict:
            return Parts(vote, agent, np.ones(len(vote)))
        return Parts(vote, agent, 1.0 / np.bincount(vote, minlength=len(self.end))[vote])

    def _look_up(self, votes: Ints) -> tuple[Ints, Ints]:
        codes = np.flatnonzero(self.racing)
        if self.table is None or not len(codes) or not len(votes):
            return votes[:0], codes[:0]
        places = self.table[votes[:, None], codes]
        if self.strict:
            column = places.argmin(axis=1)
            listed = places[np.arange(len(votes)), column] < NOWHERE
            return votes[listed], codes[column[listed]]
        best = places.min(axis=1, keepdims=True)
        row, column = np.nonzero((places == best) & (best < NOWHERE))
        return votes[row], codes[column]

    def _search(self, votes: Ints) -> tuple[Ints, Ints]:
        first, lengths = self.first[votes], self.end[votes] - self.first[votes]
        before = np.cumsum(lengths) - lengths
        entry = np.arange(lengths.sum()) + np.repeat(first - before, lengths)
        still = self.racing[self.who[entry]]
        entry, vote = entry[still], np.repeat(votes, lengths)[still]
        opens = np.ones(len(vote), dtype=np.bool_)
        opens[1:] = vote[1:] != vote[:-1]
        head = np.flatnonzero(opens)
        self.first[vote[head]] = entry[head]
        best = np.repeat(self.place[entry[head]], np.diff(np.append(head, len(vote))))
        top = self.place[entry] == best
        return vote[top], self.who[entry[top]]

    def remove(self, agents: Ints) -> None:
        """Take agents out of the race; their ballots pass on."""
        self.racing[agents] = False
        left = ~self.racing[self.parts.agent]
        if not left.any():
            return
        old = self.parts
        if self.strict:
            new = self.tops(old.vote[left])
            if len(new.vote) == np.count_nonzero(left):
                old.agent[left] = new.agent
                return
            stay = ~left
        else:
            touched = np.zeros(len(self.end), dtype=np.bool_)
            touched[old.vote[left]] = True
            stay = ~touched[old.vote]
            new = self.tops(np.flatnonzero(touched))
        self.parts = Parts(
            np.concatenate([old.vote[stay], new.vote]),
            np.concatenate([old.agent[stay], new.agent]),
            np.concatenate([old.share[stay], new.share]),
        )

    def spend(self, agents: Ints, counts: Floats, quota: float, *, ordered: bool) -> None:
        """Use up a quota of the ballots of each elected agent.

        Gregory's way keeps the same share of every ballot as surplus; `ordered`
        uses ballots up one after another in the order of the profile.
        """
        vote, agent, share = self.parts
        used = np.zeros(len(self.weights))
        for elected in agents.tolist():
            own = np.flatnonzero(agent == elected)
            own = own[np.argsort(vote[own], kind="stable")]
            worth = self.weights[vote[own]] * share[own]
            if ordered:
                before = np.cumsum(worth) - worth
                used[vote[own]] += np.clip(quota - before, 0.0, worth)
            elif counts[elected] > 0:
                used[vote[own]] += worth * min(1.0, quota / counts[elected])
        self.weights = np.maximum(0.0, self.weights - used)

    def forget_those_out(self) -> None:
        """Drop the entries of agents out of the race, so that searching stays quick."""
        if self.table is not None:
            return
        racing = self.racing[self.who]
        kept = np.flatnonzero(racing)
        before = np.concatenate(([0], np.cumsum(racing)))
        self.who, self.place = self.who[kept], self.place[kept]
        self.first, self.end = before[self.first], before[self.end]


def count_rounds(
    race: Race, seats: int, *, ordered: bool = False, fill: bool = False, keep: bool = False
) -> list[Round]:
    """Elect and eliminate, round by round, until everybody is placed.

    Agents that stand at the same count are told apart by the count of the last
    round in which they differed. Those never apart are dealt with together.

    Args:
        race: The ballots; used up.
        seats: How many to elect at most.
        ordered: Pass on whole ballots, the first in the profile used up first.
        fill: Elect below the quota once no more are left than seats.
        keep: Note the counts of each round.
    """
    total = float(race.weights.sum())
    quota, slack = droop_quota(total, seats), SAME_COUNT * total
    standing = np.zeros(len(race.racing), dtype=np.int64)
    rounds: list[Round] = []
    crowd = len(race.racing)
    while race.racing.any():
        codes = np.flatnonzero(race.racing)
        votes = race.counts()
        counts = votes[codes]
        standing[codes] = stands = _standing(counts, standing[codes], slack)
        enough = counts.max() >= quota - slack or (fill and len(codes) <= seats)
        elected = bool(seats > 0 and enough)
        turn = stands == (stands.max() if elected else 0)
        kept = (codes, counts) if keep else (codes[:0], counts[:0])
        agents, level = codes[turn], float(counts[turn].max())
        same = int((np.abs(counts - level) <= slack).sum())
        # To go together without votes is no harm: nothing passes on.
        tied = same > len(agents) or (len(agents) > 1 and level > slack)
        rounds.append(Round(agents, elected, level, tied, *kept))
        if elected:
            race.spend(agents, votes, quota, ordered=ordered)
            seats -= len(agents)
        race.remove(agents)
        if 2 * (len(codes) - len(agents)) < crowd:
            crowd = len(codes) - len(agents)
            race.forget_those_out()
    return rounds


def _standing(counts: Floats, before: Ints, slack: float) -> Ints:
    """Number agents by their counts, those with the same count by how they stood before."""
    order = np.argsort(counts)
    level = np.zeros(len(counts), dtype=np.int64)
    level[order[1:]] = (counts[order[1:]] - counts[order[:-1]] > slack).cumsum()
    if level[order[-1]] == len(counts) - 1:
        return level
    key = level * (before.max() + 1) + before
    order = np.argsort(key)
    stands = np.zeros(len(counts), dtype=np.int64)
    stands[order[1:]] = (key[order[1:]] != key[order[:-1]]).cumsum()
    return stands
