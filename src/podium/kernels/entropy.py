"""The most even distribution that keeps to linear conditions."""

import numpy as np

from podium.arrays import Bools, Floats

CLOSE = 1e-10
"""The search inside the limits ends at slopes, and multipliers times slacks, below this."""

SETTLED = 1e-12
"""Newton's method ends at slopes below this."""

MET = 1e-13
"""Conditions are met when they are off by no more than this."""

SHRINK = 0.1
"""Each step aims at this share of the last product of multipliers and slacks."""

KEEP_OFF = 0.99
"""Share of the way to a bound that a step may go."""

SMALLEST = 1e-100
"""Numbers below this have run into a bound."""

STEPS = 200
"""Most steps; ten to thirty are usual."""

RANK = 1e-9
"""Singular values below this share of the largest count as 0."""


def most_even(
    start: Floats, equations: Floats, limits: Floats, weights: Floats | None = None
) -> Floats | None:
    r"""Maximise entropy where equations hold and other sums stay at or below 0.

    .. math:: \max_p -\sum_i p_i \log \frac{p_i}{w_i}, \quad
              E p = 0, \; G p \le 0, \; \textstyle\sum_i p_i = 1

    An interior point finds which limits bind; these then count as equations,
    and a few steps of Newton's method take what was kept off them out again.

    Args:
        start: Some distribution, above 0 everywhere and strictly below every limit.
        equations: Rows that are orthogonal to the answer.
        limits: Rows whose product with the answer is at most 0.
        weights: How many each one stands for; 1 where left out. Nothing but
            their ratios counts.

    Returns:
        The distribution, or None where the steps did not settle: the start is
        too close to a bound.

    >>> most_even(np.array([0.1, 0.3, 0.6]), np.zeros((0, 3)), np.array([[3.0, -1, -1]]))
    array([0.25 , 0.375, 0.375])
    """
    even = np.ones(len(start)) if weights is None else weights
    found = _inside(start, equations, limits, even)
    if found is None:
        return None
    inside, binding = found
    while True:
        answer = _polished(inside, np.vstack([equations, limits[binding]]), even)
        if answer is None:
            return inside
        broken = ~binding & (limits @ answer > MET)
        if not broken.any():
            return answer
        binding |= broken


def _inside(
    start: Floats, equations: Floats, limits: Floats, weights: Floats
) -> tuple[Floats, Bools] | None:
    r"""Come close to the answer from within; say which limits it is held by.

    With Z a basis of the directions that keep the equations, the answer has
    :math:`Z^\top (\log p + G^\top \nu) = 0`, :math:`\nu \ge 0` and
    :math:`\nu_i (G p)_i = 0`. Newton's method goes there through
    :math:`\nu_i (G p)_i = -\mu` with :math:`\mu` falling to 0 (Wright 1997).
    """
    ways = _null_space(np.vstack([equations, np.ones(len(start))]))
    slopes = limits @ ways
    answer, slack, multipliers = start, -(limits @ start), np.ones(len(limits))
    for _ in range(STEPS):
        if min(answer.min(), slack.min(initial=1.0), multipliers.min(initial=1.0)) < SMALLEST:
            break
        push = ways.T @ np.log(answer / weights)
        product = float(multipliers @ slack) / max(1, len(limits))
        off = np.abs(push + slopes.T @ multipliers).max(initial=0.0)
        if off <= CLOSE and product <= CLOSE:
            return answer, multipliers > slack
        aim = SHRINK * product
        curvature = (ways.T / answer) @ ways + (slopes.T * (multipliers / slack)) @ slopes
        step = np.linalg.lstsq(curvature, -push - slopes.T @ (aim / slack), rcond=None)[0]
        slide = slopes @ step
        turn = aim / slack - multipliers + multipliers * slide / slack
        length = min(_room(answer, ways @ step), _room(slack, -slide))
        answer, slack = answer + length * (ways @ step), slack - length * slide
        multipliers = multipliers + _room(multipliers, turn) * turn
    return None


def _polished(start: Floats, equations: Floats, weights: Floats) -> Floats | None:
    """Go from a close start to the most even point on the equations; None where that leads off."""
    rows = np.vstack([equations, np.ones(len(start))])
    target = np.append(np.zeros(len(equations)), 1.0)
    answer = start + np.linalg.lstsq(rows, target - rows @ start, rcond=RANK)[0]
    ways = _null_space(rows)
    for _ in range(STEPS):
        if answer.min() < SMALLEST or np.abs(rows @ answer - target).max() > MET:
            return None
        push = ways.T @ np.log(answer / weights)
        if np.abs(push).max(initial=0.0) <= SETTLED:
            return np.asarray(answer)
        step = ways @ np.linalg.lstsq((ways.T / answer) @ ways, -push, rcond=None)[0]
        answer = answer + _room(answer, step) * step
    return None


def _room(values: Floats, change: Floats) -> float:
    """Give the share of a step after which all values are still above 0."""
    falling = change < 0
    bound = (values[falling] / -change[falling]).min(initial=np.inf)
    return min(1.0, KEEP_OFF * float(bound))


def _null_space(rows: Floats) -> Floats:
    _, values, directions = np.linalg.svd(rows)
    return np.asarray(directions[int((values > RANK * values[0]).sum()) :].T)
