"""Counting pairs: bit by bit, by products, and entry by entry give the same counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from podium.arrays import Array
from podium.kernels import pairs
from podium.kernels.bitcount import count_bits
from podium.kernels.pairs import count_table, list_entries, multiply_table

PLACES = st.one_of(
    st.just(np.nan), st.integers(0, 3).map(float), st.floats(-2, 2), st.integers(-1, 300).map(float)
)
TABLES = st.tuples(st.integers(0, 70), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=PLACES)
)


def literal_counts(places: Array, weights: Array) -> tuple[Array, Array]:
    """Count pair by pair, vote by vote."""
    agents = places.shape[1]
    wins, met = np.zeros((agents, agents)), np.zeros((agents, agents))
    for row, weight in zip(places, weights, strict=True):
        for i in range(agents):
            for j in range(agents):
                wins[i, j] += weight * (row[i] < row[j])
                met[i, j] += weight * (i != j and not np.isnan(row[i]) and not np.isnan(row[j]))
    return wins, met


@given(TABLES)
def test_bits_count_each_pair(places: Array) -> None:
    for got, wanted in zip(
        count_bits(places), literal_counts(places, np.ones(len(places))), strict=True
    ):
        assert (got == wanted).all()


@given(TABLES, st.data())
def test_weights_few_or_many_count_alike(places: Array, data: st.DataObject) -> None:
    weights = data.draw(arrays(np.float64, len(places), elements=st.integers(1, 30).map(float)))
    wanted = literal_counts(places, weights)
    for count in (count_table, multiply_table):
        for got, right in zip(count(places, weights), wanted, strict=True):
            assert (got == right).all()


@pytest.mark.parametrize("agents", [255, 256, 257, 300])
def test_wide_ballots_outgrow_a_byte(agents: int) -> None:
    places = np.argsort(np.random.default_rng(1).random((5, agents)), axis=1).astype(float)
    wins, _ = count_bits(places)
    assert (wins == (places[:, :, None] < places[:, None, :]).sum(axis=0)).all()


@given(TABLES, st.integers(0, 20))
def test_lists_of_pairs_hold_the_same_however_often_they_are_added_up(
    places: Array, waiting: int
) -> None:
    agents = places.shape[1]
    here = ~np.isnan(places)
    who, place = np.nonzero(here)[1], places[here]
    start = np.concatenate(([0], np.cumsum(here.sum(axis=1))))
    weights = np.arange(1.0, len(places) + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "WAITING", waiting)
        patch.setattr(pairs, "BLOCK", 2)
        order = np.lexsort((place, np.nonzero(here)[0]))  # entries stand best first
        left, right, won, lost, met = list_entries(who[order], place[order], start, weights, agents)
    assert (left < right).all()
    wins, both = literal_counts(places, weights)
    assert (np.diff(left * agents + right) > 0).all()
    assert len(left) == np.count_nonzero(np.triu(both))
    assert (won == wins[left, right]).all()
    assert (lost == wins[right, left]).all()
    assert (met == both[left, right]).all()
