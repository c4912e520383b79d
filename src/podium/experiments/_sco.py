"""What the experiments on Soft Condorcet Optimization share."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array
from podium.data.profile import Profile

WARMUP = Profile.from_ballots([(2.0, "ABC"), (3.0, "CAB")])
"""Equation 11 of Lanctot et al. (2025): C beats both others, and A has more wins."""


class Mean(NamedTuple):
    """A mean with half the width of its 95 % interval."""

    value: float
    half: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.half:.3f}"

    @property
    def interval(self) -> tuple[float, float]:
        """Its ends."""
        return self.value - self.half, self.value + self.half


def mean_of(values: Array) -> Mean:
    """Average over independent repetitions.

    >>> str(mean_of(np.array([1.0, 3.0])))
    '2.000 ± 1.960'
    """
    spread = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return Mean(float(values.mean()), float(1.96 * spread))
