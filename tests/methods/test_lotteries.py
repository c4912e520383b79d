"""Maximal and iterated lotteries: the paper's numbers, ties, and what holds of them as sets."""

import csv
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.data.convert import convert
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.methods._margins import clean_margins
from podium.methods.iterated_lottery import iterated_lottery
from podium.methods.maximal_lottery import maximal_lottery
from shared import shared
from strategies import profiles, shuffled, steady

SLACK = 1e-9


def of_margins(margins: Floats, names: str) -> Tally:
    return Tally.from_matrix(np.maximum(margins, 0.0), list(names))


def rated(ratings: Ratings) -> dict[str, float]:
    return dict(zip(ratings.agents, ratings.values.tolist(), strict=True))


def is_maximal(chances: dict[str, float], tally: Tally) -> bool:
    """No agent wins against the lottery."""
    drawn = np.array([chances.get(agent, 0.0) for agent in tally.agents])
    return bool((drawn @ tally.margins >= -SLACK * max(1.0, tally.wins.max(initial=0.0))).all())


def table(name: str) -> Tally:
    with shared(name).open() as file:
        rows = [(row["task"], row["agent"], float(row["score"])) for row in csv.DictReader(file)]
    counted: Tally = convert(Scores.from_records(rows), Tally)
    return counted


