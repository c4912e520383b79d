"""The question whose answer settles most of what is still open."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes, Terms
from podium.kernels.soft_cells import Cells
from podium.kernels.soft_votes import Votes
from podium.kernels.stream import Stream, below
from podium.learners._soft import SoftBelief
from podium.strategies._lawful import NO, allowed, price
from podium.strategies._strategy import Strategy, strategy

WHY = "settles most of what is still open for its cost"


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
        # Both only grow, so that their sum tells whether either changed.
        version = belief.votes.version[task] + records.terms.changes[task]
        if state.version[task] != version:
            state.version[task] = version
            foresee(state, belief.cells, belief.votes, records, task)
    rank_pairs(state, belief.weights)
    for task in range(tasks):
        if records.terms.strict[task]:
            rank_strictly(state, records.terms, belief.weights, task, query)
    first = below(stream, tasks)
    query[0] = first
    for turn in range(1, tasks):
        task = (first + turn) % tasks
        if state.best[task] > state.best[query[0]]:
            query[0] = task
    query[1] = state.pair[query[0]] // agents
    query[2] = state.pair[query[0]] % agents
    if state.best[query[0]] == -math.inf:
        query[0] = -1


@kernel
def foresee(state: ExpectedGain, cells: Cells, votes: Votes, records: Records, task: int) -> None:
    r"""Work out how much of each vote's uncertainty one more score would take away.

    .. math:: A_{ab} = \nu \, r \, e^{-z^2 / (1 + r / 2)}, \quad r = (V_a - V'_a) / V

    with :math:`\nu` the probability that the two are distinct; for scores of both,
    r is the sum over both, less what either settles alone. Scores that are out with
    workers count as if they were there.
    """
    for one in range(records.plays.shape[1]):
        for other in range(one):
            first_now, first = ahead(cells, records.terms, task, one)
            second_now, second = ahead(cells, records.terms, task, other)
            total = first_now + second_now
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
def ahead(cells: Cells, terms: Terms, task: int, agent: int) -> tuple[float, float]:
    """Give the variance of a mean once all scores are in, and how much one more takes away."""
    variance, then = cells.variance[task, agent], cells.variance_next[task, agent]
    out = terms.pending[task, agent]
    if out > 0:
        certainty = 1.0 / then - 1.0 / variance
        variance = 1.0 / (1.0 / variance + out * certainty)
        then = 1.0 / (1.0 / variance + certainty)
    return variance, variance - then


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
    state.best[:] = -math.inf
    for one in range(agents):
        for other in range(one):
            weight, pair = weights[one, other], other * agents + one
            for task in range(tasks):
                worth = state.worth[one, task] + state.worth[other, task]
                worth += weight * state.joint[one, other, task]
                if worth > state.best[task]:
                    state.best[task] = worth
                    state.pair[task] = pair


@kernel
def rank_strictly(
    state: ExpectedGain, terms: Terms, weights: Floats, task: int, query: Ints
) -> None:
    """Write the pair of a task that is worth most for its cost, among those that are allowed."""
    agents = len(state.worth)
    state.best[task] = -math.inf
    query[0] = task
    for one in range(agents):
        if terms.room[task, one] > 0:
            for other in range(one):
                query[1], query[2] = other, one
                if allowed(terms, query, NO):
                    worth = state.worth[one, task] + state.worth[other, task]
                    worth += weights[one, other] * state.joint[one, other, task]
                    worth /= price(terms, query)
                    if worth > state.best[task]:
                        state.best[task] = worth
                        state.pair[task] = other * agents + one


@strategy("expected-gain", cite="podium")
def expected_gain(*, unseen: float = 0.25) -> Strategy:
    r"""Ask for the two scores that settle most of what is still open.

    .. math:: \max_{v, i, j} \sum_b w_{ib} A_{ib} + \sum_b w_{jb} A_{jb} + w_{ij} J_{ij}

    over tasks v and pairs i, j that may be asked, each divided by its cost, where
    :math:`w_{ab}` is how much the learner thinks the order of a pair still open,
    :math:`A_{ab}` how much of the task's vote on it a score of a would settle, and
    :math:`J_{ij}` what both scores settle besides.

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

    needs = frozenset({"cells", "votes", "weights"})
    return Strategy("expected-gain", start, choose, needs=needs, why=WHY, thrifty=True)
