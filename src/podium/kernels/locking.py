"""Locking edges from the strongest down, so that no cycle closes."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Ints
from podium.kernels.graphs import CHUNK, Edges, Reach


class Locked(NamedTuple):
    """What came of locking.

    Attributes:
        reach: The paths along locked edges.
        kept: Which edges were locked.
        decided: Whether no edge was left out on account of its equals alone.
    """

    reach: Reach
    kept: Bools
    decided: bool


def lock_together(edges: Edges, size: int) -> Locked:
    """Lock edges from the strongest down, those of one strength at once.

    An edge is left out if locked stronger ones lead back from its target to its
    source, or would do so together with the other edges of its own strength.

    >>> cycle = Edges(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), np.array([0, 3]))
    >>> lock_together(cycle, 3).kept.tolist()
    [False, False, False]
    """
    reach = Reach.empty(size)
    kept = np.ones(len(edges.source), dtype=np.bool_)
    decided = True
    for first, end, equal in _stretches(edges.start):
        source, target = edges.source[first:end], edges.target[first:end]
        if equal:
            reach, kept[first:end], clear = _lock_equals(reach, source, target)
            decided = decided and clear
        else:
            kept[first:end] = _lock_in_turn(reach, source, target)
    return Locked(reach, kept, decided)


def _stretches(start: Ints) -> Iterator[tuple[int, int, bool]]:
    """Go through runs of edges that have no equal, and through levels of equal ones."""
    single = np.diff(start) == 1
    opens = np.ones(len(single), dtype=np.bool_)
    opens[1:] = ~(single[1:] & single[:-1])
    levels = np.flatnonzero(opens)
    bounds = start[np.append(levels, len(single))].tolist()
    for (first, end), alone in zip(pairwise(bounds), single[levels].tolist(), strict=True):
        yield first, end, not alone


def _lock_in_turn(reach: Reach, source: Ints, target: Ints) -> Bools:
    below, left_out = reach.below, []
    for first in range(0, len(source), CHUNK):
        part = slice(first, first + CHUNK)
        pairs = zip(source[part].tolist(), target[part].tolist(), strict=True)
        for index, (s, t) in enumerate(pairs, first):
            if below[t] >> s & 1:
                left_out.append(index)
            elif not below[s] >> t & 1:
                reach.put(s, t)
    kept = np.ones(len(source), dtype=np.bool_)
    kept[left_out] = False
    return kept


def _lock_equals(reach: Reach, source: Ints, target: Ints) -> tuple[Reach, Bools, bool]:
    kept, fresh = _news(reach, source, target)
    pairs = list(zip(source[fresh].tolist(), target[fresh].tolist(), strict=True))
    before = reach.copy()
    for s, t in pairs:
        reach.put(s, t)
    below = reach.below
    cyclic = [index for index, (s, t) in enumerate(pairs) if below[t] >> s & 1]
    if not cyclic:
        return reach, kept, True
    kept[[fresh[index] for index in cyclic]] = False
    for s, t in pairs:
        if not below[t] >> s & 1:
            before.put(s, t)
    return before, kept, False


def _news(reach: Reach, source: Ints, target: Ints) -> tuple[Bools, list[int]]:
    """Tell which edges nothing contradicts, and list those of them that say anything new."""
    below = reach.below
    if len(source) > len(below):
        along, against = reach.ways(source, target)
        return ~against, np.flatnonzero(~(along | against)).tolist()
    kept = np.ones(len(source), dtype=np.bool_)
    fresh = []
    for index, (s, t) in enumerate(zip(source.tolist(), target.tolist(), strict=True)):
        if below[t] >> s & 1:
            kept[index] = False
        elif not below[s] >> t & 1:
            fresh.append(index)
    return kept, fresh


def lock_every_way(edges: Edges, size: int, limit: int) -> list[Reach] | None:
    """Lock edges from the strongest down, in every order of equal ones.

    Returns:
        The distinct outcomes, or None where more than `limit` graphs came up
        on the way. An edge was locked where its outcome has a path along it.

    >>> cycle = Edges(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), np.array([0, 3]))
    >>> len(lock_every_way(cycle, 3, limit=100))
    3
    """
    outcomes = [Reach.empty(size)]
    for first, end, equal in _stretches(edges.start):
        source, target = edges.source[first:end], edges.target[first:end]
        if not equal:
            for reach in outcomes:
                _lock_in_turn(reach, source, target)
            outcomes = list({tuple(reach.below): reach for reach in outcomes}.values())
            continue
        following = _ways(outcomes, source, target, limit)
        if following is None:
            return None
        outcomes = following
    return outcomes


def _ways(outcomes: list[Reach], source: Ints, target: Ints, limit: int) -> list[Reach] | None:
    """Lock equal edges in every order, on top of each outcome so far."""
    open_graphs, seen = list(outcomes), {tuple(reach.below) for reach in outcomes}
    done: dict[tuple[int, ...], Reach] = {}
    while open_graphs:
        reach = open_graphs.pop()
        risky = _lock_harmless(reach, source, target)
        if not risky:
            done[tuple(reach.below)] = reach
        for s, t in risky:
            branch = reach.copy()
            branch.put(s, t)
            key = tuple(branch.below)
            if key not in seen:
                seen.add(key)
                open_graphs.append(branch)
        if len(seen) > limit:
            return None
    return list(done.values())


def _lock_harmless(reach: Reach, source: Ints, target: Ints) -> list[tuple[int, int]]:
    """Lock the equal edges that are in no cycle, and return those that are in one."""
    along, against = reach.ways(source, target)
    fresh = ~(along | against)
    source, target = source[fresh], target[fresh]
    joined = reach.copy()
    joined.put_all(source, target)
    _, cyclic = joined.ways(source, target)
    reach.put_all(source[~cyclic], target[~cyclic])
    return list(zip(source[cyclic].tolist(), target[cyclic].tolist(), strict=True))
