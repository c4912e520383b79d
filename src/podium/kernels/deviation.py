"""Deviation ratings of a game: how much each strategy would lose against the strictest play."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.kernels.gains import cce_gap, merged, without_offsets
from podium.kernels.staged import DenseColumns, staged

QUANTUM = 1e-14
"""Payoffs are multiples of this share of their range, as in appendix B.2 of the paper."""

CLOSEST, FARTHEST = 1e-12, 1e-6
"""Payoffs that differ by a share of their range between these two can mislead the solver."""


class Deviation(NamedTuple):
    """Deviation ratings of all strategies of all players.

    Attributes:
        ratings: Rating of each strategy, a player.
        joint: A joint distribution that gives these ratings; there may be others.
        rounds: How many linear programmes it took.
        drift: The most that a gain under `joint` differs from the rating, in the unit of payoffs.
        gap: How far `joint` is from a coarse correlated equilibrium, in that unit.
    """

    ratings: tuple[Floats, ...]
    joint: Floats
    rounds: int
    drift: float
    gap: float


def deviation(payoffs: Sequence[Floats], quantum: float = QUANTUM) -> Deviation:
    r"""Rate all strategies of a game of any number of players and any payoffs.

    .. math:: r_p(a'_p) = \sum_a \sigma^*(a) \, [G_p(a'_p, a_{-p}) - G_p(a)]

    where the gains under :math:`\sigma^*`, sorted from the highest down, are
    lexicographically least over all joint distributions (Marris et al. 2025,
    algorithm 1). The ratings are unique, though :math:`\sigma^*` need not be.

    Args:
        payoffs: One array a player, one axis a player.
        quantum: Payoffs are rounded to this share of their range.

    >>> shapley = np.array([[-8.0, -2, 4], [2, -8, -1], [-4, 1, -8]])
    >>> [ratings.round(6) for ratings in deviation([shapley, shapley.T]).ratings]
    [array([-2.821577, -2.821577, -2.821577]), array([-2.821577, -2.821577, -2.821577])]
    """
    plain, unit = without_offsets(payoffs)
    plain = tuple(quantised(payoff, quantum) for payoff in plain)
    gains = merged(plain)
    found = staged(DenseColumns(gains.table))
    joint = gains.joint(found.keys, found.weights)
    ratings = tuple(unit * found.gains[rows] for rows in gains.row_of)
    gap = unit * cce_gap(plain, joint)
    return Deviation(ratings, joint, found.rounds, unit * found.drift, gap)


def quantised(values: Floats, quantum: float) -> Floats:
    """Round numbers to multiples of a quantum.

    >>> quantised(np.array([0.12, 0.13]), 0.5 ** 3).tolist()
    [0.125, 0.125]
    """
    return np.asarray(np.round(values / quantum) * quantum if quantum > 0 else values)
