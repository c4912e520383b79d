"""The question whose answer settles most of what is still open."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import Cells
from podium.kernels.soft_votes import Votes
from podium.kernels.stream import Stream, below
from podium.learners._soft import SoftBelief
from podium.strategies._strategy import Strategy, strategy


class ExpectedGain(NamedTuple):
    """What each score would settle, and what was known when that was worked out.

    Attributes:
        unseen: Worth of a score of a against b where b has none yet.
        version: How often each task had voted.
        single: Rival x agent x task: what a score of the agent would settle of the pair.
        joint: Agent x agent x task: what scores of both would settle besides.
        worth: Agent x task: what a score of the agent would settle in all.
        best: The worth of the best pair of each task.
        pair: That pair, as one agent times the number of agents plus the other.
    """

    unseen: float
    version: Ints
    single: Floats
    joint: Floats
    worth: Floats
    best: Floats
    pair: Ints


@kernel
def choose(
    state: ExpectedGain, records: Records, belief: SoftBelief, stream: Stream, query: Ints
) -> None:
    """Find the best task and pair; of equal tasks the first after a random one."""
    tasks, agents = records.plays.shape
    for task in range(tasks):
        if state.version[task] != belief.votes.version[task]:
            state.version[task] = belief.votes.version[task]
            foresee(state, belief.cells, belief.votes, records, task)
    rank_pairs(state, belief.weights)
    first = below(stream, tasks)
    query[0] = first
    for turn in range(1, tasks):
        task = (first + turn) % tasks
        if state.best[task] > state.best[query[0]]:
            query[0] = task
    query[1] = state.pair[query[0]] // agents
    query[2] = state.pair[query[0]] % agents


@kernel
def foresee(state: ExpectedGain, cells: Cells, votes: Votes, records: Records, task: int) -> None:
    r"""Work out how much of each vote's uncertainty one more score would take away.

    .. math:: A_{ab} = \nu \, r \, e^{-z^2 / (1 + r / 2)}, \quad r = (V_a - V'_a) / V

    with :math:`\nu` the probability that the two are distinct; for scores of both,
    r is the sum over both, less what either settles alone.
    """
    for one in range(records.plays.shape[1]):
        for other in range(one):
            first = cells.variance[task, one] - cells.variance_next[task, one]
            second = cells.variance[task, other] - cells.variance_next[task, other]
            total = cells.variance[task, one] + cells.variance[task, other]
            lead, distinct = votes.lead[task, one, other], votes.distinct[task, one, other]
            own = settled(first / total, lead, distinct)
            if records.plays[task, other] == 0:
                own *= state.unseen
            others = settled(second / total, lead, distinct)
            if records.plays[task, one] == 0:
                others *= state.unseen
            state.single[other, one, task] = own
            state.single[one, other, task] = others
            both = settled((first + second) / total, lead, distinct)
            state.joint[one, other, task] = both - own - others


@kernel
def settled(share: float, lead: float, distinct: float) -> float:
    """Approximate the variance of the change of a vote that a fall of its variance brings."""
    return distinct * share * math.exp(-lead * lead / (1.0 + 0.5 * share))


@kernel
def rank_pairs(state: ExpectedGain, weights: Floats) -> None:
    """Write the best pair of each task, going through tasks in the inmost loop for speed."""
    agents, tasks = state.worth.shape
    state.worth[:] = 0.0
    for rival in range(agents):
        for agent in range(agents):
            if rival != agent:
                weight = weights[rival, agent]
                for task in range(tasks):
                    state.worth[agent, task] += weight * state.single[rival, agent, task]
    state.best[:] = -1.0
    for one in range(agents):
        for other in range(one):
            weight, pair = weights[one, other], other * agents + one
            for task in range(tasks):
                worth = state.worth[one, task] + state.worth[other, task]
                worth += weight * state.joint[one, other, task]
                if worth > state.best[task]:
                    state.best[task] = worth
                    state.pair[task] = pair


@strategy("expected-gain", cite="podium")
def expected_gain(*, unseen: float = 0.25) -> Strategy:
    r"""Ask for the two scores that settle most of what is still open.

    .. math:: \max_{v, i, j} \sum_b w_{ib} A_{ib} + \sum_b w_{jb} A_{jb} + w_{ij} J_{ij}

    over tasks v and pairs i, j, where :math:`w_{ab}` is how much the learner thinks the
    order of a pair still open, :math:`A_{ab}` how much of the task's vote on it a score of
    a would settle, and :math:`J_{ij}` what both scores settle besides.

    Args:
        unseen: Worth of a score of a against b where b has none yet.
    """

    def start(sizes: Sizes, _: int) -> ExpectedGain:
        agents, tasks = sizes
        return ExpectedGain(
            unseen,
            version=np.full(tasks, -1, dtype=np.int64),
            single=np.zeros((agents, agents, tasks)),
            joint=np.zeros((agents, agents, tasks)),
            worth=np.zeros((agents, tasks)),
            best=np.zeros(tasks),
            pair=np.zeros(tasks, dtype=np.int64),
        )

    return Strategy("expected-gain", start, choose, needs=frozenset({"cells", "votes", "weights"}))
