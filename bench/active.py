"""Microseconds that a round of each preset takes, the whole loop compiled.

python bench/active.py                   all presets, 8 and 16 agents, 50 tasks
python bench/active.py podium batch-elo  some presets
python bench/active.py --table2          all simulations behind Table 2 of the paper

CPU time of one thread, best of some seeds of 10,000 rounds each. Compilation is
left out; how long it takes where nothing is cached is told by --compile.

--table2 times the ten algorithms of the table on 100 seeds of 10,000 rounds in two
worlds, each once, and beside them the same loops in plain Python: the kernels
undecorated, for some rounds of one seed, extrapolated to all.
"""

import argparse
import os
import tempfile
import time

ROUNDS, SEEDS = 10_000, 5

TABLE2_SEEDS, PHIS = 100, (0.3, 0.6)

PLAIN_ROUNDS = 500
"""Rounds of one seed that are timed in plain Python, the burn-in among them."""

TABLE2_BAR = 60.0
"""Most seconds that Table 2 allows itself."""

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
    parser.add_argument("--table2", action="store_true", help="time Table 2 of the paper")
    return parser.parse_args()


def main() -> None:
    """Time the presets, or a table of them."""
    asked = arguments()
    if asked.compile:
        os.environ["PODIUM_CACHE"] = tempfile.mkdtemp()
    if asked.table2:
        table2()
    else:
        rounds_of(asked.preset)


def rounds_of(names: list[str]) -> None:
    """Time a round of each preset."""
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
    for name in names or PRESETS.cards:
        start = time.process_time()
        run(PRESETS[name], worlds.mallows(), 1, 0)
        compiling = time.process_time() - start
        times = [microseconds(PRESETS[name], agents) for agents in (8, 16)]
        pairs = zip(times, BARS.get(name, (None, None)), strict=True)
        missed = any(bar is not None and spent > bar for spent, bar in pairs)
        shown = " ".join(f"{spent:>7.2f}" for spent in times)
        print(f"{name:<30} {compiling:>7.1f}s {shown}{'  MISSED' if missed else ''}", flush=True)


def table2() -> None:
    """Time all simulations behind Table 2, compiled and in plain Python."""
    from podium import worlds
    from podium.experiments._active import cells
    from podium.simulation.simulate import run
    from podium.study.presets import PRESETS

    def seconds(name: str, rounds: int, seeds: int, *, plain: bool) -> float:
        start = time.process_time()
        for phi in PHIS:
            for seed in range(seeds):
                run(PRESETS[name], worlds.mallows(phi=phi), rounds, seed, plain=plain)
        return time.process_time() - start

    totals = [0.0, 0.0]
    share = PLAIN_ROUNDS / (ROUNDS * TABLE2_SEEDS)
    print(f"{'preset':<30} {'compiled':>9} {'plain Python, extrapolated':>28} {'times':>7}")
    for name in dict.fromkeys(cell.preset for cell in cells("2")):
        run(PRESETS[name], worlds.mallows(), 1, 0)  # compiled before it is timed
        spent = (
            seconds(name, ROUNDS, TABLE2_SEEDS, plain=False),
            seconds(name, PLAIN_ROUNDS, 1, plain=True) / share,
        )
        totals = [total + one for total, one in zip(totals, spent, strict=True)]
        print(_row(name, *spent), flush=True)
    print(_row("all", totals[0], totals[1]), "" if totals[0] <= TABLE2_BAR else "  MISSED")


def _row(name: str, compiled: float, plain: float) -> str:
    return f"{name:<30} {compiled:>8.1f}s {plain:>27,.0f}s {plain / compiled:>7,.0f}"


if __name__ == "__main__":
    main()
