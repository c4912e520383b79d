"""Exact SCO: no grid of ratings goes below its bound; theorem 1; what time and symmetry do."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from podium.arrays import Floats
from podium.data.convert import profile_to_tally
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.sco import sco
from podium.methods.sco_exact import sco_exact
from strategies import steady, tallies

GRID = np.array(list(product(np.linspace(0, 6, 13), repeat=4)))
"""Ratings of four agents in a box of six temperatures."""


def losses(tally: Tally, ratings: Floats) -> Floats:
    """Give the loss of each row of ratings (equation 8)."""
    gap = ratings[:, None, :] - ratings[:, :, None]  # row less column, seen from the loser
    return np.asarray((tally.wins / (1 + np.exp(-gap))).sum(axis=(1, 2)))


@steady(60)
@given(tallies(agents=(2, 4)))
def test_no_ratings_go_below_the_bound(tally: Tally) -> None:
    found = sco_exact(tally, high=6.0)
    least = losses(tally, np.unique(GRID[:, : len(tally.agents)], axis=0)).min()
    assert found.info["bound"] <= found.info["loss"] <= least + 1e-9
    assert found.info["gap"] == pytest.approx(found.info["loss"] - found.info["bound"])
    assert found.info["gap"] <= 1e-6 * max(np.abs(tally.margins).sum() / 2, 1e-9) + 1e-12
    if found.info["unique"] is None:
        assert losses(tally, found.values[None])[0] == pytest.approx(found.info["loss"], abs=1e-9)
    descended = sco(tally, high=6.0).info["loss"]
    assert found.info["loss"] <= descended + 1e-9


def with_winner(rng: np.random.Generator) -> tuple[Tally, int]:
    """Draw votes on up to five agents until one of these beats every other."""
    while True:
        size, votes = int(rng.integers(2, 6)), int(rng.integers(1, 12))
        names = [f"agent {code}" for code in range(size)]
        ballots = [(1.0, [names[code] for code in rng.permutation(size)]) for _ in range(votes)]
        tally = profile_to_tally(Profile.from_ballots(ballots, names))
        best = np.flatnonzero((tally.margins > 0).sum(axis=1) == size - 1)
        if best.size:
            return tally, int(best[0])


@pytest.mark.parametrize("count", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_theorem_1(count: int) -> None:
    # Lanctot et al. (2025): a Condorcet winner is rated at the bound, in a box of 5 temperatures.
    rng, first, alone = np.random.default_rng(4), 0, 0
    for _ in range(count):
        tally, winner = with_winner(rng)
        exact = sco_exact(tally, temperature=20.0)
        assert exact.values[winner] == 100.0
        assert exact.tiers[winner] == 0
        first += sco(tally, temperature=20.0).tiers[winner] == 0
        ratings = sco(tally)
        alone += ratings.tiers[winner] == 0 and (ratings.tiers == 0).sum() == 1
    assert first >= 0.99 * count
    assert alone >= 0.99 * count  # in the default box of 100 temperatures, nobody shares its place


def test_a_condorcet_loser_is_rated_lowest() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        tally, winner = with_winner(rng)
        turned = Tally.from_matrix(tally.wins.T, tally.agents)
        assert sco_exact(turned, temperature=20.0).values[winner] == 0.0


def test_one_best_of_a_cycle_is_not_picked() -> None:
    tally = Tally.from_matrix([[0, 2, 1], [1, 0, 2], [2, 1, 0]], "abc")
    found = sco_exact(tally)
    assert found.values == pytest.approx([50.0] * 3)
    # Any order of the three wins two of three majorities: 3 votes each way, and a margin lost.
    assert found.info["loss"] == pytest.approx(4.0)
    assert found.info["unique"] is False


def hard() -> Tally:
    rng = np.random.default_rng(0)
    ballots = [(1.0, [f"{code:02}" for code in rng.permutation(25)]) for _ in range(31)]
    return profile_to_tally(Profile.from_ballots(ballots, [f"{code:02}" for code in range(25)]))


def test_without_time_the_gap_is_told() -> None:
    found = sco_exact(hard(), temperature=20.0, limit=0.0)
    assert found.info["nodes"] == 1
    assert found.info["gap"] > 1e-3
    assert found.info["bound"] < found.info["loss"]


def test_ratings_move_with_the_range() -> None:
    tally, _ = with_winner(np.random.default_rng(6))
    one = sco_exact(tally, temperature=1.0, low=0.0, high=4.0)
    two = sco_exact(tally, temperature=10.0, low=-20.0, high=20.0)
    assert two.values == pytest.approx(10 * one.values - 20, abs=1e-4)
    assert two.info["loss"] == pytest.approx(one.info["loss"])


def test_too_many_agents_are_refused() -> None:
    names = [f"{code}" for code in range(201)]
    with pytest.raises(DataError, match="Use sco"):
        sco_exact(Tally.from_matrix(np.triu(np.ones((201, 201)), 1), names))


def test_nothing_to_rank() -> None:
    found: Ratings = sco_exact(Tally.from_matrix(np.zeros((2, 2)), "ab"))
    assert found.values.tolist() == [50.0, 50.0]
    assert found.info["gap"] == 0
