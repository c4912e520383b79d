"""Good rankings for Kemeny's rule, found by moving one agent at a time."""

import time

import numpy as np

from podium.arrays import Array, Floats


def improved(
    order: Array, margins: Floats, tolerance: float = 0.0, deadline: float = float("inf")
) -> Array:
    """Move agents to better places, one at a time, until no move helps.

    Args:
        order: Codes of the agents, best first.
        margins: Wins less losses of the row agent against the column agent.
        tolerance: Smallest gain that is worth a move.
        deadline: Stop after the round during which this time of `time.monotonic` passes.

    >>> improved(np.array([1, 0, 2]), np.array([[0, 3, -1], [-3, 0, -1], [1, 1, 0.0]])).tolist()
    [2, 0, 1]
    """
    order = np.array(order)
    moved = True
    while moved and time.monotonic() < deadline:
        moved = False
        for agent in order.tolist():
            place = int(np.flatnonzero(order == agent)[0])
            others = np.delete(order, place)
            # What is lost by each place further down, against standing first.
            lost = np.concatenate(([0.0], np.cumsum(margins[agent, others])))
            better = int(lost.argmin())
            if lost[better] < lost[place] - tolerance:
                order = np.insert(others, better, agent)
                moved = True
    return order


def order_value(order: Array, counts: Floats) -> float:
    """Add up the counts of all pairs in which the one stands above the other.

    >>> order_value(np.array([2, 0, 1]), np.array([[0, 4, 2], [1, 0, 2], [3, 3, 0.0]]))
    10.0
    """
    return float(np.triu(counts[np.ix_(order, order)], 1).sum())


def order_loss(order: Array, margins: Floats) -> float:
    """Add up the margins of the majorities that a ranking goes against.

    >>> order_loss(np.array([0, 1, 2]), np.array([[0, 3, -1], [-3, 0, -1], [1, 1, 0.0]]))
    2.0
    """
    return order_value(order[::-1], np.maximum(margins, 0.0))