def published(number: str) -> dict[str, float]:
    with shared("data/published/voting_as_evaluation_tables.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == number]
    kept = [row for row in rows if row["method"] == "Iterative Maximal Lotteries"]
    return {row["agent"]: float(row["score"]) for row in kept}


def test_pentathlon_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, appendix: C alone; iterated 3, 2, 1.
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    tally = Tally.from_matrix(golden["N"], golden["names"])
    assert maximal_lottery(tally).values.tolist() == golden["maximal_lottery"]
    assert maximal_lottery(tally).info["unique"]
    assert iterated_lottery(tally).values.tolist() == golden["iml_scores"]


def test_figure_12_of_the_paper() -> None:
    # Figure 12 and Table 15: scores 6.83, 6.083, 6.083, 6, 5, 4, 3, 2, 1.
    golden = json.loads(shared("golden/votes_published.json").read_text())
    golden = golden["vase_fig12_margin_subgame"]
    tally = of_margins(np.array(golden["M"]), "abcdefghi")
    first = maximal_lottery(tally)
    assert {a: p for a, p in rated(first).items() if p} == pytest.approx(
        {"abcdefghi"[int(code)]: p for code, p in golden["maximal_lottery"].items()}, abs=1e-7
    )
    assert first.info["unique"]
    assert first.info["ranges"]["f"] == (10 / 12, 10 / 12)
    result = iterated_lottery(tally)
    named = [["abcdefghi"[code] for code in level] for level in golden["iml_levels"]]
    assert result.info["levels"] == named
    assert result.info["unique"]
    assert sorted(result.values.round(3).tolist(), reverse=True) == [
        6.833, 6.083, 6.083, 6, 5, 4, 3, 2, 1,
    ]  # fmt: skip


def test_tables_6_and_7_but_for_ties() -> None:
    # The paper prints what its solver gave at an exact tie (3.98 and 3.02; 5.83 and 5.17); the
    # most even lottery gives one half each. All else is the same.
    names = {"6": "rainbow_table5_human_starts", "7": "rainbow_table5_plus_human_random"}
    for number, name in names.items():
        result = iterated_lottery(table(f"data/atari/{name}.csv"))
        printed = published(number)
        half = (printed["a3c"] + printed["duel_ddqn"]) / 2
        expected = printed | {"a3c": half, "duel_ddqn": half}
        assert rated(result) == pytest.approx(expected)
        assert not result.info["unique"]
        assert ["a3c", "duel_ddqn"] in result.info["levels"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_agentbench_levels(version: str) -> None:
    golden = json.loads(shared(f"golden/s003_agentbench_{version}_table3.json").read_text())
    scores = Scores.from_matrix(np.transpose(golden["S"]), golden["tasks"], golden["agents"])
    result = iterated_lottery(convert(scores, Tally))
    assert result.values == pytest.approx(golden["iml"], abs=golden["tol"])


def test_a_tie_is_half_and_half() -> None:
    result = maximal_lottery(Tally.from_matrix([[0, 27], [27, 0]], "ab"))
    assert result.values.tolist() == [0.5, 0.5]
    assert result.info == {"ranges": {"a": (0.0, 1.0), "b": (0.0, 1.0)}, "unique": False}
    assert result.tiers.tolist() == [0, 0]


def test_an_agent_never_met_takes_a_share() -> None:
    wins = np.zeros((3, 3))
    wins[0, 1] = 1.0
    assert maximal_lottery(Tally.from_matrix(wins, "abc")).values == pytest.approx([0.5, 0, 0.5])


def test_rounding_of_weights_makes_no_majority() -> None:
    profile = Profile.from_ballots([(0.1, "ab"), (0.2, "ab"), (0.3, "ba")])
    assert maximal_lottery(convert(profile, Tally)).values.tolist() == [0.5, 0.5]


def test_very_many_tied_agents_go_without_ranges() -> None:
    names = [f"agent {number}" for number in range(201)]
    result = maximal_lottery(Tally.from_matrix(np.zeros((201, 201)), names))
    assert result.info["ranges"] is None
    assert result.values == pytest.approx(1 / 201)
    assert result.tiers.max() == 0


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_names_and_order_of_agents_and_ballots_do_not_matter(profile: Profile) -> None:
    rng = np.random.default_rng(len(profile))
    turned = convert(shuffled(profile, rng, lambda name: f"{name}{name}"), Tally)
    for call in (maximal_lottery, iterated_lottery):
        one, other = rated(call(convert(profile, Tally))), rated(call(turned))
        expected = {f"{agent}{agent}": rating for agent, rating in one.items()}
        assert other == pytest.approx(expected, abs=1e-9)


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_lottery_is_maximal_and_within_its_ranges(profile: Profile) -> None:
    tally = convert(profile, Tally)
    result = maximal_lottery(tally)
    assert is_maximal(rated(result), tally)
    for agent, chance in rated(result).items():
        low, high = result.info["ranges"][agent]
        assert low - SLACK <= chance <= high + SLACK
        assert result.info["unique"] <= (low == high)


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_levels_are_lotteries_among_what_is_left(profile: Profile) -> None:
    tally = convert(profile, Tally)
    result = iterated_lottery(tally)
    left, ratings = list(tally.agents), rated(result)
    for below, level in enumerate(reversed(result.info["levels"])):
        assert all(below < ratings[agent] <= below + 1 for agent in level)
    for level in result.info["levels"]:
        lottery = rated(maximal_lottery(tally.only(left)))
        assert sorted(agent for agent, chance in lottery.items() if chance > 1e-6) == level
        left = [agent for agent in left if agent not in level]
    assert not left


@steady(60)
@given(tally=profiles(agents=(4, 4), strict=True).map(lambda p: convert(p, Tally)), data=st.data())
def test_clones_leave_the_ranges_of_others_alone(tally: Tally, data: st.DataObject) -> None:
    """Agent a gets two clones with any votes among the three."""
    code = {"a": 0, "x": 0, "y": 0, "b": 1, "c": 2, "d": 3}
    names = list(code)
    grid = [code[name] for name in names]
    wins = tally.wins[np.ix_(grid, grid)].copy()
    for i in range(3):
        for j in range(3):
            wins[i, j] = data.draw(st.integers(0, 3)) if i != j else 0.0
    before, after = maximal_lottery(tally), maximal_lottery(Tally.from_matrix(wins, names))
    for agent in "bcd":
        assert after.info["ranges"][agent] == pytest.approx(before.info["ranges"][agent], abs=1e-9)
    if before.info["unique"]:
        together = sum(rated(after)[agent] for agent in "axy")
        assert together == pytest.approx(rated(before)["a"], abs=1e-9)


@steady(60)
@given(one=profiles(agents=(4, 4)), other=profiles(agents=(4, 4)))
def test_lottery_maximal_for_two_electorates_is_maximal_for_their_union(
    one: Profile, other: Profile
) -> None:
    first: Tally = convert(one, Tally)
    second: Tally = convert(other, Tally)
    union = Tally.from_matrix(first.wins + second.wins, first.agents)
    for tally in (first, second):
        chances = rated(maximal_lottery(tally))
        if is_maximal(chances, first) and is_maximal(chances, second):
            assert is_maximal(chances, union)
            span = maximal_lottery(union).info["ranges"]
            assert all(span[a][0] - SLACK <= p <= span[a][1] + SLACK for a, p in chances.items())


@steady(60)
@given(tally=profiles(agents=(2, 6)).map(lambda p: convert(p, Tally)), data=st.data())
def test_lottery_stays_maximal_among_fewer_agents(tally: Tally, data: st.DataObject) -> None:
    chances = rated(maximal_lottery(tally))
    kept = [agent for agent in tally.agents if chances[agent] or data.draw(st.booleans())]
    assert is_maximal(chances, tally.only(kept))
    assert rated(maximal_lottery(tally.only(kept))).keys() == set(kept)


def test_margins_are_antisymmetric_after_cleaning() -> None:
    tally = Tally.from_matrix([[0, 0.3, 2], [0.1 + 0.2, 0, 1], [1, 2, 0]], "abc")
    margins = clean_margins(tally)
    assert (margins == -margins.T).all()
    assert margins[0].tolist() == [0.0, 0.0, 1.0]
