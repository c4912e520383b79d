"""Lotteries over agents, one after the other: each level without those before it."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.equilibrium import equilibrium
from podium.kernels.majority import dominance_tiers

DRAWN = 1e-6
"""An agent of lower probability is not drawn."""


class Level(NamedTuple):
    """The agents that one lottery draws from.

    Attributes:
        agents: Their codes.
        chances: The probability of each.
        unique: Whether this is the only maximal lottery among the agents left.
    """

    agents: Ints
    chances: Floats
    unique: bool


def levels(margins: Floats) -> list[Level]:
    """Draw a maximal lottery among all agents, then among those it never draws, and so on.

    A lottery only ever draws from the smallest set of agents that each beat
    everybody outside, and so does the next one while some of that set are left.
    So the agents are split into such sets first, and most sets are single
    agents, which need no solver.

    Args:
        margins: Wins less losses of the row agent against the column agent.

    >>> [level.agents.tolist() for level in levels(np.array([[0, 3, -1], [-3, 0, -1], [1, 1, 0]]))]
    [[2], [0], [1]]
    """
    found: list[Level] = []
    waiting = [np.arange(len(margins))] if len(margins) else []
    while waiting:
        agents = waiting.pop()
        groups = _groups(agents, margins)
        if len(groups) > 1:
            waiting += reversed(groups)
            continue
        if len(agents) == 1:
            found.append(Level(agents, np.ones(1), unique=True))
            continue
        lottery = equilibrium(margins[np.ix_(agents, agents)])
        drawn = lottery.strategy > DRAWN
        found.append(Level(agents[drawn], lottery.strategy[drawn], lottery.unique))
        if not drawn.all():
            waiting.append(agents[~drawn])
    return found


def _groups(agents: Ints, margins: Floats) -> list[Ints]:
    """Split agents into the finest sequence of sets that each beat all later ones."""
    among = margins[np.ix_(agents, agents)]
    tiers = dominance_tiers((among > 0).sum(axis=1), (among < 0).sum(axis=1))
    order = np.argsort(tiers, kind="stable")
    return np.split(agents[order], np.cumsum(np.bincount(tiers))[:-1])
