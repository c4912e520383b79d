"""Kemeny's rule: the rankings that agree with the most of the votes, pair by pair."""

from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints
from podium.kernels.graphs import packed, strong_components, unpacked
from podium.kernels.kemeny_lp import SURE, one_optimum
from podium.kernels.kemeny_orders import Bounds, all_optima
from podium.kernels.kemeny_search import order_value
from podium.kernels.majority import dominance_tiers

SMALL = 16
"""Up to so many agents, a group is solved without a linear programme."""

ROUNDING = 1e-12
"""Sums of counts that differ by less than this share of what is added are equal."""

MOST_CELLS = 1 << 22
"""Most sets of agents, times agents, looked at to count optimal rankings already found."""


class Kemeny(NamedTuple):
    """What is known of the Kemeny rankings.

    Attributes:
        order: One of the best rankings found, codes best first.
        value: Its value.
        bound: No ranking has a higher value; equal to the value where that is proven.
        share: Share of the optimal rankings that put the row agent above the column agent.
        unique: Whether there is one optimal ranking only; None where not known.
        optima: How many optimal rankings there are; None where not known.
    """

    order: Array
    value: float
    bound: float
    share: Floats
    unique: bool | None
    optima: int | None


class Group(NamedTuple):
    """A strong component of the majorities, solved.

    Attributes:
        agents: Codes of its agents, in the order of one of the best rankings found.
        excess: How much better than this one a ranking of the group could be.
        share: Share of the optimal rankings that put one above the other,
            agents as in `agents`; 1/2 where the order differs and is not counted.
        settled: Whether the share is known to be 0 or 1 where it says so, and only there.
    """

    agents: Array
    excess: float
    share: Floats
    settled: bool


def kemeny(counts: Floats, limit: float) -> Kemeny:
    r"""Find the value of the Kemeny rankings, one of them, and what they have in common.

    .. math:: \max_{\succ} \sum_{a \succ b} N(a, b)

    (Kemeny 1959; Young and Levenglick 1978). A ranking is optimal just when it
    goes against no majority between two strong components of the majorities,
    and is optimal within each component (Truchon 1998): ordering the components
    one after the other costs nothing. So each is solved alone. What all
    optimal rankings share, with what follows from it, splits the agents into
    blocks one above the other, and in each block all optimal rankings are
    counted.

    Args:
        counts: Weight of the votes that put the row agent above the column agent.
        limit: Seconds for each component of more than sixteen agents.

    >>> answer = kemeny(np.array([[0, 4, 2], [1, 0, 2], [3, 3, 0.0]]), 60.0)
    >>> answer.order.tolist(), answer.value, answer.bound, answer.optima
    ([2, 0, 1], 10.0, 10.0, 1)
    """
    margins = counts - counts.T
    margins[np.abs(margins) <= ROUNDING * counts.max(initial=0.0)] = 0.0
    components = strong_components(margins > 0)
    groups = [_solve(group, counts, margins, limit) for group in components]
    order = np.concatenate([np.zeros(0, np.int64), *(group.agents for group in groups)])
    value = order_value(order, counts)
    bound = value + sum(group.excess for group in groups)
    certain = closure(_between(margins, components) | _certain(groups, len(counts)))
    share = np.where(certain, 1.0, np.where(certain.T, 0.0, 0.5))
    np.fill_diagonal(share, 0.0)
    for group in groups:
        share[np.ix_(group.agents, group.agents)] = group.share
    if all(group.settled for group in groups):
        optima = _count(counts, certain, share)
        unique = bool(certain.sum() == len(counts) * (len(counts) - 1) // 2)
        return Kemeny(order, value, bound, share, unique, optima)
    return Kemeny(order, value, bound, share, None, None)


def closure(above: Bools) -> Bools:
    """Add all that follows: if a is above b and b above c, then a is above c (Warshall 1962).

    >>> closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool))[0].tolist()
    [False, True, True]
    """
    rows = packed(above)
    for node in range(len(rows)):
        bit, reached = 1 << node, rows[node]
        rows = [row | reached if row & bit else row for row in rows]
    return unpacked(rows, len(rows))


def _solve(group: Ints, counts: Floats, margins: Floats, limit: float) -> Group:
    grid = np.ix_(group, group)
    if len(group) == 1:
        return Group(group, 0.0, np.zeros((1, 1)), settled=True)
    if len(group) <= SMALL:
        found = all_optima(counts[grid], ROUNDING * float(counts[grid].sum()))
        if found is not None:
            order = found.order
            return Group(group[order], 0.0, found.share[np.ix_(order, order)], settled=True)
    best = one_optimum(margins[grid], limit)
    if best.certain is None:
        in_order = np.triu(np.ones((len(group), len(group))), 1)
        return Group(group[best.order], best.excess, in_order, settled=False)
    certain = best.certain[np.ix_(best.order, best.order)]
    share = np.where(certain, 1.0, np.where(certain.T, 0.0, 0.5))
    np.fill_diagonal(share, 0.0)
    return Group(group[best.order], best.excess, share, settled=True)


def _between(margins: Floats, components: list[Ints]) -> Bools:
    """Tell which majorities lead from one component to another."""
    number = np.empty(len(margins), dtype=np.int64)
    for index, component in enumerate(components):
        number[component] = index
    return np.asarray((margins > 0) & (number[:, None] != number))


def _certain(groups: list[Group], size: int) -> Bools:
    """Tell which pairs of a group all its optimal rankings order alike."""
    certain = np.zeros((size, size), dtype=np.bool_)
    for group in groups:
        certain[np.ix_(group.agents, group.agents)] = group.share > SURE
    return certain


def _count(counts: Floats, certain: Bools, share: Floats) -> int | None:
    """Count the optimal rankings block by block, and put exact shares in their place."""
    tiers = dominance_tiers(certain.sum(axis=1), certain.sum(axis=0))
    order = np.argsort(tiers, kind="stable")
    ends = np.concatenate(([0], np.cumsum(np.bincount(tiers))))
    numbers: list[int | None] = []
    for first, end in pairwise(ends.tolist()):
        block = order[first:end]
        if len(block) > 1:
            numbers.append(_count_block(block, counts, certain, share))
    known = [number for number in numbers if number is not None]
    return prod(known) if len(known) == len(numbers) else None


def _count_block(block: Ints, counts: Floats, certain: Bools, share: Floats) -> int | None:
    grid = np.ix_(block, block)
    bounds = Bounds(certain[grid].T.astype(np.float64), 0.5)
    tolerance = ROUNDING * float(counts[grid].sum())
    found = all_optima(counts[grid], tolerance, bounds, most=MOST_CELLS)
    if found is None:
        return None
    share[grid] = found.share
    return found.number
