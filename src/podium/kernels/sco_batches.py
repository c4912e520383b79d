r"""Steps of Soft Condorcet Optimization along ballots drawn at random, compiled.

Ratings are in units of the temperature (or of the noise), from 0 to a width.
Each agent's power :math:`e^u` is kept beside its rating u, so that a pair costs one
division and no exponential:

.. math:: s(x) (1 - s(x)) = \frac{e^{u_a} e^{u_b}}{(e^{u_a} + e^{u_b})^2},
          \quad x = u_b - u_a

Where ratings may lie too far apart for that, exponentials of differences are taken.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Array, Floats, Ints
from podium.kernels.compiled import kernel

WIDEST = 600.0
"""Powers of ratings that lie this far apart can still be multiplied."""

PLAIN = 20_000
"""Up to this many pairs a loop in Python ends before a compiler is loaded."""

CHUNK = 1 << 18
"""Entries of ballots whose draws are held at once."""


class Votes(NamedTuple):
    """Ballots end to end, as in a profile.

    Attributes:
        who: Codes of the agents.
        above: How many entries of its ballot stand above each entry.
        below: The first place of its ballot that is below each entry: above, and its ties.
        start: Where each ballot starts, and the end of the last one.
    """

    who: Ints
    above: Ints
    below: Ints
    start: Ints

    @classmethod
    def strict(cls, who: Ints, start: Ints) -> "Votes":
        """Take ballots without ties.

        >>> Votes.strict(np.array([2, 0, 1]), np.array([0, 1, 3])).below.tolist()
        [1, 1, 2]
        """
        above = np.arange(len(who)) - np.repeat(start[:-1], np.diff(start))
        return cls(who, above, above + 1, start)


def drawn_rows(
    weights: Floats, steps: int, batch: int, longest: int, rng: np.random.Generator
) -> Iterator[Ints]:
    """Draw ballots by weight, with replacement: steps x batch rows, a chunk at a time.

    >>> [rows.shape for rows in drawn_rows(np.ones(3), 5, 2, 1, np.random.default_rng(0))]
    [(5, 2)]
    """
    ends = np.cumsum(weights)
    last = int(np.flatnonzero(weights)[-1])
    alike = bool((weights == weights[0]).all())
    step = max(1, CHUNK // (batch * max(longest, 1)))
    for first in range(0, steps, step):
        size = (min(step, steps - first), batch)
        if alike:
            yield rng.integers(len(weights), size=size)
        else:
            rows = np.searchsorted(ends, rng.random(size) * ends[-1], side="right")
            yield np.minimum(rows, last)


def soft_steps(votes: Votes, ratings: Floats, rows: Ints, rates: Floats, width: float) -> None:
    """Make a projected step of gradient descent on the mean sigmoid loss of each batch.

    Args:
        votes: The ballots.
        ratings: In units of the temperature. Changed.
        rows: Steps x batch, the ballots of each step.
        rates: Size of each step, in units of the temperature squared.
        width: Upper bound of ratings; the lower is 0.

    >>> ratings = np.array([1.0, 1.0])
    >>> one = Votes.strict(np.array([0, 1]), np.array([0, 2]))
    >>> soft_steps(one, ratings, np.array([[0]]), np.array([1.0]), 2.0)
    >>> ratings.tolist()
    [1.25, 0.75]
    """
    pairs, size = _pairs(votes, rows), len(ratings)
    powers, pull, here, given = _room(votes, ratings, width)
    if pairs > PLAIN and pairs >= len(rows) * size * size:
        counts = np.zeros((size, size), dtype=np.int64)
        _counted(votes, rows, rates, width, ratings, powers, pull, counts)
        return
    run: Any = _soft.plain if pairs <= PLAIN else _soft
    run(votes, rows, rates, width, ratings, powers, pull, here, given)


def noisy_steps(
    votes: Votes,
    ratings: Floats,
    rows: Ints,
    rates: Floats,
    width: float,
    rng: np.random.Generator,
) -> None:
    r"""Make a projected step along the Fenchel-Young gradient of each batch.

    The places that the ratings would give with Gumbel noise, less the places on
    the ballot, pull the ratings. The order of :math:`u_i + G_i` is that of arrivals
    after :math:`X_i e^{-u_i}`, with X exponential.

    Args:
        votes: The ballots.
        ratings: In units of the noise. Changed.
        rows: Steps x batch, the ballots of each step.
        rates: Size of each step, in units of the noise.
        width: Upper bound of ratings; the lower is 0.
        rng: Source of chance.
    """
    noise = rng.standard_exponential(int(np.diff(votes.start)[rows].sum()))
    run: Any = _noisy.plain if _pairs(votes, rows) <= PLAIN else _noisy
    powers, pull, waits, _ = _room(votes, ratings, width)
    run(votes, rows, rates, width, noise, ratings, powers, pull, waits)


def _pairs(votes: Votes, rows: Ints) -> float:
    """Count the pairs on all ballots of some steps."""
    lengths = np.diff(votes.start)[rows]
    return float((lengths * (lengths - 1.0)).sum() / 2)


def _room(votes: Votes, ratings: Floats, width: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Make the powers of the ratings, empty where they would be too large, and room for sums."""
    powers = np.exp(ratings - width / 2) if width <= WIDEST else np.empty(0)
    longest = int(np.diff(votes.start).max(initial=0))
    return powers, np.zeros(len(ratings)), np.empty(longest), np.empty(longest)


