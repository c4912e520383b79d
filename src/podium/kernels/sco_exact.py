r"""The least sigmoid loss over a box, proven by branch and bound.

This is sigmoidal programming (Udell and Boyd 2013) in the differences x of
ratings, one for each majority pair: the loss of a pair is its margin times

.. math:: f(x) = \frac{1}{1 + e^x}

which bends down left of 0 and up right of it. On a range of x its convex
envelope is a chord that ends as a tangent, and f from there on. A linear
programme over ratings bounds the sum of envelopes from below; descent from its
solution bounds the loss from above; the pair whose envelope is furthest from
its loss has its range split. Ranges of all pairs are closed under addition,
as shortest paths.
"""

import heapq
import time
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.kernels import linprog
from podium.kernels.alike import Majorities
from podium.kernels.sco import loss, steepest
from podium.kernels.sco_fit import descended, from_starts
from podium.kernels.sco_polish import polished

HALVINGS = 30
"""Halvings of the range in which a chord touches the curve."""

CUTS = 30
"""Rounds of tangents added to one linear programme, at most."""

TANGENTS = np.array([0.0, 0.5, 1.0, 2.0, 3.5, 6.0, 10.0])
"""How far from the end of the chord the first tangents touch."""


class Found(NamedTuple):
    """The best ratings found, and what is proven.

    Attributes:
        ratings: In units of the temperature, from 0 to the width.
        loss: Loss of the majorities there.
        bound: No ratings have a loss below this.
        nodes: Linear programmes bounded, that is parts of the box looked at.
    """

    ratings: Floats
    loss: float
    bound: float
    nodes: int


class Relaxed(NamedTuple):
    """A part of the box, bounded.

    Attributes:
        bound: Lower bound of the loss in it.
        ratings: Where the bound is reached.
        most: Agents x agents, the largest difference of ratings in it, row less column.
        missing: How far each pair's envelope is below its loss.
    """

    bound: float
    ratings: Floats
    most: Floats
    missing: Floats


def least(pairs: Majorities, width: float, *, tolerance: float, seconds: float) -> Found:
    """Find the ratings of least loss, as far as time allows.

    Args:
        pairs: Who beats whom.
        width: Upper bound of the ratings, in units of the temperature; the lower is 0.
        tolerance: Gap between loss and bound at which to end, as a share of all margins.
        seconds: Time after which to end in any case.

    >>> chain = Majorities(np.array([0, 1, 0]), np.array([1, 2, 2]), np.ones(3), 3)
    >>> found = least(chain, 6.0, tolerance=1e-6, seconds=60.0)
    >>> found.ratings.round(6).tolist(), found.loss - found.bound < 4e-6
    ([6.0, 3.0, 0.0], True)
    """
    if not len(pairs.margin):
        return Found(np.full(pairs.size, width / 2), 0.0, 0.0, 0)
    ends = time.perf_counter() + seconds
    slack = tolerance * float(pairs.margin.sum())
    best = from_starts(pairs, width, 1e-6, 20_000).ratings
    value = loss(pairs, best)
    root = relaxed(pairs, width * (1.0 - np.eye(pairs.size)), width, slack)
    waiting = [(root.bound, 0, root)]
    nodes = 1
    while waiting and waiting[0][0] < value - slack and time.perf_counter() < ends:
        _, _, node = heapq.heappop(waiting)
        best, value = _better(pairs, node.ratings, width, best, value)
        for part in _halves(pairs, node):
            child = relaxed(pairs, part, width, slack)
            nodes += 1
            if child.bound < value - slack:
                heapq.heappush(waiting, (child.bound, nodes, child))
    proven = min([value - slack, *(bound for bound, _, _ in waiting[:1])])
    best, _ = polished(pairs, best, width)
    return Found(best, loss(pairs, best), min(proven, loss(pairs, best)), nodes)


def _better(
    pairs: Majorities, start: Floats, width: float, best: Floats, value: float
) -> tuple[Floats, float]:
    """Descend from some ratings, and keep the better end."""
    point, _ = descended(pairs, start, steepest(pairs), width, 1e-9, 500)
    return (point.ratings, point.loss) if point.loss < value else (best, value)


def _halves(pairs: Majorities, node: Relaxed) -> list[Floats]:
    """Split the range of the pair whose envelope is furthest below its loss, where that is so."""
    pair = int(np.argmax(node.missing))
    one, two = pairs.winner[pair], pairs.loser[pair]
    low, high = -node.most[two, one], node.most[one, two]
    at = 0.0 if low < 0 < high else float(np.clip(node.ratings[one] - node.ratings[two], low, high))
    return [closed(node.most, one, two, at), closed(node.most, two, one, -at)]


