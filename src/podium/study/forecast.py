"""What it will take to be sure: a forecast of the rounds to come."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats, floats
from podium.kernels.posterior_chain import Known
from podium.kernels.preposterior import needed_growths
from podium.kernels.records import Records
from podium.study.posterior import Posterior, case_of, drawn
from podium.study.stop import Goal

GROWTHS = floats(2.0 ** (0.25 * np.arange(29)))
"""By how much the doubt is divided, as far as that is tried: from 1 to 128."""

DRAWS = 400
"""Truths that are drawn to say what is known now."""

FUTURES, CLOUDS = 40, 100
"""Of these, how many are tried as truths, and from how many the certainty in each is told."""

BAND = 0.8
"""Share of the futures that the band holds."""

SLACK = 1e-9
"""A pair is never thought to be quite settled."""


@dataclass(frozen=True)
class Spend:
    """Rounds to come until a goal is met; infinite where it is out of sight.

    Attributes:
        rounds: In the middle of the futures.
        low: One future in ten takes fewer.
        high: One in ten takes more.
    """

    rounds: float
    low: float
    high: float


class Doubt:
    r"""Where the doubt lies: in cells that were never asked, or in their noise.

    What x further rounds leave of it is taken to be

    .. math:: u \, \max(0, 1 - 2 p x / n) + (1 - u) \, t / (t + p x)

    with n unseen cells, which are responsible for a share u, t rounds so far, and
    p how much faster than on average knowledge of the agents grows whose
    order is open, as questions go to these.
    """

    def __init__(self, known: Known, posterior: Posterior) -> None:
        seen = known.plays > 0
        both = seen[:, :, None] & seen[:, None, :]
        pairs = posterior.pairs[np.ix_(posterior.order, posterior.order)]
        weight = pairs * pairs.T + SLACK
        lead = known.mean[:, :, None] - known.mean[:, None, :]
        variance = known.variance[:, :, None] + known.variance[:, None, :]
        square = lead**2 / np.where(variance > 0.0, variance, 1.0)
        # e^(-z^2 / 1.6) is near 4 p (1 - p) for the normal law.
        noisy = np.where(both & (variance > 0.0), np.exp(-square / 1.6), 0.0).sum(axis=0)
        share = posterior.margins.mean(axis=0) / len(seen)
        unseen = (~both).sum(axis=0) * (1.0 - np.clip(share, -1.0, 1.0) ** 2)
        total = float((weight * (noisy + unseen)).sum())
        self.unseen = float((weight * unseen).sum()) / total if total > 0.0 else 0.0
        self.cells = int((~seen).sum())
        self.rounds = posterior.rounds
        matter: Floats = weight.max(axis=1)
        self.pace = len(matter) * float(matter.max() / matter.sum())

    def left(self, rounds: float) -> float:
        """Give the share of the doubt that is left after further rounds."""
        asked = self.pace * rounds
        new = max(0.0, 1.0 - 2.0 * asked / self.cells) if self.cells else 0.0
        again = self.rounds / (self.rounds + asked) if self.rounds else 0.0
        return self.unseen * new + (1.0 - self.unseen) * again

    def rounds_for(self, growth: float) -> float:
        """Give the rounds that divide the doubt by so much, by bisection."""
        if math.isinf(growth):
            return growth
        low, high = 0.0, 1.0
        while self.left(high) * growth > 1.0:
            low, high = high, 2.0 * high
        while high - low > 0.5:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.left(middle) * growth <= 1.0 else (middle, high)
        return float(math.ceil(high))


def spend_for(
    records: Records,
    ratings: ArrayLike,
    goal: Goal,
    *,
    seed: int = 0,
    noise: ArrayLike | None = None,
) -> Spend:
    """Forecast how many further rounds a study needs to meet its goal.

    Args:
        records: What was seen so far.
        ratings: The report.
        goal: What is wanted.
        seed: Start of all chance.
        noise: Standard deviation of one score of each task, NaN where it is not known.
    """
    case = case_of(records, ratings, seed=seed, noise=noise)
    posterior = drawn(case, DRAWS)
    if goal.met(posterior):
        return Spend(0.0, 0.0, 0.0)
    top, needed = goal.top or len(case.order), np.zeros(FUTURES, dtype=np.float64)
    margins = posterior.margins.astype(np.float64)
    # Compiled however few the agents are: orders are searched some ten thousand times.
    needed_growths(margins, top, goal.confidence, GROWTHS, CLOUDS, needed)
    tail = (1.0 - BAND) / 2.0
    levels = [0.5, tail, 1.0 - tail]
    doubt = Doubt(case.known, posterior)
    growths = np.quantile(needed, levels, method="higher").tolist()
    return Spend(*(doubt.rounds_for(growth) for growth in growths))
