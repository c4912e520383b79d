"""Errors over rounds: means up to a round, and how certain a mean over seeds is."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints


class Estimate(NamedTuple):
    """A mean over seeds, and half of the width of its 95 % interval."""

    mean: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} +- {self.half_width:.2g}"


def mean_until(values: Floats, since: Ints, at: int) -> float:
    r"""Average an error over rounds 1 to `at`, where it changes only now and then.

    .. math:: \frac 1 t \sum_{s=1}^t e_s

    With e the generalized ranking error this is AGRE (Lanctot et al. 2026,
    definition 3.3).

    Args:
        values: The error from each change on.
        since: The round of each change; the first is 1.
        at: The last round.

    >>> mean_until(np.array([1.0, 0.5]), np.array([1, 3]), at=4)
    0.75
    """
    ends = np.minimum(np.append(since[1:], at + 1), at + 1)
    return float((values * np.maximum(ends - since, 0)).sum() / at)


def values_at(values: Floats, since: Ints, rounds: Ints) -> Floats:
    """Give an error at some rounds, where it changes only now and then.

    >>> values_at(np.array([1.0, 0.5]), np.array([1, 3]), np.array([1, 2, 3, 9])).tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    return np.asarray(values[np.searchsorted(since, rounds, side="right") - 1])


def means_over(values: Floats, since: Ints, rounds: Ints, window: int) -> Floats:
    """Average an error over the last `window` rounds up to each of some rounds, or all before it.

    >>> means_over(np.array([1.0, 0.5]), np.array([1, 3]), np.array([1, 3, 9]), window=2).tolist()
    [1.0, 0.75, 0.5]
    """
    before = np.concatenate([[0.0], np.cumsum(values[:-1] * np.diff(since))])

    def added(upto: Ints) -> Floats:
        place = np.maximum(np.searchsorted(since, upto, side="right") - 1, 0)
        return np.asarray(before[place] + values[place] * (upto - since[place] + 1))

    first = np.maximum(rounds - window, 0)
    return np.asarray((added(rounds) - added(first)) / (rounds - first))


def estimate(values: Floats) -> Estimate:
    r"""Estimate a mean with its 95 % interval, by Student's t.

    .. math:: \bar x \pm t_{0.975, n - 1} \, s / \sqrt n

    One value alone has no interval: its half width is NaN.

    >>> estimate(np.array([1.0, 3.0])).mean
    2.0
    """
    means, halves = estimates(values)
    return Estimate(float(means), float(halves))


def estimates(values: Floats) -> tuple[Floats, Floats]:
    """Estimate the mean of each column, and half of the width of its 95 % interval.

    >>> estimates(np.array([[1.0, 5.0], [3.0, 5.0]]))[0].tolist()
    [2.0, 5.0]
    """
    means = np.asarray(values.mean(axis=0))
    if len(values) < 2:
        return means, np.full_like(means, np.nan)
    from scipy.special import stdtrit

    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return means, np.asarray(stdtrit(len(values) - 1, 0.975) * errors)
