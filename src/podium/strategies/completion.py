"""Task after task, until each agent has a score on each."""

from typing import NamedTuple

from podium.arrays import Ints
from podium.kernels import stream as chance
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream, below
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy, strategy


class Completion(NamedTuple):
    """The order in which tasks are completed."""

    tasks: Ints


@kernel
def choose(state: Completion, records: Records, _: Belief, stream: Stream, query: Ints) -> None:
    """Take the first task that is behind, and there the two agents with the fewest scores."""
    query[0] = first_behind(state.tasks, records.plays)
    plays, agents = records.plays[query[0]], records.plays.shape[1]
    first = below(stream, agents)
    query[1], query[2] = -1, -1
    for turn in range(agents):
        agent = (first + turn) % agents
        if query[1] < 0 or plays[agent] < plays[query[1]]:
            query[1], query[2] = agent, query[1]
        elif query[2] < 0 or plays[agent] < plays[query[2]]:
            query[2] = agent


@kernel
def first_behind(tasks: Ints, plays: Ints) -> int:
    """Find the first task on which some agent has as few scores as any agent on any task."""
    fewest, found = -1, 0
    for task in tasks:
        least = plays[task].min()
        if fewest < 0 or least < fewest:
            fewest, found = least, task
    return found


@strategy("completion", cite="podium")
def completion() -> Strategy:
    """Complete task after task in a random order, then all of them once more, and so on.

    The two agents with the fewest scores on the task are asked, equals by lot.
    """

    def start(sizes: Sizes, seed: int) -> Completion:
        return Completion(chance.permutation(seed, chance.PLANS, 0, sizes.tasks))

    return Strategy("completion", start, choose)
