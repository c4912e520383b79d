"""Side-by-side timing of podium and its peers.

Each case runs in a process of its own, on one thread. The same process also
times a fixed kernel (a sort of a million floats and a loop of a million
steps), and a time is printed as a multiple of it, "x cal", so that rows of one
run can be compared even on a machine that others use too.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np

ENOUGH_SECONDS = 6.0
"""A case is not run again once it has taken this long in all."""


@dataclass(frozen=True)
class Case:
    """One library at one task.

    Attributes:
        task: What is timed; libraries with the same task are set side by side.
        library: Who does it.
        prepare: Called outside the clock; gives the function that is timed.
        bar: Largest multiple of the kernel that podium allows itself, or None.
        within: Most seconds of wall time that podium allows itself, or None.
        limit: Seconds of CPU before the case is stopped.
        repeats: How often it is timed; the best counts.
    """

    task: str
    library: str
    prepare: Callable[[], Callable[[], Any]]
    bar: float | None = None
    within: float | None = None
    limit: int = 60
    repeats: int = 5

    @property
    def name(self) -> str:
        """The name that runs this case alone."""
        return f"{self.task} | {self.library}"


@dataclass
class Suite:
    """The cases of one run."""

    cases: dict[str, Case] = field(default_factory=dict)

    def add(
        self, task: str, library: str, prepare: Callable[[], Callable[[], Any]], **more: Any
    ) -> None:
        """Put a case into the suite."""
        case = Case(task, library, prepare, **more)
        self.cases[case.name] = case


SUITE = Suite()


def calibrate() -> float:
    """Time the fixed kernel, in seconds of CPU."""
    values = np.random.default_rng(0).random(1_000_000)
    start = time.process_time()
    np.sort(values)
    total = 0
    for step in range(1_000_000):
        total += step & 7
    return time.process_time() - start


def cpu_seconds() -> float:
    """CPU time of this process and its children so far."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime


def run_here(case: Case) -> dict[str, Any]:
    """Time a case in this process."""
    resource.setrlimit(resource.RLIMIT_CPU, (case.limit + 20, case.limit + 30))
    kernel = min(calibrate() for _ in range(3))
    work = case.prepare()
    times: list[float] = []
    began = time.perf_counter()
    while len(times) < case.repeats and sum(times) < ENOUGH_SECONDS:
        start = cpu_seconds()
        work()
        times.append(cpu_seconds() - start)
    wall = (time.perf_counter() - began) / len(times)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "first": times[0],
        "best": min(times),
        "cal": min(times) / kernel,
        "memory": memory,
        "wall": wall,
    }


def run_apart(script: str, case: Case) -> dict[str, Any]:
    """Time a case in a new process."""
    command = [sys.executable, script, "--case", case.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return {"error": lines[-1][:100] if lines else f"stopped after {case.limit} s"}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def report(script: str, cases: Iterator[Case]) -> None:
    """Run cases and print a table, a row each."""
    print(f"{'x cal':>8} {'best cpu':>9} {'first cpu':>9} {'wall':>9} {'MB':>6}  task | library")
    for case in cases:
        row = run_apart(script, case)
        if "error" in row:
            print(
                f"{'-':>8} {'':>6} {'':>9} {'':>9} {'':>6}  {case.name}: {row['error']}", flush=True
            )
            continue
        print(
            f"{row['cal']:>8.3g} {row['best']:>9.4f} {row['first']:>9.4f} {row['wall']:>9.4f} "
            f"{row['memory']:>6.0f}  {case.name}{verdict(case, row)}",
            flush=True,
        )


def verdict(case: Case, row: dict[str, Any]) -> str:
    """Say whether a case kept within what podium allows itself."""
    if case.bar is not None:
        return f" | {'ok' if row['cal'] <= case.bar else 'MISSED'}: at most {case.bar:g} x cal"
    if case.within is not None:
        return f" | {'ok' if row['wall'] <= case.within else 'MISSED'}: at most {case.within:g} s"
    return ""
