"""Count and rate more matches than memory holds: a billion, of a thousand agents.

The matches are written as Parquet files into a temporary folder, about three
bytes each, and deleted at the end. A part of them and all of them are counted
and rated, each in a process of its own, whose memory and time are told:

    python bench/billion.py --matches 1e9 --method elo
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
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


def write(folder: Path, matches: int) -> None:
    """Write matches of agents whose strength falls with their number."""
    import duckdb

    with duckdb.connect(config={"memory_limit": "1GB"}) as connection:
        for number, first in enumerate(range(0, matches, PER_FILE)):
            last = min(first + PER_FILE, matches)
            rows = ROWS.format(agents=AGENTS, first=first, last=last)
            path = folder / f"part-{number:04}.parquet"
            connection.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")
            if sys.stderr.isatty():
                print(f"\r{last:,} matches written", end="", file=sys.stderr)


def measure(pattern: str, method: str) -> None:
    """Count and rate, and print what that took."""
    import podium

    start, cpu = time.perf_counter(), time.process_time()
    tally = podium.count(pattern)
    counted, counted_cpu = time.perf_counter() - start, time.process_time() - cpu
    start = time.perf_counter()
    ranking = podium.rank(tally, method)
    answer = {
        "matches": int(tally.met.sum() / 2),
        "counted": counted,
        "counted_cpu": counted_cpu,
        "rated": time.perf_counter() - start,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "best": ranking.order[:3],
    }
    print(json.dumps(answer))


def told(pattern: Path, method: str) -> float:
    """Measure in a process of its own, print a line, and give the seconds a million matches."""
    command = [sys.executable, __file__, "--measure", str(pattern), "--method", method]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(ran.stdout)
    millions = found["matches"] / 1e6
    print(
        f"{found['matches']:>13,} matches: counted in {found['counted']:.1f} s "
        f"({found['counted_cpu']:.1f} s CPU, {1e3 * found['counted_cpu'] / millions:.0f} ms CPU a "
        f"million), {method} in {found['rated']:.2f} s, {found['memory']:.2f} GiB; "
        f"best {', '.join(found['best'])}",
        flush=True,
    )
    if found["memory"] > LIMIT:
        print(f"  above the limit of {LIMIT} GiB")
    return float(found["counted_cpu"] / millions)


def main() -> None:
    """Write matches, count and rate a part and all of them, and delete them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=float, default=1e9)
    parser.add_argument("--method", default="copeland")
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--measure", metavar="PATTERN", default=None)
    asked = parser.parse_args()
    if asked.measure:
        measure(asked.measure, asked.method)
        return
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        folder = Path(name)
        start = time.perf_counter()
        write(folder, int(asked.matches))
        size = sum(path.stat().st_size for path in folder.iterdir()) / 2**30
        print(f"{size:.2f} GiB written in {time.perf_counter() - start:.0f} s", flush=True)
        part = told(folder / "part-0000.parquet", asked.method)
        whole = told(folder / "part-*.parquet", asked.method)
        print(f"a million of all takes {whole / part:.2f} times as long as one of the part")


if __name__ == "__main__":
    main()
