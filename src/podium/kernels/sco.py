r"""The sigmoid loss of Soft Condorcet Optimization over majority pairs.

Because the logistic function s has s(x) = 1 - s(-x), the loss of all votes is a
constant plus the margins that the ratings go against, each counted by s. So
votes matter through their majorities only. Everything here is in units of the
temperature: ratings are divided by it, and lie between 0 and a width.
"""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, add_up
from podium.kernels.alike import Majorities
from podium.kernels.compiled import kernel

COMPILED_FROM = 20_000
"""From this many pairs on, slopes are worth a compiler."""


class Point(NamedTuple):
    """Ratings with their loss.

    Attributes:
        ratings: In units of the temperature.
        loss: What the majorities lose there.
        slopes: Derivative of the loss by each rating.
    """

    ratings: Floats
    loss: float
    slopes: Floats


def loss(pairs: Majorities, ratings: Floats) -> float:
    r"""Give the loss that majorities add to its constant part.

    .. math:: \sum_{(w, l)} \delta_{wl} \, s(\theta_l - \theta_w)

    >>> pairs = Majorities(np.array([0]), np.array([1]), np.array([3.0]), 2)
    >>> loss(pairs, np.zeros(2))
    1.5
    """
    gap = ratings[pairs.winner] - ratings[pairs.loser]
    small = np.exp(-np.abs(gap))
    return float(pairs.margin @ (np.where(gap >= 0, small, 1.0) / (1.0 + small)))


def at(pairs: Majorities, ratings: Floats) -> Point:
    """Give the loss and its slopes at some ratings.

    >>> pairs = Majorities(np.array([0]), np.array([1]), np.array([4.0]), 2)
    >>> at(pairs, np.zeros(2)).slopes.tolist()
    [-1.0, 1.0]
    """
    if len(pairs.winner) >= COMPILED_FROM:
        slopes = np.empty(pairs.size)
        total = add_slopes(ratings, pairs.winner, pairs.loser, pairs.margin, slopes)
        return Point(ratings, total, slopes)
    gap = ratings[pairs.winner] - ratings[pairs.loser]
    small = np.exp(-np.abs(gap))
    below = 1.0 / (1.0 + small)
    total = float(pairs.margin @ (np.where(gap >= 0, small, 1.0) * below))
    slope = pairs.margin * small * below * below
    pull = add_up(pairs.loser, slope, pairs.size) - add_up(pairs.winner, slope, pairs.size)
    return Point(ratings, total, pull)


@kernel
def add_slopes(ratings: Floats, winner: Ints, loser: Ints, margin: Floats, slopes: Floats) -> float:
    """Write the slopes of the loss by each rating, and return the loss."""
    slopes[:] = 0.0
    total = 0.0
    for pair in range(len(winner)):
        gap = ratings[winner[pair]] - ratings[loser[pair]]
        small = math.exp(-abs(gap))
        below = 1.0 / (1.0 + small)
        total += margin[pair] * below * (small if gap >= 0 else 1.0)
        slope = margin[pair] * small * below * below
        slopes[winner[pair]] -= slope
        slopes[loser[pair]] += slope
    return total


def steepest(pairs: Majorities) -> Floats:
    """Give the steepest slope that each agent's majorities could make, 1 for agents without."""
    touched = add_up(pairs.winner, pairs.margin, pairs.size)
    touched += add_up(pairs.loser, pairs.margin, pairs.size)
    return np.where(touched > 0, touched / 4, 1.0)


def residual(point: Point, steep: Floats, width: float) -> float:
    """Measure how far a point is from stationary: the largest slope that is not held by a bound.

    Each slope is a share of the steepest that the agent's majorities could make.
    """
    pull = point.slopes / steep
    held = np.clip(point.ratings - pull, 0.0, width) - point.ratings
    return float(np.abs(held).max(initial=0.0))


def descend(
    pairs: Majorities,
    ratings: Floats,
    rates: Floats,
    width: float,
    total: float,
    tolerance: float = -1.0,
) -> tuple[Floats, int]:
    r"""Make one step of projected gradient descent on the mean loss for each rate.

    .. math:: \theta \leftarrow \operatorname{clip}(\theta - \alpha_t \nabla L(\theta) / W)

    Args:
        pairs: Who beats whom.
        ratings: Where to start, in units of the temperature.
        rates: Size of each step, in units of the temperature squared.
        width: Upper bound; the lower is 0.
        total: Weight of all votes, W.
        tolerance: Residual at which to stop before; below 0, never.

    Returns:
        Where it ended, and the number of steps made.

    >>> pairs = Majorities(np.array([0]), np.array([1]), np.array([4.0]), 2)
    >>> ratings, steps = descend(pairs, np.ones(2), np.array([1.0]), 2.0, total=4.0)
    >>> ratings.tolist(), steps
    ([1.25, 0.75], 1)
    """
    steep = steepest(pairs)
    for step, rate in enumerate(rates.tolist()):
        point = at(pairs, ratings)
        if tolerance >= 0 and residual(point, steep, width) <= tolerance:
            return ratings, step
        ratings = np.clip(ratings - rate * (point.slopes / total), 0.0, width)
    return ratings, len(rates)
