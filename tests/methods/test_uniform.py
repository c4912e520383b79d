"""Uniform: the average over equally likely opponents, of games, scores and matches."""

import numpy as np
import pytest
from hypothesis import given

from podium.data.convert import matches_to_tally
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods.mean import mean
from podium.methods.uniform import uniform
from strategies import games, score_tables, steady


@steady(50)
@given(games(players=3))
def test_games_of_three_players(game: Game) -> None:
    rows = game.payoffs[0].reshape(len(game.agents), -1)
    assert np.allclose(uniform(game).values, [sum(row) / len(row) for row in rows.tolist()])


@steady(50)
@given(score_tables(complete=True))
def test_of_scores_it_is_the_mean(scores: Scores) -> None:
    assert np.allclose(uniform(scores).values, mean(scores).values)


def test_matches_count_by_rival_and_a_tie_is_half_a_win() -> None:
    played = Matches.from_records(
        [("a", "b", 1.0), ("a", "b", 1.0), ("a", "b", 0.0), ("a", "c", 0.5)]
    )
    values = uniform(matches_to_tally(played)).values
    assert values.tolist() == pytest.approx([(2 / 3 + 1 / 2) / 2, 1 / 3, 1 / 2])


def test_an_agent_without_rivals_is_refused() -> None:
    with pytest.raises(DataError, match="'c' never met anybody"):
        uniform(Tally.from_matrix([[0, 1, 0], [0, 0, 0], [0, 0, 0]], "abc"))
