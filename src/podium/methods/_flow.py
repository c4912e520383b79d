"""What the methods that look for circles in a flow have in common."""

from collections.abc import Sequence

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.components import components
from podium.methods._odds import Odds
from podium.words import listed


def share(part: Floats, whole: Floats) -> float:
    """Give the share of a sum of squares that a part has.

    >>> share(np.array([3.0]), np.array([3.0, 4.0]))
    0.36
    """
    total = float(np.square(whole).sum())
    return min(float(np.square(part).sum()) / total, 1.0) if total else 0.0


def rest(odds: Odds, ratings: Floats) -> Floats:
    r"""Give what ratings leave of a flow, :math:`A_{ij} - (r_i - r_j)`; 0 where none met."""
    return np.asarray(np.where(odds.met, odds.payoffs - (ratings[:, None] - ratings), 0.0))


def demand_connected(names: Sequence[str], left: Ints, right: Ints, who: str) -> None:
    """Refuse names that no chain of edges joins, since their ratings have no common scale."""
    labels = components(left, right, len(names)).weak
    groups = [
        sorted(name for name, label in zip(names, labels.tolist(), strict=True) if label == number)
        for number in np.unique(labels).tolist()
    ]
    if len(groups) > 1:
        shown = " | ".join(listed(group, 4) for group in sorted(groups, key=lambda g: (-len(g), g)))
        msg = (
            f"{who}: nothing compares these groups with one another: {shown[:400]}. Rank each "
            "group by itself, or use a method that needs no such connection, such as copeland"
        )
        raise DataError(msg)


def demand_met(tally: Tally, met: Bools, who: str) -> None:
    """Refuse agents that no chain of meetings joins."""
    left, right = np.nonzero(np.triu(met, 1))
    demand_connected(tally.agents, left, right, who)
