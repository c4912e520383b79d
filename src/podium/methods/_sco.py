"""What the methods of Soft Condorcet Optimization share: the box, the loss, what to tell."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.data.ratings import Ratings
from podium.data.tally import Pairs, Tally
from podium.errors import DataError
from podium.kernels.alike import Majorities, majorities_of
from podium.kernels.bradley_terry import logistic
from podium.kernels.components import components
from podium.methods._connection import named
from podium.words import check_number, counted, listed

SAME = 1e-9
"""Ratings within this share of the box are equal."""

FEW = 4
"""Groups that a note spells out."""


class Box(NamedTuple):
    """The range of the ratings, and their unit.

    Attributes:
        low: Lowest rating.
        high: Highest rating.
        unit: Temperature, or scale of the noise.
    """

    low: float
    high: float
    unit: float

    @property
    def width(self) -> float:
        """The range in units."""
        return (self.high - self.low) / self.unit

    def inside(self, ratings: Floats) -> Floats:
        """Measure ratings in units from the lowest."""
        return np.clip((ratings - self.low) / self.unit, 0.0, self.width)

    def outside(self, units: Floats) -> Floats:
        """Turn units back into ratings; bounds are met exactly.

        >>> Box(0.0, 1.0, 0.1).outside(np.array([0.0, 5.0, 1.0 / 0.1])).tolist()
        [0.0, 0.5, 1.0]
        """
        ratings = self.low + self.unit * units
        return np.where(units >= self.width, self.high, np.clip(ratings, self.low, self.high))

    def start(self, size: int) -> Floats:
        """Put everybody in the middle, in units."""
        return np.full(size, self.width / 2)


def box_of(method: str, unit_name: str, unit: float, low: float, high: float) -> Box:
    """Check the options that make up a box."""
    check_number(f"{method}:low", low, low=-1e12, high=1e12)
    check_number(f"{method}:high", high, low=-1e12, high=1e12)
    if high <= low:
        msg = (
            f"{method}: low is {low:g} and high is {high:g}; give a range, such as low=0, high=100"
        )
        raise DataError(msg)
    if not 0 < unit < np.inf:
        msg = f"{method}:{unit_name} is {unit!r}; give a number above 0"
        raise DataError(msg)
    check_number(f"{method}:{unit_name}", unit, low=(high - low) * 1e-6, high=(high - low) * 1e6)
    return Box(low, high, unit)


def majorities(tally: Tally) -> Majorities:
    """List who beats whom."""
    pairs = tally.pairs
    return majorities_of(pairs.left, pairs.right, pairs.wins - pairs.losses, len(tally.agents))


def soft_loss(pairs: Pairs, units: Floats) -> float:
    r"""Give the sigmoid loss of all votes.

    .. math:: \sum_{a, b} N(a, b) \, s(\theta_b - \theta_a)

    >>> soft_loss(Tally.from_matrix([[0, 3], [1, 0]], "ab").pairs, np.zeros(2))
    2.0
    """
    chance = logistic(units[pairs.left] - units[pairs.right])
    return float(pairs.wins @ (1.0 - chance) + pairs.losses @ chance)


def rated(agents: Sequence[str], units: Floats, box: Box, **info: Any) -> Ratings:
    """Rank agents by ratings in units."""
    gap = SAME * (box.high - box.low)
    return Ratings.by_value(agents, box.outside(units), tolerance=gap, **info)


def flags(agents: Sequence[str], pairs: Majorities) -> dict[str, Any]:
    """Say which agents no majority compares, if there are any."""
    return group_flags(agents, components(pairs.winner, pairs.loser, pairs.size).weak, "majority")


def group_flags(agents: Sequence[str], group: Ints, link: str = "vote") -> dict[str, Any]:
    """Say which agents nothing compares: the groups, and notes on them.

    >>> group_flags("abc", np.array([0, 0, 1]))["notes"]
    ["no vote compares 'c' with anybody, so the rating is the start value"]
    """
    if not group.any():
        return {}
    groups = named(agents, group)
    gone = sorted(members[0] for members in groups if len(members) == 1)
    large = [members for members in groups if len(members) > 1]
    notes = []
    if gone:
        who = f"no {link} compares {listed(gone)} with anybody"
        notes.append(f"{who}, so the rating is the start value")
    if len(large) > 1:
        shown = " | ".join(listed(members, FEW) for members in large[:FEW])
        more = f" | and {counted(len(large) - FEW, 'group')} more" if len(large) > FEW else ""
        notes.append(f"no {link} connects these groups, so do not compare them: {shown}{more}")
    return {"components": groups, "notes": notes}
