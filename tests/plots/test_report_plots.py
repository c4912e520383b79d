"""Plots of reports: their data are those of the analyses, and they can be drawn."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from podium.data.ratings import Ranking
from podium.data.tally import Tally
from podium.plots import (
    contributions,
    disc,
    method_distances,
    pair_shares,
    places,
    spend,
    split,
    task_distances,
    task_roles,
)
from podium.plots._altair import NIGHT, night_css, pdf, png, svg

TALLY = Tally.from_matrix([[0, 4, 2], [1, 0, 2], [2, 2, 0]], "abc")
EIGHTY = [f"a{n}" for n in range(80)]


def test_win_rates_count_ties_as_halves_and_leave_out_those_who_never_met() -> None:
    met = np.array([[0, 10, 0], [10, 0, 1], [0, 1, 0]], float)
    wins = np.array([[0, 6, 0], [2, 0, 1], [0, 0, 0]], float)
    tally = Tally.of_arrays(("a", "b", "c"), wins, met)
    found = pair_shares.win_rates(tally, "ab")
    assert found[0, 1] == pytest.approx(0.7)  # 6 wins and 2 ties of 10
    cells = pair_shares.x_data("abc", pair_shares.win_rates(tally, "abc")).cells
    assert {cell["row"] + cell["column"] for cell in cells} == {"ab", "ba", "bc", "cb"}


def test_places_leave_out_what_hardly_happens() -> None:
    found = places.x_data("ab", [[0.999, 0.001], [0.001, 0.999]])
    assert [(cell["agent"], cell["place"]) for cell in found.cells] == [("a", 1), ("b", 2)]


def test_names_on_the_disc_do_not_lie_upon_each_other() -> None:
    found = disc.x_data({"far": [4.0, 0.0], "near": [3.9, 0.01], "other": [-1.0, 1.0]})
    drawn = svg(disc.draw(found, "a title"))
    assert ">far<" in drawn
    assert ">other<" in drawn
    assert ">near<" not in drawn


def test_method_distances_are_symmetric_and_reach_from_0_to_1() -> None:
    rankings = {
        "one": Ranking("one", (("a",), ("b",), ("c",)), {}),
        "turned": Ranking("turned", (("c",), ("b",), ("a",)), {}),
        "level": Ranking("level", (("a", "b", "c"),), {}),
    }
    shares = {(c["row"], c["column"]): c["share"] for c in method_distances.x_data(rankings).cells}
    assert shares["one", "turned"] == shares["turned", "one"] == 1.0
    assert shares["one", "one"] == 0.0
    assert shares["one", "level"] == 0.5


def test_histogram_holds_every_task_once() -> None:
    found = task_distances.x_data({"s": 0.0, "t": 0.049, "u": 0.5, "v": 1.0})
    assert [(bar["start"], bar["tasks"]) for bar in found.bars] == [(0.0, 2), (0.5, 1), (0.95, 1)]


def test_what_lies_ahead_is_drawn_as_far_as_it_is_in_sight() -> None:
    path = [(10.0, 0.5), (20.0, 0.7)]
    seen = spend.x_data(path, goal=0.9, forecast=spend.Forecast(30.0, 40.0, 900.0))
    assert seen.forecast == [{"low": 30.0, "middle": 40.0, "high": 900.0, "goal": 0.9}]
    far = spend.x_data(path, goal=0.9, forecast=spend.Forecast(30.0, math.inf, math.inf))
    assert far.forecast == []
    assert all(p["low"] < p["certainty"] < p["high"] for p in seen.points)
    # Wilson 1927 at 0.7 of 400: 0.6533 to 0.7429
    assert (seen.points[1]["low"], seen.points[1]["high"]) == pytest.approx(
        (0.6534, 0.7429), abs=2e-4
    )


def rates(agents: Any) -> Any:
    size = len(agents)
    table = np.full((size, size), 0.25)
    return pair_shares.draw(pair_shares.x_data(agents, table), "a title", subtitle=["said"])


DRAWN: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "contributions": (
        lambda: contributions.draw(contributions.x_data({"s": 1.0, "t": -2.0}), "a title"),
        ("s", "t"),
    ),
    "disc": (lambda: disc.draw(disc.x_data({"a": [1.0, 2.0], "b": [0, 0]}), "a title"), ("a",)),
    "disc of none": (lambda: disc.draw(disc.x_data({}), "a title"), ()),
    "method distances": (
        lambda: method_distances.draw(
            method_distances.x_data({"x": Ranking("x", (("a",), ("b",)), {})}), "a title"
        ),
        ("x", "0%"),
    ),
    "pair shares": (lambda: rates("ab"), ("a", "b", "25%", "said")),
    "many pair shares": (lambda: rates(EIGHTY), ("a0", "a79")),
    "places": (
        lambda: places.draw(places.x_data("ab", [[0.75, 0.25], [0.25, 0.75]]), "a title"),
        ("a", "75%", "place"),
    ),
    "many places": (
        lambda: places.draw(places.x_data(EIGHTY, np.full((80, 80), 0.0125)), "a title"),
        ("a0", "a79"),
    ),
    "spend": (
        lambda: spend.draw(
            spend.x_data([(1, 0.5)], goal=0.9, forecast=spend.Forecast(2, 3, 4)), "a title"
        ),
        ("wanted", "probability to be right"),
    ),
    "spend without a goal": (lambda: spend.draw(spend.x_data([(1, 0.5)]), "a title"), ("cost",)),
    "split": (
        lambda: split.draw(split.x_data({"one": 0.75, "rest": 0.25}), "a title"),
        ("75%", "25%", "rest"),
    ),
    "task distances": (
        lambda: task_distances.draw(task_distances.x_data({"s": 0.2}), "a title"),
        ("chance", "tasks"),
    ),
    "task roles": (
        lambda: task_roles.draw(task_roles.x_data([("s", 0.1, True)]), "a title"),
        ("s", "10.0%", task_roles.LEADS),
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_plots_are_drawn(name: str) -> None:
    draw, texts = DRAWN[name]
    drawn = svg(draw())
    assert all(f">{text}<" in drawn for text in ("a title", *texts))
    assert "NaN" not in drawn


def test_pictures_come_as_png_and_pdf_too() -> None:
    chart = rates("ab")
    assert png(chart).startswith(b"\x89PNG")
    assert pdf(chart).startswith(b"%PDF")


@pytest.mark.parametrize("name", ["\x1b[31m", "a\x00b", "\u202eback", "<b>&'\"", "a\ud800"])
def test_no_name_ends_the_process_or_leaves_its_text(name: str) -> None:
    drawn = svg(rates([name, "b"]))
    assert "<b>" not in drawn
    assert not re.search("[\x00-\x08\x0e-\x1f\u202e]", drawn)


def test_ink_turns_light_by_night() -> None:
    style = night_css()
    for day, night in NIGHT.items():
        assert f'svg [fill="{day}"] {{ fill: {night}; }}' in style
    inks = set(re.findall(r'fill="(#[0-9a-fA-F]+|black|white)"', svg(DRAWN["spend"][0]())))
    assert {"#1b1f24", "#0072b2"} <= inks <= set(NIGHT)
