"""What learners by soft votes share: a belief, votes that are up to date, and the report."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import agreement, insert_better
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import Cells, judge_cells, learn_noise, learn_spreads, no_cells
from podium.kernels.soft_votes import Votes, no_votes, vote_again
from podium.learners._learner import no_belief

ALWAYS, OFTEN, SELDOM = 20, 1_000, 100
"""Spreads and all votes are renewed each round up to the first, every 10 rounds up to the second,
and then as seldom as the third says."""


class SoftBelief(NamedTuple):
    """What a learner by soft votes thinks: a `Belief`, and what it rests on.

    Attributes:
        ratings: Agents below an agent in the report.
        agents: Uniform.
        rivals: Uniform.
        tasks: Uniform.
        cells: What is known of each mean score.
        votes: What each task says of each pair.
        weights: Agent x agent: how much the order of each pair is still open, and matters.
    """

    ratings: Floats
    agents: Floats
    rivals: Floats
    tasks: Floats
    cells: Cells
    votes: Votes
    weights: Floats


def no_soft_belief(sizes: Sizes) -> SoftBelief:
    """Give the belief of who has seen nothing."""
    weights = np.ones((sizes.agents, sizes.agents))
    return SoftBelief(*no_belief(sizes), no_cells(sizes), no_votes(sizes), weights)


@kernel
def hear(cells: Cells, votes: Votes, records: Records, query: Ints) -> None:
    """Bring noise, cells and votes up to date with a round."""
    rounds, agents = records.rounds[0], len(votes.total)
    renews, wide = renewal(rounds), len(votes.lead) == 0
    if renews:
        learn_spreads(cells, records)
    for side in range(1, len(query)):
        learn_noise(cells, records, query[0], query[side])
    for task in range(len(votes.version)):
        # In a wide study tasks vote anew in turn, so that no round takes long.
        again = task % SELDOM == rounds % SELDOM if wide else renews
        if task == query[0] or again:
            judge_cells(cells, records, task)
            vote_again(votes, cells, records, task, rounds <= agents)


@kernel
def renewal(rounds: int) -> bool:
    """Tell whether spreads and the votes of all tasks are renewed in this round."""
    return rounds <= ALWAYS or rounds % (10 if rounds <= OFTEN else SELDOM) == 0


@kernel
def report(total: Floats, order: Ints, other: Ints, ratings: Floats) -> None:
    """Write the better of two orders: that of last time and that of Borda, each improved."""
    agents = len(order)
    for agent in range(agents):
        ratings[agent] = 0.0
        for rival in range(agents):
            ratings[agent] += total[agent, rival]
        free = agent
        while free > 0 and ratings[other[free - 1]] < ratings[agent]:
            other[free] = other[free - 1]
            free -= 1
        other[free] = agent
    insert_better(total, order)
    insert_better(total, other)
    if agreement(total, other) > agreement(total, order):
        order[:] = other
    for place in range(agents):
        ratings[order[place]] = agents - 1.0 - place
