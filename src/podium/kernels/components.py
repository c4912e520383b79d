"""Who can be compared with whom: strong and weak components of who beat or tied whom."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Ints
from podium.kernels.graphs import strong_components

SMALL = 2_000
"""Up to this many agents components are found without a library of sparse graphs."""


class Components(NamedTuple):
    """Groups of agents, by code.

    Attributes:
        strong: Number of the group of each agent within which each can be
            reached from each by wins or ties.
        weak: Number of the group within which agents met at all, perhaps by others.
        rises: Strong groups that have beaten an agent of another.
        falls: Strong groups that have lost to an agent of another.
    """

    strong: Ints
    weak: Ints
    rises: Bools
    falls: Bools


def components(source: Ints, target: Ints, size: int) -> Components:
    """Find the groups, from edges that lead from the better to the worse; ties lead both ways.

    >>> found = components(np.array([0, 1]), np.array([1, 0]), 3)
    >>> found.strong.tolist(), found.weak.tolist()
    ([0, 0, 1], [0, 0, 1])
    """
    strong = _strong(source, target, size)
    count = int(strong.max(initial=-1)) + 1
    above, below = strong[source], strong[target]
    apart = above != below
    rises, falls = np.zeros((2, count), dtype=np.bool_)
    rises[above[apart]] = True
    falls[below[apart]] = True
    ends = np.concatenate([below[apart], above[apart]])
    weak = _strong(np.concatenate([above[apart], below[apart]]), ends, count)
    return Components(strong, numbered(weak[strong]), rises, falls)


def numbered(labels: Ints) -> Ints:
    """Number groups in the order in which they first come.

    >>> numbered(np.array([7, 3, 7])).tolist()
    [0, 1, 0]
    """
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return place[codes]


def _strong(source: Ints, target: Ints, size: int) -> Ints:
    labels = np.zeros(size, dtype=np.int64)
    if size <= SMALL:
        edges = np.zeros((size, size), dtype=np.bool_)
        edges[source, target] = True
        for number, group in enumerate(strong_components(edges)):
            labels[group] = number
    else:
        import scipy.sparse

        ones = np.ones(len(source), dtype=np.int8)
        graph = scipy.sparse.csr_array((ones, (source, target)), shape=(size, size))
        _, labels = scipy.sparse.csgraph.connected_components(graph, connection="strong")
    return numbered(labels.astype(np.int64))
