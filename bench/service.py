"""Cycles of ask and tell a second over HTTP, beside an empty handler and Optuna.

python bench/service.py                            on the disk of the temporary folder
python bench/service.py --folder /dev/shm          without waiting for a disk
python bench/service.py --optuna VENV/bin/python   beside Optuna's SQLite storage

A cycle is two requests. The empty handler is the same server software without a
study; its cycle is two requests, too. Bars: podium does at least 0.4 of the cycles
of the empty handler and ten times those of Optuna; eight workers do at least
0.9 times the cycles of one; the slowest answer of a hundred takes at most 20 times the
median, the slowest of all a second; no worker gets less than half of its share.
"""

import argparse
import contextlib
import json
import multiprocessing
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

AGENTS, TASKS = [f"a{n}" for n in range(8)], [f"t{n}" for n in range(57)]

OPTUNA = """
import sys, threading, time
import optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
url, workers, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
storage = optuna.storages.RDBStorage(url)
study = optuna.create_study(storage=storage, sampler=optuna.samplers.RandomSampler())
counts, end = [0] * workers, time.monotonic() + seconds
def work(worker):
    while time.monotonic() < end:
        trial = study.ask()
        trial.suggest_float("x", 0, 1)
        study.tell(trial, 1.0)
        counts[worker] += 1
threads = [threading.Thread(target=work, args=(n,)) for n in range(workers)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sum(counts) / seconds)
"""


