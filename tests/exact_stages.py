"""Deviation ratings in exact fractions, and by the paper's algorithm as it is written: two oracles."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from podium.arrays import Floats

Whole = Any
"""An array of Python's integers."""


def every_gain(payoffs: Sequence[Any]) -> Any:
    """Write all gains down: a row a player and strategy, a column a joint strategy."""
    rows = []
    for player, payoff in enumerate(payoffs):
        turned = np.moveaxis(payoff, player, 0)
        rows += [(np.expand_dims(turned[to], player) - payoff).ravel() for to in range(len(turned))]
    return np.array(rows)


def split(values: Sequence[Any], payoffs: Sequence[Any]) -> list[list[Any]]:
    """Cut a list of all gains into one a player."""
    ends = np.cumsum(payoffs[0].shape).tolist()
    return [
        list(values[end - size : end]) for end, size in zip(ends, payoffs[0].shape, strict=True)
    ]


def exact_ratings(payoffs: Sequence[Any]) -> list[list[Fraction]]:
    """Rate all strategies in fractions; payoffs are arrays of whole numbers."""
    table = every_gain([np.asarray(payoff, dtype=object) for payoff in payoffs])
    return split(exact_stages(table), payoffs)


def exact_stages(table: Whole) -> list[Fraction]:
    """Minimise the sorted rows of a table of whole numbers, the highest first, over the simplex.

    The tableau holds whole numbers over one denominator (Edmonds, Bareiss).
    At the end of a stage the slacks of the rows with a positive reduced cost
    go, as do all columns with one: they are 0 in every optimum. What all the
    slacks left have in common is the next thing to maximise; its column is the
    sum of theirs, so that no stage starts anew.
    """
    rows, columns = table.shape
    tableau = _Tableau(table)
    found: list[Fraction | None] = [None] * rows
    level = tableau.minimise_level()
    free = list(range(rows))
    while True:
        binding = [row for row in free if tableau.cost(columns + row) > 0]
        for row in binding:
            found[row] = level
        free = [row for row in free if row not in binding]
        if not free:
            return [value for value in found if value is not None]
        tableau.next_stage([columns + row for row in free])
        level -= tableau.maximise_last()


class _Tableau:
    """Columns: joint strategies, slacks, then what each stage adds; the last is the right side."""

    def __init__(self, table: Whole) -> None:
        rows, columns = table.shape
        self.width = columns + rows
        body = np.zeros((rows + 1, self.width + 2), dtype=object)
        body[:rows, :columns] = table
        body[:rows, columns : self.width] = np.eye(rows, dtype=int)
        body[:rows, self.width] = -1  # the level, free in sign
        body[rows, :columns] = 1
        body[rows, -1] = 1
        self.body, self.below = body, 1
        self.basis = [-1] * (rows + 1)
        start = int(table.max(axis=0).argmin())
        worst = int(table[:, start].argmax())
        self._pivot_raw(rows, start)
        self._pivot_raw(worst, self.width)
        for row in range(rows):
            if row != worst:
                self.basis[row] = columns + row
        self.worst = worst
        self.costs = np.zeros(self.width + 2, dtype=object)
        self._orient()

    def _orient(self) -> None:
        """Make all basic entries positive, for the ratio test."""
        if self.below < 0:
            self.body, self.below = -self.body, -self.below
            self.costs = -self.costs

    def _pivot_raw(self, row: int, column: int) -> None:
        pivot = self.body[row, column]
        other = np.arange(len(self.body)) != row
        self.body[other] = (
            self.body[other] * pivot - np.outer(self.body[other, column], self.body[row])
        ) // self.below
        self.below = pivot
        self.basis[row] = column

    def _pivot(self, row: int, column: int) -> None:
        pivot = self.body[row, column]
        self.costs = (self.costs * pivot - self.costs[column] * self.body[row]) // self.below
        self._pivot_raw(row, column)

    def cost(self, column: int) -> Any:
        """Give the reduced cost of a column, in the unit of the denominator."""
        return self.costs[column]

    def minimise_level(self) -> Fraction:
        """Minimise the level, which stays basic."""
        worst = self.worst
        # The level's row reads level + sum(entry * column) = right side, so its entries, with
        # the sign turned, are what the level gains: cost = -entry means cheaper.
        self.costs = -self.body[worst]
        self.costs[self.width] = 0
        self._run(skip=worst)
        value = Fraction(self.body[worst, -1], self.below)
        self._forget(self.width, [worst])
        return value

    def next_stage(self, slacks: list[int]) -> None:
        """Rule out dear columns, then add what the slacks left have in common."""
        dear = np.flatnonzero(self.costs[:-1] > 0)
        common = self.body[:, slacks].sum(axis=1)
        self.body[:, dear] = 0
        self.body = np.hstack([self.body[:, :-1], common[:, None], self.body[:, -1:]])
        self.costs = np.zeros(self.body.shape[1], dtype=object)
        self.costs[-2] = -self.below

    def maximise_last(self) -> Fraction:
        """Maximise what was added last, and hold it there by turning to the slacks that remain."""
        column = self.body.shape[1] - 2
        self._run()
        rows = [row for row, basic in enumerate(self.basis) if basic == column]
        value = sum((Fraction(self.body[row, -1], self.below) for row in rows), Fraction(0))
        self._forget(column, rows)
        return value

    def _forget(self, column: int, rows: list[int]) -> None:
        """Drop a column that is settled, and the row that only says what it is."""
        self.body = np.delete(self.body, rows, axis=0)
        self.basis = [b for place, b in enumerate(self.basis) if place not in rows]
        self.body[:, column] = 0
        self.costs[column] = 0

    def _run(self, skip: int | None = None) -> None:
        """Pivot by Bland's rule until no column is cheap."""
        while True:
            cheap = np.flatnonzero(self.costs[:-1] < 0)
            if not len(cheap):
                return
            column = int(cheap[0])
            ratios = [
                (Fraction(self.body[row, -1], self.body[row, column]), self.basis[row], row)
                for row in range(len(self.body))
                if row != skip and self.body[row, column] > 0
            ]
            self._pivot(min(ratios)[2], column)


def literal_ratings(payoffs: Sequence[Floats]) -> list[list[float]]:
    """Follow algorithm 1: dense programmes from nothing, rows frozen by their duals."""
    from scipy.optimize import linprog

    table = every_gain(payoffs)
    scale = float(np.abs(table).max()) or 1.0
    rows, columns = table.shape
    frozen, found = np.zeros(rows, dtype=bool), np.zeros(rows)
    while not frozen.all():
        body = np.hstack([table / scale, np.where(frozen, 0.0, -1.0)[:, None]])
        answer = linprog(
            np.append(np.zeros(columns), 1.0),
            A_ub=body,
            b_ub=np.where(frozen, found, 0.0),
            A_eq=np.append(np.ones(columns), 0.0)[None],
            b_eq=[1.0],
            bounds=[(0, None)] * columns + [(None, None)],
            method="highs-ds",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        assert answer.status == 0, answer.message
        binding = ~frozen & (-answer.ineqlin.marginals > 1e-8)
        found[binding] = answer.fun
        frozen |= binding
    return split((scale * found).tolist(), payoffs)


def as_whole(payoffs: Sequence[Sequence[Sequence[str]]]) -> tuple[list[Any], int]:
    """Multiply fractions up to whole numbers; return by how much."""
    arrays = [np.array([[Fraction(cell) for cell in row] for row in payoff]) for payoff in payoffs]
    unit = lcm(*(cell.denominator for array in arrays for cell in array.ravel()))
    return [(array * unit).astype(int).astype(object) for array in arrays], unit
