"""podium.rank: defaults, options, what it tells beside the ranking, and intervals."""

import json
from typing import Any

import numpy as np
import pytest

import podium
from podium.data.tally import Tally
from podium.errors import DataError, PodiumError
from podium.methods._registry import METHODS

SCORES = podium.Scores.from_matrix(
    np.array([[3, 2, 1], [3, 1, 2], [2, 3, 1], [3, 2, 1], [1, 3, 2]]), list("stuvw"), list("abc")
)
BALLOTS = podium.Profile.from_ballots([(4, "abc"), (3, "bca"), (1, "cab")])
MATCHES = podium.Matches.from_records([("a", "b", 1), ("b", "c", 1), ("c", "a", 1)] * 3)


def test_a_ranking_says_what_was_ranked_and_how() -> None:
    ranking = podium.rank(SCORES, "borda", variant="full")
    assert ranking.method == "borda"
    assert ranking.options == {"variant": "full"}
    assert ranking.tiers == (("a",), ("b",), ("c",))
    assert ranking.data == {"kind": "scores", "agents": 3, "tasks": 5, "records": 15, "missing": 0}
    assert ranking.intervals == {}
    assert "intervals" not in ranking.info
    assert ranking.seconds > 0


def test_the_default_method_suits_the_data() -> None:
    assert podium.rank(SCORES).method == "copeland"
    assert podium.rank(BALLOTS).method == "copeland"
    assert podium.rank(MATCHES).method == ("elo" if "elo" in METHODS.cards else "copeland")
    game = podium.Game.from_payoffs([[[1, 0], [0, 2]], [[1, 0], [0, 2]]])
    assert podium.rank(game).method == ("deviation" if "deviation" in METHODS.cards else "uniform")


def test_methods_that_read_votes_tell_the_condorcet_winner() -> None:
    info = podium.rank(BALLOTS, "plurality").info
    assert info["condorcet_winner"] is None
    assert info["weak_condorcet_winners"] == ["a"]
    assert info["condorcet_loser"] is None  # c ties with a
    assert info["unique"] is True
    assert podium.rank(SCORES, "copeland").info["condorcet_winner"] == "a"
    assert podium.rank(SCORES, "copeland").info["condorcet_loser"] == "c"
    assert "condorcet_winner" not in podium.rank(SCORES, "mean").info


def test_condorcet_winners_of_a_cycle_are_nobody() -> None:
    info = podium.rank(MATCHES, "copeland").info
    assert (info["condorcet_winner"], info["weak_condorcet_winners"]) == (None, [])


def test_weights_weigh_tasks_in_every_method() -> None:
    heavy = {"w": 10.0}
    assert podium.rank(SCORES, "plurality", weights=heavy).tiers[0] == ("b",)
    assert podium.rank(SCORES, "mean", weights=heavy).tiers[0] == ("b",)
    with pytest.raises(DataError, match="no task named 'x'"):
        podium.rank(SCORES, weights={"x": 1.0})
    with pytest.raises(DataError, match="a tally has no tasks"):
        podium.rank(Tally.from_matrix([[0, 1], [2, 0]], "ab"), weights={"x": 1.0})


def test_notes_of_the_data_reach_the_ranking() -> None:
    ranking = podium.rank(SCORES.with_notes("three rows were skipped"))
    assert ranking.info["notes"] == ["three rows were skipped"]
    assert "notes" not in podium.rank(SCORES).info


@pytest.mark.parametrize(
    ("method", "given", "says"),
    [
        ("copland", {}, "did you mean 'copeland'"),
        ("borda", {"varient": "full"}, "did you mean 'variant'"),
        ("plurality", {"k": 3}, "plurality has no options"),
        ("borda", {"intervals": "bayes"}, "intervals is 'bayes'; choose from 'none'"),
        ("borda", {"intervals": "posterior"}, "borda offers no posterior intervals"),
        ("borda", {"intervals": "sandwich"}, "bootstrap works for every method"),
        ("borda", {"intervals": "bootstrap", "resample": "match"}, "resample .for scores."),
        ("borda", {"level": 2}, "level is 2"),
        ("borda", {"jobs": -3}, "jobs is -3"),
    ],
)
def test_wrong_wishes_are_refused(method: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(DataError, match=says):
        podium.rank(SCORES, method, **given)


def test_a_method_that_cannot_read_the_data_says_which_can() -> None:
    with pytest.raises(DataError, match=r"mean: .*give scores; methods that read .* copeland"):
        podium.rank(MATCHES, "mean")


@pytest.mark.parametrize(
    ("data", "unit"), [(SCORES, "task"), (BALLOTS, "ballot"), (MATCHES, "match")]
)
def test_intervals_reach_the_ranking(data: Any, unit: str) -> None:
    ranking = podium.rank(data, "copeland", intervals="bootstrap", replicates=50, seed=1)
    told = ranking.info["intervals"]
    assert told["kind"] == "bootstrap"
    assert (told["unit"], told["replicates"], told["level"]) == (unit, 50, 0.95)
    assert sorted(agent for group in told["groups"] for agent in group) == ["a", "b", "c"]
    for row in ranking.table():
        assert row["rating_low"] <= row["rating"] <= row["rating_high"]
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    json.dumps(ranking.to_dict(), allow_nan=False)


def test_auto_makes_intervals_where_they_are_cheap_and_else_says_why_not() -> None:
    assert podium.rank(SCORES, "borda", intervals="auto").info["intervals"]["kind"] == "bootstrap"
    one = podium.Scores.from_matrix([[1, 2]], ["t"], ["a", "b"])
    told = podium.rank(one, "borda", intervals="auto").info["intervals"]
    assert told["kind"] is None
    assert "no cell has more than one sample" in told["notes"][0]
    many = podium.Scores.from_matrix(np.ones((2, 2_100)), "st", [f"a{i}" for i in range(2_100)])
    told = podium.rank(many, "borda", intervals="auto").info["intervals"]
    assert "intervals=bootstrap" in told["notes"][0]


@pytest.mark.parametrize("name", [card.name for card in METHODS if card.can_read(podium.Scores)])
def test_every_method_has_intervals(name: str) -> None:
    ranking = podium.rank(SCORES, name, intervals="bootstrap", replicates=20)
    assert set(ranking.rank_intervals) == {"a", "b", "c"}


def test_a_ranking_shows_itself_in_a_notebook_without_running_names() -> None:
    scores = podium.Scores.from_matrix([[1, 2], [2, 1], [1, 3]], "stu", ["<b>x", "y&z"])
    page = podium.rank(scores, "borda", intervals="bootstrap", replicates=20)._repr_html_()
    assert "&lt;b&gt;x" in page
    assert "y&amp;z" in page
    assert "rank interval" in page
    assert "interval" not in podium.rank(scores, "borda")._repr_html_()


def test_nobody_and_one_agent_are_ranked() -> None:
    for agents in ([], ["a"]):
        profile = podium.Profile.from_ballots([(2, [agents] if agents else [])], agents)
        try:
            ranking = podium.rank(profile, "borda", intervals="auto")
        except PodiumError as error:
            pytest.fail(str(error))
        assert [row["agent"] for row in ranking.table()] == agents
