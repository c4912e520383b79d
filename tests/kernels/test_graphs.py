"""Graphs: components, reachability and strongest paths against slow, plain definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.arrays import Bools, Floats
from podium.kernels import graphs
from podium.kernels.graphs import (
    Reach,
    connect,
    edges_of,
    layers,
    single_bits,
    strong_components,
    strong_components_of_edges,
    strongest_paths,
)


@st.composite
def arrays(draw: st.DrawFn, largest: int = 9, levels: int = 5) -> Floats:
    """Draw strengths of directed edges, many of them equal, many missing."""
    size = draw(st.integers(0, largest))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    array = rng.integers(0, levels, (size, size)) * (rng.random((size, size)) < rng.random())
    np.fill_diagonal(array, 0)
    return array.astype(np.float64)


def closure(matrix: Bools) -> Bools:
    """Warshall: who reaches whom, every node itself."""
    reached = matrix | np.eye(len(matrix), dtype=bool)
    for node in range(len(matrix)):
        reached |= reached[:, [node]] & reached[[node]]
    return reached


def widest(strengths: Floats) -> Floats:
    """Floyd and Warshall, one number at a time."""
    paths = strengths.copy()
    for k in range(len(paths)):
        for i in range(len(paths)):
            for j in range(len(paths)):
                paths[i, j] = max(paths[i, j], min(paths[i, k], paths[k, j]))
    np.fill_diagonal(paths, 0.0)
    return paths


@given(arrays(largest=12))
def test_components_are_mutual_reach_in_topological_order(strengths: Floats) -> None:
    matrix = strengths > 0
    source, target = np.nonzero(matrix)
    reached = closure(matrix)
    for groups in (
        strong_components(matrix),
        strong_components_of_edges(source, target, len(matrix)),
    ):
        assert sorted(np.concatenate([[], *groups]).tolist()) == list(range(len(matrix)))
        number = np.zeros(len(matrix), dtype=int)
        for place, group in enumerate(groups):
            number[group] = place
            assert group.tolist() == sorted(group)
        assert ((number[:, None] == number) == (reached & reached.T)).all()
        assert (number[source] <= number[target]).all()


def test_components_of_a_long_chain_and_a_long_ring_need_no_recursion() -> None:
    size = 5_000
    nodes = np.arange(size)
    chain = strong_components_of_edges(nodes[:-1], nodes[1:], size)
    assert [group.tolist() for group in chain] == [[node] for node in nodes]
    ring = strong_components_of_edges(nodes, np.roll(nodes, -1), size)
    assert [len(group) for group in ring] == [size]


@given(arrays())
def test_strongest_paths_are_the_widest(strengths: Floats) -> None:
    assert (strongest_paths(edges_of(strengths), len(strengths)) == widest(strengths)).all()


@given(arrays(largest=8))
def test_plain_kernel_connects_at_the_widest(strengths: Floats) -> None:
    edges, paths = edges_of(strengths), np.zeros_like(strengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs, "gain", graphs.gain.plain)
        below, above = single_bits(len(strengths))
        connect.plain(edges.source, edges.target, edges.strength, below, above, paths)
    assert (paths == widest(strengths)).all()


def test_compiled_kernel_connects_at_the_widest_across_words() -> None:
    rng = np.random.default_rng(5)
    for share in (0.01, 0.03, 0.5):
        strengths = rng.integers(1, 9, (150, 150)).astype(np.float64)
        strengths[rng.random((150, 150)) >= share] = 0.0
        np.fill_diagonal(strengths, 0.0)
        edges, paths = edges_of(strengths), np.zeros_like(strengths)
        connect(edges.source, edges.target, edges.strength, *single_bits(150), paths)
        assert (paths == strongest_paths(edges, 150)).all()


def test_both_ways_to_strongest_paths_agree_beyond_the_limit() -> None:
    size = graphs.LARGEST_WITHOUT_COMPILER + 1
    rng = np.random.default_rng(6)
    strengths = rng.random((size, size)) * (rng.random((size, size)) < 0.004)
    np.fill_diagonal(strengths, 0.0)
    edges = edges_of(strengths)
    paths = strongest_paths(edges, size)
    inner = np.zeros((size, size))
    inner[edges.source, edges.target] = edges.strength
    for node in range(size):
        np.maximum(inner, np.minimum(inner[:, node, None], inner[node]), out=inner)
    np.fill_diagonal(inner, 0.0)
    assert (paths == inner).all()


@given(arrays(largest=10))
def test_reach_is_the_closure_both_ways(strengths: Floats) -> None:
    reach = Reach.empty(len(strengths))
    source, target = np.nonzero(strengths)
    reach.put_all(source, target)
    expected = closure(strengths > 0)
    size = range(len(strengths))
    assert [[reach.has(i, j) for j in size] for i in size] == expected.tolist()
    above = graphs.unpacked(reach.above, len(strengths))
    assert (above == expected.T).all()
    few, many = np.array([0]), np.zeros(30, dtype=int)
    if len(strengths):
        for codes in (few, many):
            along, against = reach.ways(codes, codes)
            assert along.all()
            assert against.all()


@given(arrays(largest=8))
def test_layers_come_off_unbeaten_first(strengths: Floats) -> None:
    order = closure(np.triu(strengths, 1) > 0)
    np.fill_diagonal(order, val=False)
    layer, related = layers(order)
    left, number = set(range(len(order))), 0
    while left:
        free = {j for j in left if not any(order[i, j] for i in left)}
        assert {j for j in left if layer[j] == number} == free
        left, number = left - free, number + 1
    assert related == all(
        order[i, j] or order[j, i] or layer[i] == layer[j]
        for i in range(len(order))
        for j in range(len(order))
    )


def test_rounding_makes_no_levels_and_no_edges() -> None:
    strengths = np.array([[0.0, 0.3, 1e-17], [0.0, 0.0, 0.1 + 0.2], [0.0, 0.0, 0.0]])
    edges = edges_of(strengths)
    assert edges.start.tolist() == [0, 2]
    assert len(set(edges.strength.tolist())) == 1
    assert not len(edges_of(np.array([[0.0, 5e-17], [0.0, 0.0]]), scale=0.3).source)


@given(arrays(largest=8), st.integers(0, 1_000))
@settings(max_examples=50)
def test_strongest_paths_do_not_depend_on_the_listing(strengths: Floats, seed: int) -> None:
    turn = np.random.default_rng(seed).permutation(len(strengths))
    grid = np.ix_(turn, turn)
    paths = strongest_paths(edges_of(strengths), len(strengths))
    turned = strongest_paths(edges_of(strengths[grid]), len(strengths))
    assert (paths[grid] == turned).all()
