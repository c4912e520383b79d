"""Kemeny rankings of many agents: bounds by linear programming, with cuts as they are needed."""

import time
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats
from podium.kernels import linprog
from podium.kernels.kemeny_orders import AllOptima, Bounds, all_optima
from podium.kernels.kemeny_search import improved, order_loss

CUTS = 2_000
"""Most cycles forbidden at once: more make each solution slower than they save rounds."""

VIOLATED = 1e-6
"""A cycle this much over its limit is worth a cut."""

LARGEST_PROGRAMME = 400
"""Most agents of a linear programme: it has a column for each pair."""

LARGEST_WHOLE = 1e6
"""Whole margins up to this stay as they are; others are scaled to it."""

ROUNDING = 1e-3
"""What the solver's tolerances may add up to, where margins are at least 1."""

SURE = 1 - 1e-12
"""A share of the optimal rankings that is all of them, up to rounding."""


class OneOptimum(NamedTuple):
    """The best ranking found, and what is proven of it.

    Attributes:
        order: Codes of the agents, best first.
        excess: No ranking has a value higher by more than this; 0 where it is optimal.
        certain: Whether every optimal ranking puts the row agent above the
            column agent; None where that is not settled.
    """

    order: Array
    excess: float
    certain: Bools | None


def one_optimum(margins: Floats, limit: float) -> OneOptimum:
    """Find a Kemeny ranking, prove it, and tell which pairs all Kemeny rankings agree on.

    The linear programme gives a lower bound of what a ranking must lose, and
    for each pair what turning it costs (its reduced cost). With these, the
    search over sets of agents looks only at sets that can belong to an optimal
    ranking. Where they are too many, an integer programme decides.

    Margins that are not whole numbers are solved to a millionth of the largest.

    Args:
        margins: Wins less losses of the row agent against the column agent.
        limit: Seconds after which the best so far is given.

    >>> one_optimum(np.array([[0, 3, -1], [-3, 0, -1], [1, 1, 0.0]]), 10.0).order.tolist()
    [2, 0, 1]
    """
    largest = float(np.abs(margins).max())
    whole = bool((margins == np.round(margins)).all()) and largest <= LARGEST_WHOLE
    scale = 1.0 if whole else LARGEST_WHOLE / largest
    search = Search(margins * scale, time.monotonic() + limit)
    search.run()
    excess = 0.0 if search.optimal else (search.loss - search.least) / scale
    return OneOptimum(search.order, excess, search.certain)


class Search:
    """The state of one solution: the programme, the best ranking so far, the bound.

    Attributes:
        order: The best ranking so far.
        loss: The margins of the majorities it goes against, added up.
        least: Every ranking loses at least this.
        certain: The pairs that every optimal ranking orders alike, once known.
    """

    def __init__(self, margins: Floats, deadline: float) -> None:
        self.margins = margins
        self.deadline = deadline
        self.order = np.argsort(-margins.sum(axis=1), kind="stable")
        self.loss = np.inf
        self.least = 0.0
        self.certain: Bools | None = None
        self.offer(self.order)

    @property
    def optimal(self) -> bool:
        """Whether no whole number lies between the bound and what the ranking loses."""
        return self.loss - self.least < 1 - ROUNDING

    def offer(self, start: Array) -> None:
        """Improve a ranking, and keep it where it is the best so far."""
        order = improved(start, self.margins, ROUNDING * 1e-3, self.deadline)
        loss = order_loss(order, self.margins)
        if loss < self.loss:
            self.order, self.loss = order, loss

    def run(self) -> None:
        """Tighten the bound, then search what it leaves open; settle as much as time allows."""
        if len(self.margins) > LARGEST_PROGRAMME:
            return
        programme = Programme(self.margins, self.deadline)
        if not self._relax(programme):
            return
        floor, penalty = self.least, programme.penalties()
        given_up = self._deepen(floor, penalty)
        if given_up and (self.optimal or self._whole(programme)):
            last = self.loss - floor + ROUNDING
            if last < given_up:
                self._within(floor, penalty, last)

    def _relax(self, programme: "Programme") -> bool:
        """Cut until no cycle is violated; tell whether that was done in time."""
        x = programme.solve()
        while x is not None:
            self.least = max(self.least, linprog.objective(programme.program))
            self.offer(np.argsort(-programme.matrix(x).sum(axis=1), kind="stable"))
            if not programme.cut(x):
                return True
            x = programme.solve()
        return False

    def _deepen(self, floor: float, penalty: Floats) -> float:
        """Search with a gap that doubles until the best ranking is within it.

        Returns:
            0, or the gap at which there were too many sets.
        """
        gap = 1.0
        while True:
            gap = min(gap, self.loss - floor + ROUNDING)
            found = self._within(floor, penalty, gap)
            if found is None:
                return gap
            if self.loss <= floor + gap:
                return 0.0
            self.least = max(self.least, floor + gap - ROUNDING)
            gap *= 2

    def _within(self, floor: float, penalty: Floats, gap: float) -> AllOptima | None:
        """Look at all rankings that lose no more than the gap above the bound."""
        gains = np.maximum(self.margins, 0.0)
        bounds = Bounds(penalty, gap)
        found = all_optima(gains, ROUNDING * 1e-1, bounds, deadline=self.deadline)
        if found is None or not found.number:
            return found
        loss = order_loss(found.order, self.margins)
        if loss < self.loss:
            self.order, self.loss = found.order, loss
        if loss <= floor + gap:
            self.least, self.certain = self.loss, found.share > SURE
        return found

    def _whole(self, programme: "Programme") -> bool:
        answer = programme.solve_whole()
        if answer is None:
            return False
        self.offer(np.argsort(-programme.matrix(answer).sum(axis=1), kind="stable"))
        self.least = self.loss
        return True


