"""Deviation ratings: the paper's tables, tasks and contributions, and what is refused."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.convert import matches_to_tally
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.deviation import deviation
from podium.methods.maximal_lottery import maximal_lottery
from shared import shared
from strategies import score_tables, steady, tallies


def golden(name: str) -> Any:
    return json.loads(shared(f"golden/s004_{name}.json").read_text())


def test_biased_shapley_of_the_paper() -> None:
    # Table 2: all four strategies are rated -2720/964.
    own = np.array(golden("biased_shapley")["G1"])
    ratings = deviation(Game.from_payoffs([own, own.T]))
    assert ratings.values * 964 == pytest.approx([-2720] * 4, abs=1e-9)
    assert np.abs(ratings.values + 2720 / 964).max() < 1e-12
    assert ratings.tiers.tolist() == [0, 0, 0, 0]


def atari() -> tuple[Any, Scores]:
    table = golden("atari")
    return table, Scores.from_matrix(np.transpose(table["S"]), table["tasks"], table["agents"])


def test_atari_of_the_paper() -> None:
    # Figure 4: four tie on top of the game of two players, three of that of three; there the
    # human is 7th.
    table, scores = atari()
    two, three = deviation(scores, game="agent-task"), deviation(scores)
    for found, name in ((two, "2p"), (three, "3p")):
        tasks = found.info["players"][-1]
        assert found.values == pytest.approx(table[f"dev{name}_agents"], abs=table["tol"])
        assert list(tasks.values()) == pytest.approx(table[f"dev{name}_tasks"], abs=table["tol"])
    assert (two.tiers == 0).sum() == 4
    assert (three.tiers == 0).sum() == 3
    human = table["agents"].index("human")
    assert (three.values > three.values[human] + 1e-9).sum() == 6


@pytest.mark.parametrize("day", ["17", "31"])
@pytest.mark.parametrize("scale", [False, True])
def test_livebench_of_the_paper(day: str, scale: bool) -> None:
    table = golden(f"livebench_2024_08_{day}_{'minmax' if scale else 'raw'}")
    raw = golden(f"livebench_2024_08_{day}_raw")
    scores = Scores.from_matrix(np.transpose(raw["T"]), raw["tasks"], raw["agents"])
    found = deviation(scores, scale=scale)
    assert found.values == pytest.approx(table["models"], abs=table["tol"])
    tasks = list(found.info["players"][-1].values())
    assert tasks == pytest.approx(table["task_ratings"], abs=table["tol"])


def test_four_models_are_on_top_of_livebench() -> None:
    # Figure 2a, in the words of section 5.2.
    raw = golden("livebench_2024_08_17_raw")
    scores = Scores.from_matrix(np.transpose(raw["T"]), raw["tasks"], raw["agents"])
    ratings = deviation(scores)
    best = {a for a, tier in zip(ratings.agents, ratings.tiers, strict=True) if tier == 0}
    assert best == {
        "claude-3-5-sonnet-20240620",
        "gemini-1.5-pro-exp-0801",
        "gpt-4o-2024-08-06",
        "meta-llama-3.1-405b-instruct-turbo",
    }


@steady(40)
@given(score_tables(complete=True))
def test_contributions_add_up_to_the_rating(scores: Scores) -> None:
    for game in ("agents-and-task", "agent-task"):
        try:
            found = deviation(scores, game=game)
        except DataError:
            continue
        parts = found.info.get("contributions", {})
        for agent, own in parts.items():
            rating = found.values[found.agents.index(agent)]
            assert sum(own.values()) == pytest.approx(rating, abs=1e-7)


def test_certificates_rounds_and_players() -> None:
    found = deviation(Scores.from_matrix([[3, 0, 0], [0, 2, 0]], ["s", "t"], ["a", "b", "c"]))
    assert [list(own) for own in found.info["players"]] == [list("abc"), list("abc"), ["s", "t"]]
    assert found.info["certificates"]["gap"] == 0.0
    assert found.info["certificates"]["drift"] < 1e-9
    assert found.info["rounds"] >= 1
    assert found.info["notes"] == []
    assert [sum(own.values()) for own in found.info["played"]] == pytest.approx([1, 1, 1])


def test_scaling_is_asked_for_or_left_out() -> None:
    scores = Scores.from_matrix([[30, 0, 0], [0, 2, 0]], ["s", "t"], ["a", "b", "c"])
    scaled = Scores.from_matrix([[1, 0, 0], [0, 1, 0]], ["s", "t"], ["a", "b", "c"])
    assert deviation(scores, scale=True).values == pytest.approx(deviation(scaled).values)
    assert deviation(scores).values[0] != pytest.approx(deviation(scaled).values[0])
    default = deviation(scores, game="agent-task").values
    assert default == pytest.approx(deviation(scaled, game="agent-task").values)
    plain = deviation(scores, game="agent-task", scale=False)
    assert plain.values != pytest.approx(default)


def test_a_task_that_tells_nobody_apart_is_left_out_when_scaled() -> None:
    scores = Scores.from_matrix([[1, 0], [5, 5]], ["s", "t"], ["a", "b"])
    found = deviation(scores, game="agent-task")
    assert list(found.info["players"][-1]) == ["s"]
    assert found.info["notes"] == ["left out, as all agents score the same: 't'"]
    alike = Scores.from_matrix([[5, 5]], ["t"], ["a", "b"])
    assert deviation(alike, game="agent-task").tiers.tolist() == [0, 0]


def test_scores_that_nearly_tie_are_told_of() -> None:
    scores = Scores.from_matrix(
        [[1.0, 1 + 1e-9, 0.0], [0.0, 1.0, 2.0]], ["s", "t"], ["a", "b", "c"]
    )
    (note,) = deviation(scores).info["notes"]
    assert "quantum=1e-6" in note
    assert deviation(scores, quantum=1e-6).info["notes"] == []
    even = Scores.from_matrix([[1, 1, 0], [0, 1, 2]], ["s", "t"], ["a", "b", "c"])
    rounded = deviation(scores, quantum=1e-6).values
    assert rounded == pytest.approx(deviation(even).values, abs=1e-6)


def test_rounding_alone_makes_no_difference() -> None:
    one = Scores.from_matrix([[0.1 + 0.2, 0.0], [0.3, 1.0]], ["s", "t"], ["a", "b"])
    two = Scores.from_matrix([[0.3, 0.0], [0.1 + 0.2, 1.0]], ["s", "t"], ["a", "b"])
    assert deviation(one).values == pytest.approx(deviation(two).values, abs=1e-14)
    assert deviation(one).info["notes"] == []


def test_weights_of_tasks_are_copies_and_so_do_not_count() -> None:
    scores = Scores.from_matrix([[3, 0, 0], [0, 2, 0]], ["s", "t"], ["a", "b", "c"])
    heavy = scores.with_weights({"s": 5.0})
    assert deviation(heavy).values.tolist() == deviation(scores).values.tolist()
    assert "do not count" in deviation(heavy).info["notes"][0]
    alone = deviation(scores.with_weights({"s": 0.0}))
    assert alone.values == pytest.approx(deviation(scores.only(tasks=["t"])).values)


def test_missing_scores_are_refused_or_their_tasks_left_out() -> None:
    scores = Scores.from_matrix([[3.0, np.nan], [0.0, 2.0]], ["s", "t"], ["a", "b"])
    with pytest.raises(DataError, match=r"scores of 'b' are missing on 1 task.*missing=common"):
        deviation(scores)
    found = deviation(scores, missing="common")
    assert found.values == pytest.approx(deviation(scores.only(tasks=["t"])).values)
    assert found.info["notes"] == ["1 task with missing scores left out"]
    with pytest.raises(DataError, match="so there is no game"):
        deviation(scores.only(tasks=["s"]), missing="common")
    with pytest.raises(DataError, match="no scores to make a game"):
        deviation(Scores.from_records([]))


@steady(60)
@given(tallies(agents=(2, 5)))
def test_of_counts_the_best_are_those_of_some_maximal_lottery(tally: Tally) -> None:
    # Payoffs are shares, so lotteries are compared where all pairs met as often.
    wins = tally.wins + 1.0
    np.fill_diagonal(wins, 0.0)
    even = Tally.from_matrix(wins / np.where(wins + wins.T > 0, wins + wins.T, 1.0), tally.agents)
    best = deviation(even).tiers == 0
    ranges = maximal_lottery(even).info["ranges"]
    used = np.array([ranges[agent][1] > 1e-7 for agent in even.agents])
    assert (best == used).all()


def test_pairs_that_never_met_are_even() -> None:
    tally = matches_to_tally(Matches.from_records([("a", "b", 1.0), ("b", "c", 1.0)]))
    found = deviation(tally)
    assert found.info["notes"] == ["1 pair of agents never met and count as even"]
    assert found.tiers[0] == 0


def test_games_too_large_are_refused() -> None:
    shape = (2,) * 22
    with pytest.raises(DataError, match="at most 100,000,000 fit"):
        deviation(Game.from_payoffs([np.broadcast_to(0.0, shape)] * 22))


@steady(30)
@given(st.integers(0, 10**6))
def test_a_game_of_scores_is_the_same_written_down(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (3, 4)).astype(np.float64)
    ahead = table[:, None] - table
    game = Game.from_payoffs([ahead, -ahead, np.abs(ahead)])
    scores = Scores.from_matrix(table.T, list("stuv"), list("abc"))
    assert deviation(game).values == pytest.approx(deviation(scores).values, abs=1e-7)
