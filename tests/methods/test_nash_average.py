"""Nash averaging: the papers' examples and golden numbers, theorems, and what it says of data."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._odds import log_odds
from podium.methods.nash_average import nash_average
from podium.methods.uniform import uniform
from shared import shared
from strategies import NAMES, steady


def golden(name: str) -> Any:
    return json.loads(shared(f"golden/{name}.json").read_text(encoding="utf-8"))


def versus(payoffs: Any) -> Game:
    """Let agents play an antisymmetric game against each other."""
    array = np.asarray(payoffs, dtype=np.float64)
    return Game.from_payoffs([array, -array])


def tally_of(log_odds_of: Floats, met: float = 1e6) -> Tally:
    """Make counts whose log-odds are given."""
    share = 1 / (1 + np.exp(-log_odds_of))
    np.fill_diagonal(share, 0.0)
    return Tally.from_matrix(met * share, list(NAMES[: len(share)]))


def weights(ratings: Ratings) -> list[float]:
    return list(ratings.info["agents"].values())


TABLES = [
    "s003_rainbow_table5_human_starts",
    "s003_rainbow_table5_plus_human_random",
    "s003_agentbench_v1_table3",
    "s003_agentbench_v2_table3",
]


@pytest.mark.parametrize("name", TABLES)
def test_golden_tables_of_the_voting_paper(name: str) -> None:
    want = golden(name)
    raw = np.array(want["S"]).T if "S" in want else np.array(want["normalised"]).T
    found = nash_average(Scores.from_matrix(raw, want["tasks"], want["agents"]))
    near = {"abs": want["tol"]}
    agents, tasks = want.get("p_agents", want.get("p")), want.get("p_tasks", want.get("q"))
    assert weights(found) == pytest.approx(agents, **near)
    assert list(found.info["tasks"].values()) == pytest.approx(tasks, **near)
    assert found.values.tolist() == pytest.approx(want["skills"], **near)
    assert found.info["value"] == pytest.approx(want["value"], **near)
    assert found.info["gap"] <= 1e-9
    assert (found.info["kind"], found.info["unique"]) == ("max-entropy", True)


def test_redundant_copies_share_what_one_had() -> None:
    # Re-evaluating Evaluation, section 4: rock, paper and scissors, and a second copy of C.
    want = golden("s001_clone")
    before, after = (nash_average(tally_of(np.array(want[key]))) for key in ("A", "A_clone"))
    assert weights(before) == pytest.approx(want["published"]["p"], abs=want["tol"])
    assert weights(after) == pytest.approx(want["published"]["p_clone"], abs=want["tol"])
    assert after.values.tolist() == pytest.approx([0, 0, 0, 0], abs=want["tol"])
    divergence = uniform(versus(want["A_clone"])).values
    assert divergence == pytest.approx(want["published"]["div_clone"], abs=want["tol"])


def test_cyclic_and_transitive_mixed() -> None:
    # Re-evaluating Evaluation, section 4: C + eps T, with its jump at 1/2.
    want = golden("s001_cyclic_transitive")
    for case in want["cases"]:
        payoffs = np.array(want["C"]) + case["eps"] * np.array(want["T"])
        found = nash_average(versus(payoffs))
        assert weights(found) == pytest.approx(case["p"], abs=want["tol"]), case["eps"]
        assert found.values == pytest.approx(case["nash_average"], abs=want["tol"])


def test_merged_clones_repair_the_counterexample_to_theorem_1_1() -> None:
    # The most even equilibrium moves when an agent in use is entered twice: no vertex is unique.
    want = golden("properties")["nash_clone_counterexample"]
    before = np.array(want["A"])
    order = [0, 1, want["cloned"], 2]
    after = versus(before[np.ix_(order, order)])
    assert nash_average(versus(before)).values == pytest.approx(want["before"])
    assert nash_average(after).values == pytest.approx(want["after"])
    merged = nash_average(after, clones="merge")
    assert merged.values == pytest.approx(want["quotient"])
    assert weights(merged) == pytest.approx([1 / 2, 1 / 4, 1 / 4, 0])
    assert not merged.info["unique"]


@steady(60)
@given(st.integers(0, 2**32 - 1))
def test_merging_clones_keeps_every_rating_whatever_is_copied(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(-2, 3, rng.integers(1, 5, 2)).astype(np.float64)
    agents, tasks = (rng.integers(1, 4, size) for size in table.shape)
    copied = np.repeat(np.repeat(table, agents, axis=0), tasks, axis=1)
    before = nash_average(Game.from_payoffs([table, -table]), clones="merge")
    after = nash_average(Game.from_payoffs([copied, -copied]), clones="merge")
    assert after.values == pytest.approx(np.repeat(before.values, agents), abs=1e-9)


@steady(60)
@given(st.integers(0, 2**32 - 1))
def test_theorem_1_2_an_equilibrium_of_nearby_payoffs_is_nearly_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 7))
    draws, noise = rng.normal(size=(2, size, size))
    game, near = draws - draws.T, draws - draws.T + 0.05 * (noise - noise.T)
    chances = np.array(weights(nash_average(versus(near))))
    assert (game @ chances).max() <= np.abs(game - near).max() + 1e-9


@steady(60)
@given(st.integers(0, 2**32 - 1))
def test_theorem_1_3_even_where_cyclic_and_the_best_where_transitive(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 7))
    draws = rng.integers(-3, 4, (size, size)).astype(np.float64)
    flow = draws - draws.T
    level = flow.mean(axis=1)
    cyclic = flow - (level[:, None] - level)
    assert weights(nash_average(versus(cyclic))) == pytest.approx([1 / size] * size, abs=1e-9)
    rating = rng.integers(0, 3, size).astype(np.float64)
    best = rating == rating.max()
    transitive = nash_average(versus(rating[:, None] - rating))
    assert weights(transitive) == pytest.approx((best / best.sum()).tolist(), abs=1e-9)
    assert transitive.values == pytest.approx(rating - rating.max(), abs=1e-9)
    if np.abs(level).max() > 1e-9:  # and only there is it even
        assert weights(nash_average(versus(flow))) != pytest.approx([1 / size] * size, abs=1e-6)


@steady(40)
@given(st.integers(0, 2**32 - 1))
def test_the_double_game_has_the_same_equilibrium(seed: int) -> None:
    # Lanctot et al. (2025), theorem 1: agents and tasks may also play as one side each.
    rng = np.random.default_rng(seed)
    table = rng.normal(size=rng.integers(2, 5, 2))
    rows, columns = table.shape
    pairs = [(i, j) for i in range(rows) for j in range(columns)]
    double = np.array([[table[i, t] - table[k, j] for k, t in pairs] for i, j in pairs])
    one, two = nash_average(Game.from_payoffs([table, -table])), nash_average(versus(double))
    joint = np.array(weights(two)).reshape(rows, columns)
    assert joint.sum(axis=1) == pytest.approx(weights(one), abs=1e-7)
    assert joint.sum(axis=0) == pytest.approx(list(one.info["tasks"].values()), abs=1e-7)


def test_raw_scores_of_other_units_leave_one_task() -> None:
    # Lanctot et al. (2025), observation 4, in small.
    scores = Scores.from_matrix(
        [[-9e3, -8e3, -9.5e3], [1.0, 0.0, 3.0], [5.0, 9.0, 2.0]], "stu", "abc"
    )
    assert nash_average(scores, scale=False).info["tasks"] == {"s": 1.0, "t": 0.0, "u": 0.0}
    assert max(nash_average(scores).info["tasks"].values()) < 1


def test_a_task_that_tells_nobody_apart_is_left_out_and_named() -> None:
    rows = [[1.0, 0.0], [7.0, 7.0], [0.2, 0.4]]
    found = nash_average(Scores.from_matrix(rows, ["t", "flat", "u"], "ab"))
    without = nash_average(Scores.from_matrix([rows[0], rows[2]], ["t", "u"], "ab"))
    assert found.values == pytest.approx(without.values)
    assert found.info["tasks"]["flat"] == 0
    assert "'flat'" in found.info["notes"][0]
    nearly = np.array([[0.1 + 0.2, 0.3], [0.0, 1.0]])
    assert nash_average(Scores.from_matrix(nearly, "tu", "ab")).info["tasks"]["t"] == 0


def test_payoffs_that_are_antisymmetric_but_for_rounding_are_taken() -> None:
    game = Game.from_payoffs([[[0.0, 0.1 + 0.2], [-0.3, 0.0]], [[0.0, -0.3], [0.1 + 0.2, 0.0]]])
    assert weights(nash_average(game)) == pytest.approx([1, 0])


def test_ties_that_only_rounding_breaks_stay_ties() -> None:
    rows = np.array([[0.1 + 0.2, 0.3, 0.0], [0.5, 0.5, 0.1]])
    assert nash_average(Scores.from_matrix(rows, "tu", "abc")).tiers.tolist() == [0, 0, 1]


def test_weights_count_as_copies_and_zero_takes_a_task_out() -> None:
    # c is worse; a and b are equal, so any weights of the tasks are in equilibrium.
    rows = [[1.0, 1.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 1.0]]
    scores = Scores.from_matrix(rows, "tuv", "abc", weights={"t": 3, "v": 0})
    found = nash_average(scores, scale=False)
    assert found.info["tasks"] == pytest.approx({"t": 0.75, "u": 0.25, "v": 0.0})
    assert found.values == pytest.approx([1.0, 1.0, 0.125])


def test_iterated_takes_away_who_is_in_use() -> None:
    rows = [[3.0, 2.0, 1.0, 0.0], [2.0, 3.0, 0.0, 1.0]]
    found = nash_average(Scores.from_matrix(rows, "tu", "abcd"), iterated=True)
    assert found.info["levels"] == [("a", "b"), ("c", "d")]
    assert found.values.tolist() == [2, 2, 1, 1]
    assert found.tiers.tolist() == [0, 0, 1, 1]


def test_win_rates_and_log_odds_are_different_games() -> None:
    tally = Tally.from_matrix([[0, 60, 5], [40, 0, 90], [95, 10, 0]], "abc")
    odds = log_odds(tally, 0.01, "test").payoffs
    for option, payoffs in (("log-odds", odds), ("win-rate", (tally.wins - tally.wins.T) / 200)):
        found = nash_average(tally, payoff=option)
        shares = np.array([payoffs[1, 2], payoffs[2, 0], payoffs[0, 1]])  # of a 3-cycle
        assert weights(found) == pytest.approx((shares / shares.sum()).tolist())


def test_what_was_made_of_matches_is_told() -> None:
    found = nash_average(Tally.from_matrix([[0, 5, 0], [0, 0, 0], [0, 0, 0]], "abc"))
    assert len(found.info["notes"]) == 2
    assert "2 pairs never met" in found.info["notes"][0]
    assert "clip=0.01" in found.info["notes"][1]
    assert found.values == pytest.approx([0, -np.log(99) / 2, 0])


def test_difficulty_is_what_the_team_of_agents_misses() -> None:
    found = nash_average(Scores.from_matrix([[1.0, 0.0], [0.0, 1.0]], "tu", "ab"))
    assert found.info["difficulty"] == pytest.approx({"t": -0.5, "u": -0.5})


def test_very_large_and_very_small_numbers_are_scaled_first() -> None:
    rows = np.array([[1.0, -0.5, 0.0], [-1.0, 0.5, 0.75]])
    want = nash_average(Scores.from_matrix(rows, "tu", "abc"))
    for factor in (1e308, 1e-200):
        found = nash_average(Scores.from_matrix(factor * rows, "tu", "abc"))
        assert found.values == pytest.approx(want.values)
        raw = nash_average(Scores.from_matrix(factor * rows, "tu", "abc"), scale=False)
        assert weights(raw) == pytest.approx(
            weights(nash_average(Scores.from_matrix(rows, "tu", "abc"), scale=False))
        )


def test_refusals_say_what_to_do() -> None:
    holes = Scores.from_records([("t", "a", 1), ("t", "b", 2), ("u", "a", 3)])
    with pytest.raises(DataError, match="missing=common"):
        nash_average(holes)
    assert nash_average(holes, missing="common").info["tasks"] == {"t": 1.0, "u": 0.0}
    with pytest.raises(DataError, match="leaves none"):
        nash_average(Scores.from_records([("t", "a", 1), ("u", "b", 2)]), missing="common")
    with pytest.raises(DataError, match="add up to anything from -2 to 4"):
        nash_average(Game.from_payoffs([[[1, -1], [2, 0]], [[1, -1], [2, 0]]]))
    with pytest.raises(DataError, match="3 players"):
        nash_average(Game.from_payoffs([np.zeros((2, 2, 2))] * 3))
    with pytest.raises(DataError, match="nash-average:clip"):
        nash_average(Tally.from_matrix([[0, 1], [0, 0]], "ab"), clip=0.0)
