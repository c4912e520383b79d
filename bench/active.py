"""Microseconds that a round of each preset takes, the whole loop compiled.

python bench/active.py                   all presets, 8 and 16 agents, 50 tasks
python bench/active.py podium batch-elo  some presets

CPU time of one thread, best of some seeds of 10,000 rounds each. Compilation is
left out; how long it takes where nothing is cached is told by --compile.
"""

import argparse
import os
import tempfile
import time

ROUNDS, SEEDS = 10_000, 5

BARS = {
    "podium": (12.0, 40.0),
    "uniform-averaging": (1.0, None),
    "basic-ucb": (1.0, None),
    "online-elo": (1.0, None),
    "online-sco": (1.0, None),
    "batch-elo": (2.5, None),
    "batch-copeland": (6.0, None),
    "batch-ranked-pairs": (6.0, None),
    "batch-sco": (6.0, None),
    "kemeny-el": (6.0, None),
    "batch-maximal-lotteries": (60.0, None),
    "batch-nash-averaging": (60.0, None),
}
"""Most microseconds that a preset allows itself, with 8 agents and with 16."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("preset", nargs="*", help="presets; by default all")
    parser.add_argument("--compile", action="store_true", help="compile everything anew")
    return parser.parse_args()


def main() -> None:
    """Time the presets."""
    asked = arguments()
    if asked.compile:
        os.environ["PODIUM_CACHE"] = tempfile.mkdtemp()
    from podium import worlds
    from podium.simulation.simulate import run
    from podium.study.presets import PRESETS, Preset

    def microseconds(preset: Preset, agents: int) -> float:
        world = worlds.mallows(agents=agents)
        best = float("inf")
        for seed in range(SEEDS):
            start = time.process_time()
            run(preset, world, ROUNDS, seed)
            best = min(best, time.process_time() - start)
        return best / ROUNDS * 1e6

    print(f"{'preset':<30} {'compile':>8} {'m = 8':>7} {'m = 16':>7}")
    for name in asked.preset or PRESETS.cards:
        start = time.process_time()
        run(PRESETS[name], worlds.mallows(), 1, 0)
        compiling = time.process_time() - start
        times = [microseconds(PRESETS[name], agents) for agents in (8, 16)]
        pairs = zip(times, BARS.get(name, (None, None)), strict=True)
        missed = any(bar is not None and spent > bar for spent, bar in pairs)
        shown = " ".join(f"{spent:>7.2f}" for spent in times)
        print(f"{name:<30} {compiling:>7.1f}s {shown}{'  MISSED' if missed else ''}", flush=True)


if __name__ == "__main__":
    main()
