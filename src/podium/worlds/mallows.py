"""Mallows: tasks that order agents at random around one true order."""

from dataclasses import dataclass

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes
from podium.kernels.stream import Stream, shuffle, uniform
from podium.words import check_number
from podium.worlds._dealing import deal_means, stream_of
from podium.worlds._instance import Instance


@dataclass(frozen=True)
class Mallows:
    """A world of tasks that order the agents around a truth, and score them.

    Attributes:
        agents: Number of agents.
        tasks: Number of tasks.
        phi: Dispersion: 0 gives the truth on every task, 1 any order alike.
        sigma: Standard deviation of one score around its mean.
    """

    agents: int = 8
    tasks: int = 50
    phi: float = 0.3
    sigma: float = 20.0

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        return Sizes(self.agents, self.tasks)

    def drawn(self, seed: int) -> Instance:
        """Draw a truth, the tasks' orders around it, and their mean scores.

        A task's means are uniform numbers, the largest for its first agent.
        """
        truth = np.arange(self.agents, dtype=np.int64)
        means = np.empty((self.tasks, self.agents))
        draw_tasks(stream_of(seed), self.phi, truth, means)
        return Instance.normal(truth, means, np.full(means.shape, self.sigma))


def mallows(agents: int = 8, tasks: int = 50, phi: float = 0.3, sigma: float = 20.0) -> Mallows:
    """Make a Mallows world, with a new truth, tasks and means for each seed.

    Args:
        agents: Number of agents.
        tasks: Number of tasks.
        phi: Dispersion, from 0 (all tasks agree) to 1 (any order alike).
        sigma: Standard deviation of one score around its mean.

    >>> instance = mallows(agents=3, tasks=2, phi=0.0).drawn(seed=0)
    >>> bool((np.argsort(-instance.means, axis=1) == instance.truth).all())
    True
    """
    check_number("agents", agents, low=1)
    check_number("tasks", tasks, low=1)
    check_number("phi", phi, low=0.0, high=1.0)
    check_number("sigma", sigma, low=0.0)
    return Mallows(agents, tasks, phi, sigma)


@kernel
def draw_tasks(stream: Stream, phi: float, truth: Ints, means: Floats) -> None:
    """Draw a truth, and for each task an order around it and means that follow the order."""
    shuffle(stream, truth)
    order = np.empty_like(truth)
    for task in range(len(means)):
        draw_order(stream, phi, order)
        for place in range(len(order)):
            order[place] = truth[order[place]]
        deal_means(stream, order, means[task])


@kernel
def draw_order(stream: Stream, phi: float, order: Ints) -> None:
    r"""Draw an order around 0, 1, 2, ...

    .. math:: \Pr(\pi) \propto \phi^{d(\pi)}

    with d the number of pairs that stand the other way around (Mallows 1957).
    By repeated insertion (Doignon, Pekec and Regenwetter 2004): item i goes k
    places above the end of the i items before it with probability
    :math:`\phi^k / (1 + \phi + \dots + \phi^i)`.
    """
    for item in range(len(order)):
        total, chance = 1.0, 1.0
        for _ in range(item):
            chance *= phi
            total += chance
        left, chance, above = uniform(stream) * total - 1.0, 1.0, 0
        while left >= 0.0 and above < item:
            above += 1
            chance *= phi
            left -= chance
        for place in range(item, item - above, -1):
            order[place] = order[place - 1]
        order[item - above] = item


def mallows_ranks(count: int, agents: int, phi: float, seed: int) -> Ints:
    """Draw orders around the order 0, 1, 2, ...; give the place of each item, from 0.

    Args:
        count: How many orders.
        agents: Length of each.
        phi: Dispersion, from 0 to 1.
        seed: Start of all chance.

    >>> mallows_ranks(2, 3, 0.0, seed=0).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    orders = np.zeros((count, agents), dtype=np.int64)
    stream = stream_of(seed)
    for order in orders:
        draw_order(stream, phi, order)
    return np.argsort(orders, axis=1)
