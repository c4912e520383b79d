"""Completion: what the votes that are missing could still change.

A ballot that leaves agents out is completed by putting each of them anywhere:
above, between, beside or below the agents that it lists, whose own order
stays. Every ballot is completed by itself, so that all combinations can come.
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats
from podium.kernels.pairs import count_table

ROUNDING = 1e-9
"""Weights that differ by less than this share of all weight are equal."""


def condorcet_completions(margins: Floats, met: Floats, total: float) -> tuple[Bools, Bools]:
    r"""Mark who may, and who must, be the Condorcet winner of the completed ballots.

    .. math:: \text{possible: } \delta_{ij} + (W - C_{ij}) > 0 \; \forall j, \quad
              \text{necessary: } \delta_{ij} - (W - C_{ij}) > 0 \; \forall j

    with W the weight of all ballots and C that of the ballots holding both
    agents. Both are exact: one completion serves an agent against all rivals
    at once, the one that puts it on top where it is missing, and the rivals
    at the bottom where they are.

    Args:
        margins: Wins less losses.
        met: Weight of the ballots that hold both agents.
        total: Weight of all ballots.

    Returns:
        Possible, and necessary, a flag an agent.

    >>> margins, met = np.array([[0.0, 1], [-1, 0]]), np.array([[0.0, 1], [1, 0]])
    >>> [flags.tolist() for flags in condorcet_completions(margins, met, 3.0)]
    [[True, True], [False, False]]
    """
    if len(margins) < 2:
        nobody = np.zeros(len(margins), dtype=bool)
        return nobody, nobody
    unseen = total - met
    unseen[unseen < ROUNDING * total] = 0.0
    oneself = np.eye(len(margins), dtype=bool)
    possible = ((margins + unseen > 0) | oneself).all(axis=1)
    necessary = ((margins - unseen > 0) | oneself).all(axis=1)
    return np.asarray(possible), np.asarray(necessary)


class BordaBounds(NamedTuple):
    """What completion can do to the Borda points of all agents on every ballot.

    Attributes:
        low: The fewest points that each agent can end with.
        high: The most.
        necessary: Whether no rival can ever end with more points than the agent.
    """

    low: Floats
    high: Floats
    necessary: Bools


def borda_completions(places: Array, points: Floats, weights: Floats) -> BordaBounds:
    r"""Bound the Borda points of the completed ballots, and find who must come first.

    A completed ballot gives an agent a point for each rival below and half for
    each beside. With :math:`b_{vi}` the points among those listed and
    :math:`k_v` the number left out, i has from :math:`b_{vi}` to
    :math:`b_{vi} + k_v` points if listed, and from 0 to m - 1 if not. The
    least lead of i over j, ballot by ballot, is

    .. math:: \begin{cases} b_{vi} - b_{vj} - k_v [j \text{ above } i] & \text{both listed} \\
              b_{vi} - (m - 1) & \text{only i listed} \\
              -(b_{vj} + k_v) & \text{only j listed} \\
              -(m - 1) & \text{neither} \end{cases}

    and ballots can be worst for i against j all at once, so necessary winners
    (Konczak and Lang 2005; Xia and Conitzer 2011) are exact. Who may still win
    is not told: that asks for one completion against all rivals at once, which
    leads over single rivals do not answer.

    Args:
        places: Votes x agents, lower is better, NaN where not listed.
        points: Points of each agent among those listed, 0 where not listed.
        weights: Weight of each vote.

    >>> places, points = np.array([[0.0, 1.0, np.nan]]), np.array([[1.0, 0.0, 0.0]])
    >>> borda_completions(places, points, np.array([1.0])).high.tolist()
    [2.0, 1.0, 2.0]
    """
    size = places.shape[1]
    here = (~np.isnan(places)).astype(np.float64)
    left_out = weights * (size - here.sum(axis=1))
    points = points * weights[:, None]
    low = points.sum(axis=0)
    only_one = (weights[:, None] * here).T @ (1 - here)  # the row agent listed, the column not
    neither = ((1 - here) * weights[:, None]).T @ (1 - here)
    high = low + left_out @ here + (size - 1) * neither.diagonal()
    beaten, _ = count_table(places, left_out)
    shared = points.T @ here  # points of the row agent where the column agent is listed
    own = shared.diagonal()[:, None] - shared  # and where it is not
    others = own.T + left_out @ here - left_out * here.T @ here
    lead = shared - shared.T - beaten.T + own - others
    lead -= (size - 1) * (only_one + neither)
    np.fill_diagonal(lead, 0.0)
    slack = ROUNDING * max(1.0, float(high.max(initial=0.0)))
    return BordaBounds(low, high, np.asarray((lead >= -slack).all(axis=1)))
