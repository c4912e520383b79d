"""Two-player zero-sum games of whole payoffs, solved in exact fractions: slow and without tolerances."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from podium.arrays import Floats

Row = list[Fraction]


@dataclass
class Face:
    """The optimal strategies of the player who picks columns and wants little.

    The game, moved so that all payoffs are above 0, is the programme
    max sum(y) with S y <= 1, y >= 0; its value is 1 / sum(y), and the strategy is
    y times the value. The last column of the tableau is the right side.
    """

    rows: list[Row]
    basis: list[int]
    free: list[int]
    size: int
    moved: Fraction
    total: Fraction

    @property
    def value(self) -> Fraction:
        """The value of the game as it was given."""
        return 1 / self.total - self.moved

    def extreme(self, cost: Sequence[Fraction]) -> Row:
        """Find the optimal strategy at which a sum is highest."""
        rows, basis = [row.copy() for row in self.rows], self.basis.copy()
        full = [*cost, *[Fraction(0)] * (len(rows[0]) - 1 - self.size)]
        _climb(rows, basis, full, self.free)
        return self._strategy(rows, basis)

    def _strategy(self, rows: list[Row], basis: list[int]) -> Row:
        amounts = [Fraction(0)] * self.size
        for row, column in zip(rows, basis, strict=True):
            if column < self.size:
                amounts[column] = row[-1] / self.total
        return amounts

    @property
    def ranges(self) -> list[tuple[Fraction, Fraction]]:
        """The lowest and highest probability of each column over all optimal strategies."""
        units = [[Fraction(int(i == j)) for j in range(self.size)] for i in range(self.size)]
        return [
            (self.extreme([-x for x in unit])[i], self.extreme(unit)[i])
            for i, unit in enumerate(units)
        ]


def face(payoffs: Floats) -> Face:
    """Solve a game for the player who picks columns."""
    moved = Fraction(1 - int(payoffs.min()))
    rows = [
        [
            *(Fraction(int(x)) + moved for x in row),
            *(Fraction(int(i == j)) for j in range(len(payoffs))),
            Fraction(1),
        ]
        for i, row in enumerate(payoffs)
    ]
    size = payoffs.shape[1]
    width = size + len(payoffs)
    basis = list(range(size, width))
    cost = [Fraction(int(j < size)) for j in range(width)]
    reduced = _climb(rows, basis, cost, list(range(width)))
    free = [j for j in range(width) if reduced[j] == 0]
    total = sum((row[-1] for row, j in zip(rows, basis, strict=True) if j < size), Fraction(0))
    return Face(rows, basis, free, size, moved, total)


def _climb(rows: list[Row], basis: list[int], cost: Row, allowed: list[int]) -> Row:
    """Run the simplex method by Bland's rule, which never circles; give the reduced costs."""
    reduced = cost.copy()
    for row, column in zip(rows, basis, strict=True):
        if cost[column]:
            reduced = [r - cost[column] * a for r, a in zip(reduced, row, strict=False)]
    while True:
        entering = next((j for j in allowed if reduced[j] > 0), None)
        if entering is None:
            return reduced
        ratios = [
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(rows)
            if row[entering] > 0
        ]
        leaving = min(ratios)[2]
        head = rows[leaving][entering]
        pivot = rows[leaving] = [x / head for x in rows[leaving]]
        for i, row in enumerate(rows):
            if i != leaving and row[entering]:
                factor = row[entering]
                rows[i] = [x - factor * y for x, y in zip(row, pivot, strict=True)]
        factor = reduced[entering]
        reduced = [x - factor * y for x, y in zip(reduced, pivot, strict=False)]
        basis[leaving] = entering


def entropy_still_to_gain(some: Face, chances: Floats, copies: Floats) -> float:
    """Say how much entropy still rises towards another optimal strategy, in first order.

    Entropy is concave: it is highest where it rises towards none.
    """
    used = chances > 0
    slope = np.zeros(len(chances))
    slope[used] = -np.log(chances[used] / copies[used])
    best = some.extreme([Fraction(x) for x in slope.tolist()])
    other = np.array(best, dtype=np.float64)
    if other[~used].any():
        return np.inf
    return float(slope @ (other - chances))
