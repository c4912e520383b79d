"""Systems of equations over a graph of agents: weights on its edges, and on agents alone."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, add_up

DENSE_SOLVE = 1_500
"""Up to this many agents the whole matrix is factored; above, the solver iterates."""

TINY = 1e-300
"""Stands for 0 where a number is divided by."""


class Graph(NamedTuple):
    r"""A weighted graph, and the matrix L that goes with it.

    .. math:: x^\top L x = \sum_e w_e (x_{l(e)} - x_{r(e)})^2 + \sum_i a_i x_i^2

    Several edges may join the same two agents.

    Attributes:
        left: Code of the one agent of each edge.
        right: Code of the other.
        weight: Weight of each edge.
        own: Weight of each agent alone; all 0, or none.
    """

    left: Ints
    right: Ints
    weight: Floats
    own: Floats

    @property
    def free(self) -> bool:
        """Whether a shift of all agents changes nothing."""
        return not self.own.any()

    @property
    def diagonal(self) -> Floats:
        """The diagonal of the matrix."""
        size = len(self.own)
        ends = add_up(self.left, self.weight, size) + add_up(self.right, self.weight, size)
        return ends + self.own

    def matrix(self) -> Floats:
        """Lay the matrix out.

        >>> edge = Graph(np.array([0]), np.array([1]), np.array([2.0]), np.zeros(2))
        >>> edge.matrix().tolist()
        [[2.0, -2.0], [-2.0, 2.0]]
        """
        size = len(self.own)
        key = self.left * size + self.right
        array = -add_up(key, self.weight, size * size).reshape(size, size)
        array += array.T
        array[np.diag_indices(size)] = self.diagonal
        return array

    def times(self, vector: Floats) -> Floats:
        """Multiply the matrix with a vector."""
        pull = self.weight * (vector[self.left] - vector[self.right])
        size = len(self.own)
        return add_up(self.left, pull, size) - add_up(self.right, pull, size) + self.own * vector


def solve(graph: Graph, targets: Floats, accuracy: float = 1e-12) -> Floats:
    """Solve for one or many right sides; in a free graph, for the solution of mean 0.

    Args:
        graph: The graph, connected, or with weight on agents alone.
        targets: Agents, or agents x right sides; of sum 0 in a free graph.
        accuracy: Residual, as a share of the right side, at which an iteration stops.

    >>> edge = Graph(np.array([0]), np.array([1]), np.array([2.0]), np.zeros(2))
    >>> solve(edge, np.array([1.0, -1.0])).tolist()
    [0.25, -0.25]
    """
    found = _factored(graph, targets) if len(targets) <= DENSE_SOLVE else None
    if found is None:
        # A sum that rounding left would grow along the one direction without weight.
        columns = _centred(targets, graph).reshape(len(targets), -1).T
        diagonal = np.maximum(graph.diagonal, TINY)
        parts = [conjugate_gradient(graph.times, column, diagonal, accuracy) for column in columns]
        found = np.array(parts).T.reshape(targets.shape)
    return _centred(found, graph)


def _centred(columns: Floats, graph: Graph) -> Floats:
    """Bring the mean of each column to 0, in a free graph."""
    return columns - columns.mean(axis=0) if graph.free and len(columns) else columns


def _factored(graph: Graph, targets: Floats) -> Floats | None:
    scale = np.sqrt(np.maximum(graph.diagonal, TINY))
    try:
        return (np.linalg.solve(_scaled(graph, scale), (targets.T / scale).T).T / scale).T
    except np.linalg.LinAlgError:
        return None


def _scaled(graph: Graph, scale: Floats) -> Floats:
    """Bring the diagonal to 1, and make the matrix of a free graph regular.

    Its one direction without weight, that of all agents, gets weight 1. Right
    sides of sum 0 have no part in it.
    """
    array = graph.matrix()
    array /= scale[:, None]
    array /= scale
    if graph.free:
        shift = scale / max(float(np.linalg.norm(scale)), TINY)
        array += np.outer(shift, shift)
    return array


def inverse(graph: Graph) -> Floats:
    """Invert the matrix; in a free graph, among vectors of mean 0.

    >>> edge = Graph(np.array([0]), np.array([1]), np.array([2.0]), np.zeros(2))
    >>> inverse(edge).tolist()
    [[0.125, -0.125], [-0.125, 0.125]]
    """
    scale = np.sqrt(np.maximum(graph.diagonal, TINY))
    found = np.linalg.inv(_scaled(graph, scale)).astype(np.float64, copy=False)
    found /= scale[:, None]
    found /= scale
    if graph.free:  # drop what the weight on the shift of all brought in
        found -= found.mean(axis=0)
        found -= found.mean(axis=1, keepdims=True)
    return (found + found.T) / 2


def conjugate_gradient(
    times: Callable[[Floats], Floats],
    target: Floats,
    diagonal: Floats,
    accuracy: float,
    *,
    limit: int = 1_000,
) -> Floats:
    """Solve a positive system that is known by its products, preconditioned by its diagonal."""
    result = np.zeros_like(target)
    wanted = accuracy * float(np.linalg.norm(target))
    rest = target.copy()
    scaled = rest / diagonal
    direction, before = scaled, float(rest @ scaled)
    for _ in range(limit):
        product = times(direction)
        bend = float(direction @ product)
        if bend <= 0:
            break
        result = result + (before / bend) * direction
        rest = rest - (before / bend) * product
        if np.linalg.norm(rest) <= wanted:
            break
        scaled = rest / diagonal
        now = float(rest @ scaled)
        direction = scaled + (now / before) * direction
        before = now
    return result
