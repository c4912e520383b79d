"""Nash averaging, learned by two bandits: one picks agents, the other tasks."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.regret import match_regrets
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class OnlineNash(NamedTuple):
    """A belief, the game, and the bandits' regrets and sums of policies.

    Attributes:
        belief: What is thought of the agents.
        payoffs: Mean score of each cell, tasks x agents, or what an unseen cell pays.
        agent_regrets: Regrets of who picks agents.
        task_regrets: Regrets of who picks tasks.
        agent_total: Sum of the policies over agents.
        task_total: Sum of the policies over tasks.
    """

    belief: Belief
    payoffs: Floats
    agent_regrets: Floats
    task_regrets: Floats
    agent_total: Floats
    task_total: Floats


@kernel
def update(state: OnlineNash, records: Records, query: Ints, scores: Floats, _: Stream) -> None:
    """Add the regrets of both players for each of the two scores; rate by the mean task policy."""
    belief, payoffs, task = state.belief, state.payoffs, query[0]
    for side in range(1, len(query)):
        payoffs[task, query[side]] = records.means[task, query[side]]
    for side in range(len(scores)):
        one, score = query[1 + side], scores[side]
        for agent in range(len(state.agent_regrets)):
            if agent != one:
                state.agent_regrets[agent] += payoffs[task, agent] - score
        for other in range(len(state.task_regrets)):
            if other != task:
                state.task_regrets[other] -= payoffs[other, one] - score
    match_regrets(state.agent_regrets, belief.agents, state.agent_total)
    match_regrets(state.task_regrets, belief.tasks, state.task_total)
    belief.rivals[:] = belief.agents
    belief.ratings[:] = 0.0
    for other in range(len(state.task_total)):
        weight = state.task_total[other] / records.rounds[0]
        for agent in range(len(state.agent_total)):
            belief.ratings[agent] += weight * payoffs[other, agent]


@learner("online-nash", cite="Lanctot et al. 2026, section 4.2.2 and appendix A")
def online_nash(*, unseen: float = 50.0) -> Learner:
    r"""Rate agents by their mean score on tasks that a bandit picks against them.

    .. math:: r_a = \sum_v \bar\sigma_2(v) \, \bar s_{v,a}

    One player picks an agent and gets its score, the other picks the task and
    pays it. Both follow regret matching (Hart and Mas-Colell 2000).

    Args:
        unseen: What a cell without a score is taken to pay.
    """

    def start(sizes: Sizes) -> OnlineNash:
        agents, tasks = sizes
        return OnlineNash(
            no_belief(sizes, unseen),
            payoffs=np.full((tasks, agents), unseen),
            agent_regrets=np.zeros(agents),
            task_regrets=np.zeros(tasks),
            agent_total=np.zeros(agents),
            task_total=np.zeros(tasks),
        )

    return Learner("online-nash", start, update)
