"""The Mallows world: exact probabilities, and tables that show the truth."""

import itertools

import numpy as np
import pytest

from podium.data.convert import scores_to_profile
from podium.errors import DataError
from podium.worlds.mallows import mallows, mallows_ranks

DRAWS = 60_000


def inversions(places: tuple[int, ...]) -> int:
    return sum(a > b for a, b in itertools.combinations(places, 2))


@pytest.mark.parametrize("agents", [3, 4])
@pytest.mark.parametrize("phi", [0.0, 0.3, 0.8, 1.0])
def test_orders_come_up_as_often_as_mallows_says(agents: int, phi: float) -> None:
    drawn = mallows_ranks(DRAWS, agents, phi, seed=1)
    orders = list(itertools.permutations(range(agents)))
    weight = np.array([phi ** inversions(order) for order in orders], dtype=float)
    expected = weight / weight.sum()
    found = dict.fromkeys(orders, 0)
    for row in map(tuple, drawn.tolist()):
        found[row] += 1
    shares = np.array([found[order] for order in orders]) / DRAWS
    error = np.sqrt(expected * (1 - expected) / DRAWS)
    assert (abs(shares - expected) <= 4.5 * error).all()


def test_neighbours_are_in_order_with_probability_one_over_one_plus_phi() -> None:
    drawn = mallows_ranks(DRAWS, 2, 0.6, seed=2)
    assert (drawn[:, 0] < drawn[:, 1]).mean() == pytest.approx(1 / 1.6, abs=0.01)


def test_a_table_orders_agents_as_its_tasks_do() -> None:
    table = mallows(agents=6, tasks=400, phi=0.5).drawn(3)
    assert table.means.shape == (400, 6)
    assert table.means.min() >= 0
    assert table.means.max() <= 100
    assert table.ranks[table.truth].tolist() == [1, 2, 3, 4, 5, 6]
    profile = scores_to_profile(table.scores())
    assert profile.complete
    assert profile.strict
    best_first = np.argsort(profile.places().mean(axis=0))
    assert best_first.tolist() == table.truth.tolist()


def test_the_seed_decides_all() -> None:
    world = mallows(agents=4, tasks=3)
    one, two, other = (world.drawn(seed) for seed in (5, 5, 6))
    assert (one.means == two.means).all()
    assert not (one.means == other.means).all()


def test_samples_scatter_around_the_means() -> None:
    table = mallows(agents=3, tasks=4, sigma=2.0).drawn(0)
    scores = table.sampled(500, np.random.default_rng(1))
    assert (scores.counts == 500).all()
    assert abs(scores.means - table.means).max() < 0.5
    spread = np.std(scores.value - table.means[scores.task, scores.agent])
    assert spread == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(
    "wrong", [{"agents": 0}, {"tasks": 0}, {"phi": 1.5}, {"phi": -0.1}, {"sigma": -1.0}]
)
def test_impossible_worlds_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(DataError, match=f"{next(iter(wrong))} is"):
        mallows(**wrong)  # type: ignore[arg-type]  # wrong on purpose
