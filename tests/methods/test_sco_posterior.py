"""Posteriors of the SCO methods: against a random walk that needs no theory, and what they say."""

from typing import Any

import numpy as np
import pytest

from podium.analysis.rank import rank
from podium.arrays import Floats
from podium.data.convert import profile_to_tally
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._certainty import Wish
from podium.methods._sco import Box, soft_loss
from podium.methods._sco_posterior import constant_steps
from podium.methods.sco import sco


def contests(count: int) -> Profile:
    """Draw contests of four of six agents, with a lot of noise."""
    rng = np.random.default_rng(0)
    skill = np.array([9.0, 6.0, 5.4, 4.0, 3.0, 0.0])
    ballots = []
    for _ in range(count):
        who = rng.permutation(6)[:4]
        order = who[np.argsort(-(skill[who] + rng.normal(0, 3, 4)))]
        ballots.append((1.0, [f"agent {code}" for code in order]))
    return Profile.from_ballots(ballots, [f"agent {code}" for code in range(6)])


def gibbs(tally: Tally, start: Floats, width: float, moves: int) -> Floats:
    """Walk at random so that places come up as often as exp(-loss) says (Metropolis)."""
    rng = np.random.default_rng(1)
    units, loss, found = start.copy(), soft_loss(tally.pairs, start), []
    for move in range(moves):
        tried = units.copy()
        tried[rng.integers(len(units))] += rng.normal()
        if tried.min() >= 0 and tried.max() <= width:
            fresh = soft_loss(tally.pairs, tried)
            if np.log(rng.random()) < loss - fresh:
                units, loss = tried, fresh
        if move % 10 == 0:
            found.append(units)
    return np.array(found)


def above(draws: Floats) -> Floats:
    gap = draws[:, :, None] - draws[:, None, :]
    return np.asarray((gap > 0).mean(axis=0) + 0.5 * (gap == 0).mean(axis=0))


def test_steps_of_constant_size_agree_with_a_random_walk() -> None:
    # 400 contests, a range of 5 temperatures: every chance to be above, within a few points.
    votes = contests(400)
    tally, box = profile_to_tally(votes), Box(0.0, 100.0, 20.0)
    ratings = sco(tally, temperature=20.0)
    drawn = constant_steps(votes, ratings, box, Wish(None, 600, np.random.default_rng(2)))
    walk = gibbs(tally, box.inside(ratings.values), box.width, 40_000)
    wrong = np.abs(above(drawn.values) - above(walk))
    assert wrong.max() < 0.15
    assert wrong.mean() < 0.02


def test_a_flat_loss_is_refused() -> None:
    with pytest.raises(DataError, match="higher temperature"):
        rank(contests(100), "sco", intervals="posterior", posterior="steps")


MATCHES = [("a", "b", 1.0)] * 6 + [("b", "a", 1.0)] * 2 + [("b", "c", 1.0)] * 4 + [("a", "c", 0.5)]
DATA: dict[str, Any] = {
    "ballot": contests(60),
    "match": Matches.from_records(MATCHES),
    "task": Scores.from_matrix([[3, 2, 1], [3, 1, 2], [2, 3, 1]], ["t", "u", "v"], ["a", "b", "c"]),
}


@pytest.mark.parametrize("method", ["sco", "sco-fenchel-young"])
@pytest.mark.parametrize("unit", DATA)
def test_the_bayesian_bootstrap_reads_every_kind(method: str, unit: str) -> None:
    found = rank(DATA[unit], method, intervals="posterior", replicates=40)
    told = found.info["intervals"]
    assert (told["kind"], told["unit"], told["replicates"]) == ("posterior", unit, 40)
    assert "Bayesian bootstrap" in told["notes"][0]
    assert "most frequent of" in told["notes"][1]
    for agent, (low, high) in found.intervals.items():
        assert low <= found.ratings[agent] <= high
    again = rank(DATA[unit], method, intervals="posterior", replicates=40)
    assert again.intervals == found.intervals


def test_counts_are_matches_to_the_bayesian_bootstrap() -> None:
    tally = profile_to_tally(contests(60))
    found = rank(tally, "sco", intervals="posterior", replicates=30)
    assert found.info["intervals"]["unit"] == "match"
    assert found.rank_intervals["agent 0"][0] == 1


def test_only_what_the_data_hold_can_be_drawn() -> None:
    with pytest.raises(DataError, match="'ballot'"):
        rank(contests(10), "sco", intervals="posterior", resample="sample")


def test_the_same_posterior_for_the_same_seed() -> None:
    more: dict[str, Any] = {"temperature": 20.0, "posterior": "steps", "intervals": "posterior"}
    one, two = (rank(contests(80), "sco", replicates=30, **more) for _ in range(2))
    assert one.intervals == two.intervals
    assert "constant steps" in one.info["intervals"]["notes"][0]
