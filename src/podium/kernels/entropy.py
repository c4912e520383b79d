"""The most even distribution that keeps to linear conditions."""

import numpy as np

from podium.arrays import Floats

BALANCED = 1e-13
"""Conditions are met when they are off by no more than this."""

LOOSE = 1e-11
"""An inequality is broken, or a multiplier negative, beyond this."""

STEPS = 200
"""Most Newton steps, and most changes of the active conditions."""


def most_even(equations: Floats, limits: Floats) -> Floats:
    r"""Maximise entropy where equations hold and other sums stay at or below 0.

    .. math:: \max_p -\sum_i p_i \log p_i, \quad
              E p = 0, \; G p \le 0, \; \textstyle\sum_i p_i = 1

    The answer is :math:`p \propto \exp(-E^\top \mu - G^\top \nu)` with
    :math:`\nu \ge 0`. Newton's method finds the multipliers for a guess of the
    limits that bind; the guess is mended one limit at a time.

    Some distribution above 0 everywhere must meet all conditions, and keep off
    every limit.

    Args:
        equations: Rows that are orthogonal to the answer, independent.
        limits: Rows whose product with the answer is at most 0.

    >>> most_even(np.zeros((0, 3)), np.array([[3.0, -1, -1]])).round(6)
    array([0.250..., 0.375..., 0.375...])
    """
    binding: list[int] = []
    for _ in range(STEPS):
        found = _newton(np.vstack([equations, limits[binding]]))
        if found is None:
            break
        answer, multipliers = found
        own = multipliers[len(equations) :]
        excess = limits @ answer
        excess[binding] = 0.0
        if len(own) and own.min() < -LOOSE:
            del binding[int(own.argmin())]
        elif len(limits) and excess.max() > LOOSE:
            binding.append(int(excess.argmax()))
        else:
            return answer
    return _bounded(equations, limits)


def _newton(rows: Floats) -> tuple[Floats, Floats] | None:
    """Minimise the logarithm of the sum of exponentials; None where it does not settle."""
    multipliers = np.zeros(len(rows))
    value, answer = _dual(rows, multipliers)
    for _ in range(STEPS):
        residual = rows @ answer
        if not len(rows) or np.abs(residual).max() <= BALANCED:
            return answer, multipliers
        spread = rows * answer
        curvature = spread @ rows.T - np.outer(residual, residual)
        step = np.linalg.lstsq(curvature, residual)[0]
        length = 1.0
        trial = _dual(rows, multipliers + step)
        while trial[0] > value + 1e-15 and length > 1e-10:
            length /= 2
            trial = _dual(rows, multipliers + length * step)
        if length <= 1e-10:
            # Rounding ends the descent; accept it where the conditions hold by then.
            return (answer, multipliers) if np.abs(residual).max() <= LOOSE else None
        multipliers = multipliers + length * step
        value, answer = trial
    return None


def _dual(rows: Floats, multipliers: Floats) -> tuple[float, Floats]:
    powers = -multipliers @ rows
    highest = powers.max()
    terms = np.exp(powers - highest)
    total = terms.sum()
    return float(highest + np.log(total)), terms / total


def _bounded(equations: Floats, limits: Floats) -> Floats:
    """Solve the dual with bounds on its variables: slower, and sure to settle."""
    from scipy.optimize import minimize

    rows = np.vstack([equations, limits])

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        value, answer = _dual(rows, multipliers)
        return value, -rows @ answer

    bounds = [(None, None)] * len(equations) + [(0.0, None)] * len(limits)
    options = {"maxiter": 10_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-12}
    start = np.zeros(len(rows))
    best = minimize(dual, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return _dual(rows, best.x)[1]
