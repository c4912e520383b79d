"""Coordinate descent on the sigmoid loss, agent by agent, compiled for many agents."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, Ints
from podium.kernels.alike import Majorities
from podium.kernels.compiled import kernel


class Rows(NamedTuple):
    """Majorities agent by agent.

    Attributes:
        start: Where the pairs of each agent start, and the end of the last.
        other: Code of the other agent of each pair.
        margin: Margin over the other agent, below 0 where that one wins.
    """

    start: Ints
    other: Ints
    margin: Floats


def rows_of(pairs: Majorities) -> Rows:
    """List each pair with either agent.

    >>> rows = rows_of(Majorities(np.array([1]), np.array([0]), np.array([2.0]), 2))
    >>> rows.other.tolist(), rows.margin.tolist()
    ([1, 0], [-2.0, 2.0])
    """
    one = np.concatenate([pairs.winner, pairs.loser])
    other = np.concatenate([pairs.loser, pairs.winner])
    margin = np.concatenate([pairs.margin, -pairs.margin])
    order = np.argsort(one, kind="stable")
    start = np.searchsorted(one[order], np.arange(pairs.size + 1))
    return Rows(start, other[order], margin[order])


@kernel
def sweep(
    ratings: Floats,
    start: Ints,
    other: Ints,
    margin: Floats,
    steep: Floats,
    waiting: Array,
    width: float,
    tolerance: float,
) -> int:
    """Move each waiting agent downhill once, and count the moves.

    Whoever moves makes those waiting that it met.

    Args:
        ratings: In units of the temperature. Changed.
        start: Where the pairs of each agent start.
        other: The other agent of each pair.
        margin: Margin over it.
        steep: Steepest slope that the majorities of an agent could make.
        waiting: 1 for agents that have to be looked at. Changed.
        width: Upper bound of ratings.
        tolerance: Share of the steepest slope that counts as none.
    """
    moves = 0
    for agent in range(len(ratings)):
        if waiting[agent] == 0:
            continue
        waiting[agent] = 0
        first, end = start[agent], start[agent + 1]
        place, moved = downhill(
            ratings, other, margin, first, end, ratings[agent], width, steep[agent], tolerance
        )
        if moved:
            ratings[agent] = place
            moves += 1
            waiting[agent] = 1
            for row in range(first, end):
                waiting[other[row]] = 1
    return moves


@kernel
def downhill(
    ratings: Floats,
    other: Ints,
    margin: Floats,
    first: int,
    end: int,
    place: float,
    width: float,
    steep: float,
    tolerance: float,
) -> tuple[float, bool]:
    """Make up to three Newton steps for one agent, each bounded, where slopes still count.

    Pairs that bend the loss downwards count by size: then the step goes
    downhill, and is not too long.
    """
    moved = False
    for _ in range(3):
        slope, bend = 0.0, 0.0
        for row in range(first, end):
            gap = ratings[other[row]] - place
            small = math.exp(-abs(gap))
            below = 1.0 / (1.0 + small)
            pull = margin[row] * small * below * below
            slope -= pull
            bend += abs(pull) * (0.05 + (1.0 - small) * below)
        share = slope / steep
        if abs(min(max(place - share, 0.0), width) - place) <= tolerance:
            return place, moved
        step = min(max(-slope / max(bend, 1e-300), -4.0), 4.0)
        place = min(max(place + step, 0.0), width)
        moved = True
    return place, moved
