"""Fits of the Bradley-Terry model to counts of pairs."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, Ints, add_up
from podium.kernels.laplacian import TINY, Graph, solve

LARGEST_STEP = 4.0
"""No rating moves further than this (in units of the logistic) in one step."""

ROUNDING = 1e-13
"""A likelihood that falls by this share of itself fell by rounding only."""

ROUNDED_STEP = 1e-4
"""Steps below this that no longer halve are made of rounding."""


class Fit(NamedTuple):
    """What a fit ended with.

    Attributes:
        ratings: Natural-scale ratings.
        iterations: Newton steps made.
        residual: Largest move of a rating that the next step would make.
    """

    ratings: Floats
    iterations: int
    residual: float


class Counts(NamedTuple):
    """Pairs that met, each once; a tie is half a win to either side.

    Attributes:
        left: Code of the one agent.
        right: Code of the other.
        won: Wins of the left one, with half of the ties.
        lost: Wins of the right one, with half of the ties.
        size: Number of agents.
    """

    left: Ints
    right: Ints
    won: Floats
    lost: Floats
    size: int


def logistic(x: Array) -> Array:
    """Give 1 / (1 + exp(-x)) without overflow.

    >>> logistic(np.array([-800.0, 0.0, 800.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def fit(
    counts: Counts,
    *,
    prior: float = 0.0,
    start: Floats | None = None,
    tolerance: float = 1e-11,
    limit: int = 200,
) -> Fit:
    r"""Maximise the likelihood of the Bradley-Terry model by Newton's method.

    .. math:: \ell(\theta) = \sum_{i<j} w_{ij} \log s(\theta_i - \theta_j)
              + w_{ji} \log s(\theta_j - \theta_i)
              + a \sum_i \log s(\theta_i) + \log s(-\theta_i)

    with s the logistic function and a the prior: each agent has beaten, and
    lost to, a rival of rating 0 that many times. Without a prior the maximum is
    finite only where each agent can be reached from each other by wins; the
    caller checks that.

    Args:
        counts: The pairs.
        prior: The weight a.
        start: Ratings to start from; without a prior their mean stays.
        tolerance: Residual at which the fit is done. The gradient is no such measure: at
            odds of a billion to one it tells little of how far ratings are off.
        limit: Most Newton steps.

    >>> two = Counts(np.array([0]), np.array([1]), np.array([3.0]), np.array([1.0]), 2)
    >>> ratings = fit(two).ratings
    >>> float(ratings[0] - ratings[1] - np.log(3)) < 1e-12
    True
    """
    ratings = np.zeros(counts.size) if start is None else start.copy()
    weight = np.maximum(_spread(counts, counts.won + counts.lost) + 2 * prior, TINY)
    value, residual = _value(counts, ratings, prior), np.inf
    for iteration in range(limit + 1):
        gradient, curvature, own = _slopes(counts, ratings, prior)
        steep = float((np.abs(gradient) / weight).max(initial=0.0))
        graph = Graph(counts.left, counts.right, curvature, own)
        step = solve(graph, gradient, min(0.1, steep**0.5))
        before, residual = residual, float(np.abs(step).max(initial=0.0))
        if is_done(residual, before, tolerance) or iteration == limit:
            break
        step *= min(1.0, LARGEST_STEP / residual)
        ratings, value = _line_search(counts, ratings, step, value, prior)
    return Fit(ratings, iteration, residual)


def is_done(step: float, before: float, tolerance: float) -> bool:
    """Tell whether the next Newton step is not worth making.

    >>> is_done(1e-13, 1e-5, 1e-11), is_done(0.1, 0.1, 1e-11), is_done(1e-9, 1e-9, 1e-11)
    (True, False, True)
    """
    return step <= tolerance or before / 2 < step <= ROUNDED_STEP


def _value(counts: Counts, ratings: Floats, prior: float) -> float:
    gap = ratings[counts.left] - ratings[counts.right]
    total = -(counts.won @ np.logaddexp(0, -gap)) - counts.lost @ np.logaddexp(0, gap)
    if prior:
        total -= prior * (np.logaddexp(0, -ratings) + np.logaddexp(0, ratings)).sum()
    return float(total)


def _slopes(counts: Counts, ratings: Floats, prior: float) -> tuple[Floats, Floats, Floats]:
    gap = ratings[counts.left] - ratings[counts.right]
    # Wins times the chance to lose, less losses times the chance to win: no cancellation.
    win, lose = logistic(gap), logistic(-gap)
    surplus = counts.won * lose - counts.lost * win
    gradient = add_up(counts.left, surplus, counts.size) - add_up(
        counts.right, surplus, counts.size
    )
    own = logistic(ratings)
    gradient += prior * (1 - 2 * own)
    return gradient, (counts.won + counts.lost) * win * lose, 2 * prior * own * (1 - own)


def _spread(counts: Counts, amounts: Floats) -> Floats:
    return add_up(counts.left, amounts, counts.size) + add_up(counts.right, amounts, counts.size)


def _line_search(
    counts: Counts, ratings: Floats, step: Floats, value: float, prior: float
) -> tuple[Floats, float]:
    """Halve a step until the likelihood does not fall."""
    share = 1.0
    for _ in range(40):
        tried = ratings + share * step
        better = _value(counts, tried, prior)
        if better >= value - ROUNDING * abs(value):
            return tried, better
        share /= 2
    return ratings, value
