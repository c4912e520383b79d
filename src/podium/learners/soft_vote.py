"""SoftVote: tasks vote on pairs as far as their scores can tell."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import agreement, insert_better
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import Cells, judge_cells, learn_noise, learn_spreads, no_cells
from podium.kernels.soft_votes import Votes, no_votes, vote_again
from podium.kernels.stream import Stream
from podium.learners._learner import Learner, learner, no_belief

ALWAYS, OFTEN = 20, 1_000
"""Spreads and all votes are renewed each round up to the one, every 10 rounds up to the other."""


class SoftBelief(NamedTuple):
    """What SoftVote thinks: a `Belief`, and what it rests on.

    Attributes:
        ratings: Agents below an agent in the report.
        agents: Uniform.
        rivals: Uniform.
        tasks: Uniform.
        cells: What is known of each mean score.
        votes: What each task says of each pair.
    """

    ratings: Floats
    agents: Floats
    rivals: Floats
    tasks: Floats
    cells: Cells
    votes: Votes


class SoftVote(NamedTuple):
    """A belief, the last report, and room for another."""

    belief: SoftBelief
    order: Ints
    other: Ints


@kernel
def update(state: SoftVote, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Take in a round: noise, cells, votes, report."""
    cells, votes = state.belief.cells, state.belief.votes
    rounds, agents = records.rounds[0], len(state.order)
    if renewal(rounds):
        learn_spreads(cells, records)
    for side in range(1, 3):
        learn_noise(cells, records, query[0], query[side])
    for task in range(len(votes.version)):
        if task == query[0] or renewal(rounds):
            judge_cells(cells, records, task)
            vote_again(votes, cells, records, task, rounds <= agents)
    report(votes.total, state.order, state.other)
    for place in range(agents):
        state.belief.ratings[state.order[place]] = agents - 1.0 - place


@kernel
def renewal(rounds: int) -> bool:
    """Tell whether spreads and the votes of all tasks are renewed in this round."""
    return rounds <= ALWAYS or rounds % (10 if rounds <= OFTEN else 50) == 0


@kernel
def report(total: Floats, order: Ints, other: Ints) -> None:
    """Write the better of two orders: that of last time and that of Borda, each improved."""
    agents = len(order)
    for place in range(agents):
        agent = place
        free = place
        while free > 0 and total[other[free - 1]].sum() < total[agent].sum():
            other[free] = other[free - 1]
            free -= 1
        other[free] = agent
    insert_better(total, order)
    insert_better(total, other)
    if agreement(total, other) > agreement(total, order):
        order[:] = other


@learner("soft-vote", cite="podium")
def soft_vote() -> Learner:
    r"""Order agents by Kemeny's rule for votes that are as sure as the scores allow.

    .. math:: x_v(a, b) = 2 \Pr(\mu_{va} > \mu_{vb} \mid \text{scores}) - 1, \quad
              \max_\succ \sum_{a \succ b} \sum_v x_v(a, b)

    Early, a vote is nearly in proportion to the difference of scores, as in an
    average; late, it is a sign, as on a ballot. Scores are never compared
    across tasks.
    """

    def start(sizes: Sizes) -> SoftVote:
        belief = SoftBelief(*no_belief(sizes), no_cells(sizes), no_votes(sizes))
        places = np.arange(sizes.agents, dtype=np.int64)
        return SoftVote(belief, places, places.copy())

    return Learner("soft-vote", start, update)
