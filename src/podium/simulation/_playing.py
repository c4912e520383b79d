"""One seed of a simulation, from the world to the orders that were reported."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from podium.kernels.compiled import Kernel
from podium.kernels.records import View, no_records, no_terms
from podium.metrics.ranking import places_of
from podium.simulation._loop import play
from podium.simulation.result import Run
from podium.study.evaluator import dealt_labels
from podium.study.presets import Preset
from podium.worlds._instance import World


@dataclass(frozen=True)
class Job:
    """What is to be simulated, for any seed.

    Attributes:
        preset: Learner and strategy.
        world: Where scores come from.
        rounds: Rounds of each seed.
        plain: Whether to run the loop in Python; the result is the same.
    """

    preset: Preset
    world: World
    rounds: int
    plain: bool = False

    def run(self, seed: int) -> Run:
        """Simulate one seed."""
        return run(self.preset, self.world, self.rounds, seed, plain=self.plain)

    def compile(self, seed: int) -> None:
        """Compile the loop before threads need it; a callback is not asked for that."""
        if isinstance(self.world.drawn(seed).answer, Kernel):
            run(self.preset, self.world, 1, seed)


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
        View(no_records(world.sizes), no_terms(world.sizes)),
        since,
        orders,
    )
    tally = instance.tally[np.ix_(instance.truth, instance.truth)]
    places = places_of(orders[:noted], instance.truth).astype(np.int16)
    return Run(seed, since[:noted].copy(), places, tally)


@cache
def loop_of(choose: Any, answer: Any, update: Any) -> Kernel[..., int]:
    """Make the loop of three steps, once."""
    return play.having(choose=choose, answer=answer, update=update)
