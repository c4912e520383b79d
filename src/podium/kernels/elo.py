"""One step of online Elo."""

import math

from podium.arrays import Floats
from podium.kernels.compiled import kernel

SCALE = math.log(10.0) / 400.0
"""Points of a rating to units of the logistic function."""

FAR = 700.0
"""Gaps are cut to this many units: beyond, the exponential overflows, and all is decided."""


@kernel
def elo_step(ratings: Floats, one: int, other: int, score: float, size: float) -> None:
    """Move the ratings of two agents by what the score of the one was unexpected."""
    gap = min(max((ratings[other] - ratings[one]) * SCALE, -FAR), FAR)
    expected = 1.0 / (1.0 + math.exp(gap))
    ratings[one] += size * (score - expected)
    ratings[other] -= size * (score - expected)
