"""Outcomes explained by agents, terms and ties: against the likelihood written out by the row."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats, floats
from podium.kernels import laplacian
from podium.kernels.bradley_terry import Counts, fit
from podium.kernels.outcomes import (
    Point,
    Rows,
    covariance,
    fit_outcomes,
    log_likelihood,
    separated,
    slopes,
    told_apart,
)
from strategies import steady


@st.composite
def rows(draw: st.DrawFn, *, own_ties: bool | None = None, terms: int | None = None) -> Rows:
    """Draw rows on which every outcome came up for every pair of a ring: all is finite."""
    size = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(0, 2)) if terms is None else terms
    ring = np.arange(size)
    left = np.concatenate([ring, ring, rng.integers(0, size, 4)])
    right = np.concatenate([ring + 1, ring + 1, left[2 * size :] + 1]) % size
    won, lost, tied = (floats(rng.integers(1, 5, len(left))) for _ in range(3))
    columns = rng.normal(size=(len(left), count))
    ties = draw(st.booleans()) if own_ties is None else own_ties
    return Rows(left, right, won, lost, tied if ties else None, columns, size)


def plain_likelihood(data: Rows, point: Point, prior: float) -> float:
    """Multiply the chances of all outcomes, one row after the other."""
    total = 0.0
    for row in range(len(data.left)):
        odds = float(point.ratings[data.left[row]] - point.ratings[data.right[row]])
        odds += float(data.terms[row] @ point.terms)
        if data.tied is None:
            parts = [math.exp(odds / 2), 0.0, math.exp(-odds / 2)]
        else:
            parts = [math.exp(odds / 2), math.exp(point.tie), math.exp(-odds / 2)]
        total += data.won[row] * math.log(parts[0] / sum(parts))
        total += data.lost[row] * math.log(parts[2] / sum(parts))
        if data.tied is not None:
            total += data.tied[row] * math.log(parts[1] / sum(parts))
    for rating in point.ratings.tolist():
        total += prior * math.log(1 / (2 + math.exp(rating) + math.exp(-rating)))
    return total


def packed(point: Point, data: Rows) -> Floats:
    tie = [point.tie] if data.tied is not None else []
    return np.concatenate([point.ratings, point.terms, tie])


def unpacked(vector: Floats, data: Rows) -> Point:
    last = data.size + data.terms.shape[1]
    return Point(
        vector[: data.size],
        vector[data.size : last],
        float(vector[-1]) if data.tied is not None else 0.0,
    )


def some_point(data: Rows) -> Point:
    rng = np.random.default_rng(5)
    tie = 0.3 if data.tied is not None else 0.0
    return Point(
        floats(rng.normal(size=data.size)), floats(rng.normal(size=data.terms.shape[1])), tie
    )


@given(rows(), st.sampled_from([0.0, 0.4]))
@steady(60)
def test_the_likelihood_is_the_product_of_chances(data: Rows, prior: float) -> None:
    point = some_point(data)
    expected = plain_likelihood(data, point, prior)
    assert log_likelihood(data, point, prior) == pytest.approx(expected, rel=1e-12)


def differences(value: Any, at: Floats, step: float = 1e-5) -> Floats:
    """Differentiate numerically, a coordinate a row."""
    moves = np.eye(len(at)) * step
    return np.array([(value(at + move) - value(at - move)) / (2 * step) for move in moves])


def laid_out(data: Rows, point: Point, prior: float) -> tuple[Floats, Floats]:
    """Put first and second derivatives together."""
    found = slopes(data, point, prior)
    gradient = np.concatenate([found.ratings, found.others])
    return gradient, np.block([[found.graph.matrix(), found.mixed], [found.mixed.T, found.square]])


@given(rows(), st.sampled_from([0.0, 0.4]))
@steady(60)
def test_slopes_are_those_of_small_differences(data: Rows, prior: float) -> None:
    at = packed(some_point(data), data)
    gradient, bend = laid_out(data, unpacked(at, data), prior)
    first = differences(lambda x: plain_likelihood(data, unpacked(x, data), prior), at)
    second = differences(lambda x: laid_out(data, unpacked(x, data), prior)[0], at)
    assert np.allclose(gradient, first, rtol=1e-6, atol=1e-6)
    assert np.allclose(bend, -second, rtol=1e-5, atol=1e-6)


@given(rows(), st.sampled_from([0.0, 0.4]), st.booleans())
@steady(40)
def test_the_fit_is_what_a_general_optimiser_finds(data: Rows, prior: float, many: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if many:
            patch.setattr(laplacian, "DENSE_SOLVE", 0)
        done = fit_outcomes(data, prior=prior)
    start = np.zeros(len(packed(done.point, data)))
    best = scipy.optimize.minimize(
        lambda x: -plain_likelihood(data, unpacked(x, data), prior), start, method="BFGS"
    )
    other = unpacked(best.x, data)
    ratings = other.ratings if prior else other.ratings - other.ratings.mean()
    assert np.allclose(done.point.ratings, ratings, atol=2e-4)
    assert np.allclose(done.point.terms, other.terms, atol=2e-4)
    assert done.point.tie == pytest.approx(other.tie, abs=2e-4)
    gradient, _ = laid_out(data, done.point, prior)
    assert np.abs(gradient).max() < 1e-8


@given(rows(own_ties=False, terms=0))
@steady(40)
def test_without_terms_and_ties_it_is_bradley_terry(data: Rows) -> None:
    plain = fit(Counts(data.left, data.right, data.won, data.lost, data.size))
    assert np.allclose(fit_outcomes(data).point.ratings, plain.ratings, atol=1e-9)


@given(rows())
@steady(40)
def test_the_covariance_is_the_pseudo_inverse_with_ratings_of_mean_0(data: Rows) -> None:
    point = fit_outcomes(data).point
    _, bend = laid_out(data, point, 0.0)
    shift = np.zeros(len(bend))
    shift[: data.size] = 1.0
    # Minus a big penalty on the mean of ratings is the constraint that it be 0.
    expected = np.linalg.inv(bend + 1e9 * np.outer(shift, shift))
    found = covariance(slopes(data, point))
    built = np.block([[found.ratings, found.shared], [found.shared.T, found.others]])
    assert np.allclose(built, expected, atol=1e-6 * np.abs(expected).max() + 1e-9)


def three(terms: list[list[float]], won: list[float], lost: list[float]) -> Rows:
    """Rows of a ring of three agents, each met at two values of the terms."""
    left, right = np.array([0, 1, 2, 0, 1, 2]), np.array([1, 2, 0, 1, 2, 0])
    return Rows(left, right, np.array(won), np.array(lost), None, np.array(terms), 3)


def test_terms_that_repeat_one_another_or_the_agents_are_found() -> None:
    twice = [[x, 2 * x, z] for x, z in zip([1, 0, 1, 0, 1, 1], [0.3, 1, 0, 2, 1, 0], strict=True)]
    data = three(twice, [1] * 6, [2] * 6)
    start = Point(np.zeros(3), np.zeros(3))
    assert told_apart(slopes(data, start)).tolist() == [False, False, True]
    strength = np.array([2.0, 5.0, -1.0])
    of_agents = three([[0.0]] * 6, [1] * 6, [2] * 6)
    column = strength[of_agents.left] - strength[of_agents.right]
    explained = of_agents._replace(terms=column[:, None])
    assert told_apart(slopes(explained, Point(np.zeros(3), np.zeros(1)))).tolist() == [False]
    nothing = of_agents._replace(terms=np.zeros((6, 1)))
    assert told_apart(slopes(nothing, Point(np.zeros(3), np.zeros(1)))).tolist() == [False]


def test_a_term_that_decides_every_match_has_no_finite_estimate() -> None:
    sign = [[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0]]
    decided = three(sign, [2, 2, 2, 0, 0, 0], [0, 0, 0, 2, 2, 2])
    found = separated(decided)
    assert found is not None
    assert found[1][0] > 0.5
    # One exception does not help: ratings may move along, so that its odds stay as they are.
    assert separated(three(sign, [2, 2, 2, 0, 0, 1], [0, 0, 0, 2, 2, 2])) is not None
    assert separated(three(sign, [2, 2, 2, 1, 1, 1], [1, 1, 1, 2, 2, 2])) is None


def test_a_prior_holds_agents_and_not_terms() -> None:
    sign = [[1.0], [0.0], [0.0], [-1.0], [0.0], [0.0]]
    rows_ = three(sign, [1, 1, 0, 0, 1, 0], [0, 1, 1, 1, 1, 1])
    assert separated(rows_) is not None
    assert separated(rows_._replace(terms=np.zeros((6, 1))), held=True) is None
    assert separated(rows_, held=True) is not None


def test_own_ties_may_have_no_finite_rate() -> None:
    # A win and a tie, never a loss: the better the winner and the likelier ties, the better.
    one = Rows(
        np.array([0]),
        np.array([1]),
        np.array([1.0]),
        np.array([0.0]),
        np.array([1.0]),
        np.zeros((1, 0)),
        2,
    )
    found = separated(one)
    assert found is not None
    assert found[1][0] > 0
    assert separated(one._replace(lost=np.array([1.0]))) is None


def test_a_run_to_infinity_ends() -> None:
    sign = [[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0]]
    decided = three(sign, [2, 2, 2, 0, 0, 0], [0, 0, 0, 2, 2, 2])
    done = fit_outcomes(decided)
    assert 8 < done.point.terms[0] < 60
