r"""Fits of ratings and planes, which may go in circles, to counts of pairs.

Numbers of agents are rows of one array: the rating :math:`r_i`, then
:math:`x_{i1}, y_{i1}, x_{i2}, \dots`, so that the log-odds of i against j are

.. math:: z_{ij} = r_i - r_j + \sum_k x_{ik} y_{jk} - y_{ik} x_{jk}
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.errors import NotConverged
from podium.kernels.bradley_terry import logistic

SETTLED = 1e-9
"""Newton's method is done where its next step changes no log-odds by more than this."""

ENOUGH = 1e-7
"""Where steps no longer shrink, for rounding, a larger one than this is no fit."""

DESCENT = 5_000
"""Most steps of L-BFGS at a time."""

STEPS = 50
"""Most steps of Newton's method at a time; two to five are usual."""

ESCAPES = 10
"""How often a fit may go on, from where it fell short or is lowest in some directions only."""

RANK = 1e-12
"""Curvatures below this share of the largest count as 0: planes can be turned at will."""

SADDLE = 1e-8
"""Curvatures below minus this share of the largest lead down."""

NUDGE = 0.01
"""How far a fit goes to leave such a point."""

ROUNDING = 1e-12
"""A loss that rises by this share of itself rose by rounding only."""


class Turning(NamedTuple):
    """What a fit ended with.

    Attributes:
        numbers: Rating and coordinates of each agent.
        loss: What was minimised.
        iterations: Steps made, of both kinds.
        residual: Largest change of log-odds that the next step would make.
    """

    numbers: Floats
    loss: float
    iterations: int
    residual: float


def turning_odds(numbers: Floats) -> Floats:
    """Give the log-odds of each row agent against each column agent.

    >>> turning_odds(np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])).tolist()
    [[0.0, 7.0], [-7.0, 0.0]]
    """
    ratings, turned = numbers[:, 0], numbers[:, 1::2] @ numbers[:, 2::2].T
    return np.asarray(ratings[:, None] - ratings + turned - turned.T)


def fit_turning(won: Floats, start: Floats, penalty: float) -> Turning:
    r"""Minimise the penalised negative log-likelihood, from a given start.

    .. math:: L = \sum_{i \ne j} w_{ij} \log (1 + e^{-z_{ij}})
              + \frac{\lambda}{2} \sum_i r_i^2 + x_i^2 + y_i^2

    L-BFGS comes near, and Newton's method ends where its next step would change
    no log-odds by more than 1e-9. Planes make L have saddles: where it still falls
    in some direction, the fit goes that way and on. Still, it may be the lowest
    point near the start and not of all.

    Args:
        won: Wins of row over column agents, a tie half.
        start: Numbers to start from.
        penalty: The weight :math:`\lambda`.

    >>> won = np.array([[0.0, 3.0], [1.0, 0.0]])
    >>> numbers = fit_turning(won, np.zeros((2, 1)), 0.0).numbers
    >>> float(turning_odds(numbers)[0, 1] - np.log(3)) < 1e-12
    True
    """
    # Counted in meetings of the busiest agent, so that limits mean the same for any weights.
    scale = float((won + won.T).sum(axis=1).max(initial=0.0)) or 1.0
    aim = Loss(won / scale, penalty / scale)
    numbers, made = start, 0
    for _ in range(ESCAPES):
        numbers, descent = _descended(aim, numbers)
        numbers, residual, steps = _settled(aim, numbers)
        made += descent + steps
        way = aim.way_down(numbers)
        if way is None and residual <= ENOUGH:
            break
        if way is not None:
            numbers = min((numbers + NUDGE * way, numbers - NUDGE * way), key=aim.value)
    if way is not None or residual > ENOUGH:
        msg = (
            f"the likelihood is not settled after {made} steps: the next would change log-odds by "
            f"{residual:.1g}; at most {ENOUGH:g} counts as a fit. Give a larger penalty"
        )
        raise NotConverged(msg)
    return Turning(numbers, scale * aim.value(numbers), made, residual)


