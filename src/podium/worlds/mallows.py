"""Mallows: tasks that order agents at random around one true order."""

from dataclasses import dataclass

import numpy as np

from podium.arrays import Floats, Ints, locked
from podium.data.roster import Roster
from podium.data.scores import Scores
from podium.words import check_number

LOWEST, HIGHEST = 0.0, 100.0
"""Range of the mean scores."""


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

    def drawn(self, rng: np.random.Generator) -> "Table":
        """Draw a truth, the tasks' orders around it, and their mean scores.

        A task's means are uniform numbers, the largest for its first agent.
        """
        truth = rng.permutation(self.agents)
        ranks = mallows_ranks(self.tasks, self.agents, self.phi, rng)
        means = np.sort(rng.uniform(LOWEST, HIGHEST, ranks.shape), axis=1)[:, ::-1]
        table = np.empty_like(means)
        table[:, truth] = np.take_along_axis(means, ranks, axis=1)
        return Table(locked(truth), locked(table), self.sigma)


@dataclass(frozen=True, eq=False)
class Table:
    """What a world turned out to be: its truth and the mean score of every cell.

    Attributes:
        truth: Codes of the agents, the best first.
        means: Mean scores, tasks x agents.
        sigma: Standard deviation of one score around its mean.
    """

    truth: Ints
    means: Floats
    sigma: float

    @property
    def ranks(self) -> Ints:
        """True rank of each agent, from 1."""
        return locked(np.argsort(self.truth) + 1)

    @property
    def roster(self) -> Roster:
        """Names of agents and tasks; they tell nothing of the truth."""
        tasks, agents = self.means.shape
        return Roster(_names("agent", agents), _names("task", tasks))

    def scores(self) -> Scores:
        """Give the means as scores, without noise."""
        names = self.roster
        return Scores.from_matrix(self.means, names.tasks, names.agents)

    def sampled(self, samples: int, rng: np.random.Generator) -> Scores:
        """Give some normal scores of every cell."""
        check_number("samples", samples, low=1)
        values = rng.normal(self.means, self.sigma, (samples, *self.means.shape))
        _, task, agent = np.indices(values.shape)
        return Scores.from_codes(self.roster, task.ravel(), agent.ravel(), values.ravel())


def mallows(agents: int = 8, tasks: int = 50, phi: float = 0.3, sigma: float = 20.0) -> Mallows:
    """Make a Mallows world, with a new truth, tasks and means for each draw.

    Args:
        agents: Number of agents.
        tasks: Number of tasks.
        phi: Dispersion, from 0 (all tasks agree) to 1 (any order alike).
        sigma: Standard deviation of one score around its mean.

    >>> world = mallows(agents=3, tasks=2, phi=0.0)
    >>> drawn = world.drawn(np.random.default_rng(0))
    >>> bool((np.argsort(-drawn.means, axis=1) == drawn.truth).all())
    True
    """
    check_number("agents", agents, low=1)
    check_number("tasks", tasks, low=1)
    check_number("phi", phi, low=0.0, high=1.0)
    check_number("sigma", sigma, low=0.0)
    return Mallows(agents, tasks, phi, sigma)


def mallows_ranks(count: int, agents: int, phi: float, rng: np.random.Generator) -> Ints:
    r"""Draw orders around the order 0, 1, 2, ...; give the place of each item, from 0.

    .. math:: \Pr(\pi) \propto \phi^{d(\pi)}

    with d the number of pairs that stand the other way around (Mallows 1957).
    By repeated insertion (Doignon, Pekec and Regenwetter 2004): item i goes k
    places above the end of the i items before it with probability
    :math:`\phi^k / (1 + \phi + \dots + \phi^i)`.

    Args:
        count: How many orders.
        agents: Length of each.
        phi: Dispersion, from 0 to 1.
        rng: Source of chance.

    >>> mallows_ranks(2, 3, 0.0, np.random.default_rng(0)).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    places = np.zeros((count, agents), dtype=np.int64)
    for item in range(1, agents):
        upto = np.cumsum(float(phi) ** np.arange(item + 1))
        above = np.searchsorted(upto[:-1] / upto[-1], rng.random(count), side="right")
        place = item - above
        places[:, :item] += places[:, :item] >= place[:, None]
        places[:, item] = place
    return places


def _names(what: str, number: int) -> tuple[str, ...]:
    width = len(str(number))
    return tuple(f"{what} {code + 1:0{width}}" for code in range(number))