class Load(NamedTuple):
    """What some workers have done.

    Attributes:
        cycles: Cycles a second of all together.
        median: Seconds that half of the answers took.
        high: Seconds that one answer of a hundred took, or more.
        worst: Seconds that the slowest took.
        least: Cycles of the worker with the fewest, as a share of the mean.
    """

    cycles: float
    median: float
    high: float
    worst: float
    least: float


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--folder", default=None, help="where the files of studies are")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4, 8, 32])
    parser.add_argument("--seconds", type=float, default=6.0, help="for each row")
    parser.add_argument("--optuna", default="", help="a Python that has Optuna")
    parser.add_argument("--empty", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


def empty(port: int) -> None:
    """Serve a handler that does nothing."""
    import uvicorn
    from litestar import Litestar, post

    @post("/api/v1/nothing", status_code=200, sync_to_thread=False)
    def nothing(data: dict[str, Any]) -> dict[str, Any]:
        return data

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    config = uvicorn.Config(Litestar([nothing]), access_log=False, log_level="error")
    uvicorn.Server(config).run(sockets=[listener])


@contextlib.contextmanager
def running(command: list[str], port: int) -> Iterator[str]:
    """Run a server until it is no longer needed."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def nothing_done(url: str, _: int) -> Callable[[], list[float]]:
    """Make a worker that sends two requests to the empty handler."""
    from podium.client.wire import Wire

    wire = Wire(url, None, 60.0, 0.0)

    def cycle() -> list[float]:
        return [timed(lambda: wire.post("nothing", body={"count": 1})) for _ in range(2)]

    return cycle


def asked_and_told(url: str, batch: int) -> Callable[[], list[float]]:
    """Make a worker that asks for some queries and tells scores at once."""
    import podium

    study = podium.connect(url, study="s")

    def cycle() -> list[float]:
        queries: list[Any] = []
        times = [timed(lambda: queries.extend(study.ask(batch)))]
        for query in queries:
            scores = dict.fromkeys(query.agents, 1.0)
            times.append(timed(lambda q=query, s=scores: study.tell(q, s)))  # type: ignore[misc]
        return times

    return cycle


def timed(call: Callable[[], Any]) -> float:
    """Time a call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def process(
    make: Callable[..., Any], url: str, batch: int, threads: int, seconds: float, pipe: Any
) -> None:
    """Run some workers in this process, and send what they did."""
    times: list[list[float]] = [[] for _ in range(threads)]
    end = time.monotonic() + seconds

    def work(worker: int) -> None:
        cycle = make(url, batch)
        while time.monotonic() < end:
            times[worker] += cycle()

    crew = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    pipe.send(times)


def load(make: Callable[..., Any], url: str, workers: int, seconds: float, batch: int = 1) -> Load:
    """Let workers loose on a server, in two processes if there are two or more."""
    spawn = multiprocessing.get_context("spawn")
    shares = [workers // 2, workers - workers // 2] if workers > 1 else [1]
    ends = []
    for threads in shares:
        here, there = spawn.Pipe()
        spawn.Process(target=process, args=(make, url, batch, threads, seconds, there)).start()
        ends.append(here)
    each = [times for end in ends for times in end.recv()]
    answers = sorted(seconds for times in each for seconds in times)
    requests = [len(times) for times in each]
    cycles = sum(requests) * batch / (1 + batch) / seconds
    least = min(requests) / statistics.mean(requests)
    high = answers[int(0.99 * (len(answers) - 1))]
    return Load(cycles, statistics.median(answers), high, answers[-1], least)


def optuna(python: str, folder: str, workers: int, seconds: float) -> float:
    """Let Optuna do the same on a SQLite file, in threads of one process."""
    url = f"sqlite:///{tempfile.mkdtemp(dir=folder)}/optuna.db"
    command = [python, "-c", OPTUNA, url, str(workers), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(json.loads(done.stdout)) if done.returncode == 0 else float("nan")


def free_port() -> int:
    """Find a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def verdict(name: str, value: float, bar: float, *, most: bool = False) -> str:
    """Say whether a figure is on the right side of its bar."""
    good = value <= bar if most else value >= bar
    return f"{'ok    ' if good else 'MISSED'} {name}: {value:.3g} (bar {bar:g})"


def judged(rows: dict[int, tuple[Load, Load, float]], batch: Load) -> Iterator[str]:
    """Compare the rows with the bars."""
    for workers, (nothing, mine, other) in rows.items():
        share = mine.cycles / nothing.cycles
        yield verdict(f"{workers} workers, share of the empty handler", share, 0.4)
        if other == other:  # noqa: PLR0124, NaN is what differs from itself
            yield verdict(f"{workers} workers, times Optuna's SQLite", mine.cycles / other, 10.0)
    if {1, 8} <= set(rows):
        eight, one = rows[8][1], rows[1][1]
        yield verdict("8 workers to one", eight.cycles / one.cycles, 0.9)
        yield verdict("8 workers, p99 / p50", eight.high / eight.median, 20.0, most=True)
        yield verdict("8 workers, worst in seconds", eight.worst, 1.0, most=True)
        yield verdict("8 workers, least share", eight.least, 0.5)
        yield verdict("16 queries at a time, times one", batch.cycles / eight.cycles, 4.0)


def main() -> None:
    """Time everything and print the table."""
    chosen = arguments()
    if chosen.empty:
        empty(chosen.empty)
        return
    import podium

    rows: dict[int, tuple[Load, Load, float]] = {}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=chosen.folder))
        ports = free_port(), free_port()
        store = f"sqlite:///{Path(folder) / 's.db'}"
        command = ["-m", "podium.cli.main", "serve", "--store", store, "--port", str(ports[0])]
        mine = stack.enter_context(running(command, ports[0]))
        idle = stack.enter_context(running([__file__, "--empty", str(ports[1])], ports[1]))
        service = podium.connect(mine)
        study = service.create("s", agents=AGENTS, tasks=TASKS, preset="uniform-averaging")
        study.ask()
        print(f"{'workers':>7} {'empty':>7} {'podium':>7} {'optuna':>7}  cycles a second")
        for workers in chosen.workers:
            nothing = load(nothing_done, idle, workers, chosen.seconds)
            told = load(asked_and_told, mine, workers, chosen.seconds)
            other = float("nan")
            if chosen.optuna:
                other = optuna(chosen.optuna, folder, workers, chosen.seconds)
            rows[workers] = (nothing, told, other)
            print(
                f"{workers:>7} {nothing.cycles:>7.0f} {told.cycles:>7.0f} {other:>7.1f}  podium: "
                f"p50 {told.median * 1e3:.1f} ms, p99 {told.high * 1e3:.1f}, "
                f"worst {told.worst * 1e3:.0f}",
                flush=True,
            )
        batch = load(asked_and_told, mine, 8, chosen.seconds, batch=16)
        print(f"{'8 x 16':>7} {'':>7} {batch.cycles:>7.0f}")
    print("\n".join(judged(rows, batch)))


if __name__ == "__main__":
    main()
