"""The coarse correlated equilibrium of highest entropy."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats
from podium.errors import NotConverged
from podium.kernels import linprog
from podium.kernels.gains import every_gain, without_offsets
from podium.kernels.staged import DenseColumns, lowest

INTERIOR = 1e-7
"""Where all gains can be below minus this, every joint strategy can be played."""

SEEN = 1e-6
"""A share or a slack above this is there, where the programme makes them 0 or 1."""

BARRIERS = 10.0 ** np.arange(-1, -15, -1.0)
"""How much multipliers times slacks are to be, one after the other."""

STEPS = 100
"""Most steps of Newton's method for each of them; two to five are usual."""

SETTLED = 1e-24
"""Newton's method ends where it would lower its aim by less than this."""

QUADRATIC = 1e-9
"""Where it would lower its aim by less than this, whole steps are safe."""

KEEP_OFF = 0.99
"""Share of the way to a bound that a step may go."""

SHORTEST = 1e-18
"""No step is shorter than this."""

RANK = 1e-14
"""Curvatures below this share of the largest count as 0."""


class Correlated(NamedTuple):
    """A coarse correlated equilibrium.

    Attributes:
        joint: Probability of each joint strategy.
        gain: The most that any player gains by deviating, as a share of the range of payoffs.
        proven: Whether it is certified which joint strategies some equilibrium plays.
    """

    joint: Floats
    gain: float
    proven: bool


def most_even_cce(payoffs: Sequence[Floats], prior: Floats) -> Correlated:
    r"""Find the coarse correlated equilibrium that is most even, or closest to a prior.

    .. math:: \min_\sigma \sum_a \sigma(a) \log \frac{\sigma(a)}{w(a)}, \quad
              D \sigma \le 0, \; \sigma \in \Delta

    by its dual, :math:`\sigma \propto w \, e^{-D^\top \lambda}` with
    :math:`\lambda \ge 0`: smooth, convex, and of as many unknowns as there are
    strategies (Ortiz, Schapire and Kakade 2007). Where equilibria leave no room, as in
    zero-sum games, the joint strategies that no equilibrium plays are taken out
    first, and gains that are 0 in all of them become equations; else the
    multipliers would have to grow without end.

    Args:
        payoffs: One array a player, one axis a player.
        prior: Weight of each joint strategy, above 0; equal ones for the highest entropy.

    >>> chicken = np.array([[0.0, 7], [2, 6]])
    >>> most_even_cce([chicken, chicken.T], np.ones((2, 2))).joint.round(4)
    array([[0.1483, 0.2967],
           [0.2967, 0.2583]])
    """
    shape = payoffs[0].shape
    table = every_gain(without_offsets(payoffs)[0])
    played, tight, proven = _face(table)
    weights = _closest(table[np.ix_(tight, played)], table[np.ix_(~tight, played)],
                       np.log(prior.ravel()[played]))  # fmt: skip
    joint = np.zeros(table.shape[1])
    joint[played] = weights
    return Correlated(joint.reshape(shape), float((table @ joint).max()), proven)


def _face(table: Floats) -> tuple[Bools, Bools, bool]:
    """Tell which columns some equilibrium plays, and which rows are 0 in all of them.

    Of a cone that holds all multiples of the equilibria, as many columns and
    slacks as can be are asked to reach 1; what can be above 0 at all can reach 1.
    """
    rows, columns = table.shape
    nowhere, everywhere = np.zeros(rows, np.bool_), np.ones(columns, np.bool_)
    if lowest(DenseColumns(table)) < -INTERIOR:
        return everywhere, nowhere, True
    program = linprog.solver(tolerance=1e-10, presolve=True)
    size = 2 * columns + rows
    upper = np.where(np.arange(size) < columns, np.inf, 1.0)
    cost = np.where(np.arange(size) < columns, 0.0, -1.0)
    linprog.add_columns(program, np.zeros(size), upper, cost)
    where = np.tile(np.arange(2 * columns + 1), (rows, 1))
    where[:, -1] = 2 * columns + np.arange(rows)
    values = np.hstack([table, table, np.ones((rows, 1))])
    linprog.add_rows(program, np.full(rows, -np.inf), np.zeros(rows), where, values)
    if not linprog.solved(program) and not linprog.solved_loosely(program):
        msg = f"the solver found no equilibrium of {rows} strategies, though there is one"
        raise NotConverged(msg)
    reached = linprog.point(program)[columns:]
    clear = bool(((reached <= SEEN) | (reached >= 1 - SEEN)).all())
    return reached[:columns] > SEEN, reached[columns:] <= SEEN, clear


