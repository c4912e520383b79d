"""Callback: the user's own evaluator as a world."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, ints
from podium.data.roster import Roster
from podium.errors import DataError
from podium.kernels.records import Sizes
from podium.kernels.stream import Stream
from podium.worlds._instance import Instance

Evaluate = Callable[[str, tuple[str, ...]], Mapping[str, float]]


class Asked(NamedTuple):
    """Whom to ask, and the names that codes stand for."""

    evaluate: Evaluate
    agents: tuple[str, ...]
    tasks: tuple[str, ...]

    def taken(self, agents: Ints, tasks: Ints) -> "Asked":
        """Give some agents and tasks."""
        return Asked(
            self.evaluate,
            tuple(self.agents[code] for code in agents.tolist()),
            tuple(self.tasks[code] for code in tasks.tolist()),
        )


def answer_asked(source: Asked, query: Ints, scores: Floats, _: Stream) -> None:
    """Ask for the scores of two agents on a task."""
    task = source.tasks[query[0]]
    pair = (source.agents[query[1]], source.agents[query[2]])
    told = source.evaluate(task, pair)
    for side, agent in enumerate(pair):
        if agent not in told or not np.isfinite(told[agent]):
            msg = (
                f"the score of {agent!r} on {task!r} is {told.get(agent)!r}; "
                "give a finite number for each agent that is asked for"
            )
            raise DataError(msg)
        scores[side] = told[agent]


@dataclass(frozen=True, eq=False)
class Callback:
    """A world that asks a function.

    Attributes:
        evaluate: Gives the score of each agent on a task.
        roster: The agents and tasks.
        truth: Codes of the agents, the best first.
        means: Mean scores where they are known, tasks x agents, else 0.
    """

    evaluate: Evaluate
    roster: Roster
    truth: Ints
    means: Floats

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        return Sizes(len(self.roster.agents), len(self.roster.tasks))

    def drawn(self, _: int) -> Instance:
        """Give the function; what it does with chance is its own."""
        source = Asked(self.evaluate, self.roster.agents, self.roster.tasks)
        return Instance(self.truth, self.means, source, answer_asked)


def callback(
    evaluate: Evaluate, agents: Sequence[str], tasks: Sequence[str], truth: Sequence[str]
) -> Callback:
    """Make a world of a function.

    Args:
        evaluate: Called with a task and two agents, gives a score for each.
        agents: The agents.
        tasks: The tasks.
        truth: The agents, the best first.

    >>> world = callback(lambda task, pair: {agent: len(agent) for agent in pair},
    ...                  ["a", "bb"], ["s"], truth=["bb", "a"])
    >>> world.truth.tolist()
    [1, 0]
    """
    roster = Roster.of(agents, tasks)
    if sorted(truth) != sorted(roster.agents):
        msg = f"truth is {list(truth)!r}; name each of the agents {list(roster.agents)!r} once"
        raise DataError(msg)
    order = ints(roster.agent_codes(tuple(truth)))
    return Callback(evaluate, roster, order, np.zeros((len(roster.tasks), len(roster.agents))))
