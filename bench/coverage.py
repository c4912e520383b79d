"""How often rank intervals hold the truth, and how wide they are.

Draws Mallows tables, of which the true ranking is known, ranks each with
intervals from a bootstrap over tasks, and prints a line for every setting:

coverage    share of the agents whose rank interval holds their true rank
width       mean of worst rank less best rank
needed      mean width of the narrowest intervals that would have covered: one
            interval for each reported rank, chosen with the truth in hand so
            that in all they hold `--level` of the true ranks
percentile  coverage and width of percentiles of drawn ranks (with --others)
pairs       the same for simultaneous tests of all pairs (studentised maximum)

Run: python bench/coverage.py [--tables 500] [--methods borda,copeland] [--others]
"""

import argparse
import itertools
import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from podium.analysis.rank import registered
from podium.data.ratings import ranks_of
from podium.methods._registry import METHODS
from podium.uncertainty.bootstrap import bootstrap, drawn
from podium.uncertainty.resample import plan_for
from podium.worlds.mallows import mallows


@dataclass
class Tally:
    """Running sums over the agents of many tables."""

    agents: int = 0
    covered: int = 0
    width: int = 0
    offsets: Counter = field(default_factory=Counter)
    others: dict = field(default_factory=dict)

    def add(self, point, low, high, truth) -> None:
        """Count the agents of one table."""
        self.agents += len(truth)
        self.covered += int(((low <= truth) & (truth <= high)).sum())
        self.width += int((high - low).sum())
        self.offsets.update(zip(point.tolist(), truth.tolist(), strict=True))

    def also(self, name, low, high, truth) -> None:
        """Count another construction."""
        held, width = self.others.get(name, (0, 0))
        inside = int(((low <= truth) & (truth <= high)).sum())
        self.others[name] = (held + inside, width + int((high - low).sum()))


def narrowest(offsets: Counter, level: float) -> float:
    """Mean width of intervals, one a reported rank, that hold a share of the true ranks.

    Starts from no width and always widens by the ranks that hold most agents
    per rank added and agent that pays for it.
    """
    total = sum(offsets.values())
    wanted = level * total
    bounds = {point: (point, point) for point, _ in offsets}
    sizes = Counter()
    for (point, _), number in offsets.items():
        sizes[point] += number
    held = sum(number for (point, truth), number in offsets.items() if point == truth)
    width = 0
    while held < wanted:
        best = max(_steps(offsets, bounds, sizes), key=lambda step: step[0])
        _, point, new, gain, cost = best
        bounds[point] = new
        held += gain
        width += cost
    return width / total


def _steps(offsets, bounds, sizes):
    for point, (low, high) in bounds.items():
        below = [truth for (own, truth) in offsets if own == point and truth < low]
        above = [truth for (own, truth) in offsets if own == point and truth > high]
        ends = [(truth, high) for truth in below] + [(low, truth) for truth in above]
        for new in ends:
            gain = sum(
                number
                for (own, truth), number in offsets.items()
                if own == point and new[0] <= truth <= new[1] and not low <= truth <= high
            )
            cost = (new[1] - new[0] - high + low) * sizes[point]
            yield gain / cost, point, new, gain, cost


def percentiles(tiers, point, tail):
    """Percentiles of the ranks of the draws, the reported rank inside."""
    ranks = np.sort(np.stack([ranks_of(row.astype(np.int64)) for row in tiers]), axis=0)
    cut = int(tail / 2 * (len(ranks) + 1)) - 1
    return np.minimum(ranks[cut], point), np.maximum(ranks[-1 - cut], point)


def simultaneous(values, point, tail):
    """All pairs at once: differences of ratings against a studentised maximum."""
    gaps = values[:, :, None] - values[:, None, :]
    own = point[:, None] - point[None, :]
    error = gaps.std(axis=0) + 1e-12
    largest = np.sort((np.abs(gaps - gaps.mean(axis=0)) / error).max(axis=(1, 2)))
    critical = largest[int(np.ceil((1 - tail) * (len(gaps) + 1))) - 1]
    above = own / error > critical
    return 1 + above.sum(axis=0), len(point) - above.sum(axis=1)


def study(method, agents, tasks, phi, *, tables, replicates, level, seed, others=True) -> Tally:
    """Rank many tables of one kind."""
    card, world, tally = METHODS[method], mallows(agents, tasks, phi), Tally()
    rng = np.random.default_rng(seed)
    for number in range(tables):
        table = world.drawn(rng)
        scores, truth = table.scores(), table.ranks
        ratings = card.call(card.view(scores))
        settings = {"replicates": replicates, "seed": seed + number}
        spread = bootstrap(scores, card, {}, ratings, level=level, **settings)
        bounds = np.array([spread.rank_intervals[name] for name in scores.agents])
        point = ranks_of(ratings.tiers)
        tally.add(point, *bounds.T, truth)
        if others:
            draws = drawn(plan_for(scores, card), scores, card, {}, **settings)
            tally.also("percentile", *percentiles(draws.tiers, point, 1 - level), truth)
            if not np.diff(ratings.values[np.argsort(ratings.tiers)]).max() > 0:
                bounds = simultaneous(draws.values, ratings.values, 1 - level)
                tally.also("pairs", *bounds, truth)
    return tally


def main() -> None:
    """Print the study."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=500, help="tables of each setting")
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--level", type=float, default=0.95)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", default="borda,copeland")
    parser.add_argument("--agents", default="5,8,20")
    parser.add_argument("--tasks", default="10,20,57")
    parser.add_argument("--phi", default="0.3,0.6,0.8")
    parser.add_argument("--others", action="store_true", help="other constructions, too")
    asked = parser.parse_args()
    registered()
    print("method     agents tasks  phi  coverage  width  needed")
    grid = itertools.product(
        asked.methods.split(","),
        map(int, asked.agents.split(",")),
        map(int, asked.tasks.split(",")),
        map(float, asked.phi.split(",")),
    )
    start = time.perf_counter()
    covered = agents = 0
    for method, size, tasks, phi in grid:
        tally = study(
            method,
            size,
            tasks,
            phi,
            tables=asked.tables,
            replicates=asked.replicates,
            level=asked.level,
            seed=asked.seed,
            others=asked.others,
        )
        covered, agents = covered + tally.covered, agents + tally.agents
        line = f"{method:<10} {size:>6} {tasks:>5} {phi:>4}"
        line += f" {tally.covered / tally.agents:>9.3f} {tally.width / tally.agents:>6.2f}"
        line += f" {narrowest(tally.offsets, asked.level):>7.2f}"
        for name, (held, width) in tally.others.items():
            line += f"   {name} {held / tally.agents:.3f} {width / tally.agents:.2f}"
        print(line, flush=True)
    print(f"all: {covered / agents:.4f} of {agents:,} agents; {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