def _closest(equations: Floats, limits: Floats, start: Floats) -> Floats:
    """Minimise the dual by Newton's method, with a barrier that keeps multipliers above 0.

    Args:
        equations: Rows whose product with the answer is 0.
        limits: Rows whose product with the answer is at most 0.
        start: Logarithms of the prior.
    """
    dual = _Dual(np.vstack([limits, equations]), len(limits), start)
    unknown = np.where(np.arange(len(dual.rows)) < len(limits), 1.0, 0.0)
    for barrier in BARRIERS:
        last = np.inf
        for _ in range(STEPS):
            step, fall = dual.newton(unknown, barrier)
            if fall <= SETTLED or (fall < QUADRATIC and fall >= last):
                break
            unknown, last = dual.moved(unknown, step, barrier, fall), fall
    return dual.weights(unknown)


class _Dual:
    r"""The function :math:`\log \sum_a w_a e^{-(D^\top \lambda)_a} - \tau \sum_r \log \lambda_r`.

    The second sum is over limits alone: multipliers of equations have any sign.
    """

    def __init__(self, rows: Floats, limits: int, start: Floats) -> None:
        self.rows, self._limits, self._start = rows, limits, start

    def weights(self, unknown: Floats) -> Floats:
        """Give the distribution that multipliers stand for."""
        powers = self._start - unknown @ self.rows
        weights = np.exp(powers - powers.max())
        return np.asarray(weights / weights.sum())

    def value(self, unknown: Floats, barrier: float) -> float:
        """Give the function; infinite where a multiplier is not above 0."""
        bounded = unknown[: self._limits]
        if (bounded <= 0).any():
            return float("inf")
        powers = self._start - unknown @ self.rows
        top = powers.max()
        return float(top + np.log(np.exp(powers - top).sum()) - barrier * np.log(bounded).sum())

    def newton(self, unknown: Floats, barrier: float) -> tuple[Floats, float]:
        """Give a step, and by how much it would lower the function.

        Unknowns that have to be above 0 are measured in units of themselves.
        """
        limited = np.arange(len(unknown)) < self._limits
        unit = np.where(limited, unknown, 1.0)
        weights = self.weights(unknown)
        gains = self.rows @ weights
        spread = (self.rows * weights) @ self.rows.T - np.outer(gains, gains)
        slope = -gains * unit - barrier * limited
        curve = spread * np.outer(unit, unit) + barrier * np.diag(limited)
        step = unit * np.linalg.lstsq(curve, -slope, rcond=RANK)[0]
        return step, float(gains @ step + barrier * (step / unit)[limited].sum())

    def moved(self, unknown: Floats, step: Floats, barrier: float, fall: float) -> Floats:
        """Go as far along a step as helps; close to the end, all of it."""
        falling = (step < 0) & (np.arange(len(step)) < self._limits)
        length = min(1.0, KEEP_OFF * float((unknown[falling] / -step[falling]).min(initial=np.inf)))
        if fall < QUADRATIC:
            return unknown + length * step
        before = self.value(unknown, barrier)
        while length > SHORTEST and (
            self.value(unknown + length * step, barrier) > before - 0.1 * length * fall
        ):
            length /= 2
        return unknown + length * step
