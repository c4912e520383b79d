"""Make the largest of many expected gains as small as can be, then the next largest, and so on."""

from typing import NamedTuple, Protocol

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.errors import NotConverged
from podium.kernels import linprog

TOLERANCE = 1e-9
"""How far a gain or a reduced cost may be off, where gains are at most about 1."""

BINDING = 1e-8
"""A row with a price above this binds; a column with a reduced cost above this is never used."""

PINNED = 1e-9
"""Rows closer than this to the span of the rows that are settled are settled with them."""

LARGEST_FACE = 2_000
"""Of at most this many columns is it asked which rows are settled by them."""

ROWS_AT_ONCE = 50
"""Most rows that are added before the programme is solved again."""


ROOM = 1e-8
"""By how much settled gains may be exceeded where there is no solution otherwise."""

PRIMAL = 4
"""The solver's number for the primal simplex method."""


class Columns(Protocol):
    """Gains in every joint strategy: a row for each deviation, a column for each joint strategy.

    A column is known by its key. Columns may be ruled out, and never come back.
    """

    @property
    def rows(self) -> int:
        """Number of rows."""

    def start(self) -> Ints:
        """Give keys of a few columns to start from, at least one."""

    def of(self, keys: Ints) -> Floats:
        """Give columns by their keys: rows x keys."""

    def cheap(self, prices: Floats, floor: float) -> Ints:
        """Give keys of columns whose price is below a floor; some, if there is any."""

    def keep(self, prices: Floats, ceiling: float) -> None:
        """Rule out the columns whose price is above a ceiling."""

    def left(self, most: int) -> Ints | None:
        """Give the keys of all columns that are left, or None if there are more than this."""


class Stages(NamedTuple):
    """The lexicographic minimum of the sorted gains.

    Attributes:
        gains: The gain of each row.
        keys: Columns with a positive weight.
        weights: Their weights, which add up to 1.
        rounds: How many stages it took.
        drift: The most that a gain of the weights differs from the gain that was settled.
    """

    gains: Floats
    keys: Ints
    weights: Floats
    rounds: int
    drift: float


def staged(columns: Columns) -> Stages:
    r"""Find weights whose gains, sorted from the highest down, are lexicographically least.

    .. math:: \min_{\sigma \in \Delta} e, \quad D_r \sigma \le e \; (r \text{ free}), \quad
              D_r \sigma \le g_r \; (r \text{ settled})

    A stage settles the rows with a positive price (dual variable) at the level e
    that it reached: these rows are at e in every optimum. A settled row stays
    an upper bound; it cannot go lower, and so needs no equation. Rows that are
    tight without a price may go lower later, and stay free.

    A column with a positive reduced cost is in no optimum of this stage, and
    so of no later one. Rows that are, on the columns left, combinations of the
    settled rows and of the sum of weights, are settled as well.

    Args:
        columns: The gains, at most about 1 in size.

    >>> dense = DenseColumns(np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0], [-2, -2, -2]]))
    >>> staged(dense).gains.round(12) + 0.0
    array([ 0.,  0.,  0., -2.])
    """
    gains = np.zeros(columns.rows)
    free = np.ones(columns.rows, dtype=np.bool_)
    programme = _Programme(columns)
    rounds = 0
    while free.any():
        answer = _stage(programme, columns, free)
        rounds += 1
        binding = free & (answer.prices > BINDING)
        binding[np.where(free, answer.prices, -1.0).argmax()] = True
        at_level = np.abs(answer.gains - answer.level) <= TOLERANCE
        gains[binding] = np.where(at_level, answer.level, answer.gains)[binding]
        ceiling = answer.total + BINDING * answer.scale
        columns.keep(answer.prices, ceiling)
        pinned = free & ~binding & _settled(columns, ~free | binding)
        gains[pinned] = answer.gains[pinned]
        free &= ~(binding | pinned)
        programme.settle(np.flatnonzero(binding | pinned), gains)
        programme.rule_out((answer.weights <= 0) & (answer.prices @ programme.table > ceiling))
    drift = float(np.abs(answer.gains - gains).max())
    used = answer.weights > 0
    return Stages(gains, programme.keys[used], answer.weights[used], rounds, drift)


