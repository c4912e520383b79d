"""Max-entropy equilibria: the conditions that only the best can meet, and other solvers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels.correlated import most_even_cce
from podium.kernels.equilibrium import equilibrium
from podium.kernels.gains import every_gain, without_offsets
from strategies import steady


def whole_game(seed: int) -> list[Floats]:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 5, rng.integers(2, 4)).tolist())
    game = [rng.integers(-3, 4, shape).astype(np.float64) for _ in shape]
    if seed % 3 == 0 and len(shape) == 2:
        game[1] = -game[0]
    return game


@steady(120)
@given(st.integers(0, 10**9))
def test_no_equilibrium_nearby_is_more_even(seed: int) -> None:
    # The slope of entropy at the answer points out of the equilibria: its part along any
    # equilibrium less the answer is not above 0, which a linear programme checks for all.
    from scipy.optimize import linprog

    game = whole_game(seed)
    found = most_even_cce(game, np.ones(game[0].shape))
    assert found.proven
    assert found.gain <= 1e-9
    assert found.joint.sum() == pytest.approx(1.0)
    table, chances = every_gain(without_offsets(game)[0]), found.joint.ravel()
    played = chances > 0
    slope = np.zeros(len(chances))
    slope[played] = -np.log(chances[played])
    ends = linprog(
        -slope, A_ub=table, b_ub=np.zeros(len(table)), A_eq=np.ones((1, len(chances))), b_eq=[1.0]
    )
    assert -ends.fun - slope @ chances <= 1e-5
    # What the answer does not play, no equilibrium plays.
    most = linprog(
        -1.0 * ~played, A_ub=table, b_ub=np.zeros(len(table)), A_eq=np.ones((1, len(chances))),
        b_eq=[1.0],
    )  # fmt: skip
    assert -most.fun <= 1e-6


def test_zero_sum_games_of_like_players_have_the_most_even_nash_equilibrium() -> None:
    # There the equilibria are couplings of optimal strategies; the most even one is a product.
    for seed in range(30):
        rng = np.random.default_rng(seed)
        own = rng.integers(-3, 4, (4, 4)).astype(np.float64)
        found = most_even_cce([own - own.T, own.T - own], np.ones((4, 4)))
        strategy = equilibrium(own - own.T).strategy
        assert found.joint == pytest.approx(np.outer(strategy, strategy), abs=1e-6)


def test_a_copy_is_a_prior_of_two() -> None:
    game = whole_game(4)
    shape = game[0].shape
    twice = [np.concatenate([payoff, payoff[:1]]) for payoff in game]
    prior = np.ones(shape)
    prior[0] = 2.0
    copied = most_even_cce(twice, np.ones(twice[0].shape)).joint
    merged = copied[: shape[0]].copy()
    merged[0] += copied[-1]
    assert most_even_cce(game, prior).joint == pytest.approx(merged, abs=1e-9)
