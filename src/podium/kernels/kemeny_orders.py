"""All Kemeny rankings at once, by dynamic programming over sets of agents."""

import time
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, add_up

DENSE = 16
"""Up to so many agents, sets are numbered through a table of all of them."""

SLACK = 1e-9
"""Rounding allowed in sums of penalties."""

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

    The tables of sets x agents are sums over the members of each set. They grow
    with it, member by member: products of matrices would do more work, and
    would ask for threads that wait for each other on a busy machine.

    Attributes:
        sets: Sets x bytes, one bit an agent.
        best: Best value of an order of the set alone.
        lost: Least penalty of all pairs whose lower agent is in the set.
        gains: What each agent brings when it is put on top of the set.
        over: What it loses then, by the agents that come above it.
    """

    sets: Array
    best: Floats
    lost: Floats
    gains: Floats
    over: Floats


class Steps(NamedTuple):
    """The best steps from the sets of one size to those of the next.

    Attributes:
        sets: The sets that they start from.
        below: Index of the set that each step starts from.
        agent: The agent that it puts on top.
        into: Index of the set that it leads to.
        number: How many sets there are to lead to.
    """

    sets: Array
    below: Array
    agent: Array
    into: Array
    number: int


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
    penalty = np.zeros((size, size)) if bounds is None else bounds.penalty
    gap = 0.0 if bounds is None else bounds.gap
    layer = Layer(
        sets=np.zeros((1, 8 * ((size + 63) // 64)), dtype=np.uint8),
        best=np.zeros(1),
        lost=np.zeros(1),
        gains=np.zeros((1, size)),
        over=penalty.sum(axis=0)[None, :],
    )
    taken = []
    left = most // max(1, size)
    for members in range(1, size + 1):
        free = ~membership(layer.sets, size) & (layer.lost[:, None] + layer.over <= gap + SLACK)
        # Each set of so many members is reached from at most as many sets.
        if np.count_nonzero(free) > left * members or time.monotonic() > deadline:
            return None
        layer, steps = _step(layer, free, counts, penalty, tolerance)
        taken.append(steps)
        left -= steps.number
        if left < 0:
            return None
        if not steps.number:
            return AllOptima(np.zeros(0, np.int64), np.zeros((size, size)), 0)
    return _count(taken, size)


def membership(sets: Array, size: int) -> Bools:
    """Tell which agents each set holds.

    >>> membership(np.array([[5]], dtype=np.uint8), 3).tolist()
    [[True, False, True]]
    """
    return np.unpackbits(sets, axis=1, count=size, bitorder="little").view(np.bool_)


def _step(
    layer: Layer, free: Bools, counts: Floats, penalty: Floats, tolerance: float
) -> tuple[Layer, Steps]:
    """Put every free agent on top of every set, and keep the best of what makes the same set."""
    below, agent = np.nonzero(free)
    joined = layer.sets[below]
    joined[np.arange(len(agent)), agent >> 3] |= np.uint8(1) << (agent & 7).astype(np.uint8)
    first, into = _numbered(joined, len(counts))
    value = layer.best[below] + layer.gains[below, agent]
    best = np.full(len(first), -np.inf)
    np.maximum.at(best, into, value)
    lost = layer.lost[below] + layer.over[below, agent]
    least = np.full(len(first), np.inf)
    np.minimum.at(least, into, lost)
    source, added = below[first], agent[first]
    found = Layer(
        sets=joined[first],
        best=best,
        lost=least,
        gains=layer.gains[source] + counts.T[added],
        over=layer.over[source] - penalty[added],
    )
    taken = value >= best[into] - tolerance
    return found, Steps(layer.sets, below[taken], agent[taken], into[taken], len(first))


def _numbered(sets: Array, size: int) -> tuple[Array, Array]:
    """Give one place of each distinct set, and the index of each set among the distinct ones."""
    width = sets.shape[1]
    if size > DENSE:
        kind = np.dtype("<u8") if width == 8 else np.dtype((np.void, width))
        _, first, index = np.unique(sets.view(kind).ravel(), return_index=True, return_inverse=True)
        return first, index
    number = sets.view("<u8").ravel().astype(np.int64)
    table = np.full(1 << size, -1)
    table[number] = np.arange(len(number))
    distinct = np.flatnonzero(table >= 0)
    first = table[distinct]
    table[distinct] = np.arange(len(distinct))
    return first, table[number]


def _count(taken: list[Steps], size: int) -> AllOptima:
    """Count the optimal rankings through each step and share them out to pairs."""
    ways_up: list[Floats] = [np.ones(1)]
    for steps in taken:
        ways_up.append(add_up(steps.into, ways_up[-1][steps.below], steps.number))
    share = np.zeros((size, size))
    order: list[int] = []
    at, ways_down = 0, np.ones_like(ways_up[-1])
    for steps, ways in zip(reversed(taken), ways_up[-2::-1], strict=True):
        paths = ways[steps.below] * ways_down[steps.into]
        used = paths > 0
        held = membership(steps.sets[steps.below[used]], size)
        np.add.at(share, steps.agent[used], paths[used, None] * held)
        ways_down = add_up(steps.below, ways_down[steps.into], len(ways))
        step = int(np.flatnonzero(steps.into == at)[0])
        order.append(int(steps.agent[step]))
        at = int(steps.below[step])
    number = float(ways_up[-1][0])
    return AllOptima(np.array(order, dtype=np.int64), share / number, round(number))
