"""Meetings: who was compared with whom, how much, and with what outcome."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints, add_up


class Meetings(NamedTuple):
    """What a tally says of the agents, and of all pairs together.

    Attributes:
        won: Rivals that each agent beats by majority.
        lost: Rivals that it loses to by majority.
        rivals: Rivals that it met at all.
        weight: Weight of its comparisons, over all rivals.
        compared: Weight of all comparisons.
        tied: Weight of the comparisons that ended in a tie.
        least: Weight of the pair that met least, 0 where a pair never met.
        level: Pairs that met and have margin 0.
        twins: The pairs that tied whenever they met: both codes, and the weight.
        group: Code of the group of each agent; no comparison leads to another group.
    """

    won: Ints
    lost: Ints
    rivals: Ints
    weight: Floats
    compared: float
    tied: float
    least: float
    level: int
    twins: tuple[Ints, Ints, Floats]
    group: Ints


def dense_meetings(wins: Floats, met: Floats) -> Meetings:
    """Read meetings off arrays of agents x agents.

    >>> found = dense_meetings(np.array([[0.0, 2], [1, 0]]), np.array([[0.0, 4], [4, 0]]))
    >>> found.compared, found.tied, found.least
    (4.0, 1.0, 4.0)
    """
    size = len(wins)
    margins = wins - wins.T
    here = met > 0
    np.fill_diagonal(here, val=False)
    level = here & (margins == 0)
    left, right = np.nonzero(np.triu(level & (wins == 0)))
    weight = np.where(here, met, 0.0).sum(axis=1)
    complete = bool(here.sum() == size * (size - 1))
    compared = float(weight.sum()) / 2
    return Meetings(
        won=(margins > 0).sum(axis=1),
        lost=(margins < 0).sum(axis=1),
        rivals=here.sum(axis=1),
        weight=weight,
        compared=compared,
        tied=compared - float(wins.sum()),
        least=float(met[here].min()) if complete and size > 1 else 0.0,
        level=int(level.sum()) // 2,
        twins=(left, right, met[left, right]),
        group=_groups(here),
    )


def listed_meetings(
    left: Ints, right: Ints, wins: Floats, losses: Floats, met: Floats, agents: int
) -> Meetings:
    """Read meetings off a list of pairs, each there once: same as `dense_meetings`."""
    here = met > 0
    ahead, behind = wins > losses, wins < losses
    level = here & (wins == losses)
    twins = level & (wins == 0)

    def each(of_left: np.ndarray, of_right: np.ndarray) -> Floats:
        return add_up(left, of_left, agents) + add_up(right, of_right, agents)

    complete = 2 * int(here.sum()) == agents * (agents - 1)
    compared = float(met.sum())
    return Meetings(
        won=each(ahead, behind).astype(np.int64),
        lost=each(behind, ahead).astype(np.int64),
        rivals=each(here, here).astype(np.int64),
        weight=each(met, met),
        compared=compared,
        tied=compared - float(wins.sum() + losses.sum()),
        least=float(met.min()) if complete and agents > 1 else 0.0,
        level=int(level.sum()),
        twins=(left[twins], right[twins], met[twins]),
        group=_listed_groups(left[here], right[here], agents),
    )


def _groups(here: Bools) -> Ints:
    """Number the groups that hang together, by search from one agent after another."""
    group = np.full(len(here), -1, dtype=np.int64)
    for agent in range(len(here)):
        if group[agent] < 0:
            number = int(group.max()) + 1
            front = np.array([agent])
            while len(front):
                group[front] = number
                front = np.flatnonzero(here[front].any(axis=0) & (group < 0))
    return group


def _listed_groups(left: Ints, right: Ints, agents: int) -> Ints:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(left), np.int8), (left, right)), shape=(agents, agents))
    _, group = connected_components(graph, directed=False)
    return np.asarray(group, dtype=np.int64)
