"""The Bradley-Terry fit within bounds, which is finite whatever the outcomes were."""

import numpy as np

from podium.arrays import Bools, Floats, Ints, add_up
from podium.kernels.bradley_terry import LARGEST_STEP, ROUNDING, Counts, Fit, logistic
from podium.kernels.laplacian import TINY, Graph, solve

RIDGE = 1e-9
"""Share of its own weight that holds an agent, so that a shift of a group costs something."""

EDGE = 1e-6
"""An agent this close to a bound that it is pushed to is taken as there."""


def loss(counts: Counts, ratings: Floats) -> float:
    """Give the likelihood of the outcomes, as less its logarithm.

    >>> two = Counts(np.array([0]), np.array([1]), np.array([1.0]), np.array([0.0]), 2)
    >>> round(loss(two, np.zeros(2)), 6)
    0.693147
    """
    gap = ratings[counts.left] - ratings[counts.right]
    return float(counts.won @ np.logaddexp(0, -gap) + counts.lost @ np.logaddexp(0, gap))


def fit_within(counts: Counts, width: float, *, tolerance: float = 1e-10, limit: int = 500) -> Fit:
    """Maximise the likelihood over ratings from 0 to a width, by projected Newton steps.

    All start in the middle, and the middle is where the mean of a group stays
    as far as bounds let it; see `centred`.

    >>> two = Counts(np.array([0]), np.array([1]), np.array([3.0]), np.array([1.0]), 2)
    >>> fit_within(two, 8.0).ratings.round(6).tolist()
    [4.549306, 3.450694]
    >>> never = two._replace(lost=np.array([0.0]))
    >>> fit_within(never, 8.0).ratings.tolist()
    [8.0, 0.0]
    """
    ratings = np.full(counts.size, width / 2)
    met = counts.won + counts.lost
    weight = np.maximum(_both(counts, met, met), TINY)
    residual = np.inf
    for iteration in range(limit):
        pull, bend = _slopes(counts, ratings)
        before, moves = residual, np.clip(ratings + pull / weight, 0, width) - ratings
        residual = float(np.abs(moves).max(initial=0))
        # Rounding may keep the residual above the tolerance; then it stops falling.
        if residual <= tolerance or (residual < 1e-8 and residual > before / 2):
            return Fit(ratings, iteration, residual)
        out = ((ratings <= EDGE) & (pull < 0)) | ((ratings >= width - EDGE) & (pull > 0))
        step = np.where(out, np.sign(pull) * EDGE, 0.0)
        step[~out] = _newton(counts, bend, pull, ~out)
        step *= min(1.0, LARGEST_STEP / max(float(np.abs(step).max()), TINY))
        ratings = _line_search(counts, ratings, step, width)
    return Fit(ratings, limit, residual)


def _line_search(counts: Counts, ratings: Floats, step: Floats, width: float) -> Floats:
    """Halve a step until the loss does not rise."""
    most = loss(counts, ratings) * (1 + ROUNDING)
    share = 1.0
    for _ in range(40):
        tried = np.clip(ratings + share * step, 0.0, width)
        if loss(counts, tried) <= most:
            return tried
        share /= 2
    return ratings


def _slopes(counts: Counts, ratings: Floats) -> tuple[Floats, Floats]:
    chance = logistic(ratings[counts.left] - ratings[counts.right])
    surplus = counts.won * (1 - chance) - counts.lost * chance
    return _both(counts, surplus, -surplus), (counts.won + counts.lost) * chance * (1 - chance)


def _both(counts: Counts, of_left: Floats, of_right: Floats) -> Floats:
    left = add_up(counts.left, of_left, counts.size)
    return left + add_up(counts.right, of_right, counts.size)


def _newton(counts: Counts, bend: Floats, pull: Floats, free: Bools) -> Floats:
    """Solve for the step of the agents that are free; the others stay."""
    code = np.cumsum(free) - 1
    inner = free[counts.left] & free[counts.right]
    own = RIDGE * _both(counts, bend, bend)
    own += _both(counts, bend * ~free[counts.right], bend * ~free[counts.left])
    left, right = code[counts.left[inner]], code[counts.right[inner]]
    graph = Graph(left, right, bend[inner], np.maximum(own[free], TINY))
    return solve(graph, pull[free], 1e-8)


def centred(ratings: Floats, groups: Ints, width: float) -> Floats:
    """Shift each group so that its mean is in the middle, as far as it fits.

    A shift of a group that no outcome connects with others changes no likelihood.

    >>> centred(np.array([0.0, 2.0, 3.0]), np.array([0, 0, 1]), 10.0).tolist()
    [4.0, 6.0, 5.0]
    """
    count = int(groups.max(initial=-1)) + 1
    mean = add_up(groups, ratings, count) / np.maximum(add_up(groups, None, count), 1)
    lowest, highest = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lowest, groups, ratings)
    np.maximum.at(highest, groups, ratings)
    shift = np.clip(width / 2 - mean, -lowest, width - highest)
    return np.clip(ratings + shift[groups], 0.0, width)
