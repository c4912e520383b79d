"""All Kemeny rankings at once, by dynamic programming over sets of agents."""

import time
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, add_up

DENSE = 16
"""Up to so many agents, sets are numbered through a table of all of them."""

MOST_CELLS = 1 << 27
"""Most sets looked at by default, times agents: some seconds, and a few hundred megabytes."""


class AllOptima(NamedTuple):
    """What all optimal rankings of some agents say.

    Attributes:
        order: One of them, best first.
        share: Share of the optimal rankings that put the row agent above the column agent.
        number: How many optimal rankings there are.
    """

    order: Array
    share: Floats
    number: int


class Bounds(NamedTuple):
    """What is known before the search, so that most sets need not be looked at.

    Attributes:
        penalty: What a ranking that puts the row agent above the column agent
            loses, at least, from an upper bound of the value; at least 0.
        gap: Most that an optimal ranking can lose from that bound.
    """

    penalty: Floats
    gap: float


class Layer(NamedTuple):
    """The sets of one size that the lower part of an optimal ranking may hold.

    Attributes:
        sets: Sets x bytes, one bit an agent.
        best: Best value of an order of the set alone.
        lost: Least penalty of all pairs whose lower agent is in the set.
        below: For each best step into this layer, the index of the set it comes from.
        agent: The agent it puts on top.
        into: The index of the set it leads to.
    """

    sets: Array
    best: Floats
    lost: Floats
    below: Array
    agent: Array
    into: Array


def all_optima(
    counts: Floats,
    tolerance: float,
    bounds: Bounds | None = None,
    *,
    most: int = MOST_CELLS,
    deadline: float = float("inf"),
) -> AllOptima | None:
    r"""Find what all Kemeny rankings have in common, and how often they differ.

    With :math:`F(S)` the best value of an order of the agents of S alone, and
    a the agent that comes first in it (Held and Karp 1962),

    .. math:: F(S) = \max_{a \in S} F(S \setminus a) + \sum_{b \in S \setminus a} N(a, b)

    Every optimal ranking is a path of steps at which the maximum is reached.
    Counting the paths through each step, from both ends, counts the optimal
    rankings in which a stands right above that set. A set is left out where
    its penalties add up to more than the gap.

    Args:
        counts: Weight of the votes that put the row agent above the column agent.
        tolerance: Values that differ by no more than this are equal.
        bounds: What is known before.
        most: Give up where sets times agents are more than this.
        deadline: Give up at this time of `time.monotonic`.

    Returns:
        The optima, or None after giving up. Where a ranking that loses no more
        than the gap exists, these are the optima of all rankings; else they are
        the best of some, or none at all (number 0).

    >>> optima = all_optima(np.array([[0, 2.0, 1], [1, 0, 2], [2, 1, 0]]), 0.0)
    >>> optima.number, optima.share[0].tolist() == [0, 2 / 3, 1 / 3]
    (3, True)
    """
    size = len(counts)
    nothing = np.zeros(0, dtype=np.int64)
    empty = np.zeros((1, 8 * ((size + 63) // 64)), dtype=np.uint8)
    layers = [Layer(empty, np.zeros(1), np.zeros(1), nothing, nothing, nothing)]
    left = most // max(1, size)
    for members in range(1, size + 1):
        free, lost = _free(layers[-1], size, bounds)
        # Each set of so many members is reached from at most as many sets.
        if np.count_nonzero(free) > left * members or time.monotonic() > deadline:
            return None
        layers.append(_next_layer(layers[-1], counts, free, lost, tolerance))
        left -= len(layers[-1].sets)
        if left < 0:
            return None
    if not len(layers[-1].sets):
        return AllOptima(nothing, np.zeros((size, size)), 0)
    return _count(layers, size)


def membership(sets: Array, size: int) -> Bools:
    """Tell which agents each set holds.

    >>> membership(np.array([[5]], dtype=np.uint8), 3).tolist()
    [[True, False, True]]
    """
    return np.unpackbits(sets, axis=1, count=size, bitorder="little").view(np.bool_)


def _free(layer: Layer, size: int, bounds: Bounds | None) -> tuple[Bools, Floats]:
    """Tell which agents may be put on top of each set, and what the sets made so then lose."""
    held = membership(layer.sets, size)
    if bounds is None:
        return ~held, np.zeros(held.shape)
    # An agent put on top of a set has all agents of neither above it.
    over = bounds.penalty.sum(axis=0) - held.astype(np.float64) @ bounds.penalty
    lost = layer.lost[:, None] + over
    return ~held & (lost <= bounds.gap), lost


def _next_layer(layer: Layer, counts: Floats, free: Bools, lost: Floats, tolerance: float) -> Layer:
    size = len(counts)
    below, agent = np.nonzero(free)
    joined = layer.sets[below]
    joined[np.arange(len(agent)), agent >> 3] |= np.uint8(1) << (agent & 7).astype(np.uint8)
    sets, into = _numbered(joined, size)
    gains = membership(layer.sets, size).astype(np.float64) @ counts.T
    value = layer.best[below] + gains[below, agent]
    best = np.full(len(sets), -np.inf)
    np.maximum.at(best, into, value)
    reached = value >= best[into] - tolerance
    least = np.full(len(sets), np.inf)
    np.minimum.at(least, into, lost[below, agent])
    return Layer(sets, best, least, below[reached], agent[reached], into[reached])


def _numbered(sets: Array, size: int) -> tuple[Array, Array]:
    """Give the distinct sets and the index of each among them."""
    width = sets.shape[1]
    if size > DENSE:
        kind = np.dtype("<u8") if width == 8 else np.dtype((np.void, width))
        distinct, index = np.unique(sets.view(kind).ravel(), return_inverse=True)
    else:
        number = sets.view("<u8").ravel().astype(np.int64)
        table = np.zeros(1 << size, dtype=np.int64)
        table[number] = 1
        distinct = np.flatnonzero(table)
        table[distinct] = np.arange(len(distinct))
        distinct, index = distinct.astype("<u8"), table[number]
    return distinct.view(np.uint8).reshape(-1, width), index


def _count(layers: list[Layer], size: int) -> AllOptima:
    """Count the optimal rankings through each step and share them out to pairs."""
    ways_up: list[Floats] = [np.ones(1)]
    for layer in layers[1:]:
        ways_up.append(add_up(layer.into, ways_up[-1][layer.below], len(layer.sets)))
    share = np.zeros((size, size))
    order: list[int] = []
    at, ways_down = 0, np.ones_like(ways_up[-1])
    for lower, layer, ways in zip(layers[-2::-1], layers[:0:-1], ways_up[-2::-1], strict=True):
        paths = np.zeros((len(lower.sets), size))
        paths[layer.below, layer.agent] = ways[layer.below] * ways_down[layer.into]
        share += paths.T @ membership(lower.sets, size).astype(np.float64)
        ways_down = add_up(layer.below, ways_down[layer.into], len(lower.sets))
        step = int(np.flatnonzero(layer.into == at)[0])
        order.append(int(layer.agent[step]))
        at = int(layer.below[step])
    number = float(ways_up[-1][0])
    return AllOptima(np.array(order), share / number, round(number))