class Loss:
    """The penalised negative log-likelihood, with its derivatives.

    Args:
        won: Wins of row over column agents, a tie half.
        penalty: Weight of half the sum of all squares.
    """

    def __init__(self, won: Floats, penalty: float) -> None:
        self._won, self._penalty = won, penalty

    def value(self, numbers: Floats) -> float:
        """Give the loss."""
        missed = (self._won * np.logaddexp(0.0, -turning_odds(numbers))).sum()
        return float(missed + self._penalty / 2 * np.square(numbers).sum())

    def slope(self, numbers: Floats) -> Floats:
        r"""Give the gradient.

        .. math:: \nabla_i L = -\sum_j S_{ij} u_j + \lambda \theta_i, \quad
                  S_{ij} = w_{ij} \sigma(-z_{ij}) - w_{ji} \sigma(z_{ij}), \quad
                  u_j = \partial z_{ij} / \partial \theta_i = (1, y_{j1}, -x_{j1}, \dots)
        """
        pull = self._surplus(turning_odds(numbers)) @ _levers(numbers)
        return np.asarray(self._penalty * numbers - pull)

    def curve(self, numbers: Floats) -> Floats:
        r"""Give the second derivatives, as an array over all numbers.

        Of agent i alone they are :math:`\sum_j D_{ij} u_j u_j^\top + \lambda`, of i and j
        :math:`-D_{ij} u_j u_i^\top - S_{ij} \, \partial u_j / \partial \theta_j`,
        with D the meetings times the chances of both results.
        """
        odds, levers = turning_odds(numbers), _levers(numbers)
        weight = (self._won + self._won.T) * logistic(odds) * logistic(-odds)
        agents, each = numbers.shape
        whole = -np.einsum("ij,ja,ib->iajb", weight, levers, levers)
        turn = _levers(np.eye(each)).T
        turn[0] = 0.0
        whole -= np.einsum("ij,ab->iajb", self._surplus(odds), turn)
        one = np.arange(agents)
        whole[one, :, one, :] += np.einsum("ij,ja,jb->iab", weight, levers, levers)
        size = numbers.size
        return np.asarray(whole.reshape(size, size) + self._penalty * np.eye(size))

    def newton(self, numbers: Floats) -> Floats:
        """Give the step to the lowest point of the parabola here, as far as it curves up."""
        curves, ways = np.linalg.eigh(self.curve(numbers))
        bent = curves > RANK * np.abs(curves).max()
        ways, slope = ways[:, bent], self.slope(numbers).ravel()
        return np.asarray(-(ways @ (ways.T @ slope / curves[bent]))).reshape(numbers.shape)

    def way_down(self, numbers: Floats) -> Floats | None:
        """Give the direction that curves down most, or None."""
        curves, ways = np.linalg.eigh(self.curve(numbers))
        falls = curves[0] < -SADDLE * np.abs(curves).max()
        return np.asarray(ways[:, 0]).reshape(numbers.shape) if falls else None

    def _surplus(self, odds: Floats) -> Floats:
        # Wins times the chance to lose, less losses times the chance to win: no cancellation.
        return np.asarray(self._won * logistic(-odds) - self._won.T * logistic(odds))


def _levers(numbers: Floats) -> Floats:
    """Give for each agent how its rival's log-odds move with the rival's numbers."""
    levers = np.ones_like(numbers)
    levers[:, 1::2], levers[:, 2::2] = numbers[:, 2::2], -numbers[:, 1::2]
    return levers


def _descended(aim: Loss, numbers: Floats) -> tuple[Floats, int]:
    """Go down by L-BFGS until rounding ends it; Newton's method judges where."""
    import scipy.optimize

    shape = numbers.shape
    found = scipy.optimize.minimize(
        lambda flat: aim.value(flat.reshape(shape)),
        numbers.ravel(),
        jac=lambda flat: aim.slope(flat.reshape(shape)).ravel(),
        method="L-BFGS-B",
        options={"maxiter": DESCENT, "maxfun": 2 * DESCENT, "ftol": 0.0, "gtol": 1e-9},
    )
    return np.asarray(found.x, dtype=np.float64).reshape(shape), int(found.nit)


def _settled(aim: Loss, numbers: Floats) -> tuple[Floats, float, int]:
    """Go on by Newton's method for as long as its steps shrink, and say how long the next is."""
    value, last = aim.value(numbers), np.inf
    for made in range(STEPS + 1):
        moved = numbers + aim.newton(numbers)
        residual = float(np.abs(turning_odds(moved) - turning_odds(numbers)).max(initial=0.0))
        moved_value = aim.value(moved)
        no_better = residual >= last or moved_value > value * (1 + ROUNDING)
        if residual <= SETTLED or no_better or made == STEPS:
            break
        numbers, value, last = moved, moved_value, residual
    return numbers, residual, made
