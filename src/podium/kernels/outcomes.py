r"""Outcomes of matches explained by agents, by terms of the match, and by ties.

The log-odds of the left agent of a row are

.. math:: \eta = \theta_l - \theta_r + x^\top \beta

With ties as half a win each, a row of `won` and `lost` has the likelihood of
Bradley and Terry. With ties of their own (Davidson 1970),

.. math:: P(\text{win}) : P(\text{tie}) : P(\text{loss}) = e^{\eta/2} : \nu : e^{-\eta/2}

Both are exponential families, so Newton's method finds the one maximum where
there is one.
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, add_up
from podium.kernels.bradley_terry import LARGEST_STEP, ROUNDING, is_done, logistic
from podium.kernels.laplacian import TINY, Graph, inverse, solve

NOTHING = 1e-20
"""A gradient of this share of the weight behind it is the tail of a run to infinity."""

ALIKE = 1e-9
"""A combination of terms with less than this share of their curvature tells nothing."""


class Rows(NamedTuple):
    """Rows of matches, each with counts of its outcomes.

    Attributes:
        left: Code of the first agent.
        right: Code of the second.
        won: Wins of the first one, with half of the ties where these count so.
        lost: Wins of the second one, likewise.
        tied: Ties, where they have a chance of their own; else None.
        terms: Rows x terms, what is added to the log-odds of the first, times a coefficient.
        size: Number of agents.
    """

    left: Ints
    right: Ints
    won: Floats
    lost: Floats
    tied: Floats | None
    terms: Floats
    size: int


class Point(NamedTuple):
    """Parameters of the model.

    Attributes:
        ratings: Natural-scale ratings.
        terms: Coefficients of the terms.
        tie: Logarithm of nu; 0 where ties have no chance of their own.
    """

    ratings: Floats
    terms: Floats
    tie: float = 0.0


class Slopes(NamedTuple):
    """First and second derivatives of the log-likelihood.

    The second ones are given for less the log-likelihood, so that they are positive.

    Attributes:
        ratings: By the ratings.
        others: By the terms, then by the logarithm of nu.
        graph: By two ratings.
        mixed: Agents x others, by a rating and another parameter.
        square: Others x others.
    """

    ratings: Floats
    others: Floats
    graph: Graph
    mixed: Floats
    square: Floats


class ModelFit(NamedTuple):
    """What a fit ended with.

    Attributes:
        point: The parameters.
        iterations: Newton steps made.
        residual: Largest move of a parameter that the next step would make.
        slopes: Derivatives at the point.
    """

    point: Point
    iterations: int
    residual: float
    slopes: Slopes


def log_odds(rows: Rows, point: Point) -> Floats:
    """Give the log-odds of the first agent of each row."""
    return point.ratings[rows.left] - point.ratings[rows.right] + rows.terms @ point.terms


def chances(rows: Rows, point: Point) -> tuple[Floats, Floats, Floats]:
    """Give the chance of a win, a tie and a loss of the first agent of each row."""
    odds = log_odds(rows, point)
    if rows.tied is None:
        chance = logistic(odds)
        return chance, np.zeros_like(chance), logistic(-odds)
    logs = np.stack([odds / 2, np.full_like(odds, point.tie), -odds / 2])
    parts = np.exp(logs - logs.max(axis=0))
    win, tie, loss = parts / parts.sum(axis=0)
    return win, tie, loss


def log_likelihood(rows: Rows, point: Point, prior: float = 0.0) -> float:
    r"""Give the log-likelihood, with the prior :math:`a \sum_i \log s(\theta_i) s(-\theta_i)`."""
    odds = log_odds(rows, point)
    total = -prior * (np.logaddexp(0, point.ratings) + np.logaddexp(0, -point.ratings)).sum()
    if rows.tied is None:
        total -= rows.won @ np.logaddexp(0, -odds) + rows.lost @ np.logaddexp(0, odds)
    else:
        whole = np.logaddexp(np.logaddexp(odds / 2, -odds / 2), point.tie)
        total += (rows.won - rows.lost) @ odds / 2 + point.tie * rows.tied.sum()
        total -= (rows.won + rows.lost + rows.tied) @ whole
    return float(total)


def slopes(rows: Rows, point: Point, prior: float = 0.0) -> Slopes:
    """Differentiate the log-likelihood twice."""
    win, tie, loss = chances(rows, point)
    if rows.tied is None:
        surplus = rows.won * loss - rows.lost * win
        bend = (rows.won + rows.lost) * win * loss
        by_tie = twice = cross = np.zeros(0)
    else:
        met, lead, decided = rows.won + rows.lost + rows.tied, win - loss, win + loss
        surplus = rows.won * (loss + tie / 2) - rows.lost * (win + tie / 2) - rows.tied * lead / 2
        bend = met * (tie * decided / 4 + win * loss)
        by_tie = rows.tied * decided - (rows.won + rows.lost) * tie
        twice, cross = met * tie * decided, -met * tie * lead / 2
    own = logistic(point.ratings)
    ratings = scattered(rows, surplus) + prior * (1 - 2 * own)
    graph = Graph(rows.left, rows.right, bend, 2 * prior * own * (1 - own))
    columns = [*(bend * term for term in rows.terms.T)]
    square = rows.terms.T @ (bend[:, None] * rows.terms)
    others = rows.terms.T @ surplus
    if rows.tied is not None:
        columns.append(cross)
        edge = rows.terms.T @ cross
        square = np.block([[square, edge[:, None]], [edge, np.array([twice.sum()])]])
        others = np.append(others, by_tie.sum())
    mixed = np.array([scattered(rows, column) for column in columns]).reshape(-1, rows.size).T
    return Slopes(ratings, others, graph, mixed, square)


def scattered(rows: Rows, amounts: Floats) -> Floats:
    """Add an amount to the first agent of each row, and take it from the second."""
    return add_up(rows.left, amounts, rows.size) - add_up(rows.right, amounts, rows.size)


def fit_outcomes(
    rows: Rows,
    *,
    prior: float = 0.0,
    start: Point | None = None,
    tolerance: float = 1e-11,
    limit: int = 200,
) -> ModelFit:
    """Maximise the likelihood by Newton's method.

    The caller checks that agents are connected, and afterwards with
    `told_apart` and `separated` that terms and ties have finite estimates.

    >>> rows = Rows(
    ...     np.array([0, 1]), np.array([1, 0]), np.array([3.0, 1.0]), np.array([1.0, 1.0]),
    ...     None, np.ones((2, 1)), 2,
    ... )
    >>> point = fit_outcomes(rows).point
    >>> bool(np.isclose(log_odds(rows, point), [np.log(3), 0.0]).all())
    True
    """
    tied = rows.tied is not None
    count = rows.terms.shape[1]
    point = start or Point(np.zeros(rows.size), np.zeros(count))
    value, residual = log_likelihood(rows, point, prior), np.inf
    weights = _weights(rows, prior)
    for iteration in range(limit + 1):
        found = slopes(rows, point, prior)
        steep = _steepness(found, weights)
        step, more = _newton_step(found, min(0.01, steep))
        before, residual = residual, float(np.abs(np.concatenate([step, more])).max(initial=0.0))
        if is_done(residual, before, tolerance) or steep <= NOTHING or iteration == limit:
            break
        share = min(1.0, LARGEST_STEP / residual)
        for _ in range(40):
            tried = Point(
                point.ratings + share * step,
                point.terms + share * more[:count],
                point.tie + share * float(more[-1]) if tied else 0.0,
            )
            better = log_likelihood(rows, tried, prior)
            if better >= value - ROUNDING * abs(value):
                point, value = tried, better
                break
            share /= 2
    return ModelFit(point, iteration, residual, found)


def _weights(rows: Rows, prior: float) -> tuple[Floats, Floats]:
    """Give the weight behind each entry of the gradient."""
    met = rows.won + rows.lost + (0.0 if rows.tied is None else rows.tied)
    agents = add_up(rows.left, met, rows.size) + add_up(rows.right, met, rows.size) + 2 * prior
    others = np.abs(rows.terms).T @ met
    if rows.tied is not None:
        others = np.append(others, met.sum())
    return np.maximum(agents, TINY), np.maximum(others, TINY)


def _steepness(found: Slopes, weights: tuple[Floats, Floats]) -> float:
    """Give the largest entry of the gradient, as a share of the weight behind it."""
    agents, others = weights
    own = np.abs(found.ratings / agents).max(initial=0.0)
    return float(max(own, np.abs(found.others / others).max(initial=0.0)))


def _newton_step(found: Slopes, accuracy: float) -> tuple[Floats, Floats]:
    """Solve for ratings first, and then for the few other parameters."""
    targets = np.column_stack([found.ratings, found.mixed])
    solved = solve(found.graph, targets, accuracy)
    rest = found.square - found.mixed.T @ solved[:, 1:]
    more: Array = np.linalg.lstsq(rest, found.others - found.mixed.T @ solved[:, 0])[0]
    return solved[:, 0] - solved[:, 1:] @ more, more


def told_apart(found: Slopes) -> Bools:
    """Mark the other parameters of which the data tell something that ratings do not explain.

    Those that are marked false take part in a combination that can be anything.
    """
    scale = np.sqrt(np.maximum(found.square.diagonal(), TINY))
    values, vectors = np.linalg.eigh((unexplained(found) / scale).T / scale)
    free = vectors[:, values < ALIKE]
    marked: Bools = (np.abs(free) < 1e-6).all(axis=1)
    return marked


def unexplained(found: Slopes) -> Floats:
    """Give the curvature by the other parameters, with ratings free to follow."""
    return found.square - found.mixed.T @ solve(found.graph, found.mixed)


def separated(rows: Rows, *, held: bool = False) -> tuple[Floats, Floats] | None:
    r"""Find a direction in which the likelihood never falls, if there is one.

    A linear program: along the direction no win may lose odds, no loss gain
    any, and a tie not move; with ties of their own, a tie may move by as much
    as its own odds rise, and a win has to rise by as much. Some outcome has to
    move. Then no estimate is finite (Albert and Anderson 1984).

    Args:
        rows: What is fitted.
        held: Whether a prior keeps agents from moving.

    Returns:
        The direction by agents, and by the other parameters; or None.
    """
    import scipy.optimize
    import scipy.sparse

    count = rows.terms.shape[1]
    size = rows.size + count + (rows.tied is not None)
    lines = np.arange(len(rows.left))
    entries = scipy.sparse.csr_array(
        (
            np.concatenate([np.ones(len(lines)), -np.ones(len(lines)), rows.terms.ravel()]),
            (
                np.concatenate([lines, lines, np.repeat(lines, count)]),
                np.concatenate(
                    [rows.left, rows.right, np.tile(rows.size + np.arange(count), len(lines))]
                ),
            ),
        ),
        shape=(len(lines), size),
    )
    won, lost = entries[rows.won > 0], entries[rows.lost > 0]
    rising = scipy.sparse.vstack([won, -lost])
    floors = [rising]
    gain = np.asarray(rising.sum(axis=0)).ravel()
    if rows.tied is not None:
        tie = np.zeros((1, size))
        tie[0, -1] = 2.0
        gain = gain + tie[0]
        drawn = entries[rows.tied > 0]
        floors = [_less(rising, tie), _less(drawn, -tie), _less(-drawn, -tie), rising]
    reach = np.ones(size)
    reach[: rows.size] = 0.0 if held else 1.0
    limits = -scipy.sparse.vstack(floors)
    answer = scipy.optimize.linprog(
        -gain, limits, np.zeros(limits.shape[0]), bounds=np.stack([-reach, reach], axis=1)
    )
    if answer.status != 0 or -answer.fun <= ALIKE:
        return None
    return answer.x[: rows.size], answer.x[rows.size :]


def _less(entries: Array, line: Floats) -> Array:
    import scipy.sparse

    less: Array = entries - scipy.sparse.csr_array(np.repeat(line, entries.shape[0], axis=0))
    return less


class Covariance(NamedTuple):
    """The inverse of the second derivatives; ratings of a free graph are those of mean 0.

    Attributes:
        ratings: Agents x agents.
        shared: Agents x others.
        others: Others x others.
    """

    ratings: Floats
    shared: Floats
    others: Floats


def covariance(found: Slopes) -> Covariance:
    """Invert the second derivatives."""
    own = inverse(found.graph)
    solved = own @ found.mixed
    others = np.linalg.inv(found.square - found.mixed.T @ solved).astype(np.float64, copy=False)
    shared = -solved @ others
    return Covariance(own - shared @ solved.T, shared, others)