@kernel
def slope_between(one: float, two: float, narrow: bool) -> float:  # noqa: FBT001, a kernel
    """Give s(1 - s) of two agents, from their powers, or from their ratings if not narrow."""
    if narrow:
        return one * two / ((one + two) * (one + two))
    small = float(np.exp(-abs(one - two)))
    return small / ((1.0 + small) * (1.0 + small))


@kernel
def _soft(
    votes: Votes,
    rows: Ints,
    rates: Floats,
    width: float,
    ratings: Floats,
    powers: Floats,
    pull: Floats,
    here: Floats,
    given: Floats,
) -> None:
    who, below, start = votes.who, votes.below, votes.start
    narrow = len(powers) > 0
    for step in range(len(rows)):
        for row in rows[step]:
            first = start[row]
            size = start[row + 1] - first
            for one in range(size):
                here[one] = powers[who[first + one]] if narrow else ratings[who[first + one]]
                given[one] = 0.0
            for one in range(size):
                total = 0.0
                for two in range(below[first + one], size):
                    slope = slope_between(here[one], here[two], narrow)
                    given[two] -= slope
                    total += slope
                given[one] += total
            for one in range(size):
                pull[who[first + one]] += given[one]
        moved(who, start, rows[step], rates[step], width, ratings, powers, pull)


@kernel
def _counted(
    votes: Votes,
    rows: Ints,
    rates: Floats,
    width: float,
    ratings: Floats,
    powers: Floats,
    pull: Floats,
    counts: Array,
) -> None:
    """Make the steps of `_soft`, with one slope for all votes of a batch that hold a pair."""
    who, below, start = votes.who, votes.below, votes.start
    narrow = len(powers) > 0
    for step in range(len(rows)):
        for row in rows[step]:
            first, end = start[row], start[row + 1]
            for one in range(first, end):
                above = counts[who[one]]
                for two in range(first + below[one], end):
                    above[who[two]] += 1
        for one in range(len(ratings)):
            for two in range(one):
                net = counts[one, two] - counts[two, one]
                counts[one, two] = counts[two, one] = 0
                if net != 0:
                    ends = powers if narrow else ratings
                    slope = net * slope_between(ends[one], ends[two], narrow)
                    pull[one] += slope
                    pull[two] -= slope
        moved(who, start, rows[step], rates[step], width, ratings, powers, pull)


@kernel
def _noisy(
    votes: Votes,
    rows: Ints,
    rates: Floats,
    width: float,
    noise: Floats,
    ratings: Floats,
    powers: Floats,
    pull: Floats,
    waits: Floats,
) -> None:
    who, start = votes.who, votes.start
    narrow = len(powers) > 0
    used = 0
    for step in range(len(rows)):
        for row in rows[step]:
            first = start[row]
            size = start[row + 1] - first
            for one in range(size):
                agent = who[first + one]
                if narrow:
                    waits[one] = noise[used] / powers[agent]
                else:
                    waits[one] = np.log(noise[used]) - ratings[agent]
                used += 1
            for one in range(size):
                wait, earlier = waits[one], 0
                for two in range(size):
                    earlier += waits[two] < wait
                # The place on the ballot; tied agents share the mean of their places.
                listed = (votes.above[first + one] + votes.below[first + one] - 1) / 2
                pull[who[first + one]] += earlier - listed
        moved(who, start, rows[step], rates[step], width, ratings, powers, pull)


@kernel
def moved(
    who: Ints,
    start: Ints,
    rows: Ints,
    rate: float,
    width: float,
    ratings: Floats,
    powers: Floats,
    pull: Floats,
) -> None:
    """Move the agents of a batch along the mean pull on them, and take the pull away."""
    share = rate / len(rows)
    for row in rows:
        for entry in range(start[row], start[row + 1]):
            agent = who[entry]
            if pull[agent] != 0.0:
                rating = min(max(ratings[agent] + share * pull[agent], 0.0), width)
                ratings[agent] = rating
                pull[agent] = 0.0
                if len(powers) > 0:
                    powers[agent] = np.exp(rating - width / 2)
