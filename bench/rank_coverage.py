"""How often rank intervals hold the truth, and how wide they are.

Draws Mallows tables, of which the true ranking is known, ranks each with
intervals from a bootstrap over tasks, and prints a line for every setting:

coverage      share of the agents whose rank interval holds their true rank
width         mean of worst rank less best rank
needed        mean width of the narrowest intervals that would have covered:
              one interval for each reported rank, chosen with the truth in
              hand so that together they hold `--level` of the true ranks
percentile    (with --others) coverage and width of percentiles of drawn ranks
simultaneous  (with --others) the same for tests of all pairs of ratings at
              once, by a studentised maximum

Run: python bench/rank_coverage.py [--tables 200] [--methods borda,copeland] [--others]
"""

import argparse
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from podium.analysis.rank import registered
from podium.arrays import Array, Floats, Ints
from podium.data.ratings import ranks_of
from podium.methods._registry import METHODS
from podium.uncertainty.bootstrap import bootstrap, drawn
from podium.uncertainty.resample import plan_for
from podium.worlds.mallows import Mallows, mallows

Span: TypeAlias = tuple[int, int]

MONOTONE = ("borda", "copeland", "mean", "median", "iqm", "approval", "plurality")
"""Methods whose ratings fall along the ranking, so that their differences tell order."""


@dataclass
class Sums:
    """Running sums over the agents of many tables, for each way to make intervals."""

    agents: int = 0
    pairs: Counter[Span] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    width: Counter[str] = field(default_factory=Counter)

    def table(self, reported: Ints, truth: Ints) -> None:
        """Count the agents of one table."""
        self.agents += len(truth)
        self.pairs.update(zip(reported.tolist(), truth.tolist(), strict=True))

    def intervals(self, name: str, low: Array, high: Array, truth: Ints) -> None:
        """Count the intervals of one table."""
        self.held[name] += int(((low <= truth) & (truth <= high)).sum())
        self.width[name] += int((high - low).sum())

    def line(self, level: float) -> str:
        """Write all that was counted."""
        parts = [f"{narrowest(self.pairs, level):>7.2f}"]
        for name in self.held:
            cover, width = self.held[name] / self.agents, self.width[name] / self.agents
            if name == "ours":
                parts.insert(0, f"{cover:>9.3f} {width:>6.2f}")
            else:
                parts.append(f"  {name} {cover:.3f} {width:.2f}")
        return " ".join(parts)


def narrowest(pairs: Counter[Span], level: float) -> float:
    """Mean width of intervals, one a reported rank, that hold a share of the true ranks.

    Starts with no width and always takes the step that holds most more agents
    for each rank by which it widens the interval of an agent.

    Args:
        pairs: How many agents had each (reported rank, true rank).
        level: Share of the agents to hold.
    """
    numbers: dict[int, dict[int, int]] = {}
    for (reported, truth), number in pairs.items():
        numbers.setdefault(reported, {})[truth] = number
    spans = {reported: (reported, reported) for reported in numbers}
    total, width = sum(pairs.values()), 0
    held = sum(number for (reported, truth), number in pairs.items() if reported == truth)
    while held < level * total:
        steps = [
            (gain / cost, gain, cost, reported, span)
            for reported, own in numbers.items()
            for gain, cost, span in wider(own, spans[reported])
        ]
        _, gain, cost, reported, span = max(steps)
        spans[reported] = span
        held, width = held + gain, width + cost
    return width / total


def wider(numbers: dict[int, int], span: Span) -> Iterator[tuple[int, int, Span]]:
    """Go through the ways to widen an interval at one end: gain, cost, and the new one."""
    low, high = span
    for truth in numbers:
        if low <= truth <= high:
            continue
        new = (min(low, truth), max(high, truth))
        gain = sum(n for t, n in numbers.items() if new[0] <= t <= new[1]) - sum(
            n for t, n in numbers.items() if low <= t <= high
        )
        yield gain, (new[1] - new[0] - high + low) * sum(numbers.values()), new


def percentiles(tiers: Array, reported: Ints, tail: float) -> tuple[Array, Array]:
    """Percentiles of the ranks of the draws, with the reported rank inside."""
    ranks = np.sort(np.stack([ranks_of(row.astype(np.int64)) for row in tiers]), axis=0)
    cut = int(tail / 2 * (len(ranks) + 1)) - 1
    return np.minimum(ranks[cut], reported), np.maximum(ranks[-1 - cut], reported)


def simultaneous(values: Array, point: Floats, tail: float) -> tuple[Array, Array]:
    """Tests of all pairs at once: differences of ratings against a studentised maximum."""
    gaps = values[:, :, None] - values[:, None, :]
    error = gaps.std(axis=0) + 1e-12
    largest = np.sort((np.abs(gaps - gaps.mean(axis=0)) / error).max(axis=(1, 2)))
    critical = largest[int(np.ceil((1 - tail) * (len(gaps) + 1))) - 1]
    above = (point[:, None] - point[None, :]) / error > critical
    return 1 + above.sum(axis=0), len(point) - above.sum(axis=1)


def study(method: str, world: Mallows, asked: argparse.Namespace) -> Sums:
    """Rank many tables of one world by one method."""
    card, sums, tail = METHODS[method], Sums(), 1 - asked.level
    for number in range(asked.tables):
        table = world.drawn(asked.seed + number)
        scores, truth = table.scores(), table.ranks
        ratings = card.call(card.view(scores))
        reported = ranks_of(ratings.tiers)
        sums.table(reported, truth)
        chance = {"replicates": asked.replicates, "seed": asked.seed + number}
        spread = bootstrap(scores, card, {}, ratings, level=asked.level, **chance)
        low, high = np.array([spread.rank_intervals[name] for name in scores.agents]).T
        sums.intervals("ours", low, high, truth)
        if asked.others:
            draws = drawn(plan_for(scores, card), scores, card, {}, **chance)
            sums.intervals("percentile", *percentiles(draws.tiers, reported, tail), truth)
            if method in MONOTONE:
                bounds = simultaneous(draws.values, ratings.values, tail)
                sums.intervals("simultaneous", *bounds, truth)
    return sums


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="How often rank intervals hold the truth.")
    parser.add_argument("--tables", type=int, default=200, help="tables of each setting")
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--level", type=float, default=0.95)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", default="borda,copeland")
    parser.add_argument("--agents", default="5,8,20")
    parser.add_argument("--tasks", default="10,20,57")
    parser.add_argument("--phi", default="0.3,0.6,0.8")
    parser.add_argument("--others", action="store_true", help="other constructions, too")
    return parser.parse_args()


def main() -> None:
    """Print the study."""
    asked = arguments()
    registered()
    grid = itertools.product(
        asked.methods.split(","),
        map(int, asked.agents.split(",")),
        map(int, asked.tasks.split(",")),
        map(float, asked.phi.split(",")),
    )
    start = time.perf_counter()
    held = agents = 0
    print("method     agents tasks  phi  coverage  width  needed")
    for method, size, tasks, phi in grid:
        sums = study(method, mallows(size, tasks, phi), asked)
        held, agents = held + sums.held["ours"], agents + sums.agents
        print(f"{method:<10} {size:>6} {tasks:>5} {phi:>4} {sums.line(asked.level)}", flush=True)
    seconds = time.perf_counter() - start
    print(f"all settings: {held / agents:.4f} of {agents:,} agents, {seconds:.0f} s")


if __name__ == "__main__":
    main()
