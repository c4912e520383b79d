"""Tables: known means and standard deviations of every cell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats, Ints, floats, ints
from podium.errors import DataError
from podium.kernels.kemeny import kemeny
from podium.kernels.records import Sizes
from podium.worlds._instance import Instance, counts_of_means

SECONDS = 60.0
"""Longest search for the Kemeny order of a table, for each cycle of more than 16 agents."""

TOP = 100.0
"""Scaled means of a task go from 0 to this."""


@dataclass(frozen=True, eq=False)
class Table:
    """A world that is the same for every seed but for the noise.

    Attributes:
        means: Mean score of each cell, tasks x agents.
        stds: Standard deviation of one score of each cell.
        truth: Codes of the agents, the best first.
    """

    means: Floats
    stds: Floats
    truth: Ints

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        tasks, agents = self.means.shape
        return Sizes(agents, tasks)

    def drawn(self, _: int) -> Instance:
        """Give the table; the seed decides the noise alone."""
        return Instance.normal(self.truth, self.means, self.stds)


def table(
    means: ArrayLike,
    stds: ArrayLike,
    truth: Sequence[int] | None = None,
    *,
    scale: bool = False,
) -> Table:
    """Make a world of known means and standard deviations.

    Args:
        means: Mean score of each cell, tasks x agents.
        stds: Standard deviation of one score, for each cell or one for all.
        truth: Codes of the agents, the best first; by default the Kemeny order
            of the means, where a tie on a task is half a vote for either side. An
            error if there are several.
        scale: Whether to map the means of each task to 0 to 100, its standard
            deviations by the same factor.

    >>> table([[3.0, 1.0], [2.0, 5.0], [9.0, 0.0]], 1.0).truth.tolist()
    [0, 1]
    """
    middle = np.array(means, dtype=np.float64)
    if middle.ndim != 2 or not middle.size or not np.isfinite(middle).all():
        msg = f"means has shape {middle.shape}; give finite numbers, tasks x agents"
        raise DataError(msg)
    spread = np.array(np.broadcast_to(np.asarray(stds, dtype=np.float64), middle.shape))
    if not (spread >= 0.0).all():
        msg = "stds holds a number below 0 or one that is missing; give 0 where there is no noise"
        raise DataError(msg)
    if scale:
        factor = _factors(middle)
        middle, spread = (middle - middle.min(axis=1, keepdims=True)) * factor, spread * factor
    return Table(floats(middle), floats(spread), truth_of(middle, truth))


def _factors(means: Floats) -> Floats:
    """Give what maps the means of each task to a width of 100; 1 where all are equal."""
    width = means.max(axis=1, keepdims=True) - means.min(axis=1, keepdims=True)
    return np.asarray(np.where(width > 0.0, TOP / np.where(width > 0.0, width, 1.0), 1.0))


def truth_of(means: Floats, truth: Sequence[int] | None) -> Ints:
    """Check a truth, or find the Kemeny order of means, which has to be the only one."""
    if truth is None:
        found = kemeny(counts_of_means(means), SECONDS)
        if found.unique is not True:
            msg = "the means have several Kemeny orders; say with truth= which one is the truth"
            raise DataError(msg)
        return ints(found.order)
    if sorted(truth) != list(range(means.shape[1])):
        msg = f"truth is {list(truth)!r}; give each of 0 to {means.shape[1] - 1} once, best first"
        raise DataError(msg)
    return ints(list(truth))
