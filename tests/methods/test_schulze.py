"""Schulze: the papers' numbers, the slow definition, ties."""

import csv
import itertools
import json

import numpy as np
import pytest
from hypothesis import given

from podium.data.convert import convert, profile_to_tally
from podium.data.profile import Profile
from podium.data.ratings import plain
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.schulze import chain_scores, schulze
from shared import shared
from strategies import profiles, steady, tallies


def slow_paths(tally: Tally, *, margins: bool) -> dict[tuple[str, str], float]:
    """Try every path without a repeated agent."""
    size = len(tally.agents)
    lead = tally.wins - tally.wins.T
    strength = lead if margins else tally.wins
    found: dict[tuple[str, str], float] = {}
    for a, b in itertools.permutations(range(size), 2):
        best = 0.0
        others = [agent for agent in range(size) if agent not in (a, b)]
        for length in range(size - 1):
            for middle in itertools.permutations(others, length):
                steps = list(itertools.pairwise((a, *middle, b)))
                if all(lead[step] > 0 for step in steps):
                    best = max(best, min(float(strength[step]) for step in steps))
        found[tally.agents[a], tally.agents[b]] = best
    return found


def test_pentathlon_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, appendix: P, ranking and scores (7, 4, 0).
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    tally = Tally.from_matrix(golden["N"], golden["names"])
    result = schulze(tally)
    assert result.values.tolist() == golden["schulze"]["scores_printed"]
    assert [result.agents.index("CAB"[tier]) for tier in range(3)] == golden["schulze"]["ranking"]
    assert result.tiers.tolist() == [1, 2, 0]
    assert result.info["paths"].array.tolist() == golden["schulze"]["P"]
    formula = schulze(tally, scores="sum")
    assert formula.values.tolist() == golden["schulze"]["scores_by_printed_formula"]


def test_lower_half_of_table_7() -> None:
    # The paper's Table 7; a tie of two agents stands above these, and shifts the rest.
    scores = shared("data/atari/rainbow_table5_plus_human_random.csv")
    published = shared("data/published/voting_as_evaluation_tables.csv")
    with scores.open() as file:
        rows = [(row["task"], row["agent"], float(row["score"])) for row in csv.DictReader(file)]
    with published.open() as file:
        cells = [row for row in csv.DictReader(file) if row["table"] == "7"]
    printed = {row["agent"]: float(row["score"]) for row in cells if row["method"] == "Schulze"}
    tally = convert(Scores.from_records(rows), Tally)
    result = schulze(tally)
    ratings = dict(zip(result.agents, result.values.tolist(), strict=True))
    for agent in ("ddqn", "human", "noisy_dqn", "dqn", "random"):
        assert ratings[agent] == printed[agent]
    tiers = dict(zip(result.agents, result.tiers.tolist(), strict=True))
    assert tiers["a3c"] == tiers["duel_ddqn"] == 3


@steady(80)
@given(tallies(agents=(1, 5)))
def test_relation_is_the_slow_definition(tally: Tally) -> None:
    for strength in ("winning-votes", "margins"):
        result = schulze(tally, strength=strength)
        slow = slow_paths(tally, margins=strength == "margins")
        assert dict(result.info["paths"]) == slow
        tiers = dict(zip(result.agents, result.tiers.tolist(), strict=True))
        relation = result.info["relation"]
        for a, b in slow:
            assert relation[a, b] == (slow[a, b] > slow[b, a])
            if relation[a, b]:
                assert tiers[a] < tiers[b]
        beaten = {b for (a, b), above in relation.items() if above}
        assert set(result.info["winners"]) == set(tally.agents) - beaten
        assert {agent for agent in tiers if not tiers[agent]} == set(tally.agents) - beaten


@steady(60)
@given(tallies(agents=(1, 5)))
def test_chain_is_the_mean_over_all_orders_of_tied_agents(tally: Tally) -> None:
    tiers = schulze(tally).tiers
    totals = np.zeros(len(tally.agents))
    orders = [
        order
        for order in itertools.permutations(range(len(tally.agents)))
        if tiers[list(order)].tolist() == sorted(tiers.tolist())
    ]
    for order in orders:
        score = 0.0
        for upper, lower in reversed(list(itertools.pairwise(order))):
            score += tally.wins[upper, lower]
            totals[upper] += score
    assert np.allclose(chain_scores(tally.wins, tiers), totals / len(orders))


@steady(60)
@given(profiles(agents=(2, 5), strict=True))
def test_both_strengths_agree_on_complete_strict_ballots(profile: Profile) -> None:
    tally = profile_to_tally(profile)
    votes, margins = schulze(tally), schulze(tally, strength="margins")
    assert votes.tiers.tolist() == margins.tiers.tolist()
    assert (votes.info["relation"].array == margins.info["relation"].array).all()


def test_strengths_can_disagree_on_partial_ballots() -> None:
    # a beats b 3-2 of 5; b beats c 2-0 of 2; c beats a 3-0: the weakest link is another one.
    ballots = [(3.0, "ab"), (2.0, "ba"), (2.0, "bc"), (3.0, "ca")]
    tally = profile_to_tally(Profile.from_ballots(ballots))
    assert schulze(tally).info["winners"] == ("c",)
    assert schulze(tally, strength="margins").info["winners"] == ("b",)


def test_a_partial_relation_is_not_the_only_answer() -> None:
    # a beats b, and nothing is known of c: it is level with both, which are not level.
    result = schulze(Tally.from_matrix([[0, 1, 0], [0, 0, 0], [0, 0, 0]], "abc"))
    assert result.tiers.tolist() == [0, 1, 0]
    assert result.info["winners"] == ("a", "c")
    assert not result.info["unique"]
    tie = schulze(Tally.from_matrix([[0, 1], [1, 0]], "ab"))
    assert tie.tiers.tolist() == [0, 0]
    assert tie.info["unique"]


def test_info_can_be_written_as_json() -> None:
    result = schulze(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    told = json.loads(json.dumps(plain(result.info)))
    assert told["relation"]["c"] == {"a": True, "b": True}
    assert told["paths"]["a"] == {"b": 4.0, "c": 0.0}


def test_weights_that_round_make_no_majority() -> None:
    ballots = [(0.1, "ab"), (0.2, "ab"), (0.3, "ba")]
    result = schulze(profile_to_tally(Profile.from_ballots(ballots)))
    assert result.tiers.tolist() == [0, 0]


def test_wrong_options_are_refused() -> None:
    tally = Tally.from_matrix([[0.0]], "a")
    with pytest.raises(DataError, match="winning-votes"):
        schulze(tally, strength="votes")
    with pytest.raises(DataError, match="chain"):
        schulze(tally, scores="all")
