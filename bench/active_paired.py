"""Two presets on the same seeds: how many error rounds one saves against the other.

python bench/active_paired.py                            podium against soft-vote, seeds 0 to 199
python bench/active_paired.py podium batch-elo --seeds 910000 200 --at 300 1000

The seven columns are those of the published tables: Mallows worlds with phi 0.3
and 0.6, Agent57 and clones, for the first 3 and 8 agents. A cell is the change of
the mean error, and a 95 % interval by a bootstrap over seeds; the last column is
the mean of the seven. One column of 200 seeds moves by a tenth by chance: judge
by the mean, on seeds that no choice has seen. Last come 20 agents on 20 tasks,
where `basic-ucb` is the one to beat.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from podium import simulate, worlds
from podium.arrays import Floats
from podium.worlds import World

WORLDS: dict[str, tuple[World, tuple[int, ...]]] = {
    "M3": (worlds.mallows(phi=0.3), (3, 8)),
    "M6": (worlds.mallows(phi=0.6), (3,)),
    "AT": (worlds.agent57(), (3, 8)),
    "CL": (worlds.clones(), (3, 8)),
}
"""The worlds of the published tables, and how many agents matter."""

LARGE, LARGE_K, LARGE_AT = worlds.mallows(agents=20, tasks=20), 3, 2_000

REDRAWS = 2_000


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("new", nargs="?", default="podium")
    parser.add_argument("old", nargs="?", default="soft-vote")
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 200), metavar=("FIRST", "COUNT"))
    parser.add_argument("--at", nargs="+", type=int, default=[300, 1_000], help="rounds")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def errors(preset: str, seeds: range, at: Sequence[int], jobs: int) -> Floats:
    """Measure the average error up to each round, in each column, for each seed."""
    columns = []
    for world, wanted in WORLDS.values():
        outcome = simulate(preset, world, rounds=max(at), seeds=seeds, jobs=jobs)
        columns += [[outcome.agre_by_seed(k, t) for t in at] for k in wanted]
    return np.array(columns).swapaxes(0, 1)


def changes(new: Floats, old: Floats) -> tuple[Floats, Floats]:
    """Give the relative change of each column and of their mean, and 95 % intervals, in percent.

    Args:
        new: Column x seed.
        old: The same.
    """
    drawn = np.random.default_rng(0).integers(0, new.shape[1], (REDRAWS, new.shape[1]))
    redrawn = _relative(new[:, drawn], old[:, drawn])
    return _relative(new, old), np.quantile(redrawn, [0.025, 0.975], axis=-1)


def _relative(new: Floats, old: Floats) -> Floats:
    change = 100 * (new.mean(axis=-1) / old.mean(axis=-1) - 1)
    return np.concatenate([change, change.mean(axis=0, keepdims=True)])


def line(title: str, new: Floats, old: Floats, *, mean: bool = True) -> str:
    """Write one row of the table."""
    change, (low, high) = changes(new, old)
    count = len(change) if mean else len(change) - 1
    cells = (f"{change[i]:+5.1f} ({low[i]:+5.1f},{high[i]:+5.1f})" for i in range(count))
    return f"{title:>7}  " + "  ".join(cells)


def main() -> None:
    """Compare two presets."""
    asked = arguments()
    first, count = asked.seeds
    seeds = range(first, first + count)
    names = [f"{name} k={k}" for name, (_, wanted) in WORLDS.items() for k in wanted]
    print(f"{asked.new} against {asked.old}, seeds {first} to {first + count - 1}: percent")
    print(f"{'round':>7}  " + "  ".join(f"{name:<21}" for name in [*names, "mean"]))
    new, old = (errors(name, seeds, asked.at, asked.jobs) for name in (asked.new, asked.old))
    for row, at in enumerate(asked.at):
        print(line(f"{at:,}", new[row], old[row]), flush=True)
        for name, own in ((asked.old, old), (asked.new, new)):
            rounds = "  ".join(f"{mean:<21.1f}" for mean in at * own[row].mean(axis=-1))
            print(f"{'':>7}  {rounds}  error rounds of {name}")
    print(f"\n20 agents, 20 tasks, k={LARGE_K}, round {LARGE_AT:,}: mean error; change in percent")
    found = {
        name: simulate(name, LARGE, rounds=LARGE_AT, seeds=seeds, jobs=asked.jobs)
        for name in ("basic-ucb", asked.old, asked.new)
    }
    large = {name: outcome.agre_by_seed(LARGE_K)[None] for name, outcome in found.items()}
    for name, own in large.items():
        print(f"{name:<20} {own.mean():.4f} {line('', own, large['basic-ucb'], mean=False)}")


if __name__ == "__main__":
    main()
