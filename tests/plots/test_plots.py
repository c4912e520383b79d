"""Plots show what they were given: names, numbers, ties; without altair they say what to install."""

import builtins
from collections.abc import Callable
from typing import Any

import pytest

from podium.data.ratings import Ranking
from podium.data.tally import Tally
from podium.errors import MissingExtra
from podium.plots import clone_curve, majority_graph, margin_matrix, rank_chart
from podium.plots._altair import svg

TALLY = Tally.from_matrix([[0, 4, 2, 3], [1, 0, 2, 2], [3, 3, 0, 0], [2, 3, 5, 0]], "abcd")


def test_graph_shows_majorities_down_the_order_and_counts_the_rest() -> None:
    graph = majority_graph.x_data(TALLY, "cabd")
    assert [(e["winner"], e["loser"], e["margin"]) for e in graph.edges] == [
        ("c", "a", 1.0),
        ("c", "b", 1.0),
        ("a", "b", 3.0),
        ("a", "d", 1.0),
    ]
    assert graph.left_out == 2  # d beats b and c, who stand above it


def test_graph_shows_only_the_edges_asked_for_and_marks_estimates() -> None:
    graph = majority_graph.x_data(TALLY, "cab", {("a", "b")}, estimated={frozenset("ab")})
    assert [(e["winner"], e["loser"]) for e in graph.edges] == [("a", "b")]
    drawn = svg(majority_graph.draw(graph, "a title", unit="tasks"))
    assert "~3" in drawn
    assert "Not shown: 2 other majorities." in drawn


def test_graph_is_drawn_with_names_and_margins() -> None:
    drawn = svg(majority_graph.draw(majority_graph.x_data(TALLY, "cabd"), "who beats whom"))
    for text in (">a<", ">b<", ">c<", ">d<", ">3<", "who beats whom"):
        assert text in drawn


def test_matrix_is_drawn_with_all_margins() -> None:
    matrix = margin_matrix.x_data(TALLY, "abcd")
    assert len(matrix.cells) == 16
    drawn = svg(margin_matrix.draw(matrix, "margins"))
    assert drawn.count(">0<") == 4
    assert ">5<" in drawn


def test_rank_chart_keeps_tied_agents_apart_and_joins_them() -> None:
    rankings = {
        "one": Ranking("borda", (("a",), ("b", "c")), {}),
        "two": Ranking("copeland", (("c",), ("b",), ("a",)), {}),
    }
    chart = rank_chart.x_data(rankings, "abc")
    places = [(p["agent"], p["rank"], p["place"]) for p in chart.points if p["method"] == "one"]
    assert places == [("a", 1, 1), ("b", 2, 2), ("c", 2, 3)]
    drawn = svg(rank_chart.draw(chart, "ranks"))
    assert all(f">{name}<" in drawn for name in ("a", "b", "c", "one", "two"))


def test_clone_curve_is_drawn() -> None:
    drawn = svg(clone_curve.draw(clone_curve.x_data({1: 0.8, 2: 0.7}, 0.9), "clones"))
    assert "truth" in drawn


@pytest.mark.parametrize(
    "draw",
    [
        lambda: margin_matrix.draw(margin_matrix.x_data(TALLY, "ab"), ""),
        lambda: svg(None),
    ],
)
def test_without_the_extra_the_error_says_what_to_install(
    draw: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name in ("altair", "vl_convert"):
            raise ImportError(name)
        return load(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"podium\[plots\]"):
        draw()
