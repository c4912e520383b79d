"""What the methods that play the game of majority margins have in common."""

from podium.arrays import Floats
from podium.data.tally import Tally
from podium.errors import DataError

ROUNDING = 1e-12
"""Margins below this share of the largest count are rounding of the weights."""

PROPERTIES = {"condorcet", "clones", "population", "agenda", "iia"}
"""What maximal lotteries hold, each of them as a set (Brandl, Brandt and Seedig 2016)."""

REMARKS = {
    "clones": (
        "of the set of all maximal lotteries: what clones draw together, and the range of every "
        "other agent, stay the same. Where several lotteries are maximal, the one of highest "
        "entropy may shift with the number of clones"
    ),
    "population": "a lottery that is maximal for two sets of votes is maximal for their union",
    "agenda": (
        "a lottery that is maximal among some agents, and draws from fewer of them only, is "
        "maximal among these; one that is maximal in two sets of agents is maximal in their union"
    ),
    "iia": (
        "of lotteries: whether one is maximal among some agents depends on votes "
        "between these agents alone"
    ),
}
"""In which sense, by property."""


def clean_margins(tally: Tally) -> Floats:
    """Give the margins, with those that only rounding keeps from 0 put to 0.

    >>> clean_margins(Tally.from_matrix([[0, 0.1 + 0.2], [0.3, 0]], "ab")).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    if not tally.agents:
        msg = "there are no agents, so there is nobody to draw; give votes on one agent at least"
        raise DataError(msg)
    margins = tally.margins.copy()
    margins[abs(margins) <= ROUNDING * tally.wins.max(initial=0.0)] = 0.0
    return margins
