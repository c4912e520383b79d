"""The two agents with the highest hopes."""

import math
from typing import NamedTuple

from podium.arrays import Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes, View
from podium.kernels.stream import Stream, below
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy, strategy


class AgentUcb(NamedTuple):
    """The constant before the root."""

    width: float


@kernel
def choose(state: AgentUcb, view: View, _: Belief, stream: Stream, query: Ints) -> None:
    """Draw a task; take the best and the second of the upper bounds, equals by lot."""
    tasks, agents = view.records.plays.shape
    query[0] = below(stream, tasks)
    first = below(stream, agents)
    step = math.log(max(2.0 * view.records.rounds[0], 1.0))
    best, second = -math.inf, -math.inf
    query[1], query[2] = -1, -1
    for turn in range(agents):
        agent = (first + turn) % agents
        plays = view.records.agent_plays[agent]
        hope = math.inf
        if plays > 0:
            hope = view.records.agent_means[agent] + state.width * math.sqrt(step / plays)
        if query[1] < 0 or hope > best:
            query[2], second = query[1], best
            query[1], best = agent, hope
        elif query[2] < 0 or hope > second:
            query[2], second = agent, hope


@strategy("agent-ucb", cite="Auer et al. 2002; Lanctot et al. 2026, section 4.1.1")
def agent_ucb(*, span: float = 100.0) -> Strategy:
    r"""Draw a task, and choose the two agents of highest upper confidence bound.

    .. math:: \bar s_a + \sqrt 2 \, \Delta \sqrt{\ln(2 T) / T_a}

    after T rounds, :math:`T_a` scores of the agent among them. Agents without a
    score come first. The paper does not say how the second agent is chosen; here
    it is the runner-up.

    Args:
        span: Width :math:`\Delta` of the range of scores.
    """

    def start(_: Sizes, __: int) -> AgentUcb:
        return AgentUcb(math.sqrt(2.0) * span)

    return Strategy("agent-ucb", start, choose, starves=True, why="the two highest hopes")
