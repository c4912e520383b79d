"""Studies that stop when they are sure: how often they are right, and what they cost.

python bench/calibration.py                     400 studies in each world, top 3, confidence 0.95
python bench/calibration.py --worlds mallows-0.3 agent57 --studies 50 --first 0
python bench/calibration.py --top 0             stop when the whole ranking is sure

Each study asks by preset podium, looks at its goal at the checkpoints, and stops when
the goal is met or after --rounds. It is right if its first k are the first k of a
Kemeny order of the true task rankings. Columns:

right      of those that stopped, and Wilson's 95 % interval
stated     mean probability that they stated
stopped    share that stopped
rounds     at the stop: median, mean (a study that did not stop counts --rounds)
uniform    rounds from which on questions drawn uniformly are right as often as all of these
           studies, with the same report / with averages; "-" if not within --rounds
saved      share of the first of these that the mean study saves
"""

import argparse
import math
import time
from typing import NamedTuple

import numpy as np

from podium import simulate, worlds
from podium.arrays import Array, Bools, Floats
from podium.kernels.kemeny_rounds import kemeny_order, table
from podium.kernels.records import View, no_records, no_terms
from podium.simulation._playing import loop_of
from podium.simulation.result import Run
from podium.study.evaluator import dealt_labels
from podium.study.presets import PRESETS, Preset
from podium.study.stop import Goal, next_checkpoint, reached
from podium.worlds import Instance, World

WORLDS: dict[str, World] = {
    "mallows-0.3": worlds.mallows(phi=0.3),
    "mallows-0.6": worlds.mallows(phi=0.6),
    "plackett-luce-1": worlds.plackett_luce(tau=1.0),
    "plackett-luce-2": worlds.plackett_luce(tau=2.0),
    "agent57": worlds.agent57(),
}

ROUNDING = 1e-9


class Outcome(NamedTuple):
    """How a study ended: its rounds, the probability it stated (NaN if it did not stop), right."""

    rounds: int
    stated: float
    right: bool


class Truth:
    """Which reports are right, by the best orders of all sets of agents."""

    def __init__(self, tally: Floats) -> None:
        self._tally = np.ascontiguousarray(tally)
        self._room = table(len(tally))
        kemeny_order(self._tally, self._room, np.zeros(len(tally), dtype=np.int64))

    def fits(self, order: Array, top: int | None) -> bool:
        """Tell whether the first of an order, or all of it, agree with some best order."""
        best = self._room.best
        if top is None:
            upper = np.triu(self._tally[np.ix_(order, order)], 1)
            return bool(upper.sum() > best[-1] - ROUNDING)
        chosen = sum(1 << int(agent) for agent in order[:top])
        cross = self._tally[np.ix_(order[:top], order[top:])].sum()
        value = best[chosen] + cross + best[len(best) - 1 - chosen]
        return bool(value > best[-1] - ROUNDING)


def study(world: World, seed: int, goal: Goal, rounds: int) -> Outcome:
    """Run a study until it stops."""
    preset, labels = PRESETS["podium"], dealt_labels(world.sizes, seed)
    instance: Instance = world.drawn(seed).relabelled(*labels)
    truth, sizes = Truth(instance.tally), world.sizes
    loop = loop_of(preset.strategy.choose, instance.answer, preset.learner.update).compiled
    choosing, learning = preset.strategy.start(sizes, seed), preset.learner.start(sizes)
    view = View(no_records(sizes), no_terms(sizes))
    at, answer = 0, None
    while answer is None and at < rounds:
        step = min(next_checkpoint(at, sizes.agents), rounds) - at
        since, orders = np.zeros(step, np.int64), np.zeros((step, sizes.agents), np.int16)
        loop(at, step, seed, instance.source, choosing, learning, view, since, orders)
        at += step
        answer = reached(goal, view.records, learning.belief.ratings, seed=seed)
    order = np.argsort(-learning.belief.ratings, kind="stable")
    stated = math.nan if answer is None else answer.chance(goal.top)
    return Outcome(at, stated, truth.fits(order, goal.top))


def share_right(
    preset: Preset, world: World, seeds: range, goal: Goal, asked: argparse.Namespace
) -> Floats:
    """Give the share of seeds that are right after each round."""
    outcome = simulate(preset, world, rounds=asked.rounds, seeds=seeds, jobs=asked.jobs)
    right = np.zeros(asked.rounds)
    for run in outcome.runs:
        right += spread_out(run, right_of(run, goal.top), asked.rounds)
    return right / len(outcome.runs)


