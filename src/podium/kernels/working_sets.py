"""Large zero-sum games, solved among few strategies at a time: those that matter so far."""

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.interior import Middle, middle

AT_ONCE = 600
"""Games of no more strategies, of both players together, are solved whole."""

FIRST = 64
"""Strategies of each player to start with."""

CLOSE = 1e-10
"""Who falls short of the value by less than this joins those that are solved for."""


def middle_of(payoffs: Floats, *, symmetric: bool = False) -> Middle:
    """Find the middle of the optimal strategies of a game of any size.

    Those of a part of the game are those of the whole as soon as everybody
    outside falls short against them: nobody of these is in any optimal strategy
    then (McMahan, Gordon and Blum 2003 call this the double oracle). Who does
    not joins the part, at most as many as are in it.

    Args:
        payoffs: Payoff to the first player of each pair of strategies, from -1 to 1.
        symmetric: Whether the payoffs are antisymmetric.

    >>> rng = np.random.default_rng(0)
    >>> many = rng.random((3, 5000))
    >>> found = middle_of(many)
    >>> bool(abs((many @ found.second).max() - (found.first @ many).min()) < 1e-10)
    True
    """
    rows, columns = payoffs.shape
    if (rows if symmetric else rows + columns) <= AT_ONCE:
        return middle(payoffs, symmetric=symmetric)
    first = _least(-payoffs.mean(axis=1), FIRST)
    second = first if symmetric else _least(payoffs.mean(axis=0), FIRST)
    while True:
        part = middle(payoffs[np.ix_(first, second)], symmetric=symmetric)
        won, given = payoffs[:, second] @ part.second, part.first @ payoffs[first]
        value = float(won[first] @ part.first)
        whole = _whole(part, first, second, value - won, given - value)
        more = _joining(whole.first_loss, first)
        others = more if symmetric else _joining(whole.second_loss, second)
        if not len(more) and not len(others):
            return whole
        first = np.concatenate([first, more])
        second = first if symmetric else np.concatenate([second, others])


def _whole(part: Middle, first: Ints, second: Ints, short: Floats, beyond: Floats) -> Middle:
    """Give those outside a part no probability, and the loss that they have against it."""
    p, q = np.zeros(len(short)), np.zeros(len(beyond))
    p[first], q[second] = part.first, part.second
    short[first], beyond[second] = part.first_loss, part.second_loss
    return Middle(p, q, short, beyond)


def _joining(losses: Floats, inside: Ints) -> Ints:
    outside = losses.copy()
    outside[inside] = np.inf
    worst = _least(outside, len(inside))
    return worst[outside[worst] < CLOSE]


def _least(values: Floats, number: int) -> Ints:
    """List where the lowest values are."""
    if number >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, number)[:number].astype(np.int64)