def closed(most: Floats, one: int, two: int, limit: float) -> Floats:
    """Let one rating be at most so far above another, and draw conclusions for all pairs.

    >>> closed(np.array([[0.0, 9, 9], [9, 0, 2], [9, 9, 0]]), 0, 1, 3.0)[0].tolist()
    [0.0, 3.0, 5.0]
    """
    through: Floats = most[:, one, None] + limit + most[two]
    return np.minimum(most, through)


def ranges(pairs: Majorities, most: Floats) -> tuple[Floats, Floats]:
    """Give the lowest and highest difference of each pair, winner less loser."""
    return -most[pairs.loser, pairs.winner], most[pairs.winner, pairs.loser]


def sigmoid(x: Array) -> Array:
    """Give 1 / (1 + exp(x))."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, small, 1.0) / (1.0 + small)


def touching(low: Array, high: Array) -> Array:
    """Find where the chord from the low end touches the curve; the high end where it does not.

    >>> touching(np.array([-5.0, 1.0]), np.array([9.0, 9.0])).round(3).tolist()
    [1.76, 1.0]
    """
    left, right = np.zeros(len(low)), 3.0 + np.log1p(np.abs(low))
    base = sigmoid(low)
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        value = sigmoid(middle)
        # Right of the touching point the curve is flatter than the chord to it.
        flat = value * (1.0 - value) * (middle - low) < base - value
        left, right = np.where(flat, left, middle), np.where(flat, middle, right)
    return np.where(low >= 0, low, np.minimum(right, high))


def envelope(x: Array, low: Array, end: Array) -> Array:
    """Give the convex envelope of the curve: a chord from the low end, then the curve.

    >>> float(envelope(np.array([0.0]), np.array([-1.0]), np.array([1.0]))[0])
    0.5
    """
    span = np.maximum(end - low, 1e-300)
    share = np.clip((x - low) / span, 0.0, 1.0)
    chord = sigmoid(low) + share * (sigmoid(end) - sigmoid(low))
    return np.where((x < end) & (end > low), chord, sigmoid(x))


def relaxed(pairs: Majorities, most: Floats, width: float, slack: float) -> Relaxed:
    """Bound the loss in a part of the box by a linear programme, tangents added as needed."""
    low, high = ranges(pairs, most)
    end = touching(low, high)
    nowhere = Relaxed(np.inf, np.zeros(pairs.size), most, np.zeros(len(low)))
    if (most + most.T < 0).any():
        return nowhere
    program = _programme(pairs, width, low, high, end)
    node = nowhere
    for _ in range(CUTS):
        if not linprog.solved(program):
            return nowhere
        columns = linprog.point(program)
        ratings = np.clip(columns[: pairs.size], 0.0, width)
        x = np.clip(ratings[pairs.winner] - ratings[pairs.loser], low, high)
        below = envelope(x, low, end)
        missing = pairs.margin * (sigmoid(x) - below)
        node = Relaxed(linprog.objective(program), ratings, most, missing)
        short = pairs.margin * (below - columns[pairs.size :])
        here = np.flatnonzero((short > slack / (4 * len(low))) & (x > end))
        if not len(here):
            break
        _add_tangents(program, pairs, here, x[here])
    return node


def _programme(
    pairs: Majorities, width: float, low: Floats, high: Floats, end: Floats
) -> linprog.Solver:
    """Lay out ratings, differences in their ranges, and losses above the first tangents."""
    count, size = len(low), pairs.size
    program = linprog.solver()
    upper = np.concatenate([np.full(size, width), np.ones(count)])
    cost = np.concatenate([np.zeros(size), pairs.margin])
    linprog.add_columns(program, np.zeros(size + count), upper, cost)
    both = np.stack([pairs.winner, pairs.loser], axis=1)
    linprog.add_rows(program, low, high, both, np.tile([1.0, -1.0], (count, 1)))
    fall, span = sigmoid(end) - sigmoid(low), end - low
    chord = np.divide(fall, span, out=np.zeros(count), where=span > 1e-12)
    _add(program, pairs, np.arange(count), low, sigmoid(low), chord)
    for far in TANGENTS:
        here = np.flatnonzero((end >= 0) & (end + far <= high))
        _add_tangents(program, pairs, here, end[here] + far)
    return program


def _add_tangents(program: linprog.Solver, pairs: Majorities, here: Array, at: Floats) -> None:
    value = sigmoid(at)
    _add(program, pairs, here, at, value, -value * (1.0 - value))


def _add(
    program: linprog.Solver,
    pairs: Majorities,
    here: Array,
    at: Floats,
    value: Floats,
    slope: Floats,
) -> None:
    """Demand of the loss of some pairs to be above a line through a point."""
    columns = np.stack([pairs.winner[here], pairs.loser[here], pairs.size + here], axis=1)
    values = np.stack([-slope, slope, np.ones(len(here))], axis=1)
    endless = np.full(len(here), np.inf)
    linprog.add_rows(program, value - slope * at, endless, columns, values)
