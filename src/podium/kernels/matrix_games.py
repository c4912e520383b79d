"""Equilibria of small zero-sum games by the simplex method, compiled."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel

ROUNDING = 1e-10
"""Entries of a tableau below this, with the largest payoff 1, are rounding."""

STEPS = 1_000
"""Most steps; a few times the smaller number of actions is usual."""


class Room(NamedTuple):
    """Room for solving games of one size.

    Attributes:
        tableau: One row for each action of the first player and one for the value.
        basis: The variable that each row stands for.
    """

    tableau: Floats
    basis: Ints


def room(rows: int, columns: int) -> Room:
    """Make room for games of up to so many actions a side."""
    return Room(np.zeros((rows + 1, columns + rows + 1)), np.zeros(rows, dtype=np.int64))


@kernel
def solve_game(
    payoffs: Floats, rows: int, columns: int, room: Room, first: Floats, second: Floats
) -> float:
    r"""Write an equilibrium of a zero-sum game, and return its value.

    With all payoffs made positive, the second player's programme

    .. math:: \max \sum_j y_j, \quad A y \le 1, \; y \ge 0

    starts from y = 0 (Dantzig 1951); its solution, scaled to add up to 1, is the
    second player's strategy, and that of the dual the first player's. Of several
    equilibria this gives a vertex.

    Args:
        payoffs: What the first player gets; only so many rows and columns are looked at.
        rows: Actions of the first player.
        columns: Actions of the second player.
        room: Scratch space for games of this size.
        first: Receives the first player's strategy.
        second: Receives the second player's.
    """
    low = payoffs[:rows, :columns].min()
    scale = max(payoffs[:rows, :columns].max() - low, 1e-300)
    _fill(payoffs, rows, columns, room, low, scale)
    last, tableau = columns + rows, room.tableau
    for step in range(STEPS):
        entering = _entering(tableau, rows, last, step)
        if entering < 0:
            break
        leaving = _leaving(tableau, rows, last, entering, room.basis)
        _pivot(tableau, rows, last, leaving, entering)
        room.basis[leaving] = entering
    total = tableau[rows, last]
    second[:columns] = 0.0
    for row in range(rows):
        first[row] = max(tableau[rows, columns + row], 0.0) / total
        if room.basis[row] < columns:
            second[room.basis[row]] = max(tableau[row, last], 0.0) / total
    return float((1.0 / total - 1.0) * scale + low)


@kernel
def _fill(payoffs: Floats, rows: int, columns: int, room: Room, low: float, scale: float) -> None:
    """Write the tableau of y = 0, with payoffs mapped to 1 to 2."""
    tableau, last = room.tableau, columns + rows
    for row in range(rows):
        for column in range(columns):
            tableau[row, column] = (payoffs[row, column] - low) / scale + 1.0
        for slack in range(rows):
            tableau[row, columns + slack] = 1.0 if slack == row else 0.0
        tableau[row, last] = 1.0
        room.basis[row] = columns + row
    for column in range(last + 1):
        tableau[rows, column] = -1.0 if column < columns else 0.0


@kernel
def _entering(tableau: Floats, rows: int, last: int, step: int) -> int:
    """Choose the column that gains most a unit; after many steps the first, which ends cycles."""
    chosen, gain = -1, -ROUNDING
    for column in range(last):
        if tableau[rows, column] < gain:
            chosen, gain = column, tableau[rows, column]
            if step > STEPS // 2:
                break
    return chosen


@kernel
def _leaving(tableau: Floats, rows: int, last: int, entering: int, basis: Ints) -> int:
    chosen, least = -1, 0.0
    for row in range(rows):
        if tableau[row, entering] > ROUNDING:
            ratio = tableau[row, last] / tableau[row, entering]
            if chosen < 0 or ratio < least or (ratio == least and basis[row] < basis[chosen]):
                chosen, least = row, ratio
    return chosen


@kernel
def _pivot(tableau: Floats, rows: int, last: int, leaving: int, entering: int) -> None:
    factor = 1.0 / tableau[leaving, entering]
    for column in range(last + 1):
        tableau[leaving, column] *= factor
    for row in range(rows + 1):
        share = tableau[row, entering]
        if row != leaving and share != 0.0:
            for column in range(last + 1):
                tableau[row, column] -= share * tableau[leaving, column]
