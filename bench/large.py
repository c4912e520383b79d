"""What podium alone does at sizes that its peers do not reach."""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness import SUITE


def large_tally(agents: int, votes: int = 101, seed: int = 5) -> Any:
    """Count uniformly random complete ballots."""
    import podium

    rng = np.random.default_rng(seed)
    wins = np.zeros((agents, agents))
    for _ in range(votes):
        place = rng.permutation(agents)
        wins += place[:, None] < place[None, :]
    return podium.Tally.from_matrix(wins, [f"agent-{i}" for i in range(agents)])


def ranked(name: str, agents: int) -> Callable[[], Callable[[], Any]]:
    """Prepare one method at one size."""

    def prepare() -> Callable[[], Any]:
        import podium

        tally = large_tally(agents)
        return lambda: podium.rank(tally, name)

    return prepare


def bootstrapped(name: str) -> Callable[[], Callable[[], Any]]:
    """Prepare 1,000 bootstrap replicates at the size of a public embedding board."""

    def prepare() -> Callable[[], Any]:
        import podium

        rng = np.random.default_rng(3)
        skill = rng.normal(0, 1, 332)
        table = skill + rng.normal(0, 1, (41, 332))
        names = [f"agent-{i}" for i in range(332)]
        scores = podium.Scores.from_matrix(table, [f"task-{i}" for i in range(41)], names)
        return lambda: podium.rank(scores, name, intervals="bootstrap", replicates=1_000)

    return prepare


def add_cases() -> None:
    """Put the large cases into the suite."""
    for name in ("schulze", "ranked-pairs", "copeland"):
        SUITE.add(f"{name}, 3,000 agents", "podium", ranked(name, 3_000), within=10.0, repeats=1)
    SUITE.add(
        "kemeny, 60 agents, 101 random ballots",
        "podium",
        ranked("kemeny", 60),
        within=60.0,
        repeats=1,
    )
    for name in ("borda", "copeland"):
        task = f"{name}, 332 agents x 41 tasks, 1,000 replicates"
        SUITE.add(task, "podium", bootstrapped(name), within=2.0, repeats=2)
