"""What practice costs an evaluator: several queries in flight, and tasks of different costs.

python bench/active_practice.py flight --seeds 950000 200    error rounds, 8 in flight against 1
python bench/active_practice.py costs --seeds 950000 100     spend for the same error, costs seen

The worlds are those of the published tables. With 8 queries in flight, answers
come in a random order, and every one counts as a round. Costs of tasks are drawn
from 1 to 100, evenly in their logarithms; an evaluator that is blind to costs
chooses as if all were 1, and pays like the other. Errors are the generalized
ranking error of the first 3.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from active_paired import WORLDS
from podium.arrays import Floats
from podium.kernels import stream as chance
from podium.metrics.ranking import places_of, ranking_error
from podium.study.evaluator import Codes, Evaluator
from podium.study.presets import PRESETS
from podium.worlds import World

TOP = 3
DEAREST = 100.0
PARTS = 20
"""Into how many equal parts of the spend curves are cut."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", choices=["flight", "costs"])
    parser.add_argument("--preset", default="podium")
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 100), metavar=("FIRST", "COUNT"))
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--flight", type=int, default=8)
    return parser.parse_args()


class Trial:
    """One seed of a world, played by an evaluator round by round."""

    def __init__(self, preset: str, world: World, seed: int) -> None:
        self.evaluator = Evaluator(PRESETS[preset], world.sizes, seed, compiled=True)
        self.instance, self.seed, self.count = world.drawn(seed), seed, 0

    def tell(self, query: Codes) -> None:
        """Let the world answer a query."""
        stream, scores = np.zeros(1, dtype=np.uint64), np.zeros(2)
        chance.start.plain(stream, self.seed, chance.SCORES, self.count)
        self.instance.answer(self.instance.source, np.array(query), scores, stream)
        self.evaluator.tell(query, scores.tolist())
        self.count += 1

    @property
    def error(self) -> float:
        """The error of the report."""
        order = np.lexsort((self.evaluator.labels.agents, -self.evaluator.ratings))
        return float(ranking_error(places_of(order, self.instance.truth), TOP))


def flight_errors(preset: str, world: World, seed: int, rounds: int, flight: int) -> float:
    """Play with so many queries in flight, and give the mean error over rounds."""
    trial, lot = Trial(preset, world, seed), np.random.default_rng(seed)
    out: list[Codes] = []
    errors = []
    for _ in range(rounds):
        while len(out) < flight:
            out.append(trial.evaluator.ask())
        trial.tell(out.pop(int(lot.integers(len(out)))))
        errors.append(trial.error)
    return float(np.mean(errors))


def cost_curve(preset: str, world: World, seed: int, budget: float, *, blind: bool) -> Floats:
    """Play until a budget is spent, and give the error after each part of it."""
    trial, lot = Trial(preset, world, seed), np.random.default_rng(seed)
    prices = DEAREST ** lot.random(world.sizes.tasks)
    if not blind:
        terms = trial.evaluator.terms
        terms.costs[:] = prices[trial.evaluator.labels.tasks][:, None] / 2.0
        terms.priced[0] = terms.strict[:] = True
    marks = np.linspace(0.0, budget, PARTS + 1)[1:]
    curve, spent, error = np.ones(PARTS), 0.0, 1.0
    while spent < budget:
        query = trial.evaluator.ask()
        before, spent = spent, spent + prices[query[0]]
        curve[(marks > before) & (marks < spent)] = error
        trial.tell(query)
        error = trial.error
        curve[marks >= spent] = error
    return curve


def spend_for(curve: Floats, error: float) -> float:
    """Give the share of the budget from which on a curve stays at an error or below."""
    above = np.flatnonzero(curve > error)
    return float((above[-1] + 2) / PARTS) if len(above) else 1.0 / PARTS


def flight_lines(options: argparse.Namespace, seeds: range) -> Iterator[str]:
    """Compare many queries in flight with one."""
    changes = []
    for name, (world, _) in WORLDS.items():
        one, many = (
            np.array([flight_errors(options.preset, world, s, options.rounds, n) for s in seeds])
            for n in (1, options.flight)
        )
        lot = np.random.default_rng(0).integers(0, len(seeds), (2_000, len(seeds)))
        ratios = many[lot].mean(axis=1) / one[lot].mean(axis=1)
        low, high = 100 * (np.quantile(ratios, [0.025, 0.975]) - 1)
        change = 100 * (many.mean() / one.mean() - 1)
        changes.append(change)
        rounds = f"{options.rounds * one.mean():6.1f} -> {options.rounds * many.mean():6.1f}"
        yield f"{name}: error rounds {rounds}: {change:+.1f} % ({low:+.1f} to {high:+.1f})"
    yield f"mean: {np.mean(changes):+.1f} % with {options.flight} in flight (bar +10 %)"


def cost_lines(options: argparse.Namespace, seeds: range) -> Iterator[str]:
    """Compare an evaluator that sees costs with one that is blind to them."""
    shares = []
    budget = options.rounds * (DEAREST - 1.0) / np.log(DEAREST)
    for name, (world, _) in WORLDS.items():
        blind, seeing = (
            np.mean(
                [cost_curve(options.preset, world, s, budget, blind=flag) for s in seeds], axis=0
            )
            for flag in (True, False)
        )
        for share in (0.25, 0.5, 1.0):
            error = blind[round(share * PARTS) - 1]
            needed = spend_for(seeing, error) / share
            shares.append(needed)
            yield f"{name}: error {error:.4f} needs {needed:.2f} of the blind spend of {share:.2f}"
    yield f"mean: {np.mean(shares):.2f} of the spend (bar 0.5)"


def main() -> None:
    """Play, and print a line for each world."""
    options = arguments()
    seeds = range(options.seeds[0], sum(options.seeds))
    lines = flight_lines if options.part == "flight" else cost_lines
    for line in lines(options, seeds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
