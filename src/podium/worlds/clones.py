"""Clones: agents that stand beside another on every task."""

from dataclasses import dataclass, field

import numpy as np

from podium.arrays import Floats
from podium.errors import DataError
from podium.kernels.records import Sizes
from podium.kernels.stream import below, uniform
from podium.words import check_number
from podium.worlds._dealing import HIGHEST, LOWEST, stream_of
from podium.worlds._instance import Instance
from podium.worlds.mallows import Mallows, draw_tasks, mallows


@dataclass(frozen=True)
class Clones:
    """A Mallows world with clones added; only the originals are judged.

    Attributes:
        base: The world of the originals.
        clones: Number of clones.
        epsilon: How far a clone's mean lies towards the neighbour on its side.
    """

    base: Mallows = field(default_factory=Mallows)
    clones: int = 8
    epsilon: float = 0.05

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are, clones among them."""
        return Sizes(self.base.agents + self.clones, self.base.tasks)

    def drawn(self, seed: int) -> Instance:
        """Draw the originals, then clone one after another."""
        stream = stream_of(seed)
        truth = np.arange(self.base.agents, dtype=np.int64)
        means = np.empty((self.base.tasks, self.base.agents))
        draw_tasks(stream, self.base.phi, truth, means)
        for _ in range(self.clones):
            original = below.plain(stream, self.base.agents)
            ahead = uniform.plain(stream) < 0.5
            clone = _beside(means, original, ahead=ahead)
            own = means[:, original]
            means = np.column_stack([means, own + self.epsilon * (clone - own)])
        return Instance.normal(truth, means, np.full(means.shape, self.base.sigma))


def _beside(means: Floats, agent: int, *, ahead: bool) -> Floats:
    """Give the mean of the neighbour above or below an agent on each task, or the bound."""
    own = means[:, [agent]]
    if ahead:
        return np.asarray(np.where(means > own, means, HIGHEST).min(axis=1))
    return np.asarray(np.where(means < own, means, LOWEST).max(axis=1))


def clones(
    agents: int = 8,
    tasks: int = 50,
    phi: float = 0.3,
    sigma: float = 20.0,
    *,
    clones: int = 8,
    epsilon: float = 0.05,
) -> Clones:
    """Make a Mallows world in which random agents get clones, one by one.

    A clone stands on the same side of its original on every task, next to it:
    its mean is a step towards the neighbour there, or the bound at the end.

    Args:
        agents: Number of originals.
        tasks: Number of tasks.
        phi: Dispersion of the originals.
        sigma: Standard deviation of one score around its mean.
        clones: Number of clones.
        epsilon: Size of the step, as a share of the way; above 0, below 1.

    >>> clones(agents=3, tasks=2, clones=2).drawn(seed=0).means.shape
    (2, 5)
    """
    check_number("clones", clones, low=0)
    if not 0.0 < epsilon < 1.0:
        msg = f"epsilon is {epsilon!r}; give a number above 0 and below 1"
        raise DataError(msg)
    return Clones(mallows(agents, tasks, phi, sigma), clones, epsilon)
