"""Figures of the paper on active evaluation: their data, their pictures, what they are checked by."""

import csv
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from podium import simulate, worlds
from podium.experiments import _active, run
from podium.experiments._active import PRESET_OF, settled
from podium.experiments._active_curves import STYLES, curves, errors
from podium.experiments._kemeny import growing_kemeny
from podium.experiments.active_figure4 import distances, law
from podium.experiments.active_figure5 import bounds
from podium.experiments.active_findings import BATCH, VOTING
from podium.metrics.ranking import kendall_distance
from podium.study.presets import PRESETS

CURVES = ("active-figure2", "active-figure3", "active-figure6", "active-figure7", "active-figure8")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulations end soon."""
    monkeypatch.setattr(_active, "ROUNDS", 500)


@pytest.mark.parametrize("name", [*CURVES, "active-figure4", "active-figure5"])
def test_a_figure_leaves_data_and_pictures(name: str, tmp_path: Path) -> None:
    (result,) = run([name], seeds=2, output=tmp_path)
    with (tmp_path / f"{name}-data.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    drawn = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    if name in CURVES:
        assert {row["panel"] for row in rows} == set(result.tables) - {
            title for title in result.tables if "mean error" in title
        }
        assert all(float(row["low"]) <= float(row["y"]) <= float(row["high"]) for row in rows)
        # The legend names every line.
        assert all(f">{line}<" in drawn for line in {row["line"] for row in rows})


@pytest.mark.parametrize("name", ["active-findings", "active-conclusions"])
def test_every_sentence_gets_a_verdict(name: str) -> None:
    (result,) = run([name], seeds=3)
    assert {one.verdict for one in result.findings} <= {"holds", "not decided", "does not hold"}
    assert all(one.why for one in result.findings if one.verdict != "holds")
    assert len({(one.what, one.of, one.where) for one in result.findings}) == len(result.findings)


def test_every_preset_of_the_paper_has_a_line() -> None:
    assert set(STYLES) == {"podium", *PRESET_OF.values()}
    assert {*BATCH, *VOTING} <= set(PRESETS.cards)


def test_points_are_means_over_the_window() -> None:
    result = simulate("batch-copeland", worlds.mallows(agents=8, tasks=5), rounds=500, seeds=[0, 1])
    (point,) = (p for p in curves({"p": ([result], errors(3))}) if p["x"] == 400)
    assert point["y"] == pytest.approx(result.gre(3)[:, 150:400].mean())


def test_an_error_is_settled_if_it_was_0_in_all_of_the_window() -> None:
    result = simulate("batch-elo", worlds.mallows(), rounds=1_500, seeds=range(12))
    for at in (600, 1_500):
        # 500 points are kept of 1,500 rounds: only a necessary condition can be seen here.
        seen = (result.shown > at - 250) & (result.shown <= at)
        quiet = ~result.gre(3)[:, seen].any(axis=1)
        assert not (settled(result, 3, at) & ~quiet).any()
        assert settled(result, 3, at).any()
    assert not settled(result, 3, 100).all()


def test_distances_follow_the_law_of_the_paper() -> None:
    # Equation (4), all orders of four agents one by one.
    phi, orders = 0.4, np.array(list(permutations(range(4))))
    far = kendall_distance(orders)
    chance = np.bincount(far, weights=phi**far)
    assert law(phi, 4) == pytest.approx(chance / chance.sum())


def test_distances_of_a_world_are_those_of_its_orders() -> None:
    assert not distances(worlds.mallows(phi=0.0).drawn(0)).any()
    world = worlds.table([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]], 1.0, truth=[0, 1, 2]).drawn(0)
    assert distances(world).tolist() == [0, 3]
    lost, won = bounds(worlds.table([[1.0, 1.0, 0.0]], 1.0, truth=[0, 1, 2]).drawn(0))
    assert (lost.tolist(), won.tolist()) == ([0], [1])


def test_growing_kemeny_agrees_with_most_matches() -> None:
    world = worlds.mallows(agents=4, tasks=3, phi=0.9)
    outcome = simulate(growing_kemeny(), world, rounds=60, seeds=range(6))
    names = ["a", "b", "c", "d"]
    for run_ in outcome.runs:
        assert run_.places.shape[1] == len(names)
    clear = simulate(
        growing_kemeny(),
        worlds.mallows(agents=4, tasks=3, phi=0.0, sigma=0.0),
        rounds=150,
        seeds=[0],
    )
    assert not clear.kd()[:, -1].any()
