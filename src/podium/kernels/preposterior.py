r"""How certain a study will be once it has more: the posterior of a posterior.

The margins of all pairs are taken to be jointly normal, with the mean and the
covariance of the draws. If f times as many scores of the same kind were there,
the covariance C would be C / f, and its centre would have moved by a normal
number of covariance C (1 - 1 / f): what is lost in doubt is gained in knowledge.
"""

import math

import numpy as np

from podium.arrays import Array, Floats
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import insert_better

HALF = 0.5
"""Margins are whole numbers, and a tie is right either way: so much is granted to the report."""


@kernel
def needed_growths(
    margins: Array, top: int, confidence: float, growths: Floats, clouds: int, needed: Floats
) -> None:
    """Write for some futures how many times as many scores make the report sure enough.

    Args:
        margins: Draw x agent x agent, agents in the order of the report.
        top: How many agents in front have to be right.
        confidence: The probability that is wanted.
        growths: How many times as many scores are tried, rising.
        clouds: Draws that are looked at to work out a probability.
        needed: Receives the first of these, interpolated, for each future; infinite if none.
    """
    draws, agents = len(margins), margins.shape[1]
    mean = np.zeros((agents, agents))
    for draw in range(draws):
        mean += margins[draw]
    mean /= draws
    for future in range(len(needed)):
        moved = margins[future * draws // len(needed)] - mean
        needed[future] = math.inf
        before = 0.0
        for step in range(len(growths)):
            chance = chance_at(margins, mean, moved, growths[step], top, clouds)
            if chance >= confidence:
                needed[future] = growths[step]
                if step > 0:
                    part = (confidence - before) / (chance - before)
                    needed[future] = growths[step - 1] * (growths[step] / growths[step - 1]) ** part
                break
            before = chance


@kernel
def chance_at(
    margins: Array, mean: Floats, moved: Floats, growth: float, top: int, clouds: int
) -> float:
    """Give the probability that the report is right in one future.

    Args:
        margins: Draw x agent x agent.
        mean: Their mean.
        moved: One draw less the mean: the truth of this future.
        growth: How many times as many scores there are.
        top: How many agents in front have to be right.
        clouds: How many draws are looked at.
    """
    draws, agents = len(margins), margins.shape[1]
    centre = mean + math.sqrt(1.0 - 1.0 / growth) * moved
    report, order = np.arange(agents), np.arange(agents)
    insert_better(centre, report)
    for upper in range(agents):
        for under in range(upper + 1, agents):
            centre[report[upper], report[under]] += HALF
            centre[report[under], report[upper]] -= HALF
    inside, right, shrunk = np.zeros(agents, dtype=np.bool_), 0, 1.0 / math.sqrt(growth)
    inside[report[:top]] = True
    for cloud in range(clouds):
        order[:] = report
        insert_better(centre + shrunk * (margins[cloud * draws // clouds] - mean), order)
        if top == agents:
            right += 1 if (order == report).all() else 0
        else:
            right += 1 if inside[order[:top]].all() else 0
    return right / clouds
