"""Simulate presets in worlds."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from podium.kernels.compiled import Kernel
from podium.kernels.records import no_records
from podium.kernels.stream import LARGEST_SEED
from podium.metrics.ranking import places_of
from podium.simulation._loop import play
from podium.simulation.result import Run, Simulation
from podium.study.evaluator import dealt_labels
from podium.study.presets import PRESETS, Preset, check_match
from podium.words import check_number
from podium.worlds._instance import World

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
    progress: Progress | None = None,
) -> Simulation:
    """Let a preset find out the true ranking of a world, once for each seed.

    A seed decides the world, the scores and all choices, so that the result is
    the same whatever the number of jobs, and presets can be compared seed by seed.

    Args:
        preset: The name of a preset, or a learner and a strategy put together.
        world: Where scores come from.
        rounds: How many rounds; each asks for the scores of two agents on one task.
        seeds: The seeds.
        jobs: Threads that work at the same time.
        progress: Called whenever a seed is done.

    >>> from podium import worlds
    >>> result = simulate("podium", worlds.mallows(agents=3, tasks=2), rounds=9, seeds=range(2))
    >>> result.gre(k=1).shape
    (2, 9)
    """
    chosen = PRESETS[preset] if isinstance(preset, str) else preset
    every = [_seed(seed) for seed in seeds]
    check_number("rounds", rounds, low=1)
    check_number("jobs", jobs, low=1)
    check_number("number of seeds", len(every), low=1)
    check_number("agents", world.sizes.agents, low=2)
    check_match(chosen.learner, chosen.strategy)
    small = rounds * len(every) <= PLAIN
    if jobs == 1 or small:
        runs = (run(chosen, world, rounds, seed, plain=small) for seed in every)
    else:
        from joblib import Parallel, delayed

        # Compiled loops hold no lock, so threads suffice: nothing is copied, nothing is started.
        _compile(chosen, world, every[0])
        workers = Parallel(n_jobs=jobs, backend="threading", return_as="generator")
        runs = workers(delayed(run)(chosen, world, rounds, seed) for seed in every)
    done: list[Run] = []
    for one in runs:
        done.append(one)
        if progress is not None:
            progress(len(done), len(every))
    return Simulation(chosen.name, world, rounds, tuple(done))


def run(preset: Preset, world: World, rounds: int, seed: int, *, plain: bool = False) -> Run:
    """Simulate one seed.

    Args:
        preset: Learner and strategy.
        world: Where scores come from.
        rounds: How many.
        seed: Decides all chance.
        plain: Whether to run the loop in Python; the result is the same.
    """
    instance = world.drawn(seed).relabelled(*dealt_labels(world.sizes, seed))
    since = np.zeros(rounds, dtype=np.int64)
    orders = np.zeros((rounds, world.sizes.agents), dtype=np.int16)
    loop = loop_of(preset.strategy.choose, instance.answer, preset.learner.update)
    plain = plain or not isinstance(instance.answer, Kernel)
    noted = (loop.plain if plain else loop.compiled)(
        0,
        rounds,
        seed,
        instance.source,
        preset.strategy.start(world.sizes, seed),
        preset.learner.start(world.sizes),
        no_records(world.sizes),
        since,
        orders,
    )
    tally = instance.tally[np.ix_(instance.truth, instance.truth)]
    places = places_of(orders[:noted], instance.truth).astype(np.int16)
    return Run(seed, since[:noted].copy(), places, tally)


def _compile(preset: Preset, world: World, seed: int) -> None:
    """Compile the loop before threads need it; a callback is not asked for that."""
    if isinstance(world.drawn(seed).answer, Kernel):
        run(preset, world, 1, seed)


@cache
def loop_of(choose: Any, answer: Any, update: Any) -> Kernel[..., int]:
    """Make the loop of three steps, once."""
    return play.having(choose=choose, answer=answer, update=update)


def _seed(seed: int) -> int:
    check_number("seed", seed, low=0, high=LARGEST_SEED)
    return int(seed)