def lowest(columns: Columns) -> float:
    """Find how low the highest gain can be: the level of the first stage.

    >>> lowest(DenseColumns(np.array([[-1.0, 2.0], [2.0, -1.0]])))
    0.5
    """
    free = np.ones(columns.rows, dtype=np.bool_)
    return _stage(_Programme(columns), columns, free).level


class _Answer(NamedTuple):
    """An optimum of a stage.

    `prices` are the duals of all rows, `total` that of the sum of weights.
    """

    level: float
    weights: Floats
    gains: Floats
    prices: Floats
    total: float

    @property
    def scale(self) -> float:
        """How much larger than 1 prices are, and with them the rounding of reduced costs."""
        return max(1.0, float(self.prices.max()))


def _stage(programme: "_Programme", columns: Columns, free: Bools) -> _Answer:
    """Solve a stage: add rows that are broken, then columns that are cheap, until there is none."""
    if not (free & programme.inside).any():
        programme.add_rows(np.flatnonzero(free)[:ROWS_AT_ONCE])
    while True:
        answer = programme.solved()
        excess = np.where(free & ~programme.inside, answer.gains - answer.level, 0.0)
        broken = np.flatnonzero(excess > TOLERANCE)
        if len(broken):
            worst = broken[np.argsort(-excess[broken], kind="stable")[:ROWS_AT_ONCE]]
            programme.add_rows(worst)
            continue
        keys = programme.new(columns.cheap(answer.prices, answer.total - TOLERANCE))
        if not len(keys):
            return answer
        programme.add_columns(keys)


def _settled(columns: Columns, done: Bools) -> Bools:
    """Tell which rows are combinations of the settled ones on the columns left."""
    keys = columns.left(min(LARGEST_FACE, 2 * int(done.sum()) + 50))
    if keys is None:
        return done
    face = np.vstack([columns.of(keys), np.ones(len(keys))])
    _, values, ways = np.linalg.svd(face[np.append(done, True)], full_matrices=False)
    space = ways[values > PINNED * values[0]]
    rest = face - (face @ space.T) @ space
    off = np.abs(rest).max(axis=1) <= PINNED * max(1.0, float(np.abs(face).max()))
    return np.asarray(off[:-1])


