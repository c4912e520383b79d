"""Ratings of games against what there is: Algorithm 1 of the paper on CVXPY with GLOP, OpenSpiel.

GLOP comes with OR-Tools, which cannot share a process with HiGHS, and CVXPY
offers no GLOP where HiGHS is installed. So its case hides HiGHS. Peers may
stand in an environment of their own: run `python bench/bench.py --only deviation`
with podium's, and the same with `--peers` and theirs; "x cal" compares across both.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness import SUITE

Table = NDArray[np.float64]


def uniform_table(agents: int, tasks: int) -> Table:
    """Draw scores that have nothing to do with each other."""
    return np.random.default_rng(7).random((agents, tasks))


def skilled_table(agents: int, tasks: int) -> Table:
    """Draw scores that come of five skills, tasks of different difficulty, and noise."""
    rng = np.random.default_rng(7)
    skill, need = rng.normal(size=(agents, 5)), np.abs(rng.normal(size=(5, tasks)))
    level = skill @ need / np.sqrt(5) + rng.normal(size=tasks)
    return np.asarray(1 / (1 + np.exp(-level - 0.3 * rng.normal(size=level.shape))))


def binary_table(agents: int, tasks: int) -> Table:
    """Draw who solves which task: one skill against one difficulty."""
    rng = np.random.default_rng(7)
    ahead = rng.normal(size=(agents, 1)) - rng.normal(size=tasks)
    return (rng.random(ahead.shape) < 1 / (1 + np.exp(-ahead))).astype(np.float64)


def podium_case(name: str, table: Table, **options: Any) -> Callable[[], Callable[[], Any]]:
    """Prepare podium's method on scores."""

    def prepare() -> Callable[[], Any]:
        import podium

        agents, tasks = ([str(i) for i in range(size)] for size in table.shape)
        scores = podium.Scores.from_matrix(table.T, tasks, agents)
        podium.rank(scores, name, **options)  # loads the libraries, outside the clock
        return lambda: podium.rank(scores, name, **options)

    return prepare


def gains(table: Table) -> Table:
    """Write down what agents and the task player gain, pairs of agents in one order."""
    one, two = np.triu_indices(len(table))
    first, second = table[one], table[two]
    agents = table[:, None, :] - (first + second) / 2
    apart = np.abs(first - second)
    tasks = apart.T[:, :, None] - apart
    return np.vstack([agents.reshape(len(table), -1), tasks.reshape(table.shape[1], -1)])


def cvxpy_case(table: Table) -> Callable[[], Callable[[], Any]]:
    """Prepare Algorithm 1 as appendix B describes it: like columns merged, one compiled problem."""

    def prepare() -> Callable[[], Any]:
        sys.modules["highspy"] = None  # type: ignore[assignment]
        cp: Any = importlib.import_module("cvxpy")

        rows = np.unique(gains(table).round(14), axis=1)

        def work() -> Any:
            weights, level = cp.Variable(rows.shape[1], nonneg=True), cp.Variable()
            free, frozen = cp.Parameter(len(rows), nonneg=True), cp.Parameter(len(rows))
            bound = rows @ weights <= cp.multiply(free, level) + frozen
            problem = cp.Problem(cp.Minimize(level), [bound, cp.sum(weights) == 1])
            left, ratings = np.ones(len(rows), dtype=bool), np.zeros(len(rows))
            while left.any():
                free.value, frozen.value = left.astype(float), np.where(left, 0.0, ratings)
                problem.solve(solver=cp.GLOP)
                binding = left & (np.abs(bound.dual_value) > 1e-8)
                ratings[binding] = level.value
                left &= ~binding
            return ratings

        return work

    return prepare


def open_spiel_case(table: Table) -> Callable[[], Callable[[], Any]]:
    """Prepare OpenSpiel's alpha-Rank of agents against tasks."""

    def prepare() -> Callable[[], Any]:
        from open_spiel.python.egt import alpharank

        return lambda: alpharank.compute([table, -table], alpha=1.0, m=50)

    return prepare


def add_cases() -> None:
    """Put all cases of ratings of games into the suite."""
    small, task = uniform_table(20, 20), "deviation, 20 agents x 20 tasks"
    SUITE.add(task, "podium", podium_case("deviation", small), repeats=20)
    SUITE.add(task, "CVXPY + GLOP", cvxpy_case(small), repeats=1, limit=600)
    for (agents, tasks), bar in {(100, 500): 10.0, (200, 1_000): 30.0}.items():
        label = f"deviation, {agents} agents x {tasks:,} tasks of five skills"
        table = skilled_table(agents, tasks)
        SUITE.add(label, "podium", podium_case("deviation", table), within=bar)
    label = "deviation, 50 agents x 500 tasks solved or not"
    SUITE.add(label, "podium", podium_case("deviation", binary_table(50, 500)), within=60.0)
    label, table = "deviation and others: alpha-rank, 20 agents x 54 tasks", uniform_table(20, 54)
    SUITE.add(label, "podium", podium_case("alpha-rank", table, alpha=1.0), bar=6.0)
    SUITE.add(label, "OpenSpiel", open_spiel_case(table), repeats=2)
