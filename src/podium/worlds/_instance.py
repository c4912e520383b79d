"""What a world turned out to be for one seed: its truth, and where its scores come from."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from podium.arrays import Bools, Floats, Ints, locked
from podium.data.roster import Roster
from podium.data.scores import Scores
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes
from podium.kernels.stream import Stream, below, normal
from podium.words import check_number


class Normal(NamedTuple):
    """Scores that are normal around a mean, tasks x agents."""

    means: Floats
    stds: Floats

    def taken(self, agents: Ints, tasks: Ints) -> "Normal":
        """Give the cells of some agents and tasks."""
        grid = np.ix_(tasks, agents)
        return Normal(self.means[grid], self.stds[grid])


class Recorded(NamedTuple):
    """Scores that are drawn from those recorded for each cell, one after the other.

    Attributes:
        bounds: Where the values of each cell begin and end, tasks x agents x 2.
        values: All scores, cell by cell.
    """

    bounds: Ints
    values: Floats

    def taken(self, agents: Ints, tasks: Ints) -> "Recorded":
        """Give the cells of some agents and tasks."""
        return Recorded(self.bounds[np.ix_(tasks, agents)], self.values)


@kernel
def answer_normal(source: Normal, query: Ints, scores: Floats, stream: Stream) -> None:
    """Score the two agents of a query on its task."""
    for side in range(2):
        mean, std = source.means[query[0], query[1 + side]], source.stds[query[0], query[1 + side]]
        scores[side] = mean + std * normal(stream)


@kernel
def answer_recorded(source: Recorded, query: Ints, scores: Floats, stream: Stream) -> None:
    """Draw a recorded score for each of the two agents of a query."""
    for side in range(2):
        first, end = source.bounds[query[0], query[1 + side]]
        scores[side] = source.values[first + below(stream, end - first)]


@dataclass(frozen=True, eq=False)
class Instance:
    """A truth, the mean score of every cell, and a source of scores.

    Attributes:
        truth: Codes of the agents that are judged, the best first; with clones,
            only the originals.
        means: Mean scores, tasks x agents.
        source: What `answer` draws from.
        answer: `answer(source, query, scores, stream)` writes the two scores that
            a query gets: a kernel, or for a callback a plain function.
    """

    truth: Ints
    means: Floats
    source: Any
    answer: Any

    @classmethod
    def normal(cls, truth: Ints, means: Floats, stds: Floats) -> "Instance":
        """Make an instance whose scores are normal."""
        return cls(locked(truth), locked(means), Normal(means, locked(stds)), answer_normal)

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        tasks, agents = self.means.shape
        return Sizes(agents, tasks)

    @property
    def ranks(self) -> Ints:
        """True rank of each agent, from 1."""
        return locked(np.argsort(self.truth) + 1)

    @property
    def roster(self) -> Roster:
        """Names of agents and tasks; they tell nothing of the truth."""
        return Roster(_names("agent", self.sizes.agents), _names("task", self.sizes.tasks))

    @cached_property
    def tally(self) -> Floats:
        """Tasks on which the row agent's mean is above the column agent's; equal ones are half."""
        return locked(counts_of_means(self.means))

    def relabelled(self, agents: Ints, tasks: Ints) -> "Instance":
        """Give the same world under other codes: agent i is what agents[i] was.

        >>> world = Instance.normal(np.array([1, 0]), np.array([[3.0, 4.0]]), np.zeros((1, 2)))
        >>> world.relabelled(np.array([1, 0]), np.array([0])).means
        array([[4., 3.]])
        """
        return replace(
            self,
            truth=locked(np.argsort(agents)[self.truth]),
            means=locked(self.means[np.ix_(tasks, agents)]),
            source=self.source.taken(agents, tasks),
        )

    def scores(self) -> Scores:
        """Give the means as scores, without noise."""
        names = self.roster
        return Scores.from_matrix(self.means, names.tasks, names.agents)

    def sampled(self, samples: int, rng: np.random.Generator) -> Scores:
        """Give some normal scores of every cell."""
        check_number("samples", samples, low=1)
        values = rng.normal(self.means, self.source.stds, (samples, *self.means.shape))
        _, task, agent = np.indices(values.shape)
        return Scores.from_codes(self.roster, task.ravel(), agent.ravel(), values.ravel())


class World(Protocol):
    """A source of scores whose true ranking is known."""

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        ...

    def drawn(self, seed: int) -> Instance:
        """Make the world for one seed."""
        ...


def counts_of_means(means: Floats) -> Floats:
    """Count the tasks on which one agent's mean is above another's; equal ones are half.

    >>> counts_of_means(np.array([[1.0, 2.0], [3.0, 3.0]])).tolist()
    [[0.0, 0.5], [1.5, 0.0]]
    """
    above: Bools = means[:, :, None] > means[:, None, :]
    equal: Bools = means[:, :, None] == means[:, None, :]
    counts: Floats = above.sum(axis=0) + 0.5 * equal.sum(axis=0)
    np.fill_diagonal(counts, 0.0)
    return counts


def _names(what: str, number: int) -> tuple[str, ...]:
    width = len(str(number))
    return tuple(f"{what} {code + 1:0{width}}" for code in range(number))
