"""Soft votes: what each task says of each pair, as far as its scores can tell."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import PRIOR_SPREAD, Cells

TIE_CHANCE = 0.1
"""Prior chance that two agents have the same mean on a task."""

SLACK = 0.02
"""Smallest variance of a vote that is still to come."""

POWER = 1.5
"""How sharply open pairs are preferred to those that are nearly settled."""


MOST_PAIRS = 131_072
"""Most pairs on tasks of which everything is kept."""


class Votes(NamedTuple):
    """Votes on pairs, tasks x row agent x column agent, and their sums over tasks.

    Attributes:
        vote: From -1 to 1, above 0 where the row agent is probably better.
        lead: Difference of the two means in standard deviations; kept in small studies only.
        distinct: Probability that the two means are not the same; the same.
        total: Votes added up.
        weight: Squared votes added up: how many tasks have made up their mind.
        version: How often each task has voted.
    """

    vote: Floats
    lead: Floats
    distinct: Floats
    total: Floats
    weight: Floats
    version: Ints


def is_wide(sizes: Sizes) -> bool:
    """Tell whether pairs on tasks are so many that only the votes themselves are kept of each.

    >>> is_wide(Sizes(agents=8, tasks=50)), is_wide(Sizes(agents=200, tasks=1_000))
    (False, True)
    """
    return sizes.tasks * sizes.agents * (sizes.agents - 1) // 2 > MOST_PAIRS


def no_votes(sizes: Sizes) -> Votes:
    """Make the votes of tasks that know nothing."""
    each = (sizes.tasks, sizes.agents, sizes.agents)
    kept = (0, 0, 0) if is_wide(sizes) else each
    return Votes(
        vote=np.zeros(each),
        lead=np.zeros(kept),
        distinct=np.full(kept, 1.0 - TIE_CHANCE),
        total=np.zeros(each[1:]),
        weight=np.zeros(each[1:]),
        version=np.zeros(sizes.tasks, dtype=np.int64),
    )


@kernel
def compare(ahead: float, variance: float, wide: float) -> tuple[float, float]:
    r"""Give the lead of an agent in standard deviations, and the chance of no tie.

    .. math:: z = \frac{p_a - p_b}{\sqrt V}, \quad
              \nu = \frac{1 - \pi_0}{1 - \pi_0 + \pi_0 B}, \quad
              B = \sqrt{2 (\tau u)^2 / V} e^{-z^2 / 2}

    with B the odds that the data give to a tie (Savage and Dickey's ratio).

    Args:
        ahead: Difference of the two means.
        variance: Variance V of that difference.
        wide: The same before any score was seen.
    """
    lead = ahead / math.sqrt(variance)
    tie = math.sqrt(wide / variance) * math.exp(-0.5 * lead * lead)
    return lead, (1.0 - TIE_CHANCE) / (1.0 - TIE_CHANCE + TIE_CHANCE * tie)


@kernel
def wide_variance(spread: float) -> float:
    """Give the variance of the difference of two means on a task of which nothing was seen."""
    return 2.0 * (PRIOR_SPREAD * spread) ** 2


@kernel
def vote_again(votes: Votes, cells: Cells, records: Records, task: int, guess: bool) -> None:  # noqa: FBT001, kernels have no keywords
    r"""Let a task vote on all pairs anew, and bring the sums up to date.

    .. math:: x = (2 \Phi(z) - 1) \, \nu

    Args:
        votes: Changed in place.
        cells: What is known of the means.
        records: What was seen.
        task: The task.
        guess: Whether an agent that is unseen here is voted on too.
    """
    votes.version[task] += 1
    agents, keeps = len(votes.total), len(votes.lead) > 0
    wide = wide_variance(cells.spread[task])
    for one in range(agents):
        for other in range(one):
            ahead = cells.mean[task, one] - cells.mean[task, other]
            variance = cells.variance[task, one] + cells.variance[task, other]
            lead, distinct = compare(ahead, variance, wide)
            vote = 0.0
            if guess or (records.plays[task, one] > 0 and records.plays[task, other] > 0):
                vote = math.erf(lead * math.sqrt(0.5)) * distinct
            before = votes.vote[task, one, other]
            votes.total[one, other] += vote - before
            votes.total[other, one] -= vote - before
            votes.weight[one, other] += vote * vote - before * before
            votes.weight[other, one] = votes.weight[one, other]
            votes.vote[task, one, other], votes.vote[task, other, one] = vote, -vote
            if keeps:
                votes.lead[task, one, other], votes.lead[task, other, one] = lead, -lead
                votes.distinct[task, one, other] = distinct
                votes.distinct[task, other, one] = distinct


@kernel
def open_questions(votes: Votes, weights: Floats) -> None:
    r"""Write how much each pair matters: how likely its majority is wrong, by what is still open.

    .. math:: w = \left(\frac{\Phi(-Z)}{U}\right)^{1.5}, \quad U = n - Q, \quad
              Z = |T| \sqrt{\frac{n}{(Q + 1) \, U \, (1 - (T / (Q + 1))^2)}}

    Z is the final majority in standard deviations, if the tasks that have not
    made up their mind go on like those that have.
    """
    tasks, agents = len(votes.version), len(votes.total)
    for one in range(agents):
        for other in range(one):
            made = votes.weight[one, other] + 1.0
            left = max(tasks - votes.weight[one, other], SLACK)
            share = votes.total[one, other] / made
            spread = made * left * max(1.0 - share * share, SLACK)
            lead = abs(votes.total[one, other]) * math.sqrt(tasks / spread)
            doubt = 0.5 * math.erfc(lead * math.sqrt(0.5))
            weights[one, other] = weights[other, one] = (doubt / left) ** POWER
