"""Steps of Soft Condorcet Optimization on single matches."""

import math

from podium.arrays import Floats
from podium.kernels.compiled import kernel
from podium.kernels.stream import Stream, pick


@kernel
def match_slope(ratings: Floats, winner: int, loser: int, temperature: float) -> float:
    r"""Give how fast the loss falls when winner and loser move apart.

    .. math:: s'\left((\theta_l - \theta_w) / \tau\right) / \tau, \quad s(x) = 1 / (1 + e^{-x})
    """
    small = math.exp(-abs(ratings[loser] - ratings[winner]) / temperature)
    return small / ((1.0 + small) * (1.0 + small) * temperature)


@kernel
def drawn_step(
    wins: Floats,
    batch: int,
    size: float,
    temperature: float,
    high: float,
    rows: Floats,
    slopes: Floats,
    ratings: Floats,
    stream: Stream,
) -> None:
    """Make one step on matches drawn with replacement; ratings stay in [0, high].

    A match is drawn through its winner, then its loser, each by their number of wins.
    """
    agents = len(ratings)
    slopes[:] = 0.0
    for one in range(agents):
        rows[one] = 0.0
        for other in range(agents):
            rows[one] += wins[one, other]
    for _ in range(batch):
        winner = pick(stream, rows)
        loser = pick(stream, wins[winner])
        slope = match_slope(ratings, winner, loser, temperature)
        slopes[winner] += slope
        slopes[loser] -= slope
    for agent in range(agents):
        ratings[agent] = min(max(ratings[agent] + size * slopes[agent], 0.0), high)
