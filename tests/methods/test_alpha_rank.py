"""Alpha-Rank: saved numbers, games with a known answer, and what is refused."""

import json

import numpy as np
import pytest

from podium.data.game import Game
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._registry import METHODS
from podium.methods.alpha_rank import alpha_rank
from shared import shared

TABLES = ("human_starts", "plus_human_random")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("alpha", ["1.0", "10.0", "100.0", "None"])
def test_atari_of_the_paper(table: str, alpha: str) -> None:
    golden = json.loads(shared(f"golden/s003_rainbow_table5_{table}.json").read_text())
    scores = Scores.from_matrix(
        np.transpose(golden["normalised"]), golden["tasks"], golden["agents"]
    )
    found = alpha_rank(scores, alpha="infinite" if alpha == "None" else float(alpha))
    agents, tasks = found.info["players"]
    expected = golden["alpharank"][alpha]
    assert list(agents.values()) == pytest.approx(expected["agents"], abs=golden["tol"])
    assert list(tasks.values()) == pytest.approx(expected["tasks"], abs=golden["tol"])
    assert found.values.tolist() == list(agents.values())


def test_figure_8_of_the_paper() -> None:
    # Lanctot et al. 2025: masses of agents in [0.07, 0.21], of tasks in [0.005, 0.057].
    golden = json.loads(shared("golden/s003_rainbow_table5_human_starts.json").read_text())
    scores = Scores.from_matrix(
        np.transpose(golden["normalised"]), golden["tasks"], golden["agents"]
    )
    agents, tasks = alpha_rank(scores).info["players"]
    order = ["rainbow", "dist_dqn", "duel_ddqn", "prio_ddqn", "a3c", "ddqn", "noisy_dqn", "dqn"]
    assert sorted(agents, key=lambda agent: -agents[agent]) == order
    assert 0.07 <= min(agents.values()) <= max(agents.values()) <= 0.21
    assert 0.005 <= min(tasks.values()) <= max(tasks.values()) <= 0.057


def test_the_better_of_two_by_hand() -> None:
    # One population: 99.9 % of the moves from b to a succeed, 0.1 % of those back.
    tally = Tally.from_matrix([[0, 2], [1, 0]], "ab")
    assert alpha_rank(tally).values == pytest.approx([0.999, 0.001])
    assert alpha_rank(tally, epsilon=0.1).values == pytest.approx([0.9, 0.1])
    # alpha: rho = (1 - exp(-u)) / (1 - exp(-2 u)) and its mirror, u = 1/3.
    up = 1 / (1 + np.exp(-1 / 3))
    assert alpha_rank(tally, alpha=1.0, population=2).values == pytest.approx([up, 1 - up])


def test_one_population_or_one_each() -> None:
    rock = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    game = Game.from_payoffs([rock, rock.T], [list("rps")] * 2)
    assert alpha_rank(game).info["states"] == 9
    assert alpha_rank(game, single=True).info["states"] == 3
    assert alpha_rank(game, single=True).values == pytest.approx([1 / 3] * 3)
    with pytest.raises(DataError, match="two players with the same strategies"):
        alpha_rank(Game.from_payoffs([rock, rock]), single=True)


def test_alpha_is_a_number_or_a_word() -> None:
    card = METHODS["alpha-rank"]
    assert card.bind({"alpha": "2.5"}) == {"alpha": 2.5}
    assert card.bind({"alpha": 2}) == {"alpha": 2.0}
    assert card.bind({"alpha": "infinite"}) == {"alpha": "infinite"}
    with pytest.raises(DataError, match="alpha-rank:alpha is 'big'; give a number, or choose from"):
        card.bind({"alpha": "big"})
    with pytest.raises(DataError, match="give a number from 0"):
        alpha_rank(Tally.from_matrix([[0, 1], [0, 0]], "ab"), alpha=-1.0)


def test_chances_too_small_are_told_of() -> None:
    payoffs = np.array([[0.0, 1e6], [-1e6, 0.0]])
    found = alpha_rank(Game.from_payoffs([payoffs, payoffs.T]), alpha=1.0)
    assert found.info["notes"] == ["chances below 1e-250 count as this; alpha=infinite has none"]
    assert found.values == pytest.approx([1.0, 0.0])


def test_chains_too_large_are_refused() -> None:
    with pytest.raises(DataError, match="5,041 states are too many"):
        alpha_rank(Game.from_payoffs([np.zeros((71, 71))] * 2))


def test_two_agents_on_a_task() -> None:
    scores = Scores.from_matrix([[3, 0, 0], [0, 2, 0]], ["s", "t"], ["a", "b", "c"])
    found = alpha_rank(scores, game="agents-and-task")
    assert found.info["states"] == 18
    first, second, _ = found.info["players"]
    assert list(first.values()) == pytest.approx(list(second.values()))
