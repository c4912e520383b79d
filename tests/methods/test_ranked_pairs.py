"""Ranked pairs: the papers' numbers, the slow definition, equal margins."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given

from podium.data.convert import profile_to_tally
from podium.data.profile import Profile
from podium.data.ratings import plain
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.ranked_pairs import ranked_pairs
from shared import shared
from strategies import NAMES, profiles, steady, tallies

CYCLE = Profile.from_ballots([(1.0, "abcd"), (1.0, "bcad"), (1.0, "cabd")])


def margins_tally(margins: list[list[float]]) -> Tally:
    array = np.array(margins, dtype=float)
    return Tally.from_matrix(np.maximum(array, 0.0), NAMES[: len(array)])


def reached_from(edges: set[tuple[str, str]], start: str) -> set[str]:
    seen, todo = {start}, [start]
    while todo:
        node = todo.pop()
        fresh = {b for a, b in edges if a == node} - seen
        seen |= fresh
        todo += fresh
    return seen


def test_pentathlon_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, appendix: C > A > B with scores (5, 3, 0).
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    tally = Tally.from_matrix(golden["N"], golden["names"])
    for ties in ("neutral", "parallel"):
        result = ranked_pairs(tally, ties=ties)
        assert result.values.tolist() == golden["ranked_pairs"]["scores"]
        assert np.argsort(result.tiers).tolist() == golden["ranked_pairs"]["ranking"]
        assert set(result.info["locked"]) == {("A", "B"), ("C", "A"), ("C", "B")}
        assert result.info["unique"]


@steady(80)
@given(tallies(agents=(1, 5)))
def test_rating_and_tiers_follow_from_the_locked_pairs(tally: Tally) -> None:
    result = ranked_pairs(tally)
    locked = set(result.info["locked"])
    code = {agent: number for number, agent in enumerate(tally.agents)}
    left, number = set(tally.agents), 0
    for agent in tally.agents:
        reached = reached_from(locked, agent)
        total = sum(tally.margins[code[a], code[b]] for a, b in locked if a in reached)
        assert result.values[code[agent]] == pytest.approx(total)
    while left:
        free = {b for b in left if not any((a, b) in locked for a in left)}
        assert free, "locked pairs hold no cycle"
        assert {b for b in left if result.tiers[code[b]] == number} == free
        left, number = left - free, number + 1


@steady(60)
@given(tallies(agents=(1, 4)))
def test_parallel_winners_are_those_of_any_order(tally: Tally) -> None:
    pairs = [
        (a, b)
        for a, b in itertools.permutations(range(len(tally.agents)), 2)
        if tally.margins[a, b] > 0
    ]
    winners: set[str] = set()
    for order in itertools.permutations(pairs):
        strengths = [tally.margins[pair] for pair in order]
        if strengths != sorted(strengths, reverse=True):
            continue
        locked: set[tuple[str, str]] = set()
        for a, b in order:
            upper, lower = tally.agents[a], tally.agents[b]
            if upper not in reached_from(locked, lower):
                locked.add((upper, lower))
        winners |= set(tally.agents) - {lower for _, lower in locked}
    result = ranked_pairs(tally, ties="parallel")
    assert set(result.info["winners"]) == winners


@steady(60)
@given(profiles(agents=(2, 5)))
def test_a_condorcet_winner_wins_alone(profile: Profile) -> None:
    tally = profile_to_tally(profile)
    beats = (tally.margins > 0).sum(axis=1)
    best = [a for a, n in zip(tally.agents, beats, strict=True) if n == len(tally.agents) - 1]
    for ties in ("neutral", "parallel"):
        result = ranked_pairs(tally, ties=ties)
        if best:
            assert result.info["winners"] == tuple(best)


def test_a_cycle_of_equal_margins_is_a_tie() -> None:
    tally = profile_to_tally(CYCLE)
    result = ranked_pairs(tally)
    assert result.tiers.tolist() == [0, 0, 0, 1]
    assert result.info["winners"] == ("a", "b", "c")
    assert set(result.info["locked"]) == {("a", "d"), ("b", "d"), ("c", "d")}
    assert not result.info["unique"]


def test_parallel_follows_each_order_of_a_cycle() -> None:
    result = ranked_pairs(profile_to_tally(CYCLE), ties="parallel")
    assert result.info["ways"] == 3
    assert result.info["winners"] == ("a", "b", "c")
    assert result.tiers.tolist() == [0, 0, 0, 1]
    assert set(result.info["locked"]) == {("a", "d"), ("b", "d"), ("c", "d")}
    assert not result.info["unique"]


def test_a_weaker_pair_decides_where_equals_contradict_one_another() -> None:
    # b over c and c over d are in a cycle of fives with d over b; a is level with nobody.
    cycle = [[0, 1, 1, 1], [-1, 0, 5, -5], [-1, -5, 0, 5], [-1, 5, -5, 0]]
    result = ranked_pairs(margins_tally([[float(m) for m in row] for row in cycle]))
    assert result.tiers.tolist() == [0, 1, 1, 1]
    assert result.values.tolist() == [3.0, 0.0, 0.0, 0.0]


def test_too_many_ways_say_what_to_do() -> None:
    upper = np.triu(np.random.default_rng(0).choice([-1.0, 1.0], (30, 30)), 1)
    tally = Tally.from_matrix(
        np.maximum(upper - upper.T, 0), [f"agent {number}" for number in range(30)]
    )
    with pytest.raises(DataError, match="ties='neutral'"):
        ranked_pairs(tally, ties="parallel")
    with pytest.raises(DataError, match="parallel"):
        ranked_pairs(tally, ties="lot")


def test_info_can_be_written_as_json() -> None:
    told = json.loads(json.dumps(plain(ranked_pairs(profile_to_tally(CYCLE)).info)))
    assert told["locked"] == [["a", "d"], ["b", "d"], ["c", "d"]]


def test_weights_that_round_leave_margins_equal() -> None:
    # A cycle of margins 0.3, 0.1 + 0.2 and 0.3: equal but for rounding.
    tally = margins_tally([[0, 0.3, -0.3], [-0.3, 0, 0.1 + 0.2], [0.3, -0.3, 0]])
    assert ranked_pairs(tally).tiers.tolist() == [0, 0, 0]
