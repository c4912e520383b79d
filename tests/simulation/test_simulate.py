"""Simulations: their results, their reproducibility, and what they refuse."""

import importlib.util
import itertools
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import podium
from podium import Scores, simulate, worlds
from podium.errors import DataError, MissingExtra
from podium.learners import LEARNERS
from podium.metrics.ranking import ranking_error
from podium.simulation._playing import loop_of
from podium.simulation.result import Simulation
from podium.simulation.simulate import PLAIN
from podium.strategies import STRATEGIES
from podium.study.presets import PRESETS, Preset
from podium.worlds._instance import answer_normal
from shared import ROOT

WORLD = worlds.mallows(agents=5, tasks=6, phi=0.5)
ROUNDS = 400


def result(preset: str = "batch-copeland", jobs: int = 1) -> Simulation:
    return simulate(preset, WORLD, rounds=ROUNDS, seeds=range(6), jobs=jobs)


def same(one: Simulation, other: Simulation) -> bool:
    return one.seeds == other.seeds and all(
        a.since.tolist() == b.since.tolist() and a.places.tolist() == b.places.tolist()
        for a, b in zip(one.runs, other.runs, strict=True)
    )


@pytest.mark.parametrize("preset", ["podium", "batch-copeland"])
def test_the_number_of_jobs_changes_nothing(preset: str) -> None:
    assert same(result(preset), result(preset, jobs=3))


def test_a_seed_gives_the_same_run_whatever_the_other_seeds() -> None:
    alone = simulate("batch-copeland", WORLD, rounds=ROUNDS, seeds=[4])
    assert alone.runs[0].places.tolist() == result().runs[4].places.tolist()


def test_more_rounds_go_on_where_fewer_end() -> None:
    short, long = (simulate("podium", WORLD, rounds=r, seeds=[1]).runs[0] for r in (150, 400))
    upto = int(np.searchsorted(long.since, 150, side="right"))
    assert short.since.tolist() == long.since[:upto].tolist()
    assert short.places.tolist() == long.places[:upto].tolist()


def test_agre_is_the_mean_of_the_error_of_each_round() -> None:
    outcome = result()
    each = []
    for run in outcome.runs:
        current = np.searchsorted(run.since, np.arange(1, ROUNDS + 1), side="right") - 1
        each.append(ranking_error(run.places[current], 3))
    for at in (1, 77, ROUNDS):
        means = np.array(each)[:, :at].mean(axis=1)
        assert outcome.agre_by_seed(3, at) == pytest.approx(means)
        assert outcome.agre(3, at).mean == pytest.approx(means.mean())
        assert outcome.error_rounds(3, at).mean == pytest.approx(at * means.mean())
    assert outcome.gre(3) == pytest.approx(np.array(each)[:, outcome.shown - 1])


def test_curves_are_seeds_by_rounds() -> None:
    outcome = simulate("uniform-averaging", WORLD, rounds=1_200, seeds=range(3))
    assert outcome.shown[-1] == 1_200
    assert len(outcome.shown) == 500
    for curve in (outcome.gre(2), outcome.ide(2), outcome.kd(), outcome.ksd()):
        assert curve.shape == (3, 500)
    assert outcome.kd(normalized=True) == pytest.approx(outcome.kd() / 10)
    assert (outcome.kd() % 1 == 0).all()


def test_the_first_order_is_reported_in_the_first_round() -> None:
    assert all(run.since[0] == 1 for run in result().runs)


def test_the_truth_has_no_error_left_with_clear_scores() -> None:
    world = worlds.mallows(agents=4, tasks=20, phi=0.0, sigma=0.0)
    outcome = simulate("podium", world, rounds=300, seeds=range(4))
    assert not outcome.gre(4)[:, -1].any()
    assert not outcome.ksd()[:, -1].any()


def test_all_worlds_can_be_played() -> None:
    scores = Scores.from_records(
        [
            (task, agent, float(len(agent) + play))
            for task in "st"
            for agent in ("a", "bb")
            for play in (0, 1)
        ]
    )
    made: list[worlds.World] = [
        worlds.replay(scores),
        worlds.plackett_luce(agents=3, tasks=4),
        worlds.clones(agents=3, tasks=4, clones=2),
        worlds.table([[1.0, 2.0]], 0.5),
        worlds.agent57(),
    ]
    for world in made:
        plain, compiled = (
            simulate("online-elo", world, rounds=rounds, seeds=[0]) for rounds in (PLAIN, PLAIN + 1)
        )
        assert (
            compiled.runs[0].since[: len(plain.runs[0].since)].tolist()
            == plain.runs[0].since.tolist()
        )


def test_clones_are_not_judged() -> None:
    outcome = simulate("uniform-averaging", worlds.clones(agents=3, clones=4), rounds=50, seeds=[0])
    assert outcome.runs[0].places.shape[1] == 3
    with pytest.raises(DataError, match="k is 4"):
        outcome.agre(k=4)


