"""The question whose answer settles most of what is still open."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes, Terms, View
from podium.kernels.soft_cells import Cells
from podium.kernels.soft_votes import MOST_PAIRS, Votes, compare, wide_variance
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
        variance: Room for the variance of each mean on a task, once all scores are in.
        gain: Room for what one more score of each takes away from that.
        listed: Pairs that are looked at, where all would be too many; else empty.
        alone: Room for what a score of each agent would settle of those pairs.
        together: Room for what scores of both agents of each would settle besides.
    """

    unseen: float
    version: Ints
    single: Floats
    joint: Floats
    worth: Floats
    best: Floats
    pair: Ints
    variance: Floats
    gain: Floats
    listed: Ints
    alone: Floats
    together: Floats


@kernel
def choose(
    state: ExpectedGain, view: View, belief: SoftBelief, stream: Stream, query: Ints
) -> None:
    """Find the best task and pair; of equal tasks the first after a random one."""
    records, terms = view.records, view.terms
    tasks, agents = records.plays.shape
    if len(state.listed) > 0:
        rank_listed(state, belief, view, query)
    else:
        for task in range(tasks):
            # Both only grow, so that their sum tells whether either changed.
            version = belief.votes.version[task] + terms.changes[task]
            if state.version[task] != version:
                state.version[task] = version
                foresee(state, belief.cells, belief.votes, records, terms, task)
        rank_pairs(state, belief.weights)
        if terms.strict.any():
            for task in range(tasks):
                if terms.strict[task]:
                    rank_strictly(state, terms, belief.weights, task, query)
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
def rank_listed(state: ExpectedGain, belief: SoftBelief, view: View, query: Ints) -> None:
    """Write the best pair of each task, among the pairs that matter most and are most open."""
    list_pairs(state.listed, belief.weights)
    for task in range(len(state.best)):
        now, then = belief.cells.variance[task], belief.cells.variance_next[task]
        look_ahead(state.variance, state.gain, now, then, view.terms.pending[task])
        foresee_listed(state, belief.cells, belief.weights, view.records, task)
        rank_listed_pairs(state, view.terms, task, query)


@kernel
def foresee_listed(
    state: ExpectedGain, cells: Cells, weights: Floats, records: Records, task: int
) -> None:
    """Work out what scores on a task would settle of the pairs that are listed."""
    agents, wide = len(state.alone), wide_variance(cells.spread[task])
    state.alone[:] = 0.0
    for place in range(len(state.listed)):
        one, other = divmod(state.listed[place], agents)
        ahead = cells.mean[task, one] - cells.mean[task, other]
        variance = cells.variance[task, one] + cells.variance[task, other]
        lead, distinct = compare(ahead, variance, wide)
        first, second = state.gain[one], state.gain[other]
        total = state.variance[one] + state.variance[other]
        own = settled(first / total, lead, distinct)
        if records.plays[task, other] == 0:
            own *= state.unseen
        others = settled(second / total, lead, distinct)
        if records.plays[task, one] == 0:
            others *= state.unseen
        both = settled((first + second) / total, lead, distinct)
        weight = weights[one, other]
        state.alone[one] += weight * own
        state.alone[other] += weight * others
        state.together[place] = weight * (both - own - others)


@kernel
def rank_listed_pairs(state: ExpectedGain, terms: Terms, task: int, query: Ints) -> None:
    """Write the best of the listed pairs on a task."""
    agents = len(state.alone)
    state.best[task] = -math.inf
    query[0] = task
    for place in range(len(state.listed)):
        one, other = divmod(state.listed[place], agents)
        worth = state.alone[one] + state.alone[other] + state.together[place]
        if terms.strict[task]:
            query[1], query[2] = other, one
            worth = worth / price(terms, query) if allowed(terms, query, NO) else -math.inf
        if worth > state.best[task]:
            state.best[task] = worth
            state.pair[task] = other * agents + one


