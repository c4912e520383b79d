"""Directed graphs over agents: strong components, strongest paths, locking without cycles.

Sets of nodes are Python integers, one bit a node: joining two sets of 3,000
nodes is one addition of machine words, and nothing needs a compiler.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints
from podium.kernels.compiled import kernel

SAME_STRENGTH = 1e-10
"""Strengths that differ by no more than this share of the largest number are equal."""

LARGEST_WITHOUT_COMPILER = 800
"""Up to here a sweep of whole arrays finds strongest paths before a compiler is loaded."""

CHUNK = 1 << 16
"""Edges turned into Python numbers at once, to save memory."""


class Edges(NamedTuple):
    """Edges of a graph, strongest first.

    Attributes:
        source: Code of the node that an edge leaves.
        target: Code of the node that it enters.
        strength: Its strength, the same number for all of one level.
        start: Where each level of equal strength starts, and the end of the last.
    """

    source: Ints
    target: Ints
    strength: Floats
    start: Ints


def edges_of(strengths: Floats, scale: float | None = None) -> Edges:
    """List the positive entries of an array as edges, row to column, strongest first.

    Entries that differ by no more than rounding are of one strength, and
    entries of no more than rounding are none.

    Args:
        strengths: Strength of the edge from the row to the column.
        scale: Largest of the numbers that strengths were computed from, whose
            rounding they carry; by default the largest strength.

    >>> edges = edges_of(np.array([[0.0, 0.3], [0.1 + 0.2, 0.0]]))
    >>> len(edges.source), edges.start.tolist()
    (2, [0, 2])
    """
    gap = SAME_STRENGTH * (float(strengths.max(initial=0.0)) if scale is None else scale)
    source, target = np.nonzero(strengths > gap)
    strength = strengths[source, target]
    order = np.argsort(-strength, kind="stable")
    strength = strength[order]
    first = np.ones(len(strength), dtype=np.bool_)
    first[1:] = strength[:-1] - strength[1:] > gap
    start = np.append(np.flatnonzero(first), len(strength))
    level = np.repeat(strength[first], np.diff(start))
    return Edges(source[order], target[order], level, start)


def members(nodes: int) -> Iterator[int]:
    """Go through the nodes of a set.

    >>> list(members(0b1010))
    [1, 3]
    """
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


def packed(matrix: Bools) -> list[int]:
    """Write the rows of a boolean array as sets of nodes.

    >>> packed(np.array([[False, True], [True, True]]))
    [2, 3]
    """
    rows = np.packbits(matrix, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]


def unpacked(rows: Sequence[int], size: int) -> Bools:
    """Write sets of nodes as the rows of a boolean array.

    >>> unpacked([2, 3], 2).tolist()
    [[False, True], [True, True]]
    """
    width = (size + 7) // 8
    data = b"".join([row.to_bytes(width, "little") for row in rows])
    array = np.frombuffer(data, np.uint8).reshape(len(rows), width)
    return np.unpackbits(array, axis=1, count=size, bitorder="little").view(np.bool_)


def strong_components(matrix: Bools) -> list[Ints]:
    """Split nodes into groups that reach one another, no group reached by a later one.

    Two searches, forward for the order in which nodes are done with and back
    from the last of them (Kosaraju; Sharir 1981).

    Args:
        matrix: Where an edge leads from the row to the column.

    >>> edges = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], dtype=bool)
    >>> [group.tolist() for group in strong_components(edges)]
    [[0], [1, 2]]
    """
    below, above = packed(matrix), packed(matrix.T)
    unseen = (1 << len(below)) - 1
    groups = []
    for root in reversed(_finished(below)):
        if not unseen >> root & 1:
            continue
        group = fresh = 1 << root
        while fresh:
            unseen &= ~fresh
            fresh = _union(above[node] for node in members(fresh)) & unseen
            group |= fresh
        groups.append(np.array(list(members(group)), dtype=np.int64))
    return groups


def _finished(below: list[int]) -> list[int]:
    unseen = (1 << len(below)) - 1
    done: list[int] = []
    while unseen:
        path = [unseen.bit_length() - 1]
        unseen ^= 1 << path[-1]
        while path:
            ahead = below[path[-1]] & unseen
            if ahead:
                path.append(ahead.bit_length() - 1)
                unseen ^= 1 << path[-1]
            else:
                done.append(path.pop())
    return done


def _union(sets: Iterable[int]) -> int:
    result = 0
    for nodes in sets:
        result |= nodes
    return result


def strong_components_of_edges(source: Ints, target: Ints, size: int) -> list[Ints]:
    """Split nodes into strong components as `strong_components` does, from a list of edges.

    For many nodes with few edges: work grows with nodes plus edges.

    >>> groups = strong_components_of_edges(np.array([0, 1, 2]), np.array([1, 2, 1]), 3)
    >>> [group.tolist() for group in groups]
    [[0], [1, 2]]
    """
    ahead, behind = _neighbours(source, target, size), _neighbours(target, source, size)
    done: list[int] = []
    seen = [False] * size
    for root in range(size):
        if seen[root]:
            continue
        seen[root] = True
        path = [(root, iter(ahead[root]))]
        while path:
            node, rest = path[-1]
            following = next((other for other in rest if not seen[other]), None)
            if following is None:
                done.append(node)
                path.pop()
            else:
                seen[following] = True
                path.append((following, iter(ahead[following])))
    return _gathered(done, behind)


def _gathered(done: list[int], behind: list[list[int]]) -> list[Ints]:
    free = [True] * len(behind)
    groups = []
    for root in reversed(done):
        if not free[root]:
            continue
        free[root] = False
        group = [root]
        for node in group:
            fresh = [other for other in behind[node] if free[other]]
            group += dict.fromkeys(fresh)
            for other in fresh:
                free[other] = False
        groups.append(np.array(sorted(group), dtype=np.int64))
    return groups


def _neighbours(source: Ints, target: Ints, size: int) -> list[list[int]]:
    order = np.argsort(source, kind="stable")
    ends = np.searchsorted(source[order], np.arange(size + 1)).tolist()
    flat = target[order].tolist()
    return [flat[first:end] for first, end in pairwise(ends)]


def layers(order: Bools) -> tuple[Ints, bool]:
    """Number the layers that come off a strict partial order, the unbeaten first, again and again.

    Args:
        order: Transitive; true where the row is above the column.

    Returns:
        Layer of each node, from 0, and whether the order says all there is to
        say: any two nodes of different layers are related.

    >>> layers(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]], dtype=bool))
    (array([0, 1, 0]), False)
    """
    above = order.sum(axis=0)
    _, layer, sizes = np.unique(above, return_inverse=True, return_counts=True)
    size = len(above)
    if above.sum() == (size * size - np.square(sizes).sum()) // 2:
        return layer.astype(np.int64), True
    layer = np.full(size, -1)
    number = 0
    while (layer < 0).any():
        free = np.flatnonzero((above == 0) & (layer < 0))
        layer[free] = number
        above -= order[free].sum(axis=0)
        number += 1
    return layer, False


def strongest_paths(edges: Edges, size: int) -> Floats:
    r"""Find the strength of the strongest path between every two nodes, 0 where there is none.

    .. math:: P(a, b) = \max_{p : a \to b} \; \min_{(i, j) \in p} s(i, j)

    >>> array = np.array([[0.0, 4.0, 0.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
    >>> strongest_paths(edges_of(array), 3)[0].tolist()
    [0.0, 4.0, 3.0]
    """
    paths = np.zeros((size, size))
    if size <= LARGEST_WITHOUT_COMPILER:
        paths[edges.source, edges.target] = edges.strength
        for node in range(size):
            np.maximum(paths, np.minimum(paths[:, node, None], paths[node]), out=paths)
        np.fill_diagonal(paths, 0.0)
    else:
        connect(edges.source, edges.target, edges.strength, *single_bits(size), paths)
    return paths


def single_bits(size: int) -> tuple[Ints, Ints]:
    """Make what `connect` keeps: for each node the set of itself, below and above.

    >>> single_bits(2)[0].tolist()
    [[1], [2]]
    """
    nodes = np.arange(size)
    below = np.zeros((size, (size + 63) // 64), dtype=np.int64)
    below[nodes, nodes >> 6] = np.left_shift(np.int64(1), nodes & 63)
    return below, below.copy()


@kernel
def connect(
    source: Ints, target: Ints, strength: Floats, below: Ints, above: Ints, paths: Floats
) -> None:
    """Put in edges, strongest first, and note the strength at which each pair connects.

    Args:
        source: Code of the node that an edge leaves.
        target: Code of the node that it enters.
        strength: Its strength, never rising.
        below: Nodes x words of 64 bits: what each node reaches, itself too. Changed.
        above: What reaches each node. Changed.
        paths: Nodes x nodes, zero at first. Changed.
    """
    words = below.shape[1]
    missing = len(below) * (len(below) - 1)
    for edge in range(len(source)):
        s, t = source[edge], target[edge]
        if below[s, t >> 6] >> (t & 63) & 1:
            continue
        upper = above[s] & ~above[t]
        lower = below[t] & ~below[s]
        for word in range(words):
            if (upper[word] | lower[word]) == 0:
                continue
            for bit in range(64):
                if upper[word] >> bit & 1:
                    missing -= gain(word * 64 + bit, below, below[t], paths, strength[edge])
                if lower[word] >> bit & 1:
                    above[word * 64 + bit] |= above[s]
        if missing == 0:
            return


@kernel
def gain(node: int, below: Ints, reached: Ints, paths: Floats, strength: float) -> int:
    """Let a node reach a set of nodes, and count those that are new to it."""
    count = 0
    for word in range(below.shape[1]):
        new = reached[word] & ~below[node, word]
        if new != 0:
            below[node, word] |= new
            for bit in range(64):
                if new >> bit & 1:
                    paths[node, word * 64 + bit] = strength
                    count += 1
    return count


class Reach:
    """Who reaches whom, kept up to date while edges are put in; a node reaches itself.

    Attributes:
        below: Set of the nodes that each node reaches.
        above: Set of the nodes that reach each node.

    >>> reach = Reach.empty(3)
    >>> reach.put(0, 1)
    >>> reach.put(1, 2)
    >>> reach.has(0, 2), reach.has(2, 0)
    (True, False)
    """

    def __init__(self, below: list[int], above: list[int]) -> None:
        self.below = below
        self.above = above

    @classmethod
    def empty(cls, size: int) -> "Reach":
        """Make a graph without edges."""
        nodes = [1 << node for node in range(size)]
        return cls(nodes, nodes.copy())

    def copy(self) -> "Reach":
        """Make a graph that goes its own way."""
        return Reach(self.below.copy(), self.above.copy())

    def has(self, source: int, target: int) -> bool:
        """Tell whether a path leads from one node to the other."""
        return bool(self.below[source] >> target & 1)

    def put(self, source: int, target: int) -> None:
        """Put in an edge: what reaches its source now reaches all that its target does."""
        below, above = self.below, self.above
        gained, gaining = below[target], above[source]
        upper, lower = gaining & ~above[target], gained & ~below[source]
        # Written out instead of through `members`: most of the time is spent here.
        while upper:
            node = upper.bit_length() - 1
            below[node] |= gained
            upper ^= 1 << node
        while lower:
            node = lower.bit_length() - 1
            above[node] |= gaining
            lower ^= 1 << node

    def put_all(self, source: Ints, target: Ints) -> None:
        """Put in many edges."""
        for s, t in zip(source.tolist(), target.tolist(), strict=True):
            self.put(s, t)

    def ways(self, source: Ints, target: Ints) -> tuple[Array, Array]:
        """Tell for each of many edges whether a path leads along it, and against it."""
        size = len(self.below)
        if 2 * len(source) > size:
            array = unpacked(self.below, size)
            return array[source, target], array[target, source]
        rows = list(zip(source.tolist(), target.tolist(), strict=True))
        along = np.array([self.has(s, t) for s, t in rows], dtype=np.bool_)
        return along, np.array([self.has(t, s) for s, t in rows], dtype=np.bool_)

    def matrix(self) -> Bools:
        """Write the paths as a boolean array, without those from a node to itself."""
        array = unpacked(self.below, len(self.below))
        np.fill_diagonal(array, val=False)
        return array
