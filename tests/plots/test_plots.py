"""Plots show what they were given: names, numbers, ties; without altair they say what to install."""

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from podium.data.ratings import Ranking
from podium.data.tally import Tally
from podium.errors import MissingExtra
from podium.plots import clone_curve, histograms, majority_graph, margin_matrix, panels, rank_chart
from podium.plots._altair import svg
from podium.plots.panels import Style

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


def test_panels_thin_their_lines_and_keep_the_ends() -> None:
    rows = [
        {"panel": "p", "line": "a", "x": x, "y": 0.5, "low": 0.4, "high": 0.6}
        for x in range(1, 501)
    ]
    style = {"a": Style("#000000"), "b": Style("#ffffff")}
    for log in (False, True):
        shown = panels.x_data(rows, style, log=log)
        assert list(shown.styles) == ["a"]
        across = [point["x"] for point in shown.points]
        assert across == sorted(set(across))
        assert (across[0], across[-1]) == (1, 500)
        assert len(across) <= panels.MOST
    assert np.diff(across[-3:]).min() > 1  # sparse at the end of a logarithmic axis


def test_panels_are_drawn_with_one_legend() -> None:
    rows = [
        {"panel": panel, "line": line, "x": x, "y": 1 / x, "low": 0.0, "high": 2 / x}
        for panel in ("left", "right")
        for line in ("whole", "dotted")
        for x in (1, 10, 100)
    ]
    style = {"whole": Style("#0072b2"), "dotted": Style("#d55e00", (2, 2))}
    for log in (False, True):
        shown = panels.x_data(rows, style, log=log)
        drawn = svg(panels.draw(shown, "title", x="round", y="error", log=log))
        assert all(f">{name}<" in drawn for name in ("left", "right", "title", "round", "error"))
        assert drawn.count(">dotted<") == 1
        assert 'stroke-dasharray="2,2"' in drawn


def test_histograms_are_drawn_with_what_was_expected() -> None:
    found = histograms.x_data({"one": [1, 3], "two": [2, 0]}, {"one": [1.5, 2.5], "two": [1, 1]})
    assert [bar["expected"] for bar in found.bars] == [1.5, 2.5, 1, 1]
    drawn = svg(histograms.draw(found, "title", x="distance", y="tasks"))
    assert all(f">{name}<" in drawn for name in ("one", "two", "title", "distance", "tasks"))
    assert "expected" not in histograms.x_data({"one": [1]}).bars[0]


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
