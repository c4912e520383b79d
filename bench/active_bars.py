"""The average ranking error of `podium` in the published columns, beside the most it allows itself.

python bench/active_bars.py                      podium, seeds 920000 to 920199: two minutes of CPU
python bench/active_bars.py soft-vote --jobs 2   another preset against the same bars

Both rounds come from one run. A bar above the mean is kept; one below the interval is
missed for sure, and one inside it by no more than chance may do.
"""

import argparse

from active_paired import WORLDS
from podium import simulate

BARS = {
    1_000: {
        "M3": {3: 0.0160, 8: 0.0092},
        "M6": {3: 0.0550},
        "AT": {3: 0.0300, 8: 0.0115},
        "CL": {3: 0.0310, 8: 0.0205},
    },
    10_000: {
        "M3": {3: 0.0015, 8: 0.0009},
        "M6": {3: 0.023},
        "AT": {3: 0.0030, 8: 0.0012},
        "CL": {3: 0.0033, 8: 0.0024},
    },
}
"""Most average ranking error after so many rounds, in each world, for the first k agents."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("preset", nargs="?", default="podium")
    parser.add_argument(
        "--seeds", nargs=2, type=int, default=(920_000, 200), metavar=("FIRST", "COUNT")
    )
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Measure a preset and print the table."""
    asked = arguments()
    first, count = asked.seeds
    seeds = range(first, first + count)
    print(f"{asked.preset}, seeds {first} to {first + count - 1}: mean, 95 % interval +-, bar")
    print(f"{'world':<6} {'k':>2} {'round':>7} {'AGRE':>8} {'+-':>7} {'bar':>7}")
    for name, (world, wanted) in WORLDS.items():
        outcome = simulate(asked.preset, world, rounds=max(BARS), seeds=seeds, jobs=asked.jobs)
        for at, bars in BARS.items():
            for k in wanted:
                (mean, half), bar = outcome.agre(k, at), bars[name][k]
                missed = "" if mean <= bar else "  MISSED" if mean - half > bar else "  missed"
                row = f"{name:<6} {k:>2} {at:>7,} {mean:>8.5f} {half:>7.5f} {bar:>7.4f}{missed}"
                print(row, flush=True)


if __name__ == "__main__":
    main()
