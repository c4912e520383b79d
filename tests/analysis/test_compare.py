"""podium.compare and rank_by: many rankings of the same data, and of its parts."""

import json

import numpy as np
import pytest

import podium
from podium.analysis.groups import rank_by
from podium.errors import DataError
from podium.methods._registry import METHODS

BALLOTS = podium.Profile.from_ballots([(4, "abc"), (3, "bca"), (1, "cab")])
SCORES = podium.Scores.from_matrix(np.array([[3, 2, 1], [3, 1, np.nan]]), "st", list("abc"))


def test_every_method_that_can_read_the_data_is_there() -> None:
    found = podium.compare(SCORES)
    able = {card.name for card in METHODS if card.can_read(podium.Scores)}
    assert {*found.rankings, *found.errors} == able
    assert found.rankings["copeland"].tiers == podium.rank(SCORES, "copeland").tiers


def test_the_table_has_a_rank_by_each_method_and_the_best_on_top() -> None:
    found = podium.compare(BALLOTS, ["borda", ("approval", {"k": 1}), "copeland"])
    assert list(found.rankings) == ["borda", "approval:k=1", "copeland"]
    rows = found.table()
    assert [row["agent"] for row in rows] == ["a", "b", "c"]
    assert rows[2] == {"agent": "c", "borda": 3, "approval:k=1": 3, "copeland": 3}
    assert "approval:k=1" in str(found)
    assert len(str(found).splitlines()) == 4


def test_a_method_that_fails_stands_in_its_place_with_its_error() -> None:
    found = podium.compare(SCORES, [("mean", {"missing": "error"}), "borda"])
    assert list(found.errors) == ["mean:missing=error"]
    answer = found.to_dict()
    assert answer["schema"] == "podium.rank/1"
    assert answer["data"]["missing"] == 1
    first, second = answer["results"]
    assert first["method"] == "mean"
    assert "missing" in first["error"]
    assert second["ranking"][0]["agent"] == "a"
    json.dumps(answer, allow_nan=False)
    assert "mean:missing=error: " in str(found)
    assert "mean:missing=error" in found._repr_html_()


def test_a_wrong_name_or_option_is_an_error_and_so_is_asking_twice() -> None:
    with pytest.raises(DataError, match="no method named 'bord'"):
        podium.compare(BALLOTS, ["bord"])
    with pytest.raises(DataError, match="no option of borda"):
        podium.compare(BALLOTS, [("borda", {"x": 1})])
    with pytest.raises(DataError, match="borda is asked for twice"):
        podium.compare(BALLOTS, ["borda", "borda"])


def test_names_are_escaped() -> None:
    ballots = podium.Profile.from_ballots([(1, ["<i>", "b"])])
    assert "<i>" not in podium.compare(ballots, ["borda"])._repr_html_()


def test_intervals_are_passed_on() -> None:
    found = podium.compare(BALLOTS, ["borda", "copeland"], intervals="bootstrap", replicates=20)
    one = podium.rank(BALLOTS, "copeland", intervals="bootstrap", replicates=20)
    assert found.rankings["copeland"].rank_intervals == one.rank_intervals
    assert found.rankings["borda"].rank_intervals


def test_groups_are_ranked_apart_and_on_average() -> None:
    parts = {
        "easy": podium.Profile.from_ballots([(1, "abc")]),
        "hard": podium.Profile.from_ballots([(1, "bad")]),
        "odd": podium.Profile.from_ballots([(1, ["b", ["a", "c"]])]),
    }
    grouped = rank_by(parts, "borda")
    assert list(grouped.rankings) == ["easy", "hard", "odd"]
    assert grouped.average_ranks == pytest.approx({"a": 5 / 3, "b": 4 / 3, "c": 2.5, "d": 3.0})
    assert grouped.average.tiers == (("b",), ("a",), ("c",), ("d",))
    assert "2 agents missing from some groups" in grouped.average.info["notes"][0]


def test_no_group_is_an_error() -> None:
    with pytest.raises(DataError, match="there is no group"):
        rank_by({})
