"""Fenchel-Young ratings: the fit of elo within bounds, and noisy steps that go there."""

import numpy as np
import pytest
import scipy.optimize
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.rank import rank
from podium.data.convert import profile_to_tally
from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.bradley_terry_box import loss
from podium.methods.elo import elo
from podium.methods.sco_fenchel_young import counts_of, sco_fenchel_young
from strategies import profiles, steady, tallies

WARMUP = Profile.from_ballots([(2.0, "ABC"), (3.0, "CAB")])


def test_the_warm_up_puts_the_agent_with_most_wins_first() -> None:
    # Section 4.1: Fenchel-Young gradient descent top-ranks A, as Elo does.
    assert rank(WARMUP, "sco-fenchel-young").tiers[0] == ("A",)
    assert rank(WARMUP, "elo").tiers[0] == ("A",)


@steady(40)
@given(tallies(agents=(2, 5)))
def test_inside_the_range_it_is_elo(tally: Tally) -> None:
    try:
        points = elo(tally).values * np.log(10) / 400
    except DataError:
        return
    ratings = sco_fenchel_young(tally, sigma=1.0, low=-50.0, high=50.0).values
    assert np.allclose(ratings, points, atol=1e-6)


@steady(60)
@given(profiles(agents=(2, 5), ballots=(1, 6)), st.sampled_from([2.0, 10.0, 40.0]))
def test_no_ratings_in_the_range_are_likelier(profile: Profile, sigma: float) -> None:
    tally = profile_to_tally(profile)
    found = sco_fenchel_young(tally, sigma=sigma)
    counts = counts_of(tally)
    best = scipy.optimize.minimize(
        lambda units: loss(counts, units),
        np.full(len(tally.agents), 50 / sigma),
        method="L-BFGS-B",
        bounds=[(0, 100 / sigma)] * len(tally.agents),
        options={"ftol": 1e-15, "gtol": 1e-10},
    )
    assert found.info["loss"] <= best.fun + 1e-7
    assert ((found.values >= 0) & (found.values <= 100)).all()


@pytest.mark.parametrize("sigma", [10.0, 0.1])
def test_a_noisy_step_is_the_slope_on_average(sigma: float) -> None:
    # Equation 9 in expectation: places by logistic chances, less the places on the vote.
    profile = Profile.from_ballots([(1.0, [["a"], ["b", "c"], ["d"]])])
    step = sco_fenchel_young(
        profile, sigma=sigma, iterations=1, step_size=1.0, batch_size=200_000, seed=1
    )
    # From equal ratings everybody's place is 1.5 on average.
    assert step.values - 50 == pytest.approx([1.5, 0.0, 0.0, -1.5], abs=0.02)


def test_noisy_steps_end_near_the_fit() -> None:
    fitted = sco_fenchel_young(profile_to_tally(WARMUP)).values
    steps = sco_fenchel_young(
        WARMUP, iterations=20_000, batch_size=16, step_size=20.0, schedule="root"
    )
    assert steps.values == pytest.approx(fitted, abs=0.5)
    again = sco_fenchel_young(
        WARMUP, iterations=20_000, batch_size=16, step_size=20.0, schedule="root"
    )
    assert steps.values.tolist() == again.values.tolist()


def test_groups_that_never_met_are_told_and_centred() -> None:
    profile = Profile.from_ballots([(3.0, "ab"), (1.0, "ba"), (1.0, "cd")], [*"abcd", "x"])
    ranking = rank(profile, "sco-fenchel-young")
    assert ranking.ratings["x"] == 50.0
    assert ranking.ratings["a"] + ranking.ratings["b"] == pytest.approx(100.0)
    assert (ranking.ratings["c"], ranking.ratings["d"]) == (100.0, 0.0)
    assert ranking.info["components"] == (("a", "b"), ("c", "d"), ("x",))


def test_noise_needs_votes_and_a_scale() -> None:
    with pytest.raises(DataError, match="give votes"):
        sco_fenchel_young(profile_to_tally(WARMUP), iterations=3)
    with pytest.raises(DataError, match="sigma is -1"):
        sco_fenchel_young(WARMUP, sigma=-1.0)
