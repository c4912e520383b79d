"""Newton's method against minorisation-maximisation (Hunter 2004), on counts of pairs.

python bench/elo_newton.py
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import harness  # noqa: F401, one thread a process
from podium.arrays import Floats, floats
from podium.kernels.bradley_terry import Counts, fit, logistic

STEPS = 100_000


def by_mm(counts: Counts) -> tuple[Floats, int]:
    """Iterate until no log-strength moves by 1e-12, on arrays of agents x agents."""
    wins = np.zeros((counts.size, counts.size))
    np.add.at(wins, (counts.left, counts.right), counts.won)
    np.add.at(wins, (counts.right, counts.left), counts.lost)
    met, won = wins + wins.T, wins.sum(axis=1)
    logs = np.zeros(counts.size)
    step = 0
    moved = np.inf
    while moved >= 1e-12 and step < STEPS:
        strength = np.exp(logs)
        new = np.log(won / (met / (strength[:, None] + strength)).sum(axis=1))
        new -= new.mean()
        moved, logs, step = float(np.abs(new - logs).max()), new, step + 1
    return floats(logs), step


def drawn(left: Any, right: Any, met: Any, strength: Floats) -> Counts:
    """Draw wins, with half a win more either way, so that all are connected."""
    rng = np.random.default_rng(0)
    won = rng.binomial(met, logistic(strength[left] - strength[right]))
    return Counts(left, right, floats(won + 0.5), floats(met - won + 0.5), len(strength))


def cases() -> dict[str, Counts]:
    """Make the counts of each case."""
    rng = np.random.default_rng(1)
    everybody, many = np.triu_indices(100, 1), np.triu_indices(1_000, 1)
    some = rng.random(len(many[0])) < 0.01
    line = np.arange(199)
    return {
        "100 agents, 200 matches a pair": drawn(*everybody, 200, rng.normal(0, 1, 100)),
        "1,000 agents, 10 matches in 1 % of pairs": drawn(
            many[0][some], many[1][some], 10, rng.normal(0, 1, 1_000)
        ),
        "chain of 200, 50 matches each": drawn(line, line + 1, 50, np.linspace(20, -20, 200)),
    }


def timed(work: Callable[[], Any], repeats: int) -> tuple[Any, float]:
    """Give an answer and the least seconds of CPU it took."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        answer = work()
        best = min(best, time.process_time() - start)
    return answer, best


def main() -> None:
    """Print steps, times and the largest difference of each case."""
    for name, counts in cases().items():
        newton, quick = timed(partial(fit, counts), 5)
        (logs, steps), slow = timed(partial(by_mm, counts), 1)
        apart = float(np.abs(newton.ratings - logs).max()) * 400 / np.log(10)
        print(
            f"{name}: {newton.iterations} steps against {steps:,}, "
            f"{slow / quick:.1f} times as fast, {apart:.1g} points apart"
        )


if __name__ == "__main__":
    main()
