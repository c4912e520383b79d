"""All Kemeny rankings: against all permutations, by both ways of solving."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Array, Floats
from podium.data.tally import Tally
from podium.kernels.kemeny import closure, kemeny
from podium.kernels.kemeny_lp import one_optimum, violated_cycles
from podium.kernels.kemeny_orders import Bounds, all_optima
from podium.kernels.kemeny_search import improved, order_loss, order_value
from strategies import steady, tallies


def slow_optima(counts: Floats) -> tuple[float, list[tuple[int, ...]]]:
    """Try all permutations."""
    size = len(counts)
    values = {
        order: math.fsum(counts[a, b] for a, b in itertools.combinations(order, 2))
        for order in itertools.permutations(range(size))
    }
    best = max(values.values())
    return best, [order for order, value in values.items() if value > best - 1e-9]


def slow_share(optima: list[tuple[int, ...]], size: int) -> Floats:
    share = np.zeros((size, size))
    for order in optima:
        for above, below in itertools.combinations(order, 2):
            share[above, below] += 1 / len(optima)
    return share


def random_counts(size: int, votes: int, seed: int) -> Floats:
    """Count votes that are uniformly random orders."""
    rng = np.random.default_rng(seed)
    places = np.stack([rng.permutation(size) for _ in range(votes)])
    return np.asarray((places[:, :, None] < places[:, None, :]).sum(axis=0).astype(np.float64))


@steady(150)
@given(tally=tallies(agents=(1, 6)), unit=st.sampled_from([1.0, 0.1, 1e-9, 1e9]))
def test_all_permutations_say_the_same(tally: Tally, unit: float) -> None:
    counts = tally.wins * unit
    value, optima = slow_optima(tally.wins)
    found = kemeny(counts, 60.0)
    assert found.value == pytest.approx(value * unit)
    assert found.bound == found.value
    assert tuple(found.order.tolist()) in optima
    assert found.optima == len(optima)
    assert found.unique == (len(optima) == 1)
    assert found.share == pytest.approx(slow_share(optima, len(counts)), abs=1e-12)


@steady(150)
@given(tally=tallies(agents=(2, 6)), unit=st.sampled_from([1.0, 0.1, 1e-9, 1e9]))
def test_linear_programme_settles_the_same_pairs(tally: Tally, unit: float) -> None:
    if not tally.margins.any():
        return
    _, optima = slow_optima(tally.wins)
    found = one_optimum(tally.margins * unit, 60.0)
    assert found.excess == 0
    assert tuple(found.order.tolist()) in optima
    assert found.certain is not None
    certain = slow_share(optima, len(tally.agents)) > 1 - 1e-9
    assert found.certain.tolist() == certain.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_subsets_and_programme_agree_beyond_permutations(seed: int) -> None:
    counts = random_counts(13, 11, seed)
    whole = all_optima(counts, 1e-9)
    found = one_optimum(counts - counts.T, 60.0)
    assert whole is not None
    assert found.certain is not None
    assert order_value(found.order, counts) == order_value(whole.order, counts)
    assert (found.certain == (whole.share > 1 - 1e-9)).all()


@pytest.mark.parametrize("seed", range(2))
def test_relabelled_cycle_of_thirty_agents_gives_the_same_answer(seed: int) -> None:
    counts = random_counts(30, 21, seed)
    mixed = np.random.default_rng(seed).permutation(30)
    one, other = kemeny(counts, 60.0), kemeny(counts[np.ix_(mixed, mixed)], 60.0)
    assert one.value == other.value == one.bound
    assert one.optima == other.optima
    assert one.share[np.ix_(mixed, mixed)] == pytest.approx(other.share, abs=1e-12)
    assert (one.share * counts).sum() == pytest.approx(one.value)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_sixty_uniformly_random_agents_are_proven(seed: int) -> None:
    found = kemeny(random_counts(60, 101, seed), 60.0)
    assert found.bound == found.value
    assert found.unique is not None


def test_bound_holds_where_time_is_up() -> None:
    counts = random_counts(40, 101, 0)
    best = kemeny(counts, 60.0)
    hasty = kemeny(counts, 0.0)
    assert hasty.value <= best.value == best.bound <= hasty.bound
    assert hasty.unique is None
    assert hasty.optima is None
    assert sorted(hasty.order.tolist()) == list(range(40))


def test_integer_programme_decides_where_sets_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    # On this profile the linear programme stays 1 below the integer one.
    counts = random_counts(24, 7, 17)
    best = one_optimum(counts - counts.T, 60.0)

    def give_up(*args: object, **options: object) -> None:
        return None

    monkeypatch.setattr("podium.kernels.kemeny_lp.all_optima", give_up)
    found = one_optimum(counts - counts.T, 60.0)
    assert found.excess == 0
    assert found.certain is None
    assert order_value(found.order, counts) == order_value(best.order, counts)


def test_agents_nobody_compared_stand_in_the_middle() -> None:
    counts = np.zeros((3, 3))
    counts[0, 1] = 1.0
    found = kemeny(counts, 60.0)
    assert found.optima == 3
    assert found.share.sum(axis=1) == pytest.approx([5 / 3, 1 / 3, 1.0])


def test_too_many_optima_to_count() -> None:
    found = kemeny(np.zeros((40, 40)), 60.0)
    assert found.optima is None
    assert found.unique is False
    assert (found.share == 0.5).sum() == 40 * 39


@steady(60)
@given(tally=tallies(agents=(2, 6)), data=st.data())
def test_bounds_lose_no_optimum(tally: Tally, data: st.DataObject) -> None:
    """A gap of what an optimum loses keeps all optima, whatever the penalties."""
    _, optima = slow_optima(tally.wins)
    size = len(tally.agents)
    cells = st.lists(st.integers(0, 2), min_size=size * size, max_size=size * size)
    penalty = np.array(data.draw(cells), dtype=np.float64).reshape(size, size)
    np.fill_diagonal(penalty, 0.0)
    gap = max(order_value(np.array(order), penalty) for order in optima)
    found = all_optima(tally.wins, 1e-9, Bounds(penalty, gap))
    assert found is not None
    assert found.number == len(optima)
    assert found.share == pytest.approx(slow_share(optima, size), abs=1e-12)


def test_sets_of_more_than_64_agents() -> None:
    size = 70
    counts = np.triu(np.ones((size, size)), 1)
    counts[1, 0] = 1.0
    found = all_optima(counts, 0.0, Bounds(np.tril(np.ones((size, size)), -1), 1.5))
    assert found is not None
    assert found.number == 2
    assert found.share[0, 1] == 0.5
    assert all_optima(counts, 0.0, most=1000) is None


@steady(60)
@given(tally=tallies(agents=(1, 6)))
def test_no_single_move_improves_an_improved_order(tally: Tally) -> None:
    order = improved(np.arange(len(tally.agents)), tally.margins)
    least = order_loss(order, tally.margins)
    for agent in order.tolist():
        others = order[order != agent]
        for place in range(len(order)):
            moved: Array = np.insert(others, place, agent)
            assert order_loss(moved, tally.margins) >= least


@steady(60)
@given(tally=tallies(agents=(1, 6)))
def test_closure_is_every_path(tally: Tally) -> None:
    edges = tally.wins > 0
    slow = edges.copy()
    for middle in range(len(slow)):
        for a, b in itertools.product(range(len(slow)), repeat=2):
            slow[a, b] |= slow[a, middle] and slow[middle, b]
    assert closure(edges).tolist() == slow.tolist()


def test_cycles_in_both_directions_are_found() -> None:
    above = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype=np.float64)
    cycles, excess = violated_cycles(above)
    assert cycles.tolist() == [[0, 2, 1]]
    assert excess.tolist() == [1.0]
    assert not len(violated_cycles(np.full((3, 3), 2 / 3))[0])
