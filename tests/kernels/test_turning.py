"""Fits of planes: derivatives against differences, and what a minimum is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.errors import NotConverged
from podium.kernels import turning
from podium.kernels.turning import Loss, fit_turning, turning_odds
from strategies import steady

seeds = st.integers(0, 2**32 - 1)


def drawn(seed: int) -> tuple[Loss, Floats]:
    """Draw counts, some pairs without a meeting, and numbers of up to two planes."""
    rng = np.random.default_rng(seed)
    size, planes = int(rng.integers(1, 6)), int(rng.integers(0, 3))
    won = rng.gamma(2.0, 1.0, (size, size)) * (rng.random((size, size)) < 0.8) * (1 - np.eye(size))
    return Loss(won, float(rng.choice([0.0, 0.3]))), rng.normal(size=(size, 1 + 2 * planes))


def differences(function: Callable[[Floats], Any], numbers: Floats, step: float = 1e-5) -> Floats:
    """Differentiate by central differences, number by number."""
    found = []
    for place in range(numbers.size):
        move = step * (np.arange(numbers.size) == place).reshape(numbers.shape)
        found.append((function(numbers + move) - function(numbers - move)) / (2 * step))
    return np.array(found)


@steady(60)
@given(seeds)
def test_derivatives_are_those_of_the_loss(seed: int) -> None:
    loss, numbers = drawn(seed)
    assert loss.slope(numbers).ravel() == pytest.approx(differences(loss.value, numbers), abs=1e-7)
    curve = differences(lambda at: loss.slope(at).ravel(), numbers)
    assert loss.curve(numbers) == pytest.approx(curve, abs=1e-7)


def test_log_odds_are_antisymmetric_and_those_of_the_formula() -> None:
    numbers = np.random.default_rng(0).normal(size=(4, 5))
    odds = turning_odds(numbers)
    assert odds == pytest.approx(-odds.T)
    (r, x, y, u, v), (s, a, b, c, d) = numbers[0], numbers[3]
    assert odds[0, 3] == pytest.approx(r - s + x * b - y * a + u * d - v * c)


def test_it_leaves_saddles() -> None:
    # No gradient leads out of a plane of zeros. But the squares behind log-odds of z add up to
    # 2 z in a plane and to z^2 / 2 in ratings, so that beyond 4 a plane costs less.
    won, start = np.array([[0.0, 1000.0], [0.0, 0.0]]), np.zeros((2, 3))
    done = fit_turning(won, start, 1.0)
    alone = fit_turning(won, start[:, :1], 1.0)
    assert np.abs(done.numbers[:, 1:]).max() > 1
    assert done.loss < alone.loss - 1


def test_a_fit_that_does_not_settle_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("DESCENT", "STEPS", "ESCAPES"):
        monkeypatch.setattr(turning, limit, 1)
    rng = np.random.default_rng(1)
    with pytest.raises(NotConverged, match="Give a larger penalty"):
        fit_turning(rng.gamma(0.3, 1.0, (8, 8)) * (1 - np.eye(8)), rng.normal(size=(8, 3)), 1e-4)
