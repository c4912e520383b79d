"""The chain of alpha-Rank: mutants take over populations that play one strategy each."""

from collections.abc import Sequence

import numpy as np

from podium.arrays import Floats

SMALLEST = 1e-250
"""No mutant is less likely to take over than this."""

EQUAL = 1e-12
"""Payoffs that differ by less than this share of their range are equal."""


def fixation(gain: Floats, alpha: float, population: int) -> Floats:
    r"""Give the probability that a single mutant takes over its population.

    .. math:: \rho = \frac{1 - e^{-\alpha u}}{1 - e^{-m \alpha u}}, \qquad
              \rho = \frac1m \text{ at } u = 0

    Args:
        gain: By how much the mutant's payoff is above the residents', u.
        alpha: How strongly payoffs select.
        population: Size of a population, m.

    >>> fixation(np.array([-1.0, 0.0, 1.0]), 1.0, 2)
    array([0.26894142, 0.5       , 0.73105858])
    """
    strength = alpha * np.abs(gain)
    with np.errstate(divide="ignore", invalid="ignore"):
        better = np.expm1(-strength) / np.expm1(-population * strength)
    better = np.where(strength > 0, better, 1 / population)
    # exp(x) - 1 = -exp(x) expm1(-x): the same for a worse mutant, with no large number in it.
    worse = np.exp(-(population - 1) * strength) * better
    return np.maximum(np.where(gain < 0, worse, better), SMALLEST)


def best_wins(gain: Floats, slip: float) -> Floats:
    """Give the limit of selection without bounds: the better wins, up to a slip.

    >>> best_wins(np.array([-1.0, 0.0, 1.0]), 0.01)
    array([0.01, 0.5 , 0.99])
    """
    return np.asarray(np.where(gain > 0, 1 - slip, np.where(gain < 0, slip, 0.5)))


def population_gains(payoffs: Sequence[Floats]) -> list[Floats]:
    """Give by how much a player is better off with another strategy.

    Returns:
        A player, an array with one axis a player and a last one for the new strategy.

    >>> population_gains([np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros((2, 2))])[0][0, 0].tolist()
    [0.0, 2.0]
    """
    found = []
    for player, payoff in enumerate(payoffs):
        moved = np.moveaxis(payoff, player, -1)
        gain = np.expand_dims(moved, player) - payoff[..., None]
        scale = max(float(np.ptp(payoff, axis=player).max()), 0.0)
        found.append(np.where(np.abs(gain) <= EQUAL * scale, 0.0, gain))
    return found


def chain(chances: Sequence[Floats], shape: tuple[int, ...]) -> Floats:
    r"""Put probabilities to take over together to the moves of the whole.

    .. math:: C_{s, t} = \frac{\rho}{\sum_p (k_p - 1)}

    for states s and t in which one population plays something else.

    Args:
        chances: A player, states x strategies: that it takes over there.
        shape: Numbers of strategies of the players.
    """
    size = int(np.prod(shape))
    moves = np.zeros((size, size))
    states = np.arange(size)
    places = np.unravel_index(states, shape)
    ways = max(sum(k - 1 for k in shape), 1)
    for player, chance in enumerate(chances):
        stride = int(np.prod(shape[player + 1 :]))
        change = np.arange(shape[player]) - places[player][:, None]
        target = states[:, None] + change * stride
        moves[states[:, None], target] = chance.reshape(size, -1) / ways
    np.fill_diagonal(moves, 0.0)
    return moves
