"""Kemeny-Young: the paper's numbers, ties, options."""

import csv
import json

import numpy as np
import pytest
from hypothesis import given

from podium.data.convert import convert
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.kemeny import kemeny
from shared import shared
from strategies import profiles, shuffled, steady


def table(name: str) -> Tally:
    """Count the votes of a table of scores, a task a vote."""
    with shared(name).open() as file:
        rows = [(row["task"], row["agent"], float(row["score"])) for row in csv.DictReader(file)]
    counted: Tally = convert(Scores.from_records(rows), Tally)
    return counted


def published(number: str, method: str) -> dict[str, float]:
    with shared("data/published/voting_as_evaluation_tables.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == number]
    return {row["agent"]: float(row["score"]) for row in rows if row["method"] == method}


def test_pentathlon_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, appendix: C > A > B with scores (6, 4, 0).
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    result = kemeny(Tally.from_matrix(golden["N"], golden["names"]))
    assert result.values.tolist() == golden["kemeny"]["scores"]
    assert result.tiers.tolist() == [1, 2, 0]
    assert result.info == {
        "value": golden["kemeny"]["value"],
        "bound": golden["kemeny"]["value"],
        "optimal": True,
        "unique": True,
        "optima": 1,
    }


def test_table_6_and_its_tie() -> None:
    # The paper's Table 6. A3C and the dueling network are level at 27 to 27, so both orders are
    # optimal; the paper prints one of them, 125 and 123. Ours is the mean of the two. The paper
    # broke ties of scores by chance: two of them fell to the distributional network.
    result = kemeny(table("data/atari/rainbow_table5_human_starts.csv"))
    printed = published("6", "Kemeny-Young")
    ours = dict(zip(result.agents, result.values.tolist(), strict=True))
    more = {agent: rating - ours[agent] for agent, rating in printed.items()}
    assert {agent: extra for agent, extra in more.items() if extra} == {
        "dist_dqn": 2,
        "a3c": 27 / 2,
        "duel_ddqn": -27 / 2,
    }
    assert result.info["value"] == sum(printed.values()) - 2
    assert result.info["optima"] == 2
    assert not result.info["unique"]
    tier = dict(zip(result.agents, result.tiers.tolist(), strict=True))
    order = ["rainbow", "dist_dqn", "prio_ddqn", "a3c", "ddqn", "noisy_dqn", "dqn"]
    assert [tier[agent] for agent in order] == list(range(7))
    assert tier["duel_ddqn"] == tier["a3c"]


def test_agentbench_with_many_level_pairs() -> None:
    # 25 models on 8 tasks: many pairs are level, and a cycle runs through most of the models.
    with shared("golden/s003_agentbench_v1_table3.json").open() as file:
        golden = json.load(file)
    scores = Scores.from_matrix(np.transpose(golden["S"]), golden["tasks"], golden["agents"])
    result = kemeny(convert(scores, Tally))
    assert result.info["optimal"]
    assert result.info["unique"] is False
    first = [agent for agent, t in zip(result.agents, result.tiers.tolist(), strict=True) if t == 0]
    assert first == ["gpt-4"]


def test_cycle_of_three_is_a_tie() -> None:
    result = kemeny(convert(Profile.from_ballots([(1, "abc"), (1, "bca"), (1, "cab")]), Tally))
    assert result.tiers.tolist() == [0, 0, 0]
    assert result.values.sum() == pytest.approx(result.info["value"])
    assert result.info["optima"] == 3


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_names_and_order_of_agents_and_ballots_do_not_matter(profile: Profile) -> None:
    rng = np.random.default_rng(len(profile))
    one = kemeny(convert(profile, Tally))
    other = kemeny(convert(shuffled(profile, rng, lambda name: f"{name}{name}"), Tally))
    place = {name: code for code, name in enumerate(other.agents)}
    codes = [place[f"{name}{name}"] for name in one.agents]
    assert other.tiers[codes].tolist() == one.tiers.tolist()
    assert other.values[codes] == pytest.approx(one.values, abs=1e-9)
    assert other.info["optima"] == one.info["optima"]


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_ratings_add_up_to_the_value(profile: Profile) -> None:
    result = kemeny(convert(profile, Tally))
    assert result.values.sum() == pytest.approx(result.info["value"], abs=1e-9)
    assert result.info["unique"] == (result.info["optima"] == 1)
    if result.info["unique"]:
        assert sorted(result.tiers.tolist()) == list(range(len(profile.agents)))


def test_limit_below_zero_is_refused() -> None:
    with pytest.raises(DataError, match="kemeny:limit is -1"):
        kemeny(Tally.from_matrix([[0, 1], [0, 0]], "ab"), limit=-1)


def test_no_agents_at_all() -> None:
    assert kemeny(Tally.from_matrix(np.zeros((0, 0)), ())).info["optima"] == 1
