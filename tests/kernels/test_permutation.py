"""Sign flips and dealing anew, against going through every way by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.kernels.permutation import Chance, binomial_halves, shuffle, sign_flip
from strategies import steady

RNG = np.random.default_rng(0)


def every_sign(parts: list[float]) -> float:
    """Go through all signs."""
    bound = abs(sum(parts)) * (1 - 1e-9) - 1e-12
    signs = list(itertools.product([1, -1], repeat=len(parts)))
    far = sum(abs(np.dot(sign, parts)) >= bound for sign in signs)
    return float(far) / len(signs)


@given(
    st.lists(st.sampled_from([-3.0, -2.0, -1.0, -0.5, 0.0, 0.1, 0.2, 0.3, 1.0, 2.5]), max_size=9)
)
@steady(80)
def test_exact_test_equals_going_through_all_signs(parts: list[float]) -> None:
    found = sign_flip(np.array(parts), RNG, draws=10)
    assert found.draws == 0
    assert found.p_value == pytest.approx(every_sign(parts), abs=1e-12)


def test_neither_order_nor_sign_nor_scale_matters() -> None:
    parts = np.random.default_rng(3).normal(size=60) + 0.2
    found = sign_flip(parts, np.random.default_rng(0), draws=500)
    assert found.draws == 500
    for other in (parts[::-1], -parts, 1024.0 * parts):
        assert sign_flip(other, np.random.default_rng(0), draws=500) == found


def test_thirty_six_unlike_parts_are_gone_through() -> None:
    parts = np.random.default_rng(1).normal(size=36) + 0.3
    exact = sign_flip(parts, RNG, draws=2)
    assert exact.draws == 0
    more = np.append(parts, 1e-9)  # one part more, which weighs nothing, and signs are drawn
    drawn = sign_flip(np.append(more, 2e-9), np.random.default_rng(0), draws=200_000)
    assert drawn.draws == 200_000
    assert drawn.p_value == pytest.approx(exact.p_value, rel=0.1)


def test_many_parts_of_one_size_are_the_sign_test() -> None:
    from scipy.stats import binomtest

    parts = np.repeat([1.0, -1.0, 0.0], [5_200, 4_950, 30_000])
    found = sign_flip(parts, RNG, draws=2)
    assert found.draws == 0
    assert found.p_value == pytest.approx(binomtest(5_200, 10_150).pvalue, rel=1e-9)


def test_a_sum_of_zero_proves_nothing() -> None:
    assert sign_flip(np.array([0.1, 0.2, -0.3]), RNG, draws=9) == Chance(1.0, 0)
    assert sign_flip(np.zeros(3), RNG, draws=9) == Chance(1.0, 0)
    assert sign_flip(np.zeros(0), RNG, draws=9) == Chance(1.0, 0)


@pytest.mark.parametrize("count", [1, 7, 64, 65, 3_000])
def test_throws_of_a_coin(count: int) -> None:
    from scipy.stats import binom

    assert binomial_halves(count) == pytest.approx(
        binom.pmf(np.arange(count + 1), count, 0.5), rel=1e-9, abs=1e-300
    )


def test_dealing_anew_agrees_with_all_deals() -> None:
    one, other = np.array([3.0, 5.0, 6.0, 2.0]), np.array([1.0, 2.0, 0.0])
    pool = np.concatenate([one, other])
    observed = one.mean() - other.mean()
    deals = [
        abs(pool[list(own)].mean() - np.delete(pool, own).mean())
        for own in itertools.combinations(range(7), 4)
    ]
    exact = np.mean(np.array(deals) >= observed - 1e-9)
    found = shuffle([(one, other)], np.ones(1), np.random.default_rng(0), draws=20_000)
    assert found.p_value == pytest.approx(exact, abs=0.01)
    turned = shuffle([(other, one)], np.ones(1), np.random.default_rng(0), draws=20_000)
    assert turned == found
