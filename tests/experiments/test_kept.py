"""Simulations that experiments share are made once, and a stopped run goes on where it was."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from podium import worlds
from podium.experiments import _kept
from podium.experiments._kept import BLOCK, Kept, key_of
from podium.learners import LEARNERS
from podium.simulation._playing import Job
from podium.simulation.result import Run, Simulation
from podium.study.presets import PRESETS, Preset

WORLD = worlds.mallows(agents=5, tasks=6, phi=0.5)
SEEDS = range(2 * BLOCK + 3)


class StopError(Exception):
    """What a test stops a run with."""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the seed of every run that is made."""
    seeds: list[int] = []
    play = Job.run

    def noted(job: Job, seed: int) -> Run:
        seeds.append(seed)
        return play(job, seed)

    monkeypatch.setattr(Job, "run", noted)
    return seeds


def simulation(kept: Kept, *, jobs: int = 1, preset: str = "batch-sco") -> Simulation:
    return kept.simulation(preset, WORLD, rounds=60, seeds=SEEDS, jobs=jobs)


def bits(result: Simulation) -> list[tuple[int, bytes, bytes, bytes]]:
    return [
        (run.seed, run.since.tobytes(), run.places.tobytes(), run.tally.tobytes())
        for run in result.runs
    ]


def test_nothing_is_simulated_twice(played: list[int]) -> None:
    kept = Kept()
    one, other = simulation(kept), simulation(kept)
    assert played == list(SEEDS)
    assert bits(one) == bits(other)


def test_what_is_on_disk_is_the_same_to_the_last_bit(tmp_path: Path, played: list[int]) -> None:
    made = simulation(Kept(tmp_path))
    read = simulation(Kept(tmp_path))
    assert len(played) == len(SEEDS)
    assert bits(made) == bits(read)
    assert made.agre(2) == read.agre(2)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, played: list[int]) -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done == BLOCK + 4:
            raise StopError

    with pytest.raises(StopError):
        simulation(Kept(tmp_path, stop))
    told: list[tuple[int, int]] = []
    again = simulation(Kept(tmp_path, lambda _, *at: told.append(at)))
    assert played[-len(SEEDS) + BLOCK :] == list(SEEDS)[BLOCK:]
    assert told[0] == (BLOCK + 1, len(SEEDS))
    assert told[-1] == (len(SEEDS), len(SEEDS))
    assert bits(again) == bits(simulation(Kept()))


def test_the_number_of_jobs_changes_nothing(tmp_path: Path) -> None:
    assert bits(simulation(Kept(), jobs=3)) == bits(simulation(Kept(tmp_path)))


def test_a_file_that_was_cut_off_is_made_anew(tmp_path: Path, played: list[int]) -> None:
    made = simulation(Kept(tmp_path))
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert bits(simulation(Kept(tmp_path))) == bits(made)
    assert len(played) == 2 * len(SEEDS)


def variants() -> Iterator[Job]:
    elo = PRESETS["online-elo"]
    yield Job(elo, WORLD, 60)
    yield Job(elo, WORLD, 61)
    yield Job(elo, replace(WORLD, phi=0.4), 60)
    yield Job(elo, worlds.table([[1.0, 2.0]], 0.5), 60)
    yield Job(elo, worlds.table([[1.0, 2.0]], 0.6), 60)
    yield Job(replace(elo, learner=LEARNERS["online-elo"].make(k=8.0)), WORLD, 60)
    yield Job(PRESETS["batch-elo"], WORLD, 60)
    yield Job(PRESETS["batch-copeland"], WORLD, 60)


def test_whatever_decides_a_run_is_part_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [key_of(job, seeds) for job in variants() for seeds in (range(3), range(3, 6))]
    assert len(set(keys)) == len(keys)
    assert keys == [key_of(job, seeds) for job in variants() for seeds in (range(3), range(3, 6))]
    monkeypatch.setattr(_kept, "digest", lambda: "another state of the sources")
    assert key_of(next(variants()), range(3)) not in keys


def test_a_name_is_no_part_of_a_key() -> None:
    elo = PRESETS["online-elo"]
    other = Preset("another name", elo.learner, elo.strategy)
    assert key_of(Job(elo, WORLD, 9), [0]) == key_of(Job(other, WORLD, 9), [0])
