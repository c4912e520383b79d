"""Counting pairs with one bit a vote: eight votes to a byte, sixty-four to a word."""

from collections.abc import Iterator

import numpy as np

from podium.arrays import Array, Bools, Floats

BLOCK = 1 << 21
"""Comparisons made at once: few enough to stay in the cache."""

WORD = 64


def count_bits(places: Array) -> tuple[Floats, Floats]:
    r"""Count all pairs of a table of places, each vote once.

    .. math:: N_{ij} = \sum_v [p_{vi} < p_{vj}], \quad
              C_{ij} = \sum_v [i, j \text{ both listed by } v]

    Args:
        places: Votes x agents, lower is better, NaN where not listed.

    >>> wins, met = count_bits(np.array([[0.0, 1.0], [0.0, np.nan]]))
    >>> wins.tolist(), met.tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]])
    """
    votes, agents = places.shape
    listed = ~np.isnan(places)
    lanes = _lanes(small_codes(places, listed))
    partial = not listed.all()
    marks = _packed(_lanes(listed)) if partial else None
    wins = np.empty((agents, agents))
    met = np.full((agents, agents), float(votes))
    for rows in _blocks(agents, agents * lanes.shape[1]):
        above = _packed(lanes[rows, None, :] < lanes[None, :, :])
        if marks is not None:
            above &= marks[None, :, :]
            met[rows] = _counted(marks[rows, None, :] & marks[None, :, :])
        wins[rows] = _counted(above)
    np.fill_diagonal(met, 0.0)
    return wins, met


def small_codes(places: Array, listed: Bools) -> Array:
    """Write places in the smallest integers that keep their order in each vote.

    Agents that are not listed get a code above all others.

    >>> table = np.array([[-2.5, -7.0, np.nan, -2.5]])
    >>> small_codes(table, ~np.isnan(table)).tolist()
    [[1, 0, 3, 1]]
    """
    known = np.where(listed, places, 0)
    if (
        not (known == np.floor(known)).all()
        or known.min(initial=0) < 0
        or known.max(initial=0) > 1e9
    ):
        known = _ranked(places)
    top = int(known.max(initial=0)) + 1
    kind = np.uint8 if top < 1 << 8 else np.uint16 if top < 1 << 16 else np.uint32
    return np.where(listed, known, top).astype(kind)


def _ranked(places: Array) -> Array:
    """Number the distinct places of each vote from the lowest up."""
    order = np.argsort(places, axis=1)
    sorted_places = np.take_along_axis(places, order, axis=1)
    steps = np.zeros(places.shape, dtype=np.int64)
    steps[:, 1:] = sorted_places[:, 1:] != sorted_places[:, :-1]
    codes = np.empty(places.shape, dtype=np.int64)
    np.put_along_axis(codes, order, np.cumsum(steps, axis=1), axis=1)
    return codes


def _lanes(table: Array) -> Array:
    """Lay out a table agent by agent, with blank votes up to whole words."""
    votes, agents = table.shape
    lanes = np.zeros((agents, votes + -votes % WORD), dtype=table.dtype)
    lanes[:, :votes] = table.T
    return lanes


def _blocks(size: int, cost: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, cost))
    return (slice(first, min(first + step, size)) for first in range(0, size, step))


def _packed(bits: Array) -> Array:
    return np.packbits(bits, axis=-1).view(np.uint64)


def _counted(words: Array) -> Array:
    total: Array = np.bitwise_count(words).sum(axis=-1, dtype=np.int64)
    return total