class _Programme:
    """The rows and columns of a stage that count so far, in a solver that starts where it was."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._solver = linprog.solver(tolerance=TOLERANCE, presolve=False)
        # The last weights still fit when columns come in or rows are settled: primal simplex.
        self._solver.setOptionValue("simplex_strategy", PRIMAL)
        linprog.add_columns(self._solver, np.array([-np.inf]), np.array([np.inf]), np.ones(1))
        linprog.add_rows(
            self._solver, np.ones(1), np.ones(1), np.zeros((1, 0), np.int32), np.zeros((1, 0))
        )
        self.keys = np.zeros(0, dtype=np.int64)
        self.inside = np.zeros(columns.rows, dtype=np.bool_)
        self._known: set[int] = set()
        self._settled: dict[int, float] = {}
        self._rows = np.zeros(0, dtype=np.int64)
        self.table = np.zeros((columns.rows, 0))
        self.add_columns(columns.start())
        average = self.table.mean(axis=1)
        first = np.argsort(-average, kind="stable")[:ROWS_AT_ONCE]
        self.add_rows(first)

    def new(self, keys: Ints) -> Ints:
        """Keep the keys that are not inside yet."""
        return np.array([key for key in keys.tolist() if key not in self._known], dtype=np.int64)

    def add_columns(self, keys: Ints) -> None:
        """Add columns, in the rows that are inside."""
        table = self._columns.of(keys)
        entries = np.vstack([np.ones(len(keys)), table[self._rows]])
        height = len(entries)
        index = np.tile(np.arange(height, dtype=np.int32), len(keys))
        self._solver.addCols(
            len(keys),
            np.zeros(len(keys)),
            np.zeros(len(keys)),
            np.full(len(keys), np.inf),
            entries.size,
            np.arange(len(keys), dtype=np.int32) * height,
            index,
            entries.T.ravel(),
        )
        self._known.update(keys.tolist())
        self.keys = np.concatenate([self.keys, keys])
        self.table = np.hstack([self.table, table])

    def add_rows(self, rows: Ints) -> None:
        """Add rows that are free: their gains stay at or below the level."""
        values = np.hstack([np.full((len(rows), 1), -1.0), self.table[rows]])
        where = np.tile(np.arange(values.shape[1]), (len(rows), 1))
        below = np.full(len(rows), -np.inf)
        linprog.add_rows(self._solver, below, np.zeros(len(rows)), where, values)
        self._rows = np.concatenate([self._rows, rows])
        self.inside[rows] = True

    def settle(self, rows: Ints, gains: Floats) -> None:
        """Hold rows at or below their gains from now on."""
        for place in np.flatnonzero(np.isin(self._rows, rows)).tolist():
            self._solver.changeCoeff(place + 1, 0, 0.0)
            self._settled[place] = float(gains[self._rows[place]])
            self._solver.changeRowBounds(place + 1, -np.inf, self._settled[place])

    def rule_out(self, dear: Bools) -> None:
        """Hold the weight of columns at 0 from now on."""
        places = np.flatnonzero(dear).astype(np.int32)
        if len(places):
            nothing = np.zeros(len(places))
            self._solver.changeColsBounds(len(places), places + 1, nothing, nothing)

    def _solved_anew(self) -> bool:
        """Solve from nothing: where the last solution ended may be a bad place to start."""
        self._solver.clearSolver()
        return linprog.solved(self._solver)

    def _solved_with_room(self) -> bool:
        """Solve from nothing, with room for the rounding errors of the stages before.

        Gains that nearly tie can make the levels of earlier stages contradict each other.
        """
        for place, gain in self._settled.items():
            self._solver.changeRowBounds(place + 1, -np.inf, gain + ROOM)
        return linprog.solved_loosely(self._solver)

    def solved(self) -> _Answer:
        """Solve, from where the last solution ended."""
        if not (linprog.solved(self._solver) or self._solved_anew() or self._solved_with_room()):
            msg = f"the solver found no optimum of {len(self._rows)} gains; try quantum=1e-6"
            raise NotConverged(msg)
        weights = np.maximum(linprog.point(self._solver)[1:], 0.0)
        duals = np.array(self._solver.getSolution().row_dual)
        prices = np.zeros(self._columns.rows)
        prices[self._rows] = np.maximum(-duals[1:], 0.0)
        level = linprog.point(self._solver)[0]
        return _Answer(float(level), weights, self.table @ weights, prices, float(duals[0]))


class DenseColumns:
    """Columns that are all written down.

    >>> DenseColumns(np.eye(2)).cheap(np.array([0.0, 1.0]), 0.5)
    array([0])
    """

    def __init__(self, table: Floats) -> None:
        self.table = table
        self._alive = np.arange(table.shape[1])

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.table)

    def start(self) -> Ints:
        """Give the columns that are lowest in some row, and on average."""
        return np.unique(np.append(self.table.argmin(axis=1), self.table.mean(axis=0).argmin()))

    def of(self, keys: Ints) -> Floats:
        """Give columns by their keys: rows x keys."""
        return self.table[:, keys]

    def cheap(self, prices: Floats, floor: float) -> Ints:
        """Give the cheapest columns below a floor."""
        return cheapest(self._alive, prices @ self.table[:, self._alive], floor, 2 * self.rows)

    def keep(self, prices: Floats, ceiling: float) -> None:
        """Rule out the columns whose price is above a ceiling."""
        self._alive = self._alive[prices @ self.table[:, self._alive] <= ceiling]

    def left(self, most: int) -> Ints | None:
        """Give the keys of all columns that are left, or None if there are more than this."""
        return self._alive if len(self._alive) <= most else None


def cheapest(keys: Ints, costs: Floats, floor: float, most: int) -> Ints:
    """Give the keys of the cheapest columns below a floor, at most so many."""
    below = np.flatnonzero(costs < floor)
    if len(below) > most:
        below = below[np.argpartition(costs[below], most)[:most]]
    return keys[below]