class Programme:
    r"""A number x from 0 to 1 for each pair of agents, 1 where the first is above.

    .. math:: \min \sum_{i<j} \max(\delta_{ij}, 0) - \delta_{ij} x_{ij}, \quad
              x_{ab} + x_{bc} + x_{ca} \le 2 \text{ for all distinct } a, b, c

    with :math:`x_{ji} = 1 - x_{ij}` (Groetschel, Juenger and Reinelt 1984).
    Only cycles that some solution violates are put in.
    """

    def __init__(self, margins: Floats, deadline: float) -> None:
        self.size = len(margins)
        self.deadline = deadline
        self.left, self.right = np.triu_indices(self.size, 1)
        self.all = np.arange(len(self.left), dtype=np.int32)
        self.number = np.zeros((self.size, self.size), dtype=np.int64)
        self.number[self.left, self.right] = self.all
        self.number += self.number.T
        cost = margins[self.left, self.right]
        self.program = linprog.solver()
        linprog.add_columns(self.program, np.zeros(len(cost)), np.ones(len(cost)), -cost)
        self.program.changeObjectiveOffset(float(np.maximum(cost, 0.0).sum()))

    def matrix(self, x: Floats) -> Floats:
        """Write numbers of pairs as an array of agents x agents, 0 on the diagonal."""
        square = np.zeros((self.size, self.size))
        square[self.left, self.right] = x
        square[self.right, self.left] = 1 - x
        return square

    def penalties(self) -> Floats:
        """Give what turning each pair adds to the bound, by the reduced costs."""
        cost = linprog.reduced_costs(self.program)
        square = np.zeros((self.size, self.size))
        square[self.left, self.right] = np.maximum(cost, 0.0)
        square[self.right, self.left] = np.maximum(-cost, 0.0)
        return square

    def solve(self) -> Floats | None:
        """Solve the programme as it stands; None where time ran out."""
        remaining = self.deadline - time.monotonic()
        if remaining <= 0:
            return None
        self.program.setOptionValue("time_limit", self.program.getRunTime() + remaining)
        return linprog.point(self.program) if linprog.solved(self.program) else None

    def cut(self, x: Floats) -> bool:
        """Forbid the cycles that a solution violates most; tell whether there was one."""
        cycles, excess = violated_cycles(self.matrix(x))
        if not len(cycles):
            return False
        if len(cycles) > CUTS:
            cycles = cycles[np.argpartition(-excess, CUTS)[:CUTS]]
        following = np.roll(cycles, -1, axis=1)
        backward = cycles > following
        # x of a pair taken backwards is 1 - x: the 1 goes to the other side.
        upper = 2.0 - backward.sum(axis=1)
        signs = np.where(backward, -1.0, 1.0)
        lower = np.full(len(cycles), -np.inf)
        linprog.add_rows(self.program, lower, upper, self.number[cycles, following], signs)
        return True

    def solve_whole(self) -> Floats | None:
        """Solve in whole numbers, with cuts until the pairs make a ranking."""
        import highspy

        kinds = np.full(len(self.all), int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        self.program.changeColsIntegrality(len(self.all), self.all, kinds)
        self.program.setOptionValue("mip_rel_gap", 0.0)
        self.program.setOptionValue("mip_abs_gap", 1 - ROUNDING)
        x = self.solve()
        while x is not None and self.cut(np.round(x)):
            x = self.solve()
        return None if x is None else np.round(x)


def violated_cycles(above: Floats) -> tuple[Array, Floats]:
    """List the cycles a, b, c whose three numbers add up to more than 2, and by how much.

    Args:
        above: Agents x agents, how far the row agent is put above the column agent.

    >>> cycles, excess = violated_cycles(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0.0]]))
    >>> cycles.tolist(), excess.tolist()
    ([[0, 1, 2]], [1.0])
    """
    found, excesses = [np.zeros((0, 3), dtype=np.int64)], [np.zeros(0)]
    for first in range(len(above) - 2):
        later = slice(first + 1, None)
        total = above[first, later][:, None] + above[later, later] + above[later, first]
        second, third = np.nonzero(total > 2 + VIOLATED)
        number = np.full(len(second), first)
        found.append(np.stack([number, second + first + 1, third + first + 1], axis=1))
        excesses.append(total[second, third] - 2)
    return np.concatenate(found), np.concatenate(excesses)
