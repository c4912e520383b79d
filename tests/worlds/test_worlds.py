"""What all worlds have in common, and what each promises."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from podium import Scores, worlds
from podium.errors import DataError
from podium.kernels import stream as chance
from podium.worlds._instance import Instance

RECORDED = [("s", "a", 1.0), ("s", "a", 3.0), ("s", "b", 0.0), ("t", "a", 5.0), ("t", "b", 4.0)]

MAKERS: dict[str, Callable[[], worlds.World]] = {
    "mallows": lambda: worlds.mallows(agents=5, tasks=60, phi=0.4),
    "plackett-luce": lambda: worlds.plackett_luce(agents=5, tasks=60, tau=0.5),
    "clones": lambda: worlds.clones(agents=4, tasks=60, clones=3),
    "agent57": worlds.agent57,
    "table": lambda: worlds.table([[3.0, 1.0, 2.0], [4.0, 0.0, 1.0]], 1.0),
    "replay": lambda: worlds.replay(Scores.from_records(RECORDED)),
}


def asked(instance: Instance, task: int, pair: tuple[int, int], count: int) -> list[float]:
    """Ask an instance for the scores of a pair."""
    stream, scores = np.zeros(1, dtype=np.uint64), np.zeros(2)
    chance.start.plain(stream, 1, chance.SCORES, count)
    instance.answer.plain(instance.source, np.array([task, *pair]), scores, stream)
    return scores.tolist()


@pytest.mark.parametrize("name", MAKERS)
def test_the_seed_decides_all(name: str) -> None:
    one, two = MAKERS[name]().drawn(5), MAKERS[name]().drawn(5)
    assert one.truth.tolist() == two.truth.tolist()
    assert one.means.tolist() == two.means.tolist()
    assert asked(one, 0, (0, 1), 3) == asked(two, 0, (0, 1), 3)
    assert one.sizes == MAKERS[name]().sizes


@pytest.mark.parametrize("name", MAKERS)
def test_scores_are_finite_and_scatter_around_the_means(name: str) -> None:
    instance = MAKERS[name]().drawn(0)
    drawn = np.array([asked(instance, 1, (1, 0), count) for count in range(300)])
    assert np.isfinite(drawn).all()
    error = drawn.std(axis=0) / np.sqrt(300)
    assert (abs(drawn.mean(axis=0) - instance.means[1, [1, 0]]) <= 4.5 * error + 1e-9).all()


@pytest.mark.parametrize("name", ["mallows", "plackett-luce", "clones"])
def test_most_tasks_agree_with_the_truth(name: str) -> None:
    instance = MAKERS[name]().drawn(2)
    truth = instance.truth.tolist()
    for better, worse in itertools.pairwise(truth):
        assert instance.tally[better, worse] > instance.tally[worse, better]


@pytest.mark.parametrize("name", MAKERS)
def test_relabelling_moves_all_of_an_agent_together(name: str) -> None:
    instance = MAKERS[name]().drawn(1)
    agents = chance.permutation(3, chance.LABELS, 0, instance.sizes.agents)
    tasks = chance.permutation(3, chance.LABELS, 1, instance.sizes.tasks)
    moved = instance.relabelled(agents, tasks)
    assert agents[moved.truth].tolist() == instance.truth.tolist()
    assert moved.means.tolist() == instance.means[np.ix_(tasks, agents)].tolist()
    there = asked(moved, 0, (1, 0), 4)
    assert there == asked(instance, int(tasks[0]), (int(agents[1]), int(agents[0])), 4)


@pytest.mark.parametrize("name", MAKERS)
def test_arrays_are_read_only(name: str) -> None:
    instance = MAKERS[name]().drawn(0)
    for array in (instance.truth, instance.means):
        assert not array.flags.writeable


def test_plackett_luce_draws_the_best_first_as_often_as_softmax_says() -> None:
    from podium.worlds.plackett_luce import draw_order

    strengths, stream = np.array([1.0, 2.0, 0.0]), np.zeros(1, dtype=np.uint64)
    keys, order, first = np.empty(3), np.empty(3, dtype=np.int64), np.zeros(3)
    for _ in range(20_000):
        draw_order(stream, strengths, 2.0, keys, order)
        first[order[0]] += 1
    expected = np.exp(strengths / 2.0) / np.exp(strengths / 2.0).sum()
    assert first / 20_000 == pytest.approx(expected, abs=0.012)


def test_a_clone_stands_next_to_its_original_on_every_task() -> None:
    world = worlds.clones(agents=5, tasks=30, clones=1, epsilon=0.05)
    for seed in range(8):
        instance = world.drawn(seed)
        assert sorted(instance.truth.tolist()) == [0, 1, 2, 3, 4]
        places = np.argsort(np.argsort(-instance.means, axis=1), axis=1)
        beside = [set((places[:, 5] - places[:, agent]).tolist()) for agent in range(5)]
        assert {1} in beside or {-1} in beside


def test_clones_are_a_step_towards_the_neighbour_or_the_bound() -> None:
    instance = worlds.clones(agents=2, tasks=40, phi=0.0, clones=1, epsilon=0.25).drawn(3)
    best, worst = instance.means[:, instance.truth].T
    ways = [best + 0.25 * (100 - best), best + 0.25 * (worst - best)]
    ways += [worst + 0.25 * (best - worst), 0.75 * worst]
    assert any(np.allclose(instance.means[:, 2], way) for way in ways)


def test_agent57_is_the_world_of_the_paper() -> None:
    world = worlds.agent57()
    assert world.sizes == (8, 57)
    means = world.drawn(0).means
    assert means.min(axis=1).tolist() == [0.0] * 57
    assert means.max(axis=1) == pytest.approx(100.0)
    raw = worlds.agent57(scale=False)
    assert raw.truth.tolist() == world.truth.tolist()
    width = raw.means.max(axis=1, keepdims=True) - raw.means.min(axis=1, keepdims=True)
    assert raw.stds == pytest.approx(world.stds * width / 100, rel=1e-9)


def test_the_truth_of_agent57_has_the_errors_of_the_printed_asymptotes() -> None:
    # Lanctot et al. 2026, Table 3: BasicUCB ends near 0.2420 (k = 3) and 0.0744 (k = 8). An order
    # by mean normalised score, which it comes to, has 0.2381 and 0.0714.
    from podium.metrics.ranking import places_of, ranking_error

    world = worlds.agent57()
    places = places_of(np.argsort(-world.means.mean(axis=0)), world.truth)
    assert ranking_error(places, 3) == pytest.approx(0.2381, abs=5e-5)
    assert ranking_error(places, 8) == pytest.approx(0.0714, abs=5e-5)


def test_replay_draws_recorded_scores_only() -> None:
    instance = MAKERS["replay"]().drawn(0)
    drawn = {tuple(asked(instance, 0, (0, 1), count)) for count in range(40)}
    assert drawn == {(1.0, 0.0), (3.0, 0.0)}


def test_replay_needs_every_cell() -> None:
    with pytest.raises(DataError, match="1 of 4 cells have no score"):
        worlds.replay(Scores.from_records(RECORDED[:-1]))


def test_the_truth_of_a_table_may_be_given() -> None:
    assert worlds.table([[1.0, 2.0]], 0.0, truth=[0, 1]).truth.tolist() == [0, 1]
    with pytest.raises(DataError, match=r"truth is \[0, 0\]"):
        worlds.table([[1.0, 2.0]], 0.0, truth=[0, 0])


def test_a_truth_that_is_not_the_only_one_has_to_be_given() -> None:
    cycle = np.array([[3.0, 2, 1], [1, 3, 2], [2, 1, 3]])
    with pytest.raises(DataError, match="several Kemeny orders"):
        worlds.table(cycle, 0.0)
    assert worlds.table(cycle, 0.0, truth=[1, 0, 2]).truth.tolist() == [1, 0, 2]
    scores = Scores.from_matrix(cycle, "stu", "abc")
    assert worlds.replay(scores, truth=["b", "a", "c"]).truth.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("means", "stds", "said"),
    [
        ([[1.0, float("nan")]], 1.0, "finite"),
        ([1.0], 1.0, "shape"),
        ([[1.0, 2.0]], -1.0, "below 0"),
    ],
)
def test_tables_that_cannot_be_played_are_refused(means: object, stds: float, said: str) -> None:
    with pytest.raises(DataError, match=said):
        worlds.table(means, stds)  # type: ignore[arg-type]  # wrong on purpose


def test_a_callback_that_forgets_an_agent_is_told_so() -> None:
    world = worlds.callback(lambda _, pair: {pair[0]: 1.0}, ["a", "b"], ["s"], truth=["a", "b"])
    instance = world.drawn(0)
    with pytest.raises(DataError, match="the score of 'b' on 's' is None"):
        instance.answer(instance.source, np.array([0, 0, 1]), np.zeros(2), np.zeros(1, np.uint64))
