"""Intervals by a method's own theory: the part that all methods share."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from podium.analysis.rank import registered
from podium.data.convert import Data
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.errors import DataError
from podium.methods._certainty import Normal, Sampled, Wish
from podium.methods._registry import METHODS
from podium.uncertainty.closed import closed, normal_bounds, normally_above
from podium.uncertainty.spread import surely_above

registered()
VOTES = Profile.from_ballots([(3, "abcd"), (2, "bacd"), (1, "dcba")])
ROOT = np.array([[2.0, 0, 0, 0], [0.5, 1, 0, 0], [0, 0, 0.2, 0], [0, 0.3, 0, 2]])
COVARIANCE = ROOT @ ROOT.T


def by_formula(data: Data, point: Ratings, options: Mapping[str, Any], wish: Wish) -> Normal:
    return Normal(COVARIANCE, wish.unit or "ballot", 6.0, ("a note",))


def by_draws(data: Data, point: Ratings, options: Mapping[str, Any], wish: Wish) -> Sampled:
    noise = wish.rng.standard_normal((wish.draws, 4)) @ ROOT.T
    return Sampled(point.values + noise, "ballot", 6.0)


CARD = replace(METHODS["borda"], certainty={"posterior": by_draws, "sandwich": by_formula})
POINT = CARD.call(VOTES)


def test_a_formula_and_many_draws_say_the_same() -> None:
    exact = closed("sandwich", VOTES, CARD, {}, POINT)
    drawn = closed("posterior", VOTES, CARD, {}, POINT, replicates=40_000)
    assert (exact.draws, drawn.draws) == (0, 40_000)
    assert exact.rank_intervals == drawn.rank_intervals
    assert exact.groups == drawn.groups
    for agent, (low, high) in exact.intervals.items():
        assert drawn.intervals[agent] == pytest.approx((low, high), abs=0.15)
    assert exact.notes == ("a note",)


def test_chance_is_that_of_the_seed() -> None:
    same = [closed("posterior", VOTES, CARD, {}, POINT, seed=seed) for seed in (5, 5, 6)]
    assert same[0] == same[1]
    assert same[0].intervals != same[2].intervals


def test_the_unit_that_is_wished_for_reaches_the_method() -> None:
    assert closed("sandwich", VOTES, CARD, {}, POINT, unit="task").unit == "task"


def test_a_method_without_the_theory_says_which_have_it() -> None:
    with pytest.raises(DataError, match=r"borda offers no posterior intervals; .*bootstrap works"):
        closed("posterior", VOTES, METHODS["borda"], {}, POINT)


def test_ranks_of_a_formula_are_those_of_endlessly_many_draws() -> None:
    rng = np.random.default_rng(3)
    point = Ratings.by_value("abcd", [1.0, 0.5, 0.0, -3.0])
    draws = point.values + rng.standard_normal((200_000, 4)) @ ROOT.T
    tiers = np.argsort(np.argsort(-draws, axis=1), axis=1)
    expected = surely_above(tiers, point.tiers, 0.2)
    found = normally_above(Normal(COVARIANCE, "match"), point, 0.2)
    assert found.tolist() == expected.tolist()
    assert found.any()


def test_few_units_widen_intervals() -> None:
    many, few = (
        normal_bounds(Normal(COVARIANCE, "match", size), POINT, 0.05)[1] - POINT.values
        for size in (float("inf"), 5.0)
    )
    assert few / many == pytest.approx(np.full(4, np.sqrt(5 / 4)))


def test_tied_agents_are_never_told_apart() -> None:
    point = Ratings.by_value("ab", [1.0, 1.0])
    assert not normally_above(Normal(np.zeros((2, 2)), "match"), point, 0.05).any()
