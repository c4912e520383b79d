"""Plackett-Luce: tasks that draw agents one by one, better ones more likely first."""

import math
from dataclasses import dataclass

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes
from podium.kernels.stream import UNIT, Stream, uniform
from podium.words import check_number
from podium.worlds._dealing import deal_means, stream_of
from podium.worlds._instance import Instance


@dataclass(frozen=True)
class PlackettLuce:
    """A world whose agents have strengths, by which each task draws its order.

    Attributes:
        agents: Number of agents.
        tasks: Number of tasks.
        tau: Temperature: near 0 every task gives the truth.
        span: Strengths are uniform between 0 and this.
        sigma: Standard deviation of one score around its mean.
    """

    agents: int = 8
    tasks: int = 50
    tau: float = 1.0
    span: float = 10.0
    sigma: float = 20.0

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        return Sizes(self.agents, self.tasks)

    def drawn(self, seed: int) -> Instance:
        """Draw strengths, the tasks' orders by them, and their mean scores."""
        strengths = np.empty(self.agents)
        means = np.empty((self.tasks, self.agents))
        draw_tasks(stream_of(seed), self.span, self.tau, strengths, means)
        truth = np.argsort(-strengths, kind="stable")
        return Instance.normal(truth, means, np.full(means.shape, self.sigma))


def plackett_luce(
    agents: int = 8, tasks: int = 50, tau: float = 1.0, span: float = 10.0, sigma: float = 20.0
) -> PlackettLuce:
    r"""Make a Plackett-Luce world, with new strengths, tasks and means for each seed.

    .. math:: \Pr(a \text{ comes next}) = e^{\theta_a / \tau} / \sum_b e^{\theta_b / \tau}

    over the agents b that are left (Luce 1959; Plackett 1975).

    Args:
        agents: Number of agents.
        tasks: Number of tasks.
        tau: Temperature, above 0.
        span: Strengths are uniform between 0 and this.
        sigma: Standard deviation of one score around its mean.

    >>> plackett_luce(agents=3, tasks=2).drawn(seed=0).means.shape
    (2, 3)
    """
    check_number("agents", agents, low=1)
    check_number("tasks", tasks, low=1)
    check_number("tau", tau, low=1e-6)
    check_number("span", span, low=0.0)
    check_number("sigma", sigma, low=0.0)
    return PlackettLuce(agents, tasks, tau, span, sigma)


@kernel
def draw_tasks(stream: Stream, span: float, tau: float, strengths: Floats, means: Floats) -> None:
    """Draw strengths, and for each task an order by them and means that follow the order."""
    for agent in range(len(strengths)):
        strengths[agent] = span * uniform(stream)
    keys = np.empty(len(strengths))
    order = np.empty(len(strengths), dtype=np.int64)
    for task in range(len(means)):
        draw_order(stream, strengths, tau, keys, order)
        deal_means(stream, order, means[task])


@kernel
def draw_order(stream: Stream, strengths: Floats, tau: float, keys: Floats, order: Ints) -> None:
    """Sort agents by strength plus noise of Gumbel's law, which draws them one by one."""
    for agent in range(len(strengths)):
        noise = -math.log(-math.log(uniform(stream) + 0.5 * UNIT))
        keys[agent] = strengths[agent] / tau + noise
        place = agent
        while place > 0 and keys[order[place - 1]] < keys[agent]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = agent
