"""Payoff ratings: games with a known equilibrium, copies, weights and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.game import Game
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.correlated import most_even_cce
from podium.methods._payoffs import counted_payoffs
from podium.methods.payoff_rating import payoff_rating
from strategies import steady, tallies


def test_matching_pennies_by_hand() -> None:
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    found = payoff_rating(Game.from_payoffs([pennies, -pennies], [list("ht")] * 2))
    assert found.values == pytest.approx([0.0, 0.0], abs=1e-9)
    assert found.info["played"][0] == pytest.approx({"h": 0.5, "t": 0.5})
    assert found.info["certificates"]["gap"] <= 1e-9


def test_a_dominated_strategy_is_rated_though_it_is_never_played() -> None:
    payoffs = [[[3.0, 3.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]
    found = payoff_rating(Game.from_payoffs(payoffs, [["up", "down"], ["left", "right"]]))
    assert found.info["players"][0] == pytest.approx({"up": 3.0, "down": 1.0})
    assert found.info["conditional"][0] == {"up": pytest.approx(3.0), "down": None}


@steady(30)
@given(st.integers(0, 10**9))
def test_the_rating_is_the_payoff_against_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (3, 2, 2)
    payoffs = [rng.integers(-3, 4, shape).astype(np.float64) for _ in shape]
    joint = most_even_cce(payoffs, np.ones(shape)).joint
    others = joint.sum(axis=0)
    expected = [(others * row).sum() for row in payoffs[0]]
    found = payoff_rating(Game.from_payoffs(payoffs))
    assert found.values == pytest.approx(expected, abs=1e-9)


def test_a_task_of_weight_two_is_two_tasks() -> None:
    rows = [[3.0, 0.0, 1.0], [0.0, 2.0, 1.0]]
    heavy = Scores.from_matrix(rows, ["s", "t"], ["a", "b", "c"], weights={"s": 2.0})
    copied = Scores.from_matrix([rows[0], *rows], ["s", "s2", "t"], ["a", "b", "c"])
    for game in ("agents-and-task", "agent-task"):
        one, two = (payoff_rating(s, game=game) for s in (heavy, copied))
        assert one.values == pytest.approx(two.values, abs=1e-9)
        assert one.info["notes"] == []


def test_of_counts_the_winner_of_all_pairs_comes_first() -> None:
    found = payoff_rating(Tally.from_matrix([[0, 2, 2], [1, 0, 1], [1, 2, 0]], "abc"))
    assert found.tiers.tolist() == [0, 1, 1]
    assert found.values[0] == pytest.approx(0.0, abs=1e-9)


def test_games_too_large_are_refused() -> None:
    rng = np.random.default_rng(0)
    scores = Scores.from_matrix(
        rng.random((60, 80)), [str(t) for t in range(60)], [str(a) for a in range(80)]
    )
    with pytest.raises(DataError, match="at most 5,000,000 fit"):
        payoff_rating(scores)


@steady(30)
@given(tallies(agents=(2, 5)))
def test_counts_are_a_game_like_any_other(tally: Tally) -> None:
    payoffs, _ = counted_payoffs(tally)
    game = Game.from_payoffs([payoffs, payoffs.T])
    assert payoff_rating(tally).values == pytest.approx(payoff_rating(game).values, abs=1e-6)
