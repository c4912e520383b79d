"""Hodge ratings: what they explain, and the latent skills in what they leave."""

import numpy as np
import pytest

from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.hodge import hodge

ROCK = [[0, 9, 1], [1, 0, 9], [9, 1, 0]]


def elo_like(ratings: list[float]) -> Tally:
    """Make counts as ratings predict them."""
    ahead = np.subtract.outer(ratings, ratings)
    wins = 1e4 / (1 + np.exp(-ahead))
    np.fill_diagonal(wins, 0.0)
    return Tally.from_matrix(wins, "abcd"[: len(ratings)])


def test_probabilities_made_of_ratings_give_them_back() -> None:
    # Re-evaluating Evaluation, proposition 3: the divergence of the log-odds is the rating.
    found = hodge(elo_like([0.7, 0.1, -0.3, -0.5]))
    assert found.values == pytest.approx([0.7, 0.1, -0.3, -0.5])
    assert found.info["cyclic_share"] == pytest.approx(0, abs=1e-12)
    assert found.info["vectors"]["a"] == pytest.approx([0, 0], abs=1e-6)


def test_a_cycle_is_cyclic_alone() -> None:
    found = hodge(Tally.from_matrix(ROCK, "abc"))
    assert found.info["cyclic_share"] == 1
    assert set(found.tiers.tolist()) == {0}
    points = np.array(list(found.info["vectors"].values()))
    beats = points[0, 0] * points[1, 1] - points[0, 1] * points[1, 0]
    assert beats == pytest.approx(np.log(9))
    assert hodge(Tally.from_matrix(ROCK, "abc"), payoff="win-rate").info["cyclic_share"] == 1


def test_win_rates_are_ranked_as_by_the_share_of_wins() -> None:
    found = hodge(Tally.from_matrix([[0, 6, 9], [4, 0, 5], [1, 5, 0]], "abc"), payoff="win-rate")
    assert found.values == pytest.approx([0.5 / 3, -0.1 / 3, -0.4 / 3])


def test_skill_less_difficulty_explains_a_table_made_of_them() -> None:
    skill, difficulty = np.array([3.0, 2.0, 0.0]), np.array([1.0, -0.5, -0.5])
    scores = Scores.from_matrix(skill - difficulty[:, None], "tuv", "abc")
    found = hodge(scores, scale=False)
    assert found.values == pytest.approx(skill)
    assert list(found.info["difficulty"].values()) == pytest.approx(difficulty)
    assert found.info["cyclic_share"] == pytest.approx(0, abs=1e-12)


def test_skills_are_means_of_a_complete_table_and_fair_to_holes() -> None:
    rows = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.25]])
    assert hodge(Scores.from_matrix(rows, "tu", "abc")).values == pytest.approx(rows.mean(axis=0))
    heavy = Scores.from_matrix(rows, "tu", "abc", weights={"u": 3.0})
    assert hodge(heavy).values == pytest.approx(np.average(rows, axis=0, weights=[1, 3]))
    # b skipped the harder task: its mean of 4 is not above a's skill.
    holes = Scores.from_matrix([[5.0, 4.0, 3.0], [2.0, np.nan, 0.0]], "tu", "abc")
    found = hodge(holes, scale=False)
    assert found.values == pytest.approx([3.5, 2.5, 1.5])


def test_latent_skills_of_agents_and_tasks_make_up_the_rest() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(4, 3))
    found = hodge(Scores.from_matrix(rows, "tuvw", "abc"), scale=False, planes=2)
    x, y = (np.array(list(found.info[name].values())) for name in ("vectors", "task_vectors"))
    skill, difficulty = found.values, np.array(list(found.info["difficulty"].values()))
    assert x @ y.T == pytest.approx(rows.T - skill[:, None] + difficulty, abs=1e-12)
    left = np.square(found.info["strengths"]).sum()
    spread = np.square(rows - rows.mean(axis=1, keepdims=True)).sum()
    assert found.info["cyclic_share"] == pytest.approx(left / spread)


def test_a_constant_added_to_a_task_changes_no_share() -> None:
    rows = np.random.default_rng(1).normal(size=(4, 3))
    one, other = (
        hodge(Scores.from_matrix(r, "tuvw", "abc"), scale=False).info["cyclic_share"]
        for r in (rows, rows + np.array([[0.0], [7.0], [-3.0], [100.0]]))
    )
    assert one == pytest.approx(other)


def test_groups_that_nothing_compares_are_named() -> None:
    with pytest.raises(DataError, match=r"'a', 'b' \| 'c', 'd'"):
        hodge(Tally.from_matrix(np.diag([1.0, 0.0, 1.0], 1), "abcd"))
