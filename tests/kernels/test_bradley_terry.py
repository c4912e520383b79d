"""Bradley-Terry fits: against minorisation-maximisation, and by what defines the maximum."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels import laplacian
from podium.kernels.bradley_terry import Counts, fit, logistic
from podium.kernels.components import components
from strategies import steady


def by_mm(counts: Counts, prior: float = 0.0, steps: int = 100_000) -> Floats:
    """Hunter (2004): strength = wins / sum of meetings over summed strengths; slow and plain."""
    wins, met = np.zeros((2, counts.size, counts.size))
    np.add.at(wins, (counts.left, counts.right), counts.won)
    np.add.at(wins, (counts.right, counts.left), counts.lost)
    met = wins + wins.T
    won = wins.sum(axis=1) + prior
    strength = np.ones(counts.size)
    for _ in range(steps):
        sums = (met / (strength[:, None] + strength)).sum(axis=1) + 2 * prior / (strength + 1)
        new = won / sums
        if prior == 0:
            new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / strength)).max() < 1e-14:
            break
        strength = new
    return np.asarray(np.log(strength))


@st.composite
def counts(draw: st.DrawFn, *, whole: bool = True) -> Counts:
    """Draw counts, connected by a ring of wins where a fit without a prior is wanted."""
    size = draw(st.integers(2, 6))
    left, right = np.triu_indices(size, 1)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    won, lost = (rng.integers(0, 6, len(left)) * rng.choice([1.0, 0.5, 0.3]) for _ in range(2))
    if whole:
        ring = right == left + 1
        won[ring] += 1.0
        last = (left == 0) & (right == size - 1)
        lost[last] += 1.0
    return Counts(left, right, won, lost, size)


@given(counts())
@steady(60)
def test_newton_finds_what_slow_steps_find(drawn: Counts) -> None:
    found = fit(drawn)
    assert found.residual <= 1e-11
    assert found.iterations < 40
    assert np.allclose(found.ratings - found.ratings.mean(), by_mm(drawn), atol=1e-8)


@given(counts(whole=False), st.sampled_from([0.01, 0.1, 1.0]))
@steady(60)
def test_a_prior_is_a_rival_of_rating_0(drawn: Counts, prior: float) -> None:
    assert np.allclose(fit(drawn, prior=prior).ratings, by_mm(drawn, prior), atol=1e-7)
    rival = drawn.size
    more = np.full(drawn.size, prior)
    beside = Counts(
        np.concatenate([drawn.left, np.arange(rival)]),
        np.concatenate([drawn.right, np.full(rival, rival)]),
        np.concatenate([drawn.won, more]),
        np.concatenate([drawn.lost, more]),
        rival + 1,
    )
    ratings = fit(beside).ratings
    assert np.allclose(fit(drawn, prior=prior).ratings, ratings[:-1] - ratings[-1], atol=1e-8)


@given(counts())
@steady(60)
def test_expected_wins_are_the_wins_of_each_agent(drawn: Counts) -> None:
    # The rows of predicted and of observed wins have equal sums: Balduzzi et al. (2018).
    ratings = fit(drawn).ratings
    met = drawn.won + drawn.lost
    chance = logistic(ratings[drawn.left] - ratings[drawn.right])
    predicted, observed = np.zeros((2, drawn.size))
    for sums, left, right in (
        (predicted, met * chance, met * (1 - chance)),
        (observed, drawn.won, drawn.lost),
    ):
        np.add.at(sums, drawn.left, left)
        np.add.at(sums, drawn.right, right)
    assert np.allclose(predicted, observed, atol=1e-9)


@given(counts(), st.integers(0, 2**32 - 1))
@steady(30)
def test_where_a_fit_starts_does_not_matter(drawn: Counts, seed: int) -> None:
    start = np.random.default_rng(seed).normal(0, 5, drawn.size)
    far, near = fit(drawn, start=start - start.mean()), fit(drawn)
    assert np.allclose(far.ratings, near.ratings, atol=1e-8)
    assert fit(drawn, start=near.ratings).iterations <= 1


def test_odds_of_a_billion_to_one_are_found() -> None:
    two = Counts(np.array([0]), np.array([1]), np.array([1e9]), np.array([1.0]), 2)
    ratings = fit(two).ratings
    assert ratings[0] - ratings[1] == pytest.approx(np.log(1e9), rel=1e-12)


def test_a_chain_of_lopsided_pairs_is_found() -> None:
    # Each beats the next 1,000 to 1, so strengths span 90 units of log-odds: slow steps take ages.
    size = 14
    left = np.arange(size - 1)
    chain = Counts(left, left + 1, np.full(size - 1, 1000.0), np.ones(size - 1), size)
    found = fit(chain)
    assert np.allclose(-np.diff(found.ratings), np.log(1000), rtol=1e-10)
    assert found.iterations < 20


@given(counts())
@steady(20)
def test_many_agents_are_fitted_without_a_matrix(drawn: Counts) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(laplacian, "DENSE_SOLVE", 0)
        iterated = fit(drawn)
    assert np.allclose(iterated.ratings, fit(drawn).ratings, atol=1e-7)


@given(counts(whole=False))
@steady(60)
def test_without_a_connection_there_is_no_fit(drawn: Counts) -> None:
    ahead, behind = drawn.won > 0, drawn.lost > 0
    found = components(
        np.concatenate([drawn.left[ahead], drawn.right[behind]]),
        np.concatenate([drawn.right[ahead], drawn.left[behind]]),
        drawn.size,
    )
    assume(found.strong.any() and not found.weak.any())
    # Some rating grows for as long as steps are made: what callers have to rule out.
    short, long = (np.ptp(fit(drawn, limit=steps).ratings) for steps in (3, 6))
    assert long > short + 1


def test_nobody_and_nothing() -> None:
    none = np.zeros(0, np.int64)
    nothing = np.zeros(0)
    assert fit(Counts(none, none, nothing, nothing, 3)).ratings.tolist() == [0, 0, 0]
    assert fit(Counts(none, none, nothing, nothing, 0)).ratings.tolist() == []
