"""Tests and intervals of shares, against scipy.stats."""

import numpy as np
import pytest
from scipy import stats

from podium.kernels.shares import (
    effective,
    normal_quantile,
    sign_test,
    student_quantile,
    wilson,
)


@pytest.mark.parametrize("wins", [0, 1, 5, 17, 40])
@pytest.mark.parametrize("losses", [0, 1, 5, 23])
def test_sign_test_is_the_binomial_test(wins: int, losses: int) -> None:
    wanted = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(wanted, abs=1e-12)


def test_sign_test_lies_between_whole_counts() -> None:
    assert sign_test(8, 2) < sign_test(7.5, 2) < sign_test(7, 2)


@pytest.mark.parametrize(("wins", "count"), [(0, 4), (3, 4), (50, 100), (1_000, 1_000)])
def test_wilson(wins: int, count: int) -> None:
    wanted = stats.binomtest(wins, count).proportion_ci(0.9, method="wilson")
    found = wilson(wins / count, count, normal_quantile(0.9))
    assert found == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_student_quantile() -> None:
    assert student_quantile(0.9, 7) == pytest.approx(stats.t.ppf(0.95, 7))


def test_effective_size() -> None:
    assert effective(np.ones(5)) == pytest.approx(5)
    assert effective(np.array([1.0, 0.0, 0.0])) == pytest.approx(1)
