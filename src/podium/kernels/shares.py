"""Shares of wins and means of differences: how far chance may move them."""

import math
import statistics

from podium.arrays import Floats


def sign_test(wins: float, losses: float) -> float:
    r"""Test whether wins and losses are as likely as one another, on both sides.

    .. math:: p = \min\Bigl(1, 2 \sum_{k \ge \max(w, l)} \binom{w + l}{k} 2^{-(w + l)}\Bigr)
                = \min(1, 2 I_{1/2}(\max(w, l), \min(w, l) + 1))

    Ties are left out (Dixon and Mood 1946). The incomplete beta function
    :math:`I` is the sum where counts are whole, and a smooth line between
    where they are not.

    >>> round(sign_test(7, 1), 6), sign_test(0, 0)
    (0.070312, 1.0)
    """
    from scipy.special import betainc

    more, fewer = max(wins, losses), min(wins, losses)
    return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5))) if more > 0 else 1.0


def wilson(share: float, size: float, quantile: float) -> tuple[float, float]:
    r"""Give the interval of a share that was seen in some number of trials.

    .. math:: \frac{p + z^2 / 2n \pm z \sqrt{p (1 - p) / n + z^2 / 4 n^2}}{1 + z^2 / n}

    (Wilson 1927). A tie counts as half a win, which makes it a little wide.

    >>> [round(end, 4) for end in wilson(0.5, 10, 1.96)]
    [0.2366, 0.7634]
    """
    spare = quantile**2 / size
    half = quantile * math.sqrt(share * (1 - share) / size + spare / (4 * size))
    low, high = (share + spare / 2 - half) / (1 + spare), (share + spare / 2 + half) / (1 + spare)
    return max(0.0, low), min(1.0, high)


def normal_quantile(level: float) -> float:
    """Give how many standard deviations hold a share of the normal curve.

    >>> round(normal_quantile(0.95), 3)
    1.96
    """
    return statistics.NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(level: float, freedom: float) -> float:
    """Give how many estimated standard deviations hold a share, by Student's curve.

    >>> round(student_quantile(0.95, 4), 3)
    2.776
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def effective(weights: Floats) -> float:
    r"""Give how many equal weights say as much as these (Kish 1965).

    .. math:: \frac{(\sum w)^2}{\sum w^2}

    >>> import numpy as np
    >>> effective(np.array([1.0, 1.0, 0.0])), effective(np.array([3.0, 1.0]))
    (2.0, 1.6)
    """
    return float(weights.sum() ** 2 / (weights**2).sum())