def test_a_callback_is_asked_by_name() -> None:
    asked = []

    def evaluate(task: str, pair: tuple[str, ...]) -> dict[str, float]:
        asked.append((task, pair))
        return {agent: float(len(agent)) for agent in pair}

    world = worlds.callback(evaluate, ["a", "bb", "ccc"], ["s", "t"], truth=["ccc", "bb", "a"])
    outcome = simulate("batch-copeland", world, rounds=40, seeds=[0])
    assert len(asked) == 40
    simulate("batch-copeland", world, rounds=120, seeds=[0, 1], jobs=2)
    assert len(asked) == 40 + 240
    assert {task for task, _ in asked} == {"s", "t"}
    assert {agent for _, pair in asked for agent in pair} == {"a", "bb", "ccc"}
    assert not outcome.gre(3)[:, -1].any()


def test_the_order_of_a_list_of_agents_and_tasks_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    means = rng.normal(0.0, 20.0, (10, 5)) + 8.0 * np.arange(5)
    errors = []
    for rows, order in itertools.product((means, means[::-1]), ([0, 1, 2, 3, 4], [3, 4, 2, 0, 1])):
        truth = [order.index(agent) for agent in (4, 3, 2, 1, 0)]
        world = worlds.table(rows[:, order], 10.0, truth)
        errors.append(simulate("podium", world, rounds=80, seeds=range(150)).agre(3))
    for one, other in itertools.combinations(errors, 2):
        # Half widths are two standard errors; four of the difference never happen by chance.
        assert abs(one.mean - other.mean) < 2 * (one.half_width**2 + other.half_width**2) ** 0.5


def test_progress_is_told_seed_by_seed() -> None:
    told: list[tuple[int, int]] = []
    simulate("online-elo", WORLD, rounds=300, seeds=range(3), progress=lambda *at: told.append(at))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_learner_and_a_strategy_of_ones_own() -> None:
    preset = Preset("own", LEARNERS["online-sco"].make(step=0.5), STRATEGIES["completion"].make())
    outcome = simulate(preset, WORLD, rounds=60, seeds=[0])
    assert outcome.preset == "own"


def test_the_strategy_that_the_page_shows_works(tmp_path: Path) -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def evaluate(task: str, pair: tuple[str, ...]) -> dict[str, float]:
        asked.append((task, pair))
        return {agent: float(len(agent)) for agent in pair}

    world = worlds.callback(evaluate, ["a", "bb", "ccc"], ["s", "t"], truth=["ccc", "bb", "a"])
    page = (ROOT / "docs" / "active.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "close_pairs.py").write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("close_pairs", tmp_path / "close_pairs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        preset = Preset("own", LEARNERS["online-elo"].make(), module.close_pairs())
        simulate(preset, world, rounds=PLAIN, seeds=[0])
    finally:
        STRATEGIES.cards.pop("close-pairs", None)
    assert {task for task, _ in asked} == {"s", "t"}
    assert {agent for _, pair in asked for agent in pair} == {"a", "bb", "ccc"}
    assert all(one != other for _, (one, other) in asked)


def test_a_strategy_that_asks_more_than_the_learner_offers_is_refused() -> None:
    preset = Preset("odd", LEARNERS["averages"].make(), STRATEGIES["expected-gain"].make())
    with pytest.raises(
        DataError, match="needs cells, votes, weights, which learner 'averages' does not offer"
    ):
        simulate(preset, WORLD)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"rounds": 0}, "rounds is 0"),
        ({"jobs": 0}, "jobs is 0"),
        ({"seeds": []}, "number of seeds is 0"),
        ({"seeds": [-1]}, "seed is -1"),
    ],
)
def test_impossible_requests_are_refused(more: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        simulate("podium", WORLD, **more)  # type: ignore[arg-type]  # wrong on purpose


def test_unknown_presets_are_named_back() -> None:
    with pytest.raises(DataError, match="did you mean 'batch-elo'"):
        simulate("batch-ello", WORLD)


@pytest.mark.parametrize("engine", ["Ray", "ray:host=h", "ray:address=", "ray:address", "spark"])
def test_an_engine_that_is_not_there_is_refused(engine: str) -> None:
    with pytest.raises(DataError, match="give 'local', 'ray' or"):
        simulate("online-elo", WORLD, rounds=300, seeds=[0], engine=engine)


def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'podium\[ray\]'"):
        simulate("online-elo", WORLD, rounds=300, seeds=[0], engine="ray")


def test_jobs_travel_to_other_processes_and_find_what_was_compiled() -> None:
    loops = [loop_of(p.strategy.choose, answer_normal, p.learner.update) for p in PRESETS]
    for loop in loops:
        back = pickle.loads(pickle.dumps(loop))
        assert back == loop
        assert back.label == loop.label
        assert hash(back) == hash(loop)
    assert len(set(loops)) == len(loops)


def test_a_window_averages_the_last_rounds() -> None:
    outcome = simulate("batch-copeland", WORLD, rounds=450, seeds=range(3))
    each = outcome.gre(2)
    assert outcome.shown.tolist() == list(range(1, 451))
    windows = [each[:, max(last - 100, 0) : last].mean(axis=1) for last in outcome.shown]
    assert outcome.gre(2, window=100) == pytest.approx(np.array(windows).T)
    with pytest.raises(DataError, match="window is 0"):
        outcome.gre(2, window=0)


def test_simulation_is_public() -> None:
    assert podium.simulate is simulate
    assert podium.worlds is worlds
    assert {"simulate", "worlds", "Simulation"} <= set(dir(podium))
