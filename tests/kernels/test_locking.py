"""Locking against slow twins: one search of the graph for every pair, all orders of equals."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.arrays import Bools, Floats
from podium.kernels.graphs import edges_of
from podium.kernels.locking import lock_every_way, lock_together

Pair = tuple[int, int]


@st.composite
def margins(draw: st.DrawFn, largest: int = 7, levels: int = 3) -> Floats:
    """Draw skew-symmetric margins, with few levels or all different."""
    size = draw(st.integers(0, largest))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if draw(st.booleans()):
        upper = rng.integers(-levels, levels + 1, (size, size)).astype(float)
    else:
        upper = rng.permutation(size * size).reshape(size, size) - size * size / 2
    upper = np.triu(upper, 1)
    array: Floats = upper - upper.T
    return array


def leads(edges: set[Pair], start: int, goal: int) -> bool:
    """Search a graph for a path."""
    seen, todo = {start}, [start]
    while todo:
        node = todo.pop()
        if node == goal:
            return True
        fresh = {j for i, j in edges if i == node} - seen
        seen |= fresh
        todo += fresh
    return False


def by_levels(array: Floats) -> list[list[Pair]]:
    pairs = [(int(i), int(j)) for i, j in np.argwhere(array > 0)]
    pairs.sort(key=lambda pair: -array[pair])
    return [list(group) for _, group in itertools.groupby(pairs, key=lambda pair: array[pair])]


def locked_in_order(pairs: list[Pair]) -> set[Pair]:
    """Ranked pairs as the textbook has it."""
    locked: set[Pair] = set()
    for i, j in pairs:
        if not leads(locked, j, i):
            locked.add((i, j))
    return locked


def locked_at_once(levels: list[list[Pair]]) -> set[Pair]:
    """Leave out what larger ones contradict, and what is in a cycle with its equals."""
    locked: set[Pair] = set()
    for level in levels:
        open_pairs = {(i, j) for i, j in level if not leads(locked, j, i)}
        sure = {(i, j) for i, j in open_pairs if leads(locked, i, j)}
        everything = locked | open_pairs
        locked |= sure | {(i, j) for i, j in open_pairs if not leads(everything, j, i)}
    return locked


def pairs_of(matrix: Bools) -> set[Pair]:
    return {(int(i), int(j)) for i, j in np.argwhere(matrix)}


def orders(levels: list[list[Pair]]) -> list[list[Pair]]:
    """List all orders of pairs that go down in strength."""
    choices = itertools.product(*(itertools.permutations(level) for level in levels))
    return [list(itertools.chain.from_iterable(choice)) for choice in choices]


@given(margins())
def test_lock_together_is_the_slow_rule(array: Floats) -> None:
    edges = edges_of(array)
    result = lock_together(edges, len(array))
    locked = locked_at_once(by_levels(array))
    kept = zip(edges.source[result.kept].tolist(), edges.target[result.kept].tolist(), strict=True)
    assert set(kept) == locked
    size = range(len(array))
    expected = {(i, j) for i in size for j in size if i != j and leads(locked, i, j)}
    assert pairs_of(result.reach.matrix()) == expected
    assert not any((j, i) in expected for i, j in expected)


@given(margins())
def test_without_equal_margins_locking_is_the_textbook(array: Floats) -> None:
    spread = array * (1 + np.triu(np.arange(array.size).reshape(array.shape), 1) / 1e4)
    spread = np.triu(spread, 1) - np.triu(spread, 1).T
    edges = edges_of(spread)
    result = lock_together(edges, len(array))
    kept = zip(edges.source[result.kept].tolist(), edges.target[result.kept].tolist(), strict=True)
    if all(len(level) == 1 for level in by_levels(spread)):
        assert set(kept) == locked_in_order([level[0] for level in by_levels(spread)])
        assert result.decided


@given(margins(largest=4, levels=2))
@settings(max_examples=60, deadline=None)
def test_every_way_is_every_order_of_equals(array: Floats) -> None:
    outcomes = lock_every_way(edges_of(array), len(array), limit=1_000)
    assert outcomes is not None
    levels = by_levels(array)
    if sum(len(level) > 5 for level in levels):
        return
    ways = {frozenset(locked_in_order(order)) for order in orders(levels)}
    found = {frozenset(pairs_of((array > 0) & reach.matrix())) for reach in outcomes}
    assert found == ways
    assert len(found) == len(outcomes)
    assert lock_together(edges_of(array), len(array)).decided == (len(ways) == 1)


def test_too_many_ways_are_refused() -> None:
    rng = np.random.default_rng(0)
    upper = np.triu(rng.choice([-1.0, 1.0], (12, 12)), 1)
    assert lock_every_way(edges_of(upper - upper.T), 12, limit=50) is None


def test_many_equal_edges_and_many_single_ones() -> None:
    rng = np.random.default_rng(2)
    for values in (rng.integers(-2, 3, (40, 40)).astype(float), rng.standard_normal((40, 40))):
        upper = np.triu(values, 1)
        array = upper - upper.T
        edges = edges_of(array)
        result = lock_together(edges, 40)
        kept = edges.source[result.kept].tolist(), edges.target[result.kept].tolist()
        assert set(zip(*kept, strict=True)) == locked_at_once(by_levels(array))
