"""Count and rate more matches than memory holds: a billion, of a thousand agents.

The matches are written as Parquet files, about three bytes each. Ten million of
them and all of them are counted and rated, each in a process of its own, whose
memory and time are told:

    python bench/billion.py --matches 1e9

Files in a folder that is named are kept, and used by the next run.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

AGENTS = 1_000
PER_FILE = 10_000_000
LIMIT = 4.0
"""GiB of memory that counting and rating may take."""

ROWS = """
WITH met AS (
    SELECT (hash(i) % {agents})::INT AS l, (hash(i + 7) % ({agents} - 1))::INT + 1 AS step,
           (hash(3 * i + 1) % 1000000) / 1e6 AS chance
    FROM range({first}, {last}) AS t(i)
),
sides AS (SELECT l, (l + step) % {agents} AS r, chance FROM met)
SELECT 'model-' || lpad(l::VARCHAR, 4, '0') AS model_a,
       'model-' || lpad(r::VARCHAR, 4, '0') AS model_b,
       CASE WHEN chance < 0.1 THEN 'tie'
            WHEN (chance - 0.1) / 0.9 < 1 / (1 + exp((l - r) / 400.0)) THEN 'model_a'
            ELSE 'model_b' END AS winner
FROM sides
"""


def write(folder: Path, matches: int) -> list[Path]:
    """Write matches of agents whose strength falls with their number, where they are not there."""
    import duckdb

    paths = []
    with duckdb.connect(config={"memory_limit": "1GB"}) as connection:
        for first in range(0, matches, PER_FILE):
            last = min(first + PER_FILE, matches)
            path = folder / f"{first:012}-{last:012}.parquet"
            paths.append(path)
            if path.exists():
                continue
            rows = ROWS.format(agents=AGENTS, first=first, last=last)
            half = path.with_suffix(".half")
            connection.execute(f"COPY ({rows}) TO '{half}' (FORMAT parquet)")
            half.rename(path)
            if sys.stderr.isatty():
                print(f"\r{last:,} matches written", end="", file=sys.stderr)
    return paths


def measure(paths: Sequence[str], methods: Sequence[str]) -> None:
    """Count and rate, and print what that took."""
    import podium

    start, cpu = time.perf_counter(), time.process_time()
    tally = podium.count(paths)
    counted, counted_cpu = time.perf_counter() - start, time.process_time() - cpu
    rated, best = {}, {}
    for method in methods:
        start = time.perf_counter()
        best[method] = podium.rank(tally, method).order[:3]
        rated[method] = time.perf_counter() - start
    answer = {
        "matches": int(tally.met.sum() / 2),
        "counted": counted,
        "counted_cpu": counted_cpu,
        "rated": rated,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "best": best,
    }
    print(json.dumps(answer))


def told(paths: Sequence[Path], methods: Sequence[str]) -> float:
    """Measure in a process of its own, print it, and give the seconds of CPU a million matches."""
    command = [sys.executable, __file__, *(f"--method={method}" for method in methods)]
    asked = json.dumps([str(path) for path in paths])
    ran = subprocess.run(
        [*command, "--measure"], input=asked, check=True, stdout=subprocess.PIPE, text=True
    )
    found = json.loads(ran.stdout)
    millions = found["matches"] / 1e6
    print(
        f"{found['matches']:>13,} matches: counted in {found['counted']:.1f} s "
        f"({found['counted_cpu']:.1f} s CPU, {1e3 * found['counted_cpu'] / millions:.0f} ms CPU a "
        f"million); {found['memory']:.2f} GiB of memory at most"
    )
    for method in methods:
        best = ", ".join(found["best"][method])
        print(f"{'':13} {method} in {found['rated'][method]:.2f} s; best {best}", flush=True)
    if found["memory"] > LIMIT:
        print(f"  above the limit of {LIMIT} GiB")
    return float(found["counted_cpu"] / millions)


def main() -> None:
    """Write matches, then count and rate a part and all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=float, default=1e9)
    parser.add_argument("--method", action="append", help="copeland and elo, if none is given")
    parser.add_argument("--folder", type=Path, default=None, help="where matches are kept")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    methods = asked.method or ["copeland", "elo"]
    if asked.measure:
        measure(json.load(sys.stdin), methods)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = asked.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        start = time.perf_counter()
        parts = write(folder, int(asked.matches))
        size = sum(path.stat().st_size for path in parts) / 2**30
        print(f"{size:.2f} GiB, written in {time.perf_counter() - start:.0f} s", flush=True)
        part, whole = told(parts[:1], methods), told(parts, methods)
        print(f"a million of all takes {whole / part:.2f} times as long as one of the part")


if __name__ == "__main__":
    main()
