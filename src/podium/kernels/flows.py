"""Flows between agents: what ratings explain of them, and what goes in circles."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats
from podium.kernels.laplacian import Graph, solve

NOTHING = 1e-12
"""Circles weaker than this share of the strongest, or of the whole flow, are rounding."""


def potential(flow: Floats, known: Bools) -> Floats:
    r"""Find the ratings that explain most of an antisymmetric flow; their sum is 0.

    .. math:: \min_r \sum_{ij \text{ known}} (A_{ij} - r_i + r_j)^2

    Where every pair is known, these are the means of the rows: the divergence.

    Args:
        flow: Antisymmetric.
        known: Which pairs count; they must connect all agents.

    >>> potential(np.array([[0, 1.0, 2], [-1, 0, 1], [-2, -1, 0]]), ~np.eye(3, dtype=bool))
    array([ 1.,  0., -1.])
    """
    size = len(flow)
    if int(known.sum()) == size * (size - 1):
        return np.asarray(flow.mean(axis=1))
    left, right = np.nonzero(np.triu(known, 1))
    graph = Graph(left, right, np.ones(len(left)), np.zeros(size))
    return solve(graph, np.asarray(np.where(known, flow, 0.0).sum(axis=1)))


def skills(scores: Floats, weights: Floats) -> tuple[Floats, Floats]:
    r"""Find skills of agents and difficulties of tasks that explain most of the scores.

    .. math:: \min_{s, d} \sum_{it} w_{it} (S_{it} - s_i + d_t)^2

    Difficulties have mean 0, each task counting as its heaviest cell, so that
    skills are on the scale of the scores: of a full table with one weight a
    task, they are the means.

    Args:
        scores: Agents x tasks.
        weights: Weight of each cell, 0 where there is no score.

    >>> skills(np.array([[3.0, 1.0], [2.0, 0.0]]), np.ones((2, 2)))
    (array([2., 1.]), array([-1.,  1.]))
    """
    agents, tasks = scores.shape
    left, right = np.nonzero(weights)
    graph = Graph(left, agents + right, weights[left, right], np.zeros(agents + tasks))
    pull = np.where(weights > 0, weights * scores, 0.0)
    found = solve(graph, np.concatenate([pull.sum(axis=1), -pull.sum(axis=0)]))
    found -= np.average(found[agents:], weights=weights.max(axis=0))
    return found[:agents], found[agents:]


class Circles(NamedTuple):
    r"""An antisymmetric matrix as a sum of planes in which it turns.

    .. math:: A_{ij} = \sum_k x_{ik} y_{jk} - y_{ik} x_{jk}

    Attributes:
        strengths: How strongly it turns in each plane, largest first.
        x: Coordinates, agents x planes.
        y: The other coordinates.
    """

    strengths: Floats
    x: Floats
    y: Floats

    def among(self, first: int) -> Floats:
        """Put the first planes together again."""
        x, y = self.x[:, :first], self.y[:, :first]
        return np.asarray(x @ y.T - y @ x.T)

    def points(self, first: int) -> Floats:
        """Give the coordinates in the first planes, x and y by turns; 0 where there are fewer."""
        result = np.zeros((len(self.x), 2 * first))
        kept = min(first, len(self.strengths))
        result[:, : 2 * kept : 2], result[:, 1 : 2 * kept : 2] = self.x[:, :kept], self.y[:, :kept]
        return result


def circles(matrix: Floats) -> Circles:
    r"""Take an antisymmetric matrix apart: its real Schur form.

    .. math:: A = \sum_k \lambda_k (u_k v_k^\top - v_k u_k^\top)

    with orthonormal u and v, from the eigenvectors :math:`(v + i u) / \sqrt 2` of
    the Hermitian matrix :math:`i A`. Coordinates are u and v times the root of
    the strength. A plane may be turned at will: here the agent farthest out lies
    on the x axis. Planes of equal strength are not unique, only their sum is.

    Args:
        matrix: Antisymmetric.

    >>> circles(np.array([[0.0, 2.0], [-2.0, 0.0]])).strengths
    array([2.])
    """
    if not len(matrix):
        return Circles(np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0)))
    strengths, vectors = np.linalg.eigh(1j * (matrix - matrix.T) / 2)
    order = np.argsort(-strengths, kind="stable")
    order = order[strengths[order] > NOTHING * np.abs(matrix).max() * len(matrix)]
    vectors, strengths = vectors[:, order], strengths[order]
    if strengths.size:
        out = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(order))]
        vectors = vectors * (1j * np.abs(out) / out)
    root = np.sqrt(2 * strengths)
    return Circles(strengths, root * vectors.imag, root * vectors.real)
