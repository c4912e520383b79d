"""Sure pairs, and the rank intervals and groups that are read off them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.ratings import ranks_of, tiers_of
from podium.uncertainty.spread import (
    above_shares,
    expanded,
    groups_of,
    rank_bounds,
    rating_bounds,
    surely_above,
)
from strategies import steady


def plain_shares(tiers: np.ndarray) -> np.ndarray:
    size = tiers.shape[1]
    shares = np.full((size, size), 0.5)
    for i in range(size):
        for j in range(size):
            both = [(row[i], row[j]) for row in tiers if not np.isnan(row[[i, j]]).any()]
            if both:
                points = [1.0 if a < b else 0.5 if a == b else 0.0 for a, b in both]
                shares[i, j] = np.mean(points)
    return shares


@st.composite
def draws(draw: st.DrawFn) -> np.ndarray:
    size, count = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    cell = st.sampled_from([0.0, 1.0, 2.0, np.nan])
    cells = draw(st.lists(cell, min_size=size * count, max_size=size * count))
    return np.reshape(cells, (count, size))


@steady(60)
@given(draws())
def test_shares_are_what_counting_gives(tiers: np.ndarray) -> None:
    assert above_shares(tiers) == pytest.approx(plain_shares(tiers))


@steady(60)
@given(draws(), st.sampled_from([0.01, 0.1, 0.3, 0.45]))
def test_intervals_hold_the_rank_and_groups_are_told_apart(tiers: np.ndarray, tail: float) -> None:
    point = tiers_of(-np.nan_to_num(tiers[0], nan=9.0))
    sure = surely_above(tiers, point, tail)
    best, worst = rank_bounds(sure)
    ranks = ranks_of(point)
    tied = np.bincount(point)[point]
    assert (best <= ranks).all()
    assert (worst >= ranks + tied - 1).all()
    groups = groups_of(sure, point)
    for i in range(len(point)):
        for j in range(len(point)):
            if groups[i] < groups[j]:
                assert sure[i, j]
    merged = groups[np.argsort(point, kind="stable")]
    assert (np.diff(merged) >= 0).all()
    for cut in set(range(1, len(point))) - {int((groups <= g).sum()) for g in groups}:
        order = np.argsort(point, kind="stable")
        assert not sure[np.ix_(order[:cut], order[cut:])].all()


def test_a_cut_is_drawn_only_where_everybody_is_sure() -> None:
    sure = np.zeros((3, 3), dtype=bool)
    sure[0, 1] = sure[1, 2] = True  # but the first is not surely above the third
    assert groups_of(sure, np.array([0, 1, 2])).tolist() == [0, 0, 0]
    sure[0, 2] = True
    assert groups_of(sure, np.array([0, 1, 2])).tolist() == [0, 1, 2]


def test_tails_shrink_with_few_units_only() -> None:
    tails = [expanded(0.05, size) for size in (2, 5, 20, 1e6)]
    assert tails == sorted(tails)
    assert tails[0] == pytest.approx(0.01, abs=0.001)
    assert tails[-1] == pytest.approx(0.05, abs=1e-5)


def test_rating_intervals_are_percentiles_that_hold_the_rating() -> None:
    values = np.arange(101.0)[:, None] + [[0.0, 100.0, 0.0]]
    low, high = rating_bounds(values, np.array([50.0, 90.0, 300.0]), 0.05)
    assert low.tolist() == [5.0, 90.0, 5.0]
    assert high.tolist() == [95.0, 195.0, 300.0]
    values[:, 2] = np.nan
    low, high = rating_bounds(values, np.array([50.0, 90.0, 7.0]), 0.05)
    assert (low[2], high[2], low[0]) == (7.0, 7.0, 5.0)
