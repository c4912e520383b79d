"""Clones: sets of agents that stand together on every ballot."""

from collections.abc import Iterator

import numpy as np

from podium.arrays import Array, Ints

FEW = 16
"""Ballots looked at first: most sets of agents that fall apart do so on a few."""


def lexical_order(places: Array) -> Ints:
    """Sort agents by the first ballot, ties in it by the second, and so on.

    Agents that stand together on every ballot are neighbours in this order.

    >>> lexical_order(np.array([[1, 0, 1], [1, 0, 0]])).tolist()
    [1, 2, 0]
    """
    if not len(places):
        return np.arange(places.shape[1])
    return np.lexsort(places[::-1])


def clone_intervals(places: Array) -> list[tuple[int, int]]:
    r"""Find the sets of neighbours that every ballot keeps together.

    A set B of agents is a clone set (a component; Tideman 1987) where every
    agent outside has the same relation to all members on each ballot:

    .. math:: a \succsim_v b \iff a \succsim_v b', \quad
              b \succsim_v a \iff b' \succsim_v a
              \qquad \forall v, a \notin B, \; b, b' \in B

    So on each ballot B is part of one tie group, or a run of whole groups, or is
    left out in full. Agents must lie in lexical order. For each agent and the next, this gives
    the smallest clone set that holds both, the whole left out; every clone set
    is one of these, a union of some that overlap, or a set of agents tied with
    one another on every ballot.

    Args:
        places: Ballots x agents, number of the tie group, below the number of
            agents; the number of agents itself for those left out.

    Returns:
        First and last agent of each set, distinct, smallest sets first.

    >>> clone_intervals(np.array([[0, 1, 2], [1, 2, 0]]))
    [(0, 1)]
    """
    last = places.shape[1] - 1
    found = set()
    for agent in range(last):
        first, final = _closure(places[:FEW], agent, agent + 1)
        while final - first < last:
            grown = _closure(places, first, final)
            if grown == (first, final):
                found.add(grown)
                break
            first, final = _closure(places[:FEW], *grown)
    return sorted(found, key=lambda span: (span[1] - span[0], span))


def _closure(places: Array, first: int, final: int) -> tuple[int, int]:
    """Grow a run of agents until no ballot puts an outsider between its members."""
    last = places.shape[1] - 1
    while final - first < last:
        inside = places[:, first : final + 1]
        low, high = inside.min(axis=1), inside.max(axis=1)
        spread = low < high
        if (high[spread] > last).any():  # some are left out, but not all
            return 0, last
        if not spread.any():
            break
        rows = places[spread]
        within = (rows >= low[spread, None]) & (rows <= high[spread, None])
        taken = np.flatnonzero(within.any(axis=0))
        if taken[0] == first and taken[-1] == final:
            break
        first, final = int(taken[0]), int(taken[-1])
    return first, final


def nested_intervals(spans: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """Join sets that overlap, so that any two that are left are nested or apart.

    Args:
        spans: Sets as `clone_intervals` gives them.
        size: Number of agents; a union that holds all of them is left out.

    >>> nested_intervals([(0, 1), (1, 2), (4, 5)], 6)
    [(4, 5), (0, 2)]
    """
    joined = {span for span in _joined(spans) if span[1] - span[0] < size - 1}
    return sorted(joined, key=lambda span: (span[1] - span[0], span))


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Go through the unions of the sets that hang together by overlaps."""
    waiting = sorted(spans, key=lambda span: (span[0], -span[1]))
    while waiting:
        first, final = waiting[0]
        rest = []
        for span in waiting[1:]:
            if first < span[0] <= final < span[1]:
                final = span[1]
            else:
                rest.append(span)
        waiting = rest
        yield first, final
