"""Bradley-Terry ratings kept up to date by a few sweeps a round."""

from podium.arrays import Floats
from podium.kernels.compiled import kernel


@kernel
def sweep_strengths(wins: Floats, prior: float, strengths: Floats, scratch: Floats) -> float:
    r"""Make one step of Hunter's (2004) algorithm, and return the largest relative change.

    .. math:: \gamma_i \leftarrow \frac{\sum_j (w_{ij} + a)}
              {\sum_j (w_{ij} + w_{ji} + 2 a) / (\gamma_i + \gamma_j)}

    with a the prior: virtual wins each way in each pair. Strengths are then
    scaled to a mean of 1.
    """
    size = len(strengths)
    scratch[:] = 0.0
    for one in range(size):
        for other in range(one):
            met = wins[one, other] + wins[other, one] + 2.0 * prior
            share = met / (strengths[one] + strengths[other])
            scratch[one] += share
            scratch[other] += share
    total = 0.0
    for one in range(size):
        won = prior * (size - 1)
        for other in range(size):
            won += wins[one, other]
        scratch[one] = won / scratch[one]
        total += scratch[one]
    change = 0.0
    for one in range(size):
        fresh = scratch[one] * (size / total)
        change = max(change, abs(fresh / strengths[one] - 1.0))
        strengths[one] = fresh
    return change
