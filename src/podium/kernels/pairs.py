"""Counting pairs: how much weight puts one agent above another."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from podium.arrays import Array, Floats, Ints, add_up
from podium.kernels.bitcount import count_bits

BLOCK = 1 << 20
"""Comparisons made at once: a few megabytes, so that they stay in the cache."""

FEW_WEIGHTS = 8
"""Up to this many distinct weights, votes of one weight are counted bit by bit."""

EXACT_IN_SINGLE = 1 << 24
"""Whole numbers up to here are exact in single precision, which is twice as fast."""


WAITING = 1 << 23
"""Pairs beyond as many as are known that wait to be added up: a few hundred megabytes."""

PairLists: TypeAlias = tuple[Ints, Ints, Floats, Floats, Floats]
"""Left codes, right codes, wins, losses, meetings."""


def exact_type(weights: Array) -> type[np.float32] | type[np.float64]:
    """Choose single precision where sums of these weights are exact in it.

    >>> exact_type(np.array([1.0, 2.0])).__name__, exact_type(np.array([0.5])).__name__
    ('float32', 'float64')
    """
    whole = bool((weights == np.floor(weights)).all())
    return np.float32 if whole and weights.sum() < EXACT_IN_SINGLE else np.float64


def above_blocks(places: Array) -> Iterator[tuple[slice, Array]]:
    r"""Go through the votes in blocks, as flat rows of :math:`[p_{vi} < p_{vj}]`.

    Args:
        places: Votes x agents, lower is better, NaN where not listed.
    """
    votes, agents = places.shape
    step = max(1, BLOCK // max(1, agents * agents))
    for first in range(0, votes, step):
        rows = slice(first, min(first + step, votes))
        block = places[rows]
        yield rows, (block[:, :, None] < block[:, None, :]).reshape(len(block), -1)


def both_blocks(places: Array) -> Iterator[tuple[slice, Array]]:
    """Go through the votes in blocks, as flat rows that mark the pairs listed by each."""
    votes, agents = places.shape
    step = max(1, BLOCK // max(1, agents * agents))
    for first in range(0, votes, step):
        rows = slice(first, min(first + step, votes))
        listed = ~np.isnan(places[rows])
        yield rows, (listed[:, :, None] & listed[:, None, :]).reshape(len(listed), -1)


def multiplied(draws: Array, blocks: Iterable[tuple[slice, Array]]) -> Array:
    """Multiply draws x votes with votes x pairs that come in blocks.

    >>> table = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> multiplied(np.array([[2.0, 1.0], [0.0, 3.0]]), above_blocks(table)).tolist()
    [[0.0, 2.0, 1.0, 0.0], [0.0, 0.0, 3.0, 0.0]]
    """
    total: Array = np.zeros((len(draws), 1), dtype=draws.dtype)
    for number, (rows, marks) in enumerate(blocks):
        part = draws[:, rows] @ marks.astype(draws.dtype, copy=False)
        total = total + part if number else part
    return total


def count_table(places: Array, weights: Floats) -> tuple[Floats, Floats]:
    r"""Count all pairs of a table of places.

    .. math:: N_{ij} = \sum_v w_v [p_{vi} < p_{vj}], \quad
              C_{ij} = \sum_v w_v [i, j \text{ both listed by } v]

    Args:
        places: Votes x agents, lower is better, NaN where not listed.
        weights: Weight of each vote.

    >>> wins, met = count_table(np.array([[0.0, 1.0], [0.0, np.nan]]), np.array([2.0, 1.0]))
    >>> wins.tolist(), met.tolist()
    ([[0.0, 2.0], [0.0, 0.0]], [[0.0, 2.0], [2.0, 0.0]])
    """
    agents = places.shape[1]
    kinds = weights[:1] if (weights == weights[:1]).all() else np.unique(weights)
    if len(kinds) <= FEW_WEIGHTS:
        wins, met = np.zeros((agents, agents)), np.zeros((agents, agents))
        for weight in kinds:
            parts = count_bits(places[weights == weight])
            wins, met = wins + weight * parts[0], met + weight * parts[1]
        return wins, met
    return multiply_table(places, weights)


def multiply_table(places: Array, weights: Floats) -> tuple[Floats, Floats]:
    """Count all pairs by matrix products: the same as `count_table`, for many weights."""
    agents = places.shape[1]
    kind = exact_type(weights)
    wins = np.zeros(agents * agents)
    for rows, above in above_blocks(places):
        wins += weights[rows].astype(kind) @ above.astype(kind)
    listed = (~np.isnan(places)).astype(np.float64)
    met = listed.T @ (weights[:, None] * listed)
    np.fill_diagonal(met, 0.0)
    return wins.reshape(agents, agents), met


def entry_pairs(who: Ints, place: Ints, start: Ints) -> Iterator[tuple[Ints, Ints, Ints, Array]]:
    """Go through all pairs of entries of ballots, ballots of one length at a time.

    Yields:
        Vote, code of the agent listed first, code of the other, and whether
        the first stands strictly above (else they are tied).
    """
    lengths = np.diff(start)
    for length in np.unique(lengths[lengths > 1]).tolist():
        votes = np.flatnonzero(lengths == length)
        first, second = np.triu_indices(length, 1)
        step = max(1, 4 * BLOCK // len(first))
        for begin in range(0, len(votes), step):
            some = votes[begin : begin + step]
            entries = start[some][:, None] + np.arange(length)
            codes, places = who[entries], place[entries]
            above = places[:, first] < places[:, second]
            vote = np.repeat(some, len(first))
            yield vote, codes[:, first].ravel(), codes[:, second].ravel(), above.ravel()


def count_entries(
    who: Ints, place: Ints, start: Ints, weights: Floats, agents: int
) -> tuple[Floats, Floats]:
    """Count pairs of short ballots into arrays of agents x agents: same as `count_table`."""
    wins, met = np.zeros((agents, agents)), np.zeros((agents, agents))
    for vote, upper, lower, above in entry_pairs(who, place, start):
        np.add.at(wins, (upper[above], lower[above]), weights[vote[above]])
        np.add.at(met, (upper, lower), weights[vote])
    return wins, met + met.T


def merge_pairs(
    left: Ints, right: Ints, wins: Floats, losses: Floats, met: Floats, agents: int
) -> PairLists:
    """Turn rows of pairs, in any order and orientation, into each pair once, left below right."""
    swap = left > right
    low, high = np.where(swap, right, left), np.where(swap, left, right)
    key, index = np.unique(low * agents + high, return_inverse=True)
    columns = (np.where(swap, losses, wins), np.where(swap, wins, losses), met)
    summed = [add_up(index, column, len(key)) for column in columns]
    return key // agents, key % agents, summed[0], summed[1], summed[2]


def list_entries(who: Ints, place: Ints, start: Ints, weights: Floats, agents: int) -> PairLists:
    """Count pairs of short ballots as a list of pairs, for any number of agents.

    Memory is bounded by the number of distinct pairs, however many ballots there are.
    """
    parts, waiting, settled = [], 0, 0
    for vote, upper, lower, above in entry_pairs(who, place, start):
        weight = weights[vote]
        won = np.where(above, weight, 0.0)
        parts.append(merge_pairs(upper, lower, won, np.zeros_like(won), weight, agents))
        waiting += len(parts[-1][0])
        if waiting > settled + WAITING:
            parts = [merge_lists(parts, agents)]
            waiting, settled = 0, len(parts[0][0])
    return merge_lists(parts, agents)


def merge_lists(parts: Sequence[PairLists], agents: int) -> PairLists:
    """Add up lists of pairs, in which each pair then stands once."""
    if not parts:
        nothing = np.zeros(0)
        return np.zeros(0, np.int64), np.zeros(0, np.int64), nothing, nothing, nothing
    left, right, wins, losses, met = (np.concatenate(c) for c in zip(*parts, strict=True))
    return merge_pairs(left, right, wins, losses, met, agents)
