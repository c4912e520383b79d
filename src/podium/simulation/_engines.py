"""Where seeds are simulated: in threads of this process, or by the workers of Ray.

An engine is given a job, seeds and a number of workers, and yields a run for each
seed in their order. What a seed gives is decided by the job and the seed alone.
"""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

from podium.errors import DataError, MissingExtra, PodiumError
from podium.simulation._playing import Job
from podium.simulation._sources import digest
from podium.simulation.result import Run

Engine: TypeAlias = Callable[[Job, Sequence[int], int], Iterator[Run]]

BLOCKS = 4
"""Pieces of work for each processor of a cluster: few, as each loads compiled loops once."""

PATIENCE = 10.0
"""Seconds to wait for a cluster."""


def engine_of(text: str) -> Engine:
    """Give the engine that a text names: local, ray, or ray:address=HOST:PORT.

    >>> engine_of("spark")
    Traceback (most recent call last):
      ...
    podium.errors.DataError: engine is 'spark'; give 'local', 'ray' or 'ray:address=HOST:PORT'
    """
    if text == "local":
        return locally
    name, _, option = text.partition(":")
    key, _, address = option.partition("=")
    if name != "ray" or (option and (key != "address" or not address)):
        msg = f"engine is {text!r}; give 'local', 'ray' or 'ray:address=HOST:PORT'"
        raise DataError(msg)
    return partial(by_ray, address=address)


def locally(job: Job, seeds: Sequence[int], jobs: int) -> Iterator[Run]:
    """Simulate in this process, by so many threads."""
    if jobs == 1 or job.plain:
        return map(job.run, seeds)
    from joblib import Parallel, delayed

    # Compiled loops hold no lock, so threads suffice: nothing is copied, nothing is started.
    job.compile(seeds[0])
    workers = Parallel(n_jobs=jobs, backend="threading", return_as="generator")
    runs: Iterator[Run] = workers(delayed(job.run)(seed) for seed in seeds)
    return runs


def by_ray(job: Job, seeds: Sequence[int], jobs: int, *, address: str = "") -> Iterator[Run]:
    """Simulate by the workers of Ray.

    Args:
        job: What to simulate.
        seeds: For which seeds.
        jobs: Workers to start on this machine, where no cluster is told.
        address: The cluster; else that of RAY_ADDRESS, else this machine.
    """
    ray = _ready(address, jobs)
    processors = int(ray.cluster_resources().get("CPU", 1))
    size = max(1, -(-len(seeds) // (BLOCKS * max(processors, 1))))
    shared, work = ray.put(job), ray.remote(_block)
    blocks = [seeds[first : first + size] for first in range(0, len(seeds), size)]
    for pending in [work.remote(shared, block, digest()) for block in blocks]:
        yield from _told(ray, pending)


def _ready(address: str, jobs: int) -> Any:
    """Connect to a cluster, or start Ray on this machine; it ends with the process."""
    try:
        ray: Any = import_module("ray")
    except ImportError as error:
        msg = "engine 'ray' needs Ray: pip install 'podium[ray]'"
        raise MissingExtra(msg) from error
    if ray.is_initialized():
        return ray
    wanted = address or os.environ.get("RAY_ADDRESS", "")
    _check_there(wanted)
    own: dict[str, Any] = {} if wanted else {"num_cpus": jobs, "include_dashboard": False}
    try:
        ray.init(wanted or "local", log_to_driver=False, logging_level="warning", **own)
    except (ConnectionError, RuntimeError, ValueError) as error:
        msg = f"Ray did not start, or did not let us in, at {wanted or 'this machine'!r}: {error}"
        raise PodiumError(msg) from error
    return ray


def _check_there(address: str) -> None:
    """Demand that somebody answers at an address; Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdecimal():
        return  # no address, or a word that Ray itself knows
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        msg = f"no cluster of Ray at {address!r} ({error}); start one there, or give its address"
        raise PodiumError(msg) from error


def _told(ray: Any, pending: Any) -> list[Run]:
    """Wait for the runs of a block; an error of a worker is raised as it was there."""
    try:
        runs: list[Run] = ray.get(pending)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PodiumError):
            raise error.cause from None
        raise
    return runs


def _block(job: Job, seeds: Sequence[int], sources: str) -> list[Run]:
    """Simulate some seeds on a worker, if it has the podium of who asks."""
    if digest() != sources:
        msg = "a worker has another version of podium; install the same one everywhere"
        raise PodiumError(msg)
    return [job.run(seed) for seed in seeds]
