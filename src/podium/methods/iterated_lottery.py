"""Iterated lottery: maximal lotteries, level after level."""

import numpy as np

from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.kernels.lotteries import levels
from podium.methods._margins import PROPERTIES, REMARKS, clean_margins
from podium.methods._registry import method


@method(
    "iterated-lottery",
    reads=Tally,
    cite="Lanctot et al. 2025, algorithm 2",
    cost="at most m linear programmes",
    holds=PROPERTIES,
    cheap_up_to=50,
    remarks={name: f"of the first level, {text}" for name, text in REMARKS.items()},
)
def iterated_lottery(tally: Tally) -> Ratings:
    r"""Draw a maximal lottery, take out the agents it may draw, and go on with the rest.

    .. math:: r_i = L - \ell_i + p_i

    where i is drawn with probability :math:`p_i` at level :math:`\ell_i` of L,
    counted from 1. Agents of one level form a majority cycle, or are tied; a
    level of one agent beats everybody below it. Each lottery is the maximal one
    of highest entropy, which draws from every agent that any maximal lottery
    draws from, so that levels do not depend on the solver. `info` holds the
    `levels`, best first, and whether each of the lotteries was `unique`.

    Args:
        tally: Pairwise counts.

    >>> ratings = iterated_lottery(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    >>> ratings.values, ratings.info["levels"]
    (array([2., 1., 3.]), [['c'], ['a'], ['b']])
    """
    found = levels(clean_margins(tally))
    values = np.zeros(len(tally.agents))
    for below, level in enumerate(reversed(found)):
        values[level.agents] = below + level.chances
    named = [sorted(tally.agents[code] for code in level.agents.tolist()) for level in found]
    unique = all(level.unique for level in found)
    return Ratings.by_value(tally.agents, values, levels=named, unique=unique)
