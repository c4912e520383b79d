"""Ties: all ways to break them, the stored ones, and the search that found these."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Array
from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.experiments._columns import MONOTONE, same, within
from podium.experiments._published import column, rows
from podium.experiments._sources import ballots, bundled, ranked
from podium.experiments._ties import every_tie_break, lost_and_won, stored_tie_break
from podium.experiments._twins import one_by_one
from podium.experiments.voting_agentbench import TIES


@st.composite
def tied_profiles(draw: st.DrawFn) -> Profile:
    agents = "abcd"
    votes = []
    for _ in range(draw(st.integers(1, 3))):
        places = draw(st.lists(st.integers(0, 2), min_size=4, max_size=4))
        groups = [[a for a, p in zip(agents, places, strict=True) if p == k] for k in range(3)]
        votes.append((float(draw(st.integers(1, 2))), [group for group in groups if group]))
    return Profile.from_ballots(votes, agents)


@given(tied_profiles())
def test_every_tie_break_keeps_the_ballots_and_leaves_no_tie(profile: Profile) -> None:
    ways = every_tie_break(profile)
    number = math.prod(math.factorial(len(g)) for _, b in profile.ballots() for g in b)
    assert len(ways) == (number if number <= 64 else 0)
    places = profile.places()
    for _, broken in ways:
        assert broken.strict
        after = broken.places()
        for before, now in zip(places, after, strict=True):
            assert (now[:, None] < now[None, :])[before[:, None] < before[None, :]].all()


@given(tied_profiles(), st.sampled_from(MONOTONE))
def test_each_tie_break_lies_between_all_ties_lost_and_all_won(
    profile: Profile, method: str
) -> None:
    ways = every_tie_break(profile)
    for agent in profile.agents:
        low, high = (ranked(p, method).ratings[agent] for p in lost_and_won(profile, agent))
        for _, broken in ways:
            assert low - 1e-9 <= ranked(broken, method).ratings[agent] <= high + 1e-9


def test_stored_tie_breaks_break_exactly_the_ties_of_the_data() -> None:
    profile = ballots(bundled("agentbench"))
    ties = {
        (source, frozenset(group))
        for source, (_, ballot) in zip(profile.sources, profile.ballots(), strict=True)
        for group in ballot
        if len(group) > 1
    }
    pairs = sum(len(group) * (len(group) - 1) // 2 for _, group in ties)
    assert pairs == 224  # data/README.md
    stored = list(rows(TIES))
    for method in {row["method"] for row in stored}:
        own = [row for row in stored if row["method"] == method]
        assert {(r["task"], frozenset(r["order"].split(" > "))) for r in own} == ties
        (one,) = stored_tie_break(profile, TIES, method)
        assert one.profile.strict
        assert one.profile.complete


@pytest.mark.parametrize(
    ("printed", "ours", "equal"),
    [("3.98", 3.9849, True), ("3.98", 3.9851, False), ("41", 41.0, True), ("41", 41.4, False),
     ("16.2", "16.19", False), ("0.33", 1 / 3, True)],
)  # fmt: skip
def test_numbers_are_compared_to_their_last_printed_digit(
    printed: str, ours: float | str, equal: bool
) -> None:
    assert same(printed, ours) is equal


def test_a_span_allows_the_rounding_of_print() -> None:
    assert within("0.34", (0.345, 1.0))
    assert not within("0.33", (0.345, 1.0))
    assert not within("1", None)


def test_counting_one_by_one_refuses_an_order_that_breaks_the_rule() -> None:
    votes = Profile.from_ballots([(3, "abc"), (1, "bca"), (1, "cba")])
    assert one_by_one(votes, "abc", 3) == {"a": "6.3", "b": "3.2", "c": "2.1"}
    assert one_by_one(votes, "acb", 3) == {"a": "6.3", "c": "3.2", "b": "2.1"}
    assert one_by_one(votes, "bac", 3) == {}


def search(
    profile: Profile, loss: Callable[[Tally], float], seed: int, tries: int, heat: float
) -> float:
    """Bring a loss to 0 by swaps within tie groups, by annealing; return what is left of it."""
    rng = np.random.default_rng(seed)
    vote, first, size = profile.vote_of_entry, profile.group_start, profile.group_size
    heads = np.flatnonzero((size > 1) & (np.arange(len(size)) == profile.start[vote] + first))
    groups = [(int(vote[h]), profile.who[h : h + size[h]]) for h in heads.tolist()]
    places = np.zeros((len(profile), len(profile.agents)))
    places[vote, profile.who] = first
    for row, group in groups:
        places[row, group] += rng.permutation(len(group))
    shares = np.array([len(group) - 1.0 for _, group in groups])
    shares /= shares.sum()

    def above(place: Array) -> Array:
        return (place[:, None] < place[None, :]).astype(float)

    wins = sum(map(above, places), np.zeros((len(profile.agents),) * 2))
    current = loss(Tally.from_matrix(wins, profile.agents))
    for tried in range(tries):
        if current <= 0:
            break
        row, group = groups[rng.choice(len(groups), p=shares)]
        pair = rng.choice(group, 2, replace=False)
        swapped = places[row].copy()
        swapped[pair] = swapped[pair[::-1]]
        changed = wins + above(swapped) - above(places[row])
        value = loss(Tally.from_matrix(changed, profile.agents))
        worse = (value - current) / max(heat * (1 - tried / tries), 1e-9)
        if worse <= 0 or rng.random() < math.exp(-worse):
            places[row], wins, current = swapped, changed, value
    return current


@pytest.mark.slow
def test_the_search_finds_a_tie_break_for_a_whole_column_again() -> None:
    one = column("12", "copeland")
    printed = {cell.agent: float(cell.score) for cell in one.cells}

    def loss(counts: Tally) -> float:
        won = (counts.margins > 0).sum(axis=1) + 0.5 * ((counts.margins == 0).sum(axis=1) - 1)
        return 2 * float(sum(abs(printed[a] - w) for a, w in zip(counts.agents, won, strict=True)))

    assert search(ballots(bundled("agentbench")), loss, 0, 60_000, 3.0) == 0
