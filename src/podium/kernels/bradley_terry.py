"""Fits of the Bradley-Terry model to counts of pairs."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, Ints, add_up

DENSE_SOLVE = 1_500
"""Up to this many agents a Newton step factors the whole matrix; above, it iterates."""

LARGEST_STEP = 4.0
"""No rating moves further than this (in units of the logistic) in one step."""


class Fit(NamedTuple):
    """What a fit ended with.

    Attributes:
        ratings: Natural-scale ratings.
        iterations: Newton steps made.
        residual: Largest entry of the gradient, as a share of the heaviest agent's weight.
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
    tolerance: float = 1e-12,
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

    >>> two = Counts(np.array([0]), np.array([1]), np.array([3.0]), np.array([1.0]), 2)
    >>> ratings = fit(two).ratings
    >>> float(ratings[0] - ratings[1] - np.log(3)) < 1e-12
    True
    """
    ratings = np.zeros(counts.size) if start is None else start.copy()
    heaviest = float(_spread(counts, counts.won + counts.lost).max(initial=1e-300)) + 2 * prior
    value, residual = _value(counts, ratings, prior), np.inf
    for iteration in range(1, limit + 1):
        gradient, curvature, own = _slopes(counts, ratings, prior)
        residual = float(np.abs(gradient).max(initial=0.0)) / heaviest
        if residual <= tolerance:
            return Fit(ratings, iteration - 1, residual)
        step = _newton_step(counts, gradient, curvature, own)
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), 1e-300))
        ratings, better = _line_search(counts, ratings, step, value, prior)
        if better <= value and residual < 1e-8:
            return Fit(ratings, iteration, residual)
        value = better
    return Fit(ratings, limit, residual)


def _value(counts: Counts, ratings: Floats, prior: float) -> float:
    gap = ratings[counts.left] - ratings[counts.right]
    total = -(counts.won @ np.logaddexp(0, -gap)) - counts.lost @ np.logaddexp(0, gap)
    if prior:
        total -= prior * (np.logaddexp(0, -ratings) + np.logaddexp(0, ratings)).sum()
    return float(total)


def _slopes(counts: Counts, ratings: Floats, prior: float) -> tuple[Floats, Floats, Floats]:
    chance = logistic(ratings[counts.left] - ratings[counts.right])
    met = counts.won + counts.lost
    surplus = counts.won - met * chance
    gradient = add_up(counts.left, surplus, counts.size) - add_up(
        counts.right, surplus, counts.size
    )
    own = logistic(ratings)
    gradient += prior * (1 - 2 * own)
    return gradient, met * chance * (1 - chance), 2 * prior * own * (1 - own)


def _spread(counts: Counts, amounts: Floats) -> Floats:
    return add_up(counts.left, amounts, counts.size) + add_up(counts.right, amounts, counts.size)


def _newton_step(counts: Counts, gradient: Floats, curvature: Floats, own: Floats) -> Floats:
    """Solve the curvature against the gradient, among vectors of mean 0 where no prior fixes it."""
    size = counts.size
    diagonal = _spread(counts, curvature) + own
    free = not own.any()
    if size <= DENSE_SOLVE:
        matrix = np.zeros((size, size))
        matrix[counts.left, counts.right] = -curvature
        matrix += matrix.T
        matrix[np.diag_indices(size)] = diagonal
        if free:
            matrix += diagonal.mean() / size
        return np.linalg.solve(matrix, gradient)

    def times(vector: Floats) -> Floats:
        pull = curvature * (vector[counts.left] - vector[counts.right])
        result = add_up(counts.left, pull, size) - add_up(counts.right, pull, size)
        return result + own * vector

    step = conjugate_gradient(times, gradient, np.where(diagonal > 0, diagonal, 1.0))
    return step - step.mean() if free else step


def conjugate_gradient(
    times: Callable[[Floats], Floats], target: Floats, diagonal: Floats, *, limit: int = 500
) -> Floats:
    """Solve a positive system that is known by its products, preconditioned by its diagonal.

    Stops at a residual that lets Newton's method converge faster than linearly.
    """
    size = float(np.linalg.norm(target))
    wanted = size * min(0.1, np.sqrt(size))
    result = np.zeros_like(target)
    rest = target.copy()
    scaled = rest / diagonal
    direction, before = scaled, float(rest @ scaled)
    for _ in range(limit):
        product = times(direction)
        bend = float(direction @ product)
        if bend <= 0:
            break
        result = result + (before / bend) * direction
        rest = rest - (before / bend) * product
        if np.linalg.norm(rest) <= wanted:
            break
        scaled = rest / diagonal
        now = float(rest @ scaled)
        direction = scaled + (now / before) * direction
        before = now
    return result


def _line_search(
    counts: Counts, ratings: Floats, step: Floats, value: float, prior: float
) -> tuple[Floats, float]:
    """Halve a step until the likelihood does not fall."""
    share = 1.0
    for _ in range(40):
        tried = ratings + share * step
        better = _value(counts, tried, prior)
        if better >= value:
            return tried, better
        share /= 2
    return ratings, value
