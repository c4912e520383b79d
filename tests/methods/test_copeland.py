"""Copeland: against the paper's example and a slow twin, dense and sparse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.copeland import copeland
from strategies import steady, tallies


def test_the_papers_pentathlon() -> None:
    # Lanctot et al. (2025), section on Copeland: A 1, B 0, C 2.
    assert copeland(
        Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "ABC")
    ).values.tolist() == [1, 0, 2]


CREDITS = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@steady(150)
@given(tallies(), CREDITS, st.none() | CREDITS)
def test_slow_twin_on_both_forms(tally: Tally, tie: float, unmet: float | None) -> None:
    expected = []
    for i in range(len(tally.agents)):
        points = 0.0
        for j in range(len(tally.agents)):
            if i == j:
                continue
            if tally.wins[i, j] != tally.wins[j, i]:
                points += float(tally.wins[i, j] > tally.wins[j, i])
            elif tally.met[i, j] > 0 or unmet is None:
                points += tie
            else:
                points += unmet
        expected.append(points)
    for form in (tally, Tally(tally.agents, sparse=tally.pairs)):
        ratings = copeland(form, tie_credit=tie, unmet_credit=unmet)
        assert np.allclose(ratings.values, expected)


def test_credits_are_shares_of_a_win() -> None:
    tally = Tally.from_matrix([[0, 1], [0, 0]], "ab")
    for options in ({"tie_credit": 1.5}, {"unmet_credit": -0.1}):
        with pytest.raises(DataError, match="give a number from 0 to 1"):
            copeland(tally, **options)
