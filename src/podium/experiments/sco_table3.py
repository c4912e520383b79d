"""Table 3 of Lanctot et al. (2025): how many steps until the warm-up's ranking is right.

The printed numbers of full gradient descent come out to the digit under
conditions that the paper does not name together: ratings from 0 to 1000 (its
section 4 says 0 to 100), single precision, the mean gradient of the votes (the
text has the sum), and the count of steps before the last but one of those that
the ranking C > A > B took. In double precision two of the six differ: at ratings
of 500, single precision rounds small steps.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.arrays import Array
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sco import mean_of

VOTES = ((0, 1, 2), (0, 1, 2), (2, 0, 1), (2, 0, 1), (2, 0, 1))
"""Equation 11: two votes A > B > C, three votes C > A > B."""

UPPER, LOWER = (
    np.array([[vote[i] for i, j in ((0, 1), (0, 2), (1, 2))] for vote in VOTES]),
    np.array([[vote[j] for i, j in ((0, 1), (0, 2), (1, 2))] for vote in VOTES]),
)
"""Pairs of each vote, the one above and the one below."""

HIGH = 1_000
BEFORE = 2
"""The printed count is that of the first right ranking, less two."""

FULL = {(0.01, 0.5): 289, (0.01, 1): 1158, (0.01, 2): 4661, (0.1, 0.5): 28, (0.1, 1): 115,
        (0.1, 2): 463}  # fmt: skip
BATCHES = {(0.01, 0.5): 17.0, (0.01, 1): 1003.33, (0.01, 2): 4778.33, (0.1, 0.5): 25.0,
           (0.1, 1): 60.66, (0.1, 2): 401.66}  # fmt: skip
"""Step size and temperature to the printed count; batches of two votes are means of 3 seeds."""

SEEDS = 60
PATIENCE = 3
WAYS = ("until the ranking is right", "until it stays right")


@experiment("sco-table3", group="sco", remakes="Table 3 and section 4.1")
def sco_table3(setting: Setting) -> Result:
    """Steps of descent until the Condorcet winner of the warm-up is first."""
    seeds = setting.seeds or SEEDS
    findings, rows = zip(*_batches(seeds), strict=True)
    return Result(findings=(*_full(), *findings), tables={"Steps along batches of two votes": rows})


def walk(
    rate: float, temperature: float, kind: type, batch: int = 0, seed: int = 0
) -> Iterator[bool]:
    """Tell after each step whether the ranking is C > A > B.

    Args:
        rate: Step size.
        temperature: Temperature.
        kind: Precision of all numbers.
        batch: Votes drawn for each step, 0 for all.
        seed: Start of all chance.
    """
    rng = np.random.default_rng(seed)
    ratings: Array = np.full(3, HIGH / 2, dtype=kind)
    while True:
        rows = rng.integers(len(VOTES), size=batch) if batch else slice(None)
        slopes = _slopes(ratings, UPPER[rows], LOWER[rows], kind(temperature))
        ratings = np.clip(ratings - kind(rate) * slopes, kind(0), kind(HIGH))
        yield bool(ratings[2] > ratings[0] > ratings[1])


def steps(rate: float, temperature: float, kind: type) -> int:
    """Count steps over all votes until the ranking is right, in the way of the paper.

    >>> steps(0.1, 0.5, np.float32), steps(0.1, 0.5, np.float64)
    (28, 28)
    """
    return 1 + next(n for n, right in enumerate(walk(rate, temperature, kind)) if right) - BEFORE


def batch_steps(rate: float, temperature: float, seed: int) -> tuple[int, int]:
    """Count steps along batches until the ranking is right, and until it stays right.

    It is taken to stay where it does for as long as several times the steps over all votes.
    """
    horizon = PATIENCE * FULL[rate, temperature]
    rights = np.fromiter(walk(rate, temperature, np.float64, 2, seed), dtype=bool, count=horizon)
    wrong = np.flatnonzero(~rights)
    return int(np.argmax(rights)) + 1 - BEFORE, int(wrong.max(initial=-1)) + 2 - BEFORE


def _slopes(ratings: Array, upper: Array, lower: Array, temperature: Any) -> Array:
    """Give the mean gradient over votes, pair after pair, in the precision of the ratings."""
    one = ratings.dtype.type(1)
    chance = one / (one + np.exp((ratings[upper] - ratings[lower]) / temperature))
    each = chance * (one - chance) / temperature
    slopes = np.zeros_like(ratings)
    np.subtract.at(slopes, upper, each)
    np.add.at(slopes, lower, each)
    return np.asarray(slopes / ratings.dtype.type(len(upper)))


def _full() -> Iterator[Finding]:
    for (rate, temperature), printed in FULL.items():
        ours = steps(rate, temperature, np.float32)
        verdict: Verdict = "equal" if ours == printed else "differs"
        what = f"steps over all votes, step size {rate:g}, temperature {temperature:g}"
        double = steps(rate, temperature, np.float64)
        why = "" if double == printed else f"in double precision {double}"
        yield Finding("Table 3", what, str(printed), str(ours), verdict, why)


def _batches(seeds: int) -> Iterator[tuple[Finding, dict[str, Any]]]:
    """Compare each mean of three seeds with such means of ours."""
    for (rate, temperature), printed in BATCHES.items():
        counts = np.array([batch_steps(rate, temperature, seed) for seed in range(seeds)])
        rng = np.random.default_rng(0)
        threes = counts[rng.integers(seeds, size=(10_000, 3))].mean(axis=1)
        low, high = np.quantile(threes, (0.005, 0.995), axis=0)
        inside = (low <= printed) & (printed <= high)
        way = int(np.argmax(inside))
        verdict: Verdict = "explained" if inside.any() else "differs"
        first, stays = (mean_of(column) for column in counts.T)
        yield (
            Finding(
                "Table 3",
                f"steps along batches of two, step size {rate:g}, temperature {temperature:g}",
                f"{printed:g}",
                f"{(first, stays)[way].value:.0f}, {seeds} seeds",
                verdict,
                f"counted {WAYS[way]}, 99 % of means of 3 seeds are in the interval",
                interval=(float(low[way]), float(high[way])),
            ),
            {
                "step size": rate,
                "temperature": temperature,
                "printed": printed,
                "until right, mean": f"{first.value:.0f} ± {first.half:.0f}",
                "until it stays right, mean": f"{stays.value:.0f} ± {stays.half:.0f}",
            },
        )
