"""SCO: the paper's example, slow twins of the loss and of its steps, and what a fit promises."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.rank import rank
from podium.arrays import Floats
from podium.data.convert import profile_to_tally
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.tally import Pairs, Tally
from podium.errors import DataError
from podium.methods.sco import sco
from strategies import profiles, steady

WARMUP = Profile.from_ballots([(2.0, "ABC"), (3.0, "CAB")])
"""Equation 11 of Lanctot et al. (2025): C beats both others, and A has more wins."""


def soft(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def slow_loss(profile: Profile, ratings: Floats, temperature: float) -> float:
    """Add up equation 6 vote by vote."""
    total = 0.0
    index = {agent: code for code, agent in enumerate(profile.agents)}
    for weight, ballot in profile.ballots():
        for upper, lower in combinations(ballot, 2):
            for a in upper:
                for b in lower:
                    gap = ratings[index[b]] - ratings[index[a]]
                    total += weight * soft(gap / temperature)
    return total


def slow_steps(profile: Profile, steps: int, rate: float, box: tuple[float, ...]) -> Floats:
    """Make projected gradient steps on the mean loss of votes (algorithm 1), vote by vote."""
    temperature, low, high = box
    ratings = np.full(len(profile.agents), low + (high - low) / 2)
    index = {agent: code for code, agent in enumerate(profile.agents)}
    for _ in range(steps):
        slopes = np.zeros(len(ratings))
        for weight, ballot in profile.ballots():
            for upper, lower in combinations(ballot, 2):
                for a, b in ((index[a], index[b]) for a in upper for b in lower):
                    chance = soft((ratings[b] - ratings[a]) / temperature)
                    slope = weight * chance * (1 - chance) / temperature
                    slopes[a] -= slope
                    slopes[b] += slope
        total = sum(weight for weight, _ in profile.ballots())
        ratings = np.clip(ratings - rate * slopes / total, low, high)
    return ratings


@pytest.mark.parametrize("options", [{}, {"iterations": 5_000}, {"temperature": 20.0}])
def test_the_condorcet_winner_of_the_warm_up_is_first(options: dict[str, Any]) -> None:
    # Section 4.1: C > A > B, although A wins more often.
    assert rank(WARMUP, "sco", **options).tiers == (("C",), ("A",), ("B",))


@steady(60)
@given(profiles(agents=(2, 5), ballots=(1, 6)), st.sampled_from([0.5, 3.0, 40.0]))
def test_the_loss_is_that_of_the_votes(profile: Profile, temperature: float) -> None:
    ratings = sco(profile_to_tally(profile), temperature=temperature)
    expected = slow_loss(profile, ratings.values, temperature)
    assert ratings.info["loss"] == pytest.approx(expected, abs=1e-9)
    assert ((ratings.values >= 0) & (ratings.values <= 100)).all()


@steady(60)
@given(profiles(agents=(2, 5), ballots=(1, 5)), st.integers(0, 12))
def test_steps_over_all_votes_are_those_of_a_slow_twin(profile: Profile, steps: int) -> None:
    ratings = sco(profile, iterations=steps, step_size=30.0, temperature=4.0, low=-3.0, high=5.0)
    assert np.allclose(ratings.values, slow_steps(profile, steps, 30.0, (4.0, -3.0, 5.0)))
    assert ratings.info["iterations"] == steps


@steady(40)
@given(profiles(agents=(2, 5), ballots=(1, 1)), st.sampled_from([0.01, 2.0, 30.0]))
def test_a_batch_of_the_only_vote_is_a_step_over_all_votes(
    profile: Profile, temperature: float
) -> None:
    more: dict[str, Any] = {"iterations": 7, "step_size": 0.1, "temperature": temperature}
    whole = sco(profile.with_vote_weights([1.0]), **more)
    batch = sco(profile.with_vote_weights([1.0]), batch_size=3, **more)
    assert np.allclose(whole.values, batch.values)


@steady(60)
@given(profiles(agents=(2, 5), ballots=(1, 6)), st.sampled_from([1.0, 5.0, 30.0]))
def test_a_fit_ends_where_no_small_step_lowers_the_loss(
    profile: Profile, temperature: float
) -> None:
    tally = profile_to_tally(profile)
    ratings = sco(tally, temperature=temperature)
    rng = np.random.default_rng(0)
    for size in (1e-3, 0.1):
        for _ in range(20):
            step = size * temperature * rng.normal(size=len(tally.agents))
            tried = np.clip(ratings.values + step, 0, 100)
            slack = 1e-5 * size * tally.wins.sum() + 1e-12
            assert slow_loss(profile, tried, temperature) >= ratings.info["loss"] - slack


def test_steps_go_where_the_fit_is() -> None:
    fitted = sco(profile_to_tally(WARMUP), temperature=20.0)
    more: dict[str, Any] = {"temperature": 20.0, "iterations": 5_000}
    whole = sco(WARMUP, step_size=400.0, **more)
    assert np.allclose(whole.values, fitted.values, atol=1e-6)
    drawn = sco(WARMUP, step_size=400.0, batch_size=2, schedule="root", seed=1, **more)
    assert np.allclose(drawn.values, fitted.values, atol=5.0)


def test_batches_follow_the_seed_and_the_weights() -> None:
    more: dict[str, Any] = {"iterations": 400, "batch_size": 2, "step_size": 1.0}
    one, again, other = (sco(WARMUP, seed=seed, **more).values for seed in (3, 3, 4))
    assert one.tolist() == again.tolist()
    assert one.tolist() != other.tolist()
    never = WARMUP.with_vote_weights([0.0, 1.0])
    values = sco(never, **more).values
    assert values[2] > values[0] > values[1]
    assert sco(never.with_vote_weights([0.0, 0.0]), **more).values.tolist() == [50.0] * 3


def test_the_seed_of_rank_is_that_of_the_steps() -> None:
    more: dict[str, Any] = {"iterations": 50, "batch_size": 1, "step_size": 1.0}
    by_rank = rank(WARMUP, "sco", seed=9, **more)
    assert by_rank.ratings == rank(WARMUP, "sco", seed=9, **more).ratings
    assert list(by_rank.ratings.values()) == sco(WARMUP, seed=9, **more).values.tolist()


def test_steps_stop_early_where_a_tolerance_is_given() -> None:
    more: dict[str, Any] = {"temperature": 20.0, "step_size": 400.0, "iterations": 100_000}
    ratings = sco(WARMUP, tolerance=1e-4, **more)
    assert 0 < ratings.info["iterations"] < 1_000
    assert sco(WARMUP, temperature=20.0, iterations=17).info["iterations"] == 17


def test_agents_that_nothing_compares_stay_in_the_middle_and_are_told() -> None:
    profile = Profile.from_ballots([(1.0, "ab"), (1.0, "cd")], [*"abcd", "unseen"])
    choices: list[dict[str, Any]] = [{}, {"iterations": 3}, {"iterations": 3, "batch_size": 2}]
    for options in choices:
        ranking = rank(profile, "sco", **options)
        assert ranking.ratings["unseen"] == 50.0
        assert ranking.info["components"] == (("a", "b"), ("c", "d"), ("unseen",))
        assert "'unseen'" in ranking.info["notes"][0]
        assert "do not compare" in ranking.info["notes"][1]


def test_level_pairs_pull_nobody() -> None:
    tally = Tally.from_matrix([[0, 2, 1], [2, 0, 1], [1, 1, 0]], "abc")
    assert sco(tally).values.tolist() == [50.0] * 3
    assert sco(tally).info["loss"] == 4.0


def test_many_agents_are_swept_without_an_array_of_pairs() -> None:
    size, rng = 6_000, np.random.default_rng(2)
    skill = rng.normal(0, 2, size)
    left, right = rng.integers(0, size, (2, 40_000))
    kept = left < right
    left, right = left[kept], right[kept]
    key = np.unique(left * size + right)
    left, right = key // size, key % size
    won = (rng.random(len(key)) < 1 / (1 + np.exp(skill[right] - skill[left]))).astype(float)
    pairs = Pairs(left, right, won, 1 - won, np.ones(len(key)))
    ratings = sco(Tally(tuple(map(str, range(size))), sparse=pairs))
    assert ratings.info["residual"] <= 1e-6
    assert np.corrcoef(ratings.values, skill)[0, 1] > 0.7


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"low": 5.0, "high": 5.0}, "low is 5 and high is 5"),
        ({"temperature": 0.0}, "temperature is 0.0"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"step_size": -1.0}, "step_size"),
        ({"batch_size": 4}, "give sco:iterations"),
        ({"iterations": -1}, "iterations is -1"),
        ({"iterations": 1, "batch_size": 0}, "batch_size is 0"),
        ({"iterations": 1, "batch_size": 2, "tolerance": 0.1}, "leave it or batch_size out"),
        ({"tolerance": 2.0}, "from 0 to 1"),
    ],
)
def test_options_that_cannot_be_used_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        sco(WARMUP, **options)


def test_steps_need_votes() -> None:
    with pytest.raises(DataError, match="give votes"):
        sco(profile_to_tally(WARMUP), iterations=3)
    with pytest.raises(DataError, match="cannot be read as ballots"):
        rank(profile_to_tally(WARMUP), "sco", iterations=3)
    matches = Matches.from_records([("a", "b", 1.0), ("a", "b", 0.5), ("b", "a", 0.0)])
    assert rank(matches, "sco", iterations=30).tiers == (("a",), ("b",))