def right_of(run: Run, top: int | None) -> Bools:
    """Tell for each order that a run reported whether it is right."""
    truth = Truth(run.tally)
    known: dict[tuple[int, ...], bool] = {}
    for places in run.places.tolist():
        key = tuple(places)
        if key not in known:
            known[key] = truth.fits(np.array(key), top)
    return np.array([known[tuple(places)] for places in run.places.tolist()])


def spread_out(run: Run, values: Bools, rounds: int) -> Floats:
    """Write a value for each round, from the rounds in which it changed."""
    lengths = np.diff(np.append(run.since, rounds + 1))
    return np.repeat(values, lengths).astype(np.float64)


def needed(share: Floats, wanted: float) -> float:
    """Give the round from which on a share stays at what is wanted; infinite if it never does."""
    short = np.flatnonzero(share < wanted)
    last = int(short[-1]) + 1 if len(short) else 0
    return math.inf if last == len(share) else last + 1.0


def wilson(count: int, of: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a share."""
    z = 1.959964
    middle = (count + z * z / 2) / (of + z * z)
    half = z / (of + z * z) * math.sqrt(count * (of - count) / of + z * z / 4)
    return middle - half, middle + half


def uniform_podium() -> Preset:
    """Make the preset that reports as podium does, and asks anything."""
    return Preset("uniform-podium", PRESETS["podium"].learner, PRESETS["kemeny-el"].strategy)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--studies", type=int, default=400, help="how many in each world")
    parser.add_argument("--first", type=int, default=940_000, help="the first seed")
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--top", type=int, default=3, help="0 for the whole ranking")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="leave the uniform studies out")
    return parser.parse_args()


def outcomes(world: World, goal: Goal, seeds: range, asked: argparse.Namespace) -> list[Outcome]:
    """Run all studies of a world."""
    from joblib import Parallel, delayed

    if asked.jobs == 1:
        return [study(world, seed, goal, asked.rounds) for seed in seeds]
    # Draws and loops hold no lock; the first study compiles for all.
    first = study(world, seeds[0], goal, asked.rounds)
    run = Parallel(n_jobs=asked.jobs, backend="threading")
    others = run(delayed(study)(world, seed, goal, asked.rounds) for seed in seeds[1:])
    return [first, *others]


def line(name: str, found: list[Outcome]) -> str:
    """Write how the studies of a world ended."""
    ended = [one for one in found if not math.isnan(one.stated)]
    right, rounds = sum(one.right for one in ended), [one.rounds for one in found]
    share, (low, high) = right / max(len(ended), 1), wilson(right, max(len(ended), 1))
    stated = np.mean([one.stated for one in ended]) if ended else math.nan
    return (
        f"{name:<16} {share:.4f} ({low:.3f}-{high:.3f}) {stated:>6.3f} "
        f"{len(ended) / len(found):>7.3f} {np.median(rounds):>6.0f} {np.mean(rounds):>6.0f}"
    )


def main() -> None:
    """Print the table."""
    asked = arguments()
    goal = Goal(asked.confidence, asked.top or None)
    seeds = range(asked.first, asked.first + asked.studies)
    print(f"{'world':<16} {'right':>20} {'stated':>6} stopped {'median':>6} {'mean':>6}", end="")
    print("" if asked.alone else "  uniform: podium / averages, saved")
    for name in asked.worlds:
        start = time.process_time()
        found = outcomes(WORLDS[name], goal, seeds, asked)
        print(line(name, found), end="", flush=True)
        if not asked.alone:
            wanted = sum(one.right for one in found) / len(found)
            ways = (uniform_podium(), PRESETS["uniform-averaging"])
            rounds = [
                needed(share_right(way, WORLDS[name], seeds, goal, asked), wanted) for way in ways
            ]
            shown = " / ".join("-" if math.isinf(count) else f"{count:.0f}" for count in rounds)
            saved = 1.0 - float(np.mean([one.rounds for one in found])) / rounds[0]
            print(f"  {shown:>18} {100 * saved:>5.0f} %", end="")
        print(f"  ({time.process_time() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
