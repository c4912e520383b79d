r"""Permutation tests: how far from zero a difference would be if labels were given by lot.

Where neither of two agents is better, a difference between their results on
one thing is as likely as its opposite. So the sum :math:`S` is set against all

.. math:: S^* = \sum_u \varepsilon_u \, d_u, \quad \varepsilon_u = \pm 1
          \text{ with equal chance}

and the p-value is the share of them with :math:`|S^*| \ge |S|` (Fisher 1935;
with differences of one size it is the sign test, and McNemar's test). Results
that are not paired are shuffled between the two agents instead.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, add_up

LARGEST_HALF = 1 << 18
"""Distinct sums of one half of the parts up to which all signs are gone through."""

BLOCK = 1 << 22
"""Signs drawn at once."""

EXACT_COUNT = 64
"""Throws of a coin up to which chances are computed in whole numbers."""

DIGITS = 12
"""Sums that agree to this many digits of the largest are equal."""

SLACK = 1e-9
"""Sums this much nearer to zero, as a share of the largest, count as no nearer."""


class Chance(NamedTuple):
    """How often chance gives a difference as far from zero.

    Attributes:
        p_value: The share, of all ways or of those drawn.
        draws: How many were drawn, or 0 where all were gone through.
    """

    p_value: float
    draws: int


class Sums(NamedTuple):
    """Sums that signs can give, and the chance of each."""

    values: Floats
    chances: Floats


def sign_flip(parts: Floats, rng: np.random.Generator, *, draws: int) -> Chance:
    """Test whether a sum of parts is farther from zero than their signs explain.

    All signs are gone through where equal parts and equal sums make that
    possible: up to 36 parts whatever they are, and any number of parts of a
    few sizes. Otherwise signs are drawn, and the parts as they are count as
    one draw more, so that no p-value is 0.

    Args:
        parts: The differences, in any order; the answer does not depend on it.
        rng: Source of chance.
        draws: How many signs to draw where there are too many to go through.

    >>> sign_flip(np.array([1.0, 1.0, 1.0, 1.0, -1.0]), np.random.default_rng(0), draws=99)
    Chance(p_value=0.375, draws=0)
    """
    observed = abs(float(parts.sum()))
    largest = float(np.abs(parts).max(initial=0.0))
    if not largest or observed <= SLACK * largest:
        return Chance(1.0, 0)
    scaled = np.round(np.abs(parts) / largest, DIGITS)
    sizes, counts = np.unique(scaled[scaled > 0], return_counts=True)
    bound = observed / largest * (1 - SLACK)
    halves = _halves(sizes, counts)
    if halves is not None:
        return Chance(min(1.0, 2 * _reached(*halves, bound)), 0)
    far = sum(int((np.abs(sums) >= bound).sum()) for sums in _drawn(sizes, counts, rng, draws))
    return Chance((far + 1) / (draws + 1), draws)


def _halves(sizes: Floats, counts: Array) -> tuple[Sums, Sums] | None:
    """List all sums of either half of the parts, or nothing where there are too many."""
    order = np.argsort(-counts, kind="stable")
    halves = [Sums(np.zeros(1), np.ones(1)), Sums(np.zeros(1), np.ones(1))]
    for size, count in zip(sizes[order].tolist(), counts[order].tolist(), strict=True):
        smaller = 0 if len(halves[0].values) <= len(halves[1].values) else 1
        if len(halves[smaller].values) * (count + 1) > LARGEST_HALF:
            return None
        halves[smaller] = _with(halves[smaller], size, count)
    return halves[0], halves[1]


def _with(sums: Sums, size: float, count: int) -> Sums:
    """Add some parts of one size, each with a sign of its own."""
    more = size * (2 * np.arange(count + 1, dtype=np.float64) - count)
    values = np.round((sums.values[:, None] + more).ravel(), DIGITS)
    chances = (sums.chances[:, None] * binomial_halves(count)).ravel()
    distinct, index = np.unique(values, return_inverse=True)
    if len(distinct) == len(values):
        return Sums(values, chances)
    return Sums(distinct, add_up(index, chances, len(distinct)))


def binomial_halves(count: int) -> Floats:
    r"""Give the chances of 0, 1, ... heads in some throws of a fair coin.

    .. math:: \binom{n}{k} 2^{-n}

    >>> binomial_halves(2).round(12).tolist()
    [0.25, 0.5, 0.25]
    """
    if count <= EXACT_COUNT:
        return np.array([math.comb(count, heads) / 2**count for heads in range(count + 1)])
    steps = np.arange(1, count + 1)
    logs = np.concatenate(([0.0], np.cumsum(np.log((count - steps + 1) / steps))))
    chances: Floats = np.exp(logs - count * np.log(2))
    chances /= chances.sum()
    return chances


def _reached(one: Sums, other: Sums, bound: float) -> float:
    """Give the chance that the sum of both halves reaches a bound."""
    order = np.argsort(other.values)
    values = other.values[order]
    beyond = np.append(np.cumsum(other.chances[order][::-1])[::-1], 0.0)
    return float(one.chances @ beyond[np.searchsorted(values, bound - one.values)])


def _drawn(sizes: Floats, counts: Array, rng: np.random.Generator, draws: int) -> list[Floats]:
    """Draw signs in blocks, and give the sums."""
    single = sizes[counts == 1]
    sums = []
    step = max(1, BLOCK // len(sizes))
    for first in range(0, draws, step):
        size = min(step, draws - first)
        signs = rng.integers(0, 2, (size, len(single)), dtype=np.uint8)
        total = 2 * (signs @ single) - single.sum()
        for value, count in zip(sizes[counts > 1], counts[counts > 1], strict=True):
            total += value * (2 * rng.binomial(count, 0.5, size) - count)
        sums.append(total)
    return sums


def shuffle(
    groups: Sequence[tuple[Floats, Floats]],
    weights: Floats,
    rng: np.random.Generator,
    *,
    draws: int,
) -> Chance:
    r"""Test whether results of two agents differ by more than who got which explains.

    .. math:: D = \sum_g w_g (\bar x_g - \bar y_g)

    is set against the same after the results of each group were dealt anew to
    the two agents, each getting as many as before (Fisher 1935).

    Args:
        groups: Results of the one agent and of the other, a task.
        weights: Weight of each task.
        rng: Source of chance.
        draws: How many times to deal.

    >>> results = [(np.arange(10.0), np.arange(10.0) + 20)]
    >>> shuffle(results, np.ones(1), np.random.default_rng(1), draws=99)
    Chance(p_value=0.01, draws=99)
    """
    means = np.array([one.mean() - other.mean() for one, other in groups])
    observed = float(weights @ means)
    far = 0
    step = max(1, BLOCK // sum(len(one) + len(other) for one, other in groups))
    for first in range(0, draws, step):
        size = min(step, draws - first)
        total = np.zeros(size)
        for (one, other), weight in zip(groups, weights.tolist(), strict=True):
            # Sorted, and dealt first to the better agent: the answer depends on no order.
            pool = np.sort(np.concatenate([one, other]))
            share = len(one) if observed > 0 else len(other)
            dealt = rng.permuted(np.tile(pool, (size, 1)), axis=1)
            total += weight * (dealt[:, :share].mean(axis=1) - dealt[:, share:].mean(axis=1))
        far += int((np.abs(total) >= abs(observed) * (1 - SLACK)).sum())
    return Chance((far + 1) / (draws + 1), draws)
