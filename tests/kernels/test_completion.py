"""Possible and necessary winners against all completions of a few ballots."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
from hypothesis import example, given

from podium.data.convert import profile_to_tally
from podium.data.profile import Ballot, Profile
from podium.kernels.completion import borda_completions, condorcet_completions
from podium.kernels.majority import condorcet, head_to_head
from strategies import NAMES, profiles, steady

SMALL = profiles(agents=(2, 3), ballots=(0, 3))


@cache
def weak_orders(size: int) -> list[Ballot]:
    levels = [
        row for row in product(range(size), repeat=size) if set(row) == set(range(max(row) + 1))
    ]
    return [
        tuple(
            tuple(NAMES[i] for i in range(size) if row[i] == level) for level in range(max(row) + 1)
        )
        for row in levels
    ]


def kept(order: Ballot, agents: set[str]) -> Ballot:
    groups = (tuple(a for a in group if a in agents) for group in order)
    return tuple(group for group in groups if group)


def completions(profile: Profile) -> Iterator[Profile]:
    ways = [
        [
            (weight, order)
            for order in weak_orders(len(profile.agents))
            if kept(order, {a for group in ballot for a in group})
            == tuple(tuple(sorted(group)) for group in ballot)
        ]
        for weight, ballot in profile.ballots()
    ]
    for votes in product(*ways):
        yield Profile.from_ballots(votes, profile.agents)


@given(SMALL)
@steady(60)
def test_condorcet_winners_of_all_completions(profile: Profile) -> None:
    winners = [
        condorcet(*head_to_head(profile_to_tally(full).margins)).winner
        for full in completions(profile)
    ]
    tally = profile_to_tally(profile)
    total = float(profile.weights.sum())
    possible, necessary = condorcet_completions(tally.margins, tally.met, total)
    every = range(len(profile.agents))
    assert possible.tolist() == [agent in winners for agent in every]
    assert necessary.tolist() == [set(winners) == {agent} for agent in every]


def borda_points(profile: Profile) -> np.ndarray:
    tally = profile_to_tally(profile)
    return np.asarray((tally.wins + (tally.met - tally.wins - tally.wins.T) / 2).sum(axis=1))


def inputs(profile: Profile) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    places = profile.places()
    with np.errstate(invalid="ignore"):
        below = (places[:, :, None] < places[:, None, :]).sum(axis=2)
        beside = (places[:, :, None] == places[:, None, :]).sum(axis=2) - 1
    points = np.where(np.isnan(places), 0.0, below + beside / 2)
    return places, points, profile.weights


@given(SMALL)
@example(Profile.from_ballots([(1.0, "abc"), (1.0, "ba")], list("abc")))  # b may rise above c too
@steady(100)
def test_borda_points_of_all_completions(profile: Profile) -> None:
    points = np.array([borda_points(full) for full in completions(profile)])
    bounds = borda_completions(*inputs(profile))
    assert bounds.low.tolist() == points.min(axis=0).tolist()
    assert bounds.high.tolist() == points.max(axis=0).tolist()
    first = points == points.max(axis=1, keepdims=True)
    assert bounds.necessary.tolist() == first.all(axis=0).tolist()


def test_rounding_of_weights_makes_no_missing_votes() -> None:
    profile = Profile.from_ballots([(0.1, "ab")] * 5 + [(0.1, "ba")] * 5)
    tally = profile_to_tally(profile)
    possible, _ = condorcet_completions(tally.margins, tally.met * (1 - 1e-15), 1.0)
    assert not possible.any()
