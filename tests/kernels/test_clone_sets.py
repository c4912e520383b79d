"""Clone sets against their definition, tried on all subsets of a few agents."""

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Array
from podium.kernels.clones import clone_intervals, lexical_order, nested_intervals
from strategies import steady


@st.composite
def place_tables(draw: st.DrawFn) -> Array:
    size = draw(st.integers(1, 6))
    place: st.SearchStrategy[list[int]] = st.permutations(range(size))
    if draw(st.booleans()):  # ties, and agents left out
        place = st.lists(st.integers(0, size), min_size=size, max_size=size)
    rows = draw(st.lists(place, min_size=1, max_size=4))
    return np.array(rows).reshape(-1, size)


def is_clone_set(places: Array, some: tuple[int, ...]) -> bool:
    """Left out in full, or listed in full with the same relation to every outsider."""
    size = places.shape[1]
    outside = [agent for agent in range(size) if agent not in some]
    return all(
        len({row[member] == size for member in some}) == 1
        and all(
            len({int(np.sign(row[agent] - row[member])) for member in some}) == 1
            for agent in outside
        )
        for row in places
    )


def all_clone_sets(places: Array) -> list[frozenset[int]]:
    size = places.shape[1]
    return [
        frozenset(some)
        for number in range(2, size)
        for some in combinations(range(size), number)
        if is_clone_set(places, some)
    ]


def found_sets(places: Array, spans: list[tuple[int, int]]) -> list[frozenset[int]]:
    order = lexical_order(places).tolist()
    return [frozenset(order[first : final + 1]) for first, final in spans]


@given(place_tables())
@steady(400)
def test_nested_sets_are_the_clone_sets_that_overlap_no_other(places: Array) -> None:
    every = all_clone_sets(places)
    apart = {
        some
        for some in every
        if all(some <= other or other <= some or not some & other for other in every)
    }
    spans = clone_intervals(places[:, lexical_order(places)])
    assert set(found_sets(places, nested_intervals(spans, places.shape[1]))) == apart


@given(place_tables())
@steady(400)
def test_sets_of_neighbours_are_the_smallest_that_hold_two(places: Array) -> None:
    every = [*all_clone_sets(places), frozenset(range(places.shape[1]))]
    order = lexical_order(places).tolist()
    smallest = {
        min((some for some in every if {first, second} <= some), key=len)
        for first, second in pairwise(order)
    }
    spans = clone_intervals(places[:, order])
    assert set(found_sets(places, spans)) == smallest - {every[-1]}


def test_planted_blocks_are_found_among_hundreds() -> None:
    rng = np.random.default_rng(1)
    blocks = [list(range(7 * k, 7 * k + 7)) for k in range(40)]
    ballots = [
        [
            agent
            for k in rng.permutation(40).tolist()
            for agent in rng.permutation(blocks[k]).tolist()
        ]
        for _ in range(30)
    ]
    places = np.argsort(np.array(ballots), axis=1)
    spans = clone_intervals(places[:, lexical_order(places)])
    found = found_sets(places, nested_intervals(spans, 280))
    assert set(found) == {frozenset(block) for block in blocks}