@kernel
def list_pairs(listed: Ints, weights: Floats) -> None:
    """List the pairs of largest weight, as one agent times the number of agents plus the other."""
    agents, count = len(weights), len(listed)
    every = np.empty(agents * (agents - 1) // 2)
    free = 0
    for one in range(agents):
        for other in range(one):
            every[free] = weights[one, other]
            free += 1
    least = np.partition(every, len(every) - count)[len(every) - count]
    free = 0
    for ties in range(2):
        for one in range(agents):
            for other in range(one):
                weight = weights[one, other]
                if free < count and (weight == least if ties else weight > least):
                    listed[free] = one * agents + other
                    free += 1


@kernel
def foresee(
    state: ExpectedGain, cells: Cells, votes: Votes, records: Records, terms: Terms, task: int
) -> None:
    r"""Work out how much of each vote's uncertainty one more score would take away.

    .. math:: A_{ab} = \nu \, r \, e^{-z^2 / (1 + r / 2)}, \quad r = (V_a - V'_a) / V

    with :math:`\nu` the probability that the two are distinct; for scores of both,
    r is the sum over both, less what either settles alone. Scores that are out with
    workers count as if they were there.
    """
    now, then = cells.variance[task], cells.variance_next[task]
    look_ahead(state.variance, state.gain, now, then, terms.pending[task])
    for one in range(records.plays.shape[1]):
        for other in range(one):
            lead, distinct = votes.lead[task, one, other], votes.distinct[task, one, other]
            first, second = state.gain[one], state.gain[other]
            total = state.variance[one] + state.variance[other]
            own = settled(first / total, lead, distinct)
            if records.plays[task, other] == 0:
                own *= state.unseen
            others = settled(second / total, lead, distinct)
            if records.plays[task, one] == 0:
                others *= state.unseen
            both = settled((first + second) / total, lead, distinct)
            state.single[other, one, task] = own
            state.single[one, other, task] = others
            state.joint[one, other, task] = both - own - others


@kernel
def look_ahead(variance: Floats, gain: Floats, now: Floats, then: Floats, out: Ints) -> None:
    """Write the variance of each mean once all scores are in, and what one more takes away.

    Args:
        variance: Receives the variance of the mean of each agent.
        gain: Receives what one more score takes away from it.
        now: Variances without the scores that are out.
        then: The same after one more score.
        out: Scores that are out.
    """
    for agent in range(len(variance)):
        first, second = now[agent], then[agent]
        if out[agent] > 0:
            certainty = 1.0 / second - 1.0 / first
            first = 1.0 / (1.0 / first + out[agent] * certainty)
            second = 1.0 / (1.0 / first + certainty)
        variance[agent] = first
        gain[agent] = first - second


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
def expected_gain(*, unseen: float = 0.25, most: int = MOST_PAIRS) -> Strategy:
    r"""Ask for the two scores that settle most of what is still open.

    .. math:: \max_{v, i, j} \sum_b w_{ib} A_{ib} + \sum_b w_{jb} A_{jb} + w_{ij} J_{ij}

    over tasks v and pairs i, j that may be asked, each divided by its cost, where
    :math:`w_{ab}` is how much the learner thinks the order of a pair still open,
    :math:`A_{ab}` how much of the task's vote on it a score of a would settle, and
    :math:`J_{ij}` what both scores settle besides.

    Args:
        unseen: Worth of a score of a against b where b has none yet.
        most: Pairs on tasks that are looked at in a round. If there are more, only
            the pairs of largest weight are, on all tasks.
    """

    def start(sizes: Sizes, _: int) -> ExpectedGain:
        agents, tasks = sizes
        pairs = agents * (agents - 1) // 2
        listed = 0 if pairs * tasks <= most else min(max(most // tasks, 1), pairs)
        each = (agents, agents, tasks) if not listed else (0, 0, 0)
        return ExpectedGain(
            unseen,
            version=np.full(tasks, -1, dtype=np.int64),
            single=np.zeros(each),
            joint=np.zeros(each),
            worth=np.zeros((agents, tasks)),
            best=np.zeros(tasks),
            pair=np.zeros(tasks, dtype=np.int64),
            variance=np.zeros(agents),
            gain=np.zeros(agents),
            listed=np.zeros(listed, dtype=np.int64),
            alone=np.zeros(agents),
            together=np.zeros(listed),
        )

    needs = frozenset({"cells", "votes", "weights"})
    return Strategy("expected-gain", start, choose, needs=needs, why=WHY, thrifty=True)
