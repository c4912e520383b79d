"""Any task and any two agents, all alike."""

from podium.arrays import Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import View
from podium.kernels.stream import Stream, below
from podium.learners._learner import Belief
from podium.strategies._strategy import Nothing, Strategy, another, nothing, strategy


@kernel
def choose(_: Nothing, view: View, __: Belief, stream: Stream, query: Ints) -> None:
    """Draw a task and two agents."""
    tasks, agents = view.records.plays.shape
    query[0] = below(stream, tasks)
    query[1] = below(stream, agents)
    query[2] = another(stream, agents, query[1])


@strategy("uniform", cite="Lanctot et al. 2026, section 4.1")
def uniform() -> Strategy:
    """Draw a task and two different agents, all alike."""
    return Strategy("uniform", nothing, choose)
