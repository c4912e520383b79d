"""Ratings that come from games, against the libraries that offer them.

Nash averaging: OpenSpiel maximises entropy over the optimal strategies by a
general solver of convex programmes (`pip install open_spiel cvxpy`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness import SUITE

Prepare = Callable[[], Callable[[], Any]]

TABLES = {(20, 54): {"bar": 0.2}, (100, 1_000): {"within": 5.0}}
"""Agents x tasks, and what podium allows itself."""

VERSUS = {100: {"bar": 1.0}, 1_000: {"within": 15.0}}
"""Agents against agents."""

GAP = 1e-9
"""What both players could still gain, at most."""


def scores_of(agents: int, tasks: int) -> np.ndarray:
    """Draw scores from 0 to 1 of agents that differ in skill."""
    rng = np.random.default_rng(20)
    skill = rng.normal(0.0, 0.5, (agents, 1))
    rows = skill + rng.normal(size=(agents, tasks))
    low, high = rows.min(axis=0), rows.max(axis=0)
    return np.asarray((rows - low) / (high - low))


def nash_case(agents: int, tasks: int) -> Prepare:
    """Prepare podium's Nash averaging of agents against tasks."""

    def prepare() -> Callable[[], Any]:
        import podium

        rows = scores_of(agents, tasks).T
        names = [f"a{i}" for i in range(agents)], [f"t{i}" for i in range(tasks)]
        scores = podium.Scores.from_matrix(rows, names[1], names[0])

        def work() -> Any:
            ranking = podium.rank(scores, "nash-average")
            demand_exact(ranking.info)
            return ranking

        return work

    return prepare


def versus_case(agents: int) -> Prepare:
    """Prepare podium's Nash averaging of agents against agents, half of whom matter."""

    def prepare() -> Callable[[], Any]:
        import podium

        rng = np.random.default_rng(21)
        wins = rng.integers(1, 100, (agents, agents)).astype(np.float64)
        np.fill_diagonal(wins, 0.0)
        tally = podium.Tally.from_matrix(wins, [f"a{i}" for i in range(agents)])

        def work() -> Any:
            ranking = podium.rank(tally, "nash-average")
            demand_exact(ranking.info)
            return ranking

        return work

    return prepare


def demand_exact(info: dict[str, Any]) -> None:
    """Refuse to time a wrong answer."""
    if info["gap"] > GAP or info["kind"] != "max-entropy":
        msg = f"gap {info['gap']:g}, {info['kind']}"
        raise ValueError(msg)


def open_spiel_nash(agents: int, tasks: int) -> Prepare:
    """Prepare OpenSpiel's Nash averaging of agents against tasks."""

    def prepare() -> Callable[[], Any]:
        from open_spiel.python.algorithms.nash_averaging import nash_averaging_avt_matrix

        rows = scores_of(agents, tasks)
        return lambda: nash_averaging_avt_matrix(rows)

    return prepare


def add_cases() -> None:
    """Put all cases of games into the suite."""
    for (agents, tasks), allowed in TABLES.items():
        task = f"nash-average, {agents} agents x {tasks:,} tasks"
        SUITE.add(task, "podium", nash_case(agents, tasks), **allowed)
        if tasks <= 54:
            case = open_spiel_nash(agents, tasks)
            SUITE.add(task, "OpenSpiel", case, repeats=2, limit=120)
    for agents, allowed in VERSUS.items():
        task = f"nash-average, {agents:,} agents against each other"
        SUITE.add(task, "podium", versus_case(agents), repeats=2, **allowed)
