"""Kemeny's rule for few agents, quick enough to be asked again each round."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, Ints
from podium.kernels.compiled import kernel

MOST = 10
"""Most agents: the search looks at all of their sets, each round anew."""

ROUNDING = 1e-9
"""Values that differ by no more are equal."""


class Table(NamedTuple):
    """Room for the search over all sets of agents.

    Attributes:
        best: Value of the best order of each set.
        first: The agent that comes first in it.
        ways: Whether one order reaches it (1) or several (2).
    """

    best: Floats
    first: Array
    ways: Array


def table(size: int) -> Table:
    """Make room for the sets of some agents."""
    sets = 1 << size
    return Table(np.zeros(sets), np.zeros(sets, dtype=np.int8), np.ones(sets, dtype=np.int8))


@kernel
def kemeny_order(counts: Floats, room: Table, order: Ints) -> bool:
    r"""Write the best order of all, and tell whether it is the only one.

    With :math:`F(S)` the best value of an order of the agents of S alone (Held and Karp 1962),

    .. math:: F(S) = \max_{a \in S} F(S \setminus a) + \sum_{b \in S \setminus a} N(a, b)

    Of several first agents of equal value, the one of lowest code is taken.
    """
    size = len(order)
    room.best[0] = 0.0
    room.ways[0] = 1
    for members in range(1, 1 << size):
        best, first, ways = -1.0, 0, 1
        for agent in range(size):
            if not members >> agent & 1:
                continue
            rest = members ^ (1 << agent)
            value = room.best[rest]
            for other in range(size):
                if rest >> other & 1:
                    value += counts[agent, other]
            if value > best + ROUNDING:
                best, first, ways = value, agent, room.ways[rest]
            elif value > best - ROUNDING:
                ways = 2
        room.best[members] = best
        room.first[members] = first
        room.ways[members] = ways
    left = (1 << size) - 1
    for place in range(size):
        order[place] = room.first[left]
        left ^= 1 << order[place]
    return bool(room.ways[(1 << size) - 1] == 1)


@kernel
def insert_better(counts: Floats, order: Ints) -> None:
    """Move agents to better places, one at a time, until no move makes the order agree more.

    Counts say how much weight puts the row agent above the column agent.
    """
    size = len(order)
    moved = True
    while moved:
        moved = False
        for place in range(size):
            agent = order[place]
            gain, best, target = 0.0, ROUNDING, place
            for above in range(place - 1, -1, -1):
                gain += counts[agent, order[above]] - counts[order[above], agent]
                if gain > best:
                    best, target = gain, above
            gain = 0.0
            for under in range(place + 1, size):
                gain += counts[order[under], agent] - counts[agent, order[under]]
                if gain > best:
                    best, target = gain, under
            if target != place:
                _move(order, place, target)
                moved = True


@kernel
def _move(order: Ints, place: int, target: int) -> None:
    agent = order[place]
    step = 1 if target > place else -1
    while place != target:
        order[place] = order[place + step]
        place += step
    order[place] = agent


@kernel
def agreement(counts: Floats, order: Ints) -> float:
    """Add up the counts of the upper against the lower agent, over all pairs."""
    total = 0.0
    for upper in range(len(order)):
        for under in range(upper + 1, len(order)):
            total += counts[order[upper], order[under]]
    return total
