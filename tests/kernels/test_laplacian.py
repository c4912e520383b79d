"""Systems over graphs: against the matrix laid out and its pseudo-inverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels import laplacian as module
from podium.kernels.laplacian import Graph, conjugate_gradient, inverse, solve
from strategies import steady


@st.composite
def graphs(draw: st.DrawFn, *, free: bool | None = None) -> Graph:
    """Draw a connected graph, with edges of several sizes and some twice."""
    size = draw(st.integers(2, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    left, right = np.arange(size - 1), np.arange(1, size)
    more = rng.integers(0, size, (2, draw(st.integers(0, 8))))
    more = more[:, more[0] != more[1]]
    weight = 10.0 ** rng.uniform(-2, 2, size - 1 + more.shape[1])
    alone = draw(st.booleans()) if free is None else not free
    own = 10.0 ** rng.uniform(-3, 1, size) if alone else np.zeros(size)
    return Graph(np.concatenate([left, more[0]]), np.concatenate([right, more[1]]), weight, own)


def laid_out(graph: Graph) -> Floats:
    """Add up each edge's part of the matrix."""
    size = len(graph.own)
    array = np.diag(graph.own)
    for left, right, weight in zip(graph.left, graph.right, graph.weight, strict=True):
        line = np.zeros(size)
        line[left], line[right] = 1.0, -1.0
        array = array + weight * np.outer(line, line)
    return array


def targets_for(graph: Graph, columns: int) -> Floats:
    targets = np.random.default_rng(3).normal(size=(len(graph.own), columns))
    return targets - targets.mean(axis=0) if graph.free else targets


@given(graphs())
@steady(100)
def test_the_matrix_and_its_products(graph: Graph) -> None:
    expected = laid_out(graph)
    assert np.allclose(graph.matrix(), expected, rtol=1e-12)
    assert np.allclose(graph.diagonal, expected.diagonal(), rtol=1e-12)
    vector = np.arange(len(graph.own), dtype=float)
    assert np.allclose(graph.times(vector), expected @ vector, rtol=1e-10, atol=1e-10)


@given(graphs(), st.booleans())
@steady(100)
def test_solutions_are_those_of_the_pseudo_inverse(graph: Graph, iterate: bool) -> None:
    targets = targets_for(graph, 3)
    expected = np.linalg.pinv(laid_out(graph), rcond=1e-13) @ targets
    with pytest.MonkeyPatch.context() as patch:
        if iterate:
            patch.setattr(module, "DENSE_SOLVE", 0)
        found = solve(graph, targets)
        single = solve(graph, targets[:, 0])
    scale = np.abs(expected).max()
    assert np.allclose(found, expected, atol=1e-7 * scale)
    assert np.allclose(single, expected[:, 0], atol=1e-7 * scale)


@given(graphs())
@steady(100)
def test_the_inverse_is_the_pseudo_inverse(graph: Graph) -> None:
    expected = np.linalg.pinv(laid_out(graph), rcond=1e-13)
    found = inverse(graph)
    assert np.allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    assert (found == found.T).all()


def test_a_singular_matrix_is_iterated() -> None:
    # Two parts that never met: no factor exists, but a target of sum 0 in each has a solution.
    apart = Graph(np.array([0, 2]), np.array([1, 3]), np.array([1.0, 0.0]), np.zeros(4))
    found = solve(apart, np.array([1.0, -1.0, 0.0, 0.0]))
    assert found[0] - found[1] == pytest.approx(1.0)


def test_a_target_of_nothing_needs_no_steps() -> None:
    found = conjugate_gradient(lambda vector: vector, np.zeros(3), np.ones(3), 1e-12)
    assert found.tolist() == [0.0, 0.0, 0.0]
