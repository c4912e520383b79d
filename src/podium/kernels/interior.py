"""The middle of all optimal strategies of a zero-sum game, by an interior point."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats

CLOSE = 1e-14
"""The search ends when the mean product of a probability and its loss is below this."""

STEPS = 100
"""Most steps; ten to twenty are usual."""

KEEP_OFF = 0.995
"""Share of the way to a bound that a step may go."""

SMALLEST = 1e-100
"""Numbers below this have run into a bound."""


class Middle(NamedTuple):
    """A strategy, and what each pure strategy of the opponent loses against it.

    In the limit, the one is above 0 for just those that some optimal strategy
    uses, and the other for just those that none uses.

    Attributes:
        first: Probabilities of the first player.
        second: Probabilities of the second player.
        first_loss: What each strategy of the first player falls short of the value.
        second_loss: What each of the second player gives away beyond the value.
    """

    first: Floats
    second: Floats
    first_loss: Floats
    second_loss: Floats


def middle(payoffs: Floats, *, symmetric: bool = False) -> Middle:
    r"""Go along the central path of a zero-sum game to the middle of its optimal strategies.

    With M the skew matrix of payoffs to each pure strategy of both players, and
    z their probabilities side by side,

    .. math:: z_i s_i = \mu, \quad s = B u - M z \ge 0, \quad B^\top z = 1

    as :math:`\mu` falls to 0, where B says which strategy is whose, and u are the
    values of the game to both. The sum of all :math:`z_i s_i` is the gap between
    what the players can win and what they can be held to. The limit is strictly
    complementary: for each i one of the two is above 0. Steps are those of
    Mehrotra (1992).

    Args:
        payoffs: Payoff to the first player of each pair of strategies, from -1 to 1.
        symmetric: Whether the payoffs are antisymmetric; then both play alike,
            which is an eighth of the work.

    >>> middle(np.array([[1.0, -1.0], [-1.0, 0.0]])).first.round(6)
    array([0.333333, 0.666667])
    """
    rows, columns = payoffs.shape
    if symmetric:
        weights, losses = _central(payoffs, np.ones((rows, 1)))
        return Middle(weights, weights, losses, losses)
    skew = np.zeros((rows + columns, rows + columns))
    skew[:rows, rows:] = payoffs
    skew[rows:, :rows] = -payoffs.T
    sides = np.zeros((rows + columns, 2))
    sides[:rows, 0] = sides[rows:, 1] = 1.0
    weights, losses = _central(skew, sides)
    return Middle(weights[:rows], weights[rows:], losses[:rows], losses[rows:])


def _central(skew: Floats, sides: Floats) -> tuple[Floats, Floats]:
    """Start from even strategies, which keep all conditions, and halve the gap again and again."""
    weights = (sides / sides.sum(axis=0)).sum(axis=1)
    won = skew @ weights
    losses = sides @ np.array([won[side > 0].max() + 1.0 for side in sides.T]) - won
    for _ in range(STEPS):
        gap = float(weights @ losses) / len(weights)
        if gap <= CLOSE or min(weights.min(), losses.min()) < SMALLEST:
            break
        towards = _newton(skew, sides, weights, losses)
        if towards is None:
            break
        more, less = towards(-weights * losses)
        ahead = min(1.0, _room(weights, more), _room(losses, less))
        left = float((weights + ahead * more) @ (losses + ahead * less)) / len(weights)
        more, less = towards((left / gap) ** 3 * gap - weights * losses - more * less)
        ahead = min(1.0, KEEP_OFF * min(_room(weights, more), _room(losses, less)))
        weights, losses = weights + ahead * more, losses + ahead * less
    return weights, losses


def _newton(
    skew: Floats, sides: Floats, weights: Floats, losses: Floats
) -> Callable[[Floats], tuple[Floats, Floats]] | None:
    """Factor the system at a point; what is given changes products by as much as is asked."""
    from scipy.linalg import LinAlgError, lu_factor, lu_solve

    scale = np.sqrt(weights / losses)
    system = scale[:, None] * skew
    system *= -scale
    system[np.diag_indices(len(scale))] = 1.0
    try:
        factors = lu_factor(system, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return None
    border = scale[:, None] * sides
    bordered = lu_solve(factors, border, check_finite=False)
    corner = border.T @ bordered

    def towards(target: Floats) -> tuple[Floats, Floats]:
        free = lu_solve(factors, scale * target / weights, check_finite=False)
        change = scale * (free - bordered @ np.linalg.solve(corner, border.T @ free))
        return change, (target - losses * change) / weights

    return towards


def _room(values: Floats, change: Floats) -> float:
    """Give the share of a step, perhaps above 1, after which some value is 0."""
    falling = change < 0
    return float((values[falling] / -change[falling]).min(initial=np.inf))
