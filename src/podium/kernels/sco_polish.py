"""The last digits: Newton's method near a minimum of the sigmoid loss."""

import numpy as np

from podium.arrays import Floats
from podium.kernels.alike import Majorities
from podium.kernels.sco import at

LONGEST = 1.0
"""No rating moves further in one step, in temperatures."""

SETTLED = 1e-10
"""Steps below this are none, in temperatures."""

STEPS = 500
"""Steps at most; each halves what is left at the worst of times."""


def polished(pairs: Majorities, ratings: Floats, width: float) -> tuple[Floats, int]:
    r"""Follow Newton's method to the minimum, however flat the loss is around it.

    Where agents are further apart than about 37 temperatures, the loss is flat
    to the last bit, yet its slopes are not 0: they fall like exp(-gap), which
    keeps all its digits. Newton's step does not depend on their size, so the
    minimum is found all the same. Where the loss does not bend upwards, the
    ratings stay as they are.

    >>> chain = Majorities(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]), 3)
    >>> polished(chain, np.array([100.0, 58.0, 0.0]), 100.0)[0].round(9).tolist()
    [100.0, 50.0, 0.0]
    """
    most = at(pairs, ratings).loss + 1e-12 * float(pairs.margin.sum())
    for step in range(STEPS):
        slopes = at(pairs, ratings).slopes
        held = ((ratings <= 0) & (slopes >= 0)) | ((ratings >= width) & (slopes <= 0))
        free = np.flatnonzero(~held & (slopes != 0))
        move = newton_step(curvature(pairs, ratings)[np.ix_(free, free)], slopes[free])
        if move is None:
            return ratings, step
        far = float(np.abs(move).max(initial=0.0))
        tried = ratings.copy()
        tried[free] = np.clip(ratings[free] + move * min(1.0, LONGEST / max(far, 1e-300)), 0, width)
        if far <= SETTLED or at(pairs, tried).loss > most:
            return ratings, step
        ratings = tried
    return ratings, STEPS


def curvature(pairs: Majorities, ratings: Floats) -> Floats:
    """Give the second derivatives of the loss, agents x agents."""
    gap = ratings[pairs.winner] - ratings[pairs.loser]
    small = np.exp(-np.abs(gap))
    below = 1.0 / (1.0 + small)
    bend = pairs.margin * small * below**3 * (1.0 - small) * np.sign(gap)
    matrix = np.zeros((pairs.size, pairs.size))
    matrix[pairs.winner, pairs.loser] = -bend
    matrix += matrix.T
    matrix[np.diag_indices(pairs.size)] = -matrix.sum(axis=1)
    return matrix


def newton_step(matrix: Floats, slopes: Floats) -> Floats | None:
    """Solve for the step, each agent in units of its own curvature; None where that is no minimum.

    >>> newton_step(np.array([[2.0]]), np.array([1.0])).round(12).tolist()
    [-0.5]
    """
    own = matrix.diagonal()
    if not len(own) or (own <= 0).any():
        return None
    unit = 1.0 / np.sqrt(own)
    try:
        root = np.linalg.cholesky(matrix * unit[:, None] * unit)
    except np.linalg.LinAlgError:
        return None
    solved = np.linalg.solve(root.T, np.linalg.solve(root, slopes * unit))
    return -np.asarray(solved * unit)
