"""What a learner is, what it believes, and the one list of learners."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.kernels.compiled import Kernel
from podium.kernels.records import Sizes
from podium.registry import Maker, Registry, made


class Belief(NamedTuple):
    """What a learner now thinks.

    Attributes:
        ratings: A rating for each agent, higher is better; equal ones are tied.
        agents: The policy over agents for who plays first; uniform if it has none.
        rivals: The same for who plays against the first.
        tasks: The policy over tasks; uniform if it has none.
    """

    ratings: Floats
    agents: Floats
    rivals: Floats
    tasks: Floats


@dataclass(frozen=True)
class Learner:
    """A learner, ready for studies and simulations of any size.

    Attributes:
        name: What it does, in words with hyphens.
        start: Makes the state before the first round. The state is a NamedTuple
            of arrays and numbers, and its field `belief` holds all of a `Belief`.
        update: `update(state, records, query, scores, stream)` takes in one round
            that the records hold already, changes the state in place, and
            returns nothing. The query is a task and two agents, or one agent.
        refits: Whether the belief follows from the records alone, so that the
            rounds may come in any order.
        pairs: Whether it learns from two scores of one round only; `update` is
            not called for a score that came alone.
    """

    name: str
    start: Callable[[Sizes], Any]
    update: Kernel[..., None]
    refits: bool = False
    pairs: bool = False


LEARNERS: Registry[Maker[Learner]] = Registry("learner")


def learner(name: str, *, cite: str) -> Callable[[Callable[..., Learner]], Callable[..., Learner]]:
    """Register the decorated function, which makes a learner."""
    return made(LEARNERS, name, cite)


def no_belief(sizes: Sizes, rating: float = 0.0) -> Belief:
    """Give the belief of who has seen nothing: all agents and all tasks are alike."""
    return Belief(
        ratings=np.full(sizes.agents, rating),
        agents=np.full(sizes.agents, 1.0 / sizes.agents),
        rivals=np.full(sizes.agents, 1.0 / sizes.agents),
        tasks=np.full(sizes.tasks, 1.0 / sizes.tasks),
    )
