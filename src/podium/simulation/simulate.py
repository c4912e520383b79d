"""Simulate presets in worlds."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from podium.kernels.stream import LARGEST_SEED
from podium.simulation._engines import engine_of
from podium.simulation._playing import Job, run
from podium.simulation.result import Run, Simulation
from podium.study.presets import PRESETS, Preset, check_match
from podium.words import check_number
from podium.worlds._instance import World

__all__ = ["PLAIN", "run", "runs_of", "simulate"]

PLAIN = 200
"""Up to this many rounds in all, a loop in Python ends before a compiler is loaded."""

Progress = Callable[[int, int], None]
"""Called with the number of seeds done and of all."""


def simulate(
    preset: str | Preset,
    world: World,
    *,
    rounds: int = 10_000,
    seeds: Iterable[int] = range(100),
    jobs: int = 1,
    engine: str = "local",
    progress: Progress | None = None,
) -> Simulation:
    """Let a preset find out the true ranking of a world, once for each seed.

    A seed decides the world, the scores and all choices, so that the result is
    the same whatever the engine and the number of jobs, and presets can be
    compared seed by seed.

    Args:
        preset: The name of a preset, or a learner and a strategy put together.
        world: Where scores come from.
        rounds: How many rounds; each asks for the scores of two agents on one task.
        seeds: The seeds.
        jobs: Threads, or workers of Ray on this machine, that work at the same time.
        engine: `"local"`, or `"ray"` for the cluster of RAY_ADDRESS or else this
            machine, or `"ray:address=HOST:PORT"`.
        progress: Called whenever a seed is done.

    >>> from podium import worlds
    >>> result = simulate("podium", worlds.mallows(agents=3, tasks=2), rounds=9, seeds=range(2))
    >>> result.gre(k=1).shape
    (2, 9)
    """
    chosen = PRESETS[preset] if isinstance(preset, str) else preset
    every = [_seed(seed) for seed in seeds]
    check_number("number of seeds", len(every), low=1)
    done: list[Run] = []
    for one in runs_of(chosen, world, rounds, every, jobs=jobs, engine=engine):
        done.append(one)
        if progress is not None:
            progress(len(done), len(every))
    return Simulation(chosen.name, world, rounds, tuple(done))


def runs_of(
    preset: Preset, world: World, rounds: int, seeds: Sequence[int], *, jobs: int, engine: str
) -> Iterator[Run]:
    """Give the runs of some seeds one by one, in the order of the seeds."""
    check_number("rounds", rounds, low=1)
    check_number("jobs", jobs, low=1)
    check_number("agents", world.sizes.agents, low=2)
    check_match(preset.learner, preset.strategy)
    job = Job(preset, world, rounds, plain=rounds * len(seeds) <= PLAIN)
    return engine_of(engine)(job, seeds, jobs)


def _seed(seed: int) -> int:
    check_number("seed", seed, low=0, high=LARGEST_SEED)
    return int(seed)
