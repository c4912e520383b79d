"""Stationary distributions: relative errors, however small the probabilities."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels.alpha_rank import SMALLEST, best_wins, chain, fixation, population_gains
from podium.kernels.stationary import stationary
from strategies import steady


def exactly(rates: Floats) -> Floats:
    """Eliminate states one by one, in fractions."""
    flow = [[Fraction(cell) for cell in row] for row in rates.tolist()]
    size = len(flow)
    for state in range(size - 1, 0, -1):
        leaving = sum(flow[state][:state])
        for i in range(state):
            flow[i][state] /= leaving
            for j in range(state):
                flow[i][j] += flow[i][state] * flow[state][j]
    mass = [Fraction(1)]
    for state in range(1, size):
        mass.append(sum((mass[i] * flow[i][state] for i in range(state)), Fraction(0)))
    return np.array([float(own / sum(mass)) for own in mass])


@steady(30)
@given(st.integers(0, 10**9), st.integers(1, 12))
def test_small_probabilities_are_right_in_all_digits(seed: int, size: int) -> None:
    rates = 10.0 ** np.random.default_rng(seed).uniform(-40, 0, (size, size))
    found = stationary(rates)
    assert found is not None
    assert found == pytest.approx(exactly(rates), rel=1e-12, abs=0)


@pytest.mark.parametrize("size", [47, 48, 49, 50, 97, 150])
def test_blocks_of_states_fit_together(size: int) -> None:
    rates = np.random.default_rng(size).random((size, size)) ** 4
    np.fill_diagonal(rates, 0.0)
    found = stationary(rates)
    assert found is not None
    balance = found @ (rates - np.diag(rates.sum(axis=1)))
    assert np.abs(balance).max() < 1e-14


def test_a_chain_that_goes_nowhere_is_told_of() -> None:
    assert stationary(np.zeros((2, 2))) is None


def test_chances_to_take_over() -> None:
    gain = np.array([-2.0, -1e-9, 0.0, 1e-9, 2.0])
    found = fixation(gain, 1.0, 50)
    with np.errstate(invalid="ignore"):
        printed = (1 - np.exp(-gain)) / (1 - np.exp(-50 * gain))
    assert found[[0, 4]] == pytest.approx(printed[[0, 4]], rel=1e-12)
    assert found[1:4] == pytest.approx([1 / 50] * 3, rel=1e-6)
    assert (np.diff(found) > 0).all()
    assert fixation(np.array([-1e4, 1e4]), 100.0, 50).tolist() == [SMALLEST, 1.0]
    assert fixation(gain, 0.0, 50) == pytest.approx([1 / 50] * 5)


def test_the_chain_of_three_players_move_by_move() -> None:
    rng = np.random.default_rng(0)
    shape = (2, 3, 2)
    payoffs = [rng.integers(-1, 2, shape).astype(np.float64) for _ in shape]
    moves = chain([best_wins(gain, 0.01) for gain in population_gains(payoffs)], shape)
    states = list(np.ndindex(shape))
    for one, before in enumerate(states):
        for two, after in enumerate(states):
            differ = [p for p in range(3) if before[p] != after[p]]
            expected = 0.0
            if len(differ) == 1:
                own = payoffs[differ[0]]
                step = np.sign(own[after] - own[before])
                expected = {1.0: 0.99, -1.0: 0.01, 0.0: 0.5}[float(step)] / 4
            assert moves[one, two] == pytest.approx(expected, abs=1e-15)
