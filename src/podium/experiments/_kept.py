"""Simulations that experiments share: made once, and kept on disk to go on from after a stop."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from podium.kernels.compiled import Kernel
from podium.simulation._playing import Job
from podium.simulation._sources import digest
from podium.simulation.result import Run, Simulation
from podium.simulation.simulate import runs_of
from podium.study.presets import PRESETS, Preset
from podium.worlds import World

BLOCK = 10
"""Seeds that are kept together: at most what is lost by a stop."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is under way, and how much of it is done of how much."""


class Kept:
    """Runs by what decides them: preset, world, rounds, seeds, and podium's own sources.

    Args:
        folder: Where blocks of seeds are kept; without one, only in memory.
        progress: Told how many seeds of a simulation are done.
    """

    def __init__(self, folder: Path | None = None, progress: Progress | None = None) -> None:
        self.folder = folder
        self.progress = progress
        self._blocks: dict[str, list[Run]] = {}

    def simulation(
        self,
        preset: str | Preset,
        world: World,
        *,
        rounds: int,
        seeds: Sequence[int],
        jobs: int = 1,
        engine: str = "local",
        called: str = "",
    ) -> Simulation:
        """Simulate a preset for the seeds that are not kept yet, and give the runs of all.

        Args:
            preset: The preset.
            world: The world.
            rounds: Rounds of each seed.
            seeds: The seeds.
            jobs: Threads, or workers.
            engine: Where to simulate.
            called: What the world is called, for who waits.
        """
        chosen = PRESETS[preset] if isinstance(preset, str) else preset
        blocks = [seeds[first : first + BLOCK] for first in range(0, len(seeds), BLOCK)]
        keys = [key_of(Job(chosen, world, rounds), block) for block in blocks]
        missing = {k: block for k, block in zip(keys, blocks, strict=True) if not self._has(k)}
        wanted = [seed for block in missing.values() for seed in block]
        if wanted:
            fresh = runs_of(chosen, world, rounds, wanted, jobs=jobs, engine=engine)
            told = self._told(fresh, f"{chosen.name}, {called}", len(seeds), len(wanted))
            for key, block in missing.items():
                self._put(key, list(islice(told, len(block))))
        runs = [run for key in keys for run in self._blocks[key]]
        return Simulation(chosen.name, world, rounds, tuple(runs))

    def _told(self, runs: Iterator[Run], what: str, total: int, wanted: int) -> Iterator[Run]:
        for number, run in enumerate(runs, start=total - wanted + 1):
            if self.progress is not None:
                self.progress(what, number, total)
            yield run

    def _has(self, key: str) -> bool:
        if key not in self._blocks and self.folder is not None:
            found = _read(self.folder / f"{key}.npz")
            if found is not None:
                self._blocks[key] = found
        return key in self._blocks

    def _put(self, key: str, runs: list[Run]) -> None:
        self._blocks[key] = runs
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(self.folder / f"{key}.npz", runs)


def key_of(job: Job, seeds: Sequence[int]) -> str:
    """Name a block of seeds by all that decides its runs."""
    learner, strategy, sizes = job.preset.learner, job.preset.strategy, job.world.sizes
    found = blake2b(digest_size=16)
    parts = (
        digest(), job.rounds, tuple(seeds), job.world, learner.update, strategy.choose,
        learner.start(sizes), strategy.start(sizes, seeds[0]),
    )  # fmt: skip
    for piece in _pieces(parts):
        found.update(piece)
    return found.hexdigest()


def _pieces(value: Any) -> Iterator[bytes]:
    """Take a value apart into bytes that no other value gives."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, Kernel):
        yield f"{value.label}{value.source.__code__.co_consts!r}".encode()
        yield value.source.__code__.co_code
        yield from _pieces(tuple(sorted(value.parts.items())))
    elif is_dataclass(value):
        yield type(value).__qualname__.encode()
        yield from _pieces(tuple(getattr(value, field.name) for field in fields(value)))
    elif isinstance(value, tuple):
        yield f"{type(value).__qualname__}{len(value)}".encode()
        for item in value:
            yield from _pieces(item)
    else:
        yield repr(value).encode()


def _write(path: Path, runs: Sequence[Run]) -> None:
    """Write runs under another name first, so that no file is ever half written."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    with partial.open("wb") as file:
        np.savez_compressed(
            file,
            seeds=np.array([run.seed for run in runs]),
            ends=np.cumsum([len(run.since) for run in runs]),
            since=np.concatenate([run.since for run in runs]),
            places=np.concatenate([run.places for run in runs]),
            tally=np.stack([run.tally for run in runs]),
        )
    partial.replace(path)


def _read(path: Path) -> list[Run] | None:
    """Read runs; None if there are none, or a file that cannot be read."""
    try:
        with path.open("rb") as file, np.load(file) as found:
            ends = found["ends"][:-1]
            since, places = np.split(found["since"], ends), np.split(found["places"], ends)
            each = zip(found["seeds"].tolist(), since, places, found["tally"], strict=True)
            return [Run(*run) for run in each]
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return None
