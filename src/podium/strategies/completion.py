"""Task after task, until each agent has a score on each."""

from typing import NamedTuple

from podium.arrays import Ints
from podium.kernels import stream as chance
from podium.kernels.compiled import kernel
from podium.kernels.records import ENDLESS, Sizes, View
from podium.kernels.stream import Stream, below
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy, strategy


class Completion(NamedTuple):
    """The order in which tasks are completed."""

    tasks: Ints


@kernel
def choose(state: Completion, view: View, _: Belief, stream: Stream, query: Ints) -> None:
    """Take the first task that is behind, and there the two agents with the fewest scores."""
    plays, pending, room = view.records.plays, view.terms.pending, view.terms.room
    task = first_behind(state.tasks, plays, pending, room)
    agents = plays.shape[1]
    first = below(stream, agents)
    query[0], query[1], query[2] = task, -1, -1
    fewest, second = 0, 0
    for turn in range(agents):
        agent = (first + turn) % agents
        count = scores_due(plays[task, agent], pending[task, agent], room[task, agent])
        if query[1] < 0 or count < fewest:
            query[1], query[2] = agent, query[1]
            fewest, second = count, fewest
        elif query[2] < 0 or count < second:
            query[2], second = agent, count


@kernel
def first_behind(tasks: Ints, plays: Ints, pending: Ints, room: Ints) -> int:
    """Find the first task on which some agent has as few scores as any agent on any task."""
    fewest, found = -1, 0
    for task in tasks:
        for agent in range(plays.shape[1]):
            count = scores_due(plays[task, agent], pending[task, agent], room[task, agent])
            if fewest < 0 or count < fewest:
                fewest, found = count, task
    return found


@kernel
def scores_due(plays: int, pending: int, room: int) -> int:
    """Count the scores of a cell, those that are out too; without room it is never behind."""
    return plays + pending if room > 0 else ENDLESS


@strategy("completion", cite="podium")
def completion() -> Strategy:
    """Complete task after task in a random order, then all of them once more, and so on.

    The two agents with the fewest scores on the task are asked, equals by lot.
    """

    def start(sizes: Sizes, seed: int) -> Completion:
        return Completion(chance.permutation(seed, chance.PLANS, 0, sizes.tasks))

    return Strategy("completion", start, choose, why="the fewest scores on this task")
