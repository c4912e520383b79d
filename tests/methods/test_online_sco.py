"""Online SCO: a slow twin, resuming a stream, and matches as votes of two."""

import numpy as np
import pytest
from hypothesis import given

from podium.data.convert import KINDS
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.errors import DataError
from podium.methods._registry import METHODS
from podium.methods.online_sco import online_sco
from strategies import match_lists, profiles, steady


@steady(60)
@given(profiles(agents=(2, 5)))
def test_slow_twin(profile: Profile) -> None:
    ratings = dict.fromkeys(profile.agents, 50.0)
    for weight, ballot in profile.ballots():
        pull = dict.fromkeys(profile.agents, 0.0)
        for place, group in enumerate(ballot):
            for a in group:
                for b in (b for lower in ballot[place + 1 :] for b in lower):
                    chance = 1 / (1 + np.exp((ratings[a] - ratings[b]) / 2.0))
                    pull[a] += chance * (1 - chance) / 2.0
                    pull[b] -= chance * (1 - chance) / 2.0
        for agent in profile.agents:
            ratings[agent] = min(max(ratings[agent] + 3.0 * weight * pull[agent], 48.0), 52.0)
    found = online_sco(profile, temperature=2.0, low=48.0, high=52.0, step_size=3.0)
    assert np.allclose(found.values, list(ratings.values()))


@steady(40)
@given(match_lists())
def test_a_match_is_a_vote_of_two(matches: Matches) -> None:
    orders = []
    for left, right, score, weight in zip(
        matches.left, matches.right, matches.score, matches.weight, strict=True
    ):
        pair = [[matches.agents[left]], [matches.agents[right]]]
        groups = [pair[0] + pair[1]] if score == 0.5 else (pair if score else pair[::-1])
        orders.append((weight, groups))
    votes = Profile.from_ballots(orders, matches.agents)
    assert np.allclose(online_sco(matches).values, online_sco(votes).values)


def test_a_stream_can_be_resumed() -> None:
    rng = np.random.default_rng(1)
    ballots = [(1.0, ["abcde"[code] for code in rng.permutation(5)[:3]]) for _ in range(40)]
    whole = online_sco(Profile.from_ballots(ballots, "abcde"), step_size=2.0)
    resume = METHODS["online-sco"].resume
    assert resume is not None
    first = online_sco(Profile.from_ballots(ballots[:25], "abcde"), step_size=2.0)
    rest = resume(Profile.from_ballots(ballots[25:], "edcba"), first, {"step_size": 2.0})
    by_name = dict(zip(rest.agents, rest.values.tolist(), strict=True))
    assert [by_name[agent] for agent in "abcde"] == pytest.approx(whole.values.tolist())


def test_matches_go_by_their_times() -> None:
    rows = [("a", "b", 1.0, 1.0, "t", 2.0), ("b", "c", 1.0, 1.0, "t", 1.0)]
    by_time = online_sco(Matches.from_records(rows, agents="abc"), step_size=5.0)
    turned = online_sco(Matches.from_records(rows[::-1], agents="abc"), step_size=5.0)
    listed = online_sco(Matches.from_records(rows, agents="abc"), step_size=5.0, order="listed")
    assert by_time.values.tolist() == turned.values.tolist()
    assert by_time.values.tolist() != listed.values.tolist()
    assert "times" in by_time.info["notes"][0]


def test_the_same_with_and_without_a_compiler() -> None:
    rng = np.random.default_rng(2)
    names = [f"agent {code}" for code in range(30)]
    ballots = [(1.0, [names[code] for code in rng.permutation(30)[:7]]) for _ in range(1_500)]
    votes = Profile.from_ballots(ballots, names)
    parts = [
        Profile.from_ballots(ballots[first : first + 100], names) for first in range(0, 1500, 100)
    ]
    resume = METHODS["online-sco"].resume
    assert resume is not None
    found = online_sco(parts[0])
    for part in parts[1:]:
        found = resume(part, found, {})  # few votes: no compiler
    assert np.allclose(found.values, online_sco(votes).values, rtol=0, atol=1e-9)


def test_what_it_reads_and_refuses() -> None:
    assert {KINDS[kind] for kind in METHODS["online-sco"].reads} == {"ballots", "matches"}
    with pytest.raises(DataError, match="step_size"):
        online_sco(Profile.from_ballots([(1.0, "ab")]), step_size=-1.0)
