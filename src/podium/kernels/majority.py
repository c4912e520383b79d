"""Majority: who beats whom, and the sets of agents that this singles out.

`margins` holds wins less losses of the row agent against the column agent.
A rival with margin 0, be it tied or never met, is neither beaten nor lost to.
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.kernels.graphs import strong_components


class Condorcet(NamedTuple):
    """The agents that stand out in their head-to-head counts alone.

    Attributes:
        winner: Code of the agent that beats every rival, or None.
        weak_winners: Codes of the agents that lose to no rival.
        loser: Code of the agent that loses to every rival, or None.
        weak_losers: Codes of the agents that beat no rival.
    """

    winner: int | None
    weak_winners: Ints
    loser: int | None
    weak_losers: Ints


def head_to_head(margins: Floats) -> tuple[Ints, Ints]:
    """Count for each agent the rivals that it beats, and those it loses to.

    >>> won, lost = head_to_head(np.array([[0.0, 2.0], [-2.0, 0.0]]))
    >>> won.tolist(), lost.tolist()
    ([1, 0], [0, 1])
    """
    return (margins > 0).sum(axis=1), (margins < 0).sum(axis=1)


def condorcet(won: Ints, lost: Ints) -> Condorcet:
    r"""Find the strong and weak Condorcet winners and losers.

    .. math:: \text{strong: } \delta_{ij} > 0 \; \forall j \ne i, \quad
              \text{weak: } \delta_{ij} \ge 0 \; \forall j

    (Definition 1 of Lanctot et al. 2025; losers by the same with the sign
    turned.) A lone agent has no rival to beat, and is a strong neither.

    >>> condorcet(np.array([1, 1, 0]), np.array([0, 0, 2])).weak_winners.tolist()
    [0, 1]
    """
    rivals = len(won) - 1
    winner = np.flatnonzero((won == rivals) & (rivals > 0))
    loser = np.flatnonzero((lost == rivals) & (rivals > 0))
    return Condorcet(
        winner=int(winner[0]) if winner.size else None,
        weak_winners=np.flatnonzero(lost == 0),
        loser=int(loser[0]) if loser.size else None,
        weak_losers=np.flatnonzero(won == 0),
    )


def dominance_tiers(won: Ints, lost: Ints) -> Ints:
    r"""Number the tiers in which every agent beats all agents of the tiers below.

    Tier 0 is the Smith set, the smallest set of agents that each beat every
    agent outside (Smith 1973). Every such set is a prefix of the agents by
    :math:`w_i - l_i`, rivals beaten less rivals lost to; and a prefix of k is
    such a set just when it won all its meetings with the rest,

    .. math:: \sum_{i \le k} (w_i - l_i) = k (m - k)

    so that no pair need be looked at again.

    >>> dominance_tiers(np.array([2, 2, 2, 0]), np.array([1, 1, 1, 3])).tolist()
    [0, 0, 0, 1]
    """
    size = len(won)
    order = np.argsort(lost - won, kind="stable")
    upto = np.arange(1, size + 1)
    ends = np.cumsum((won - lost)[order]) == upto * (size - upto)
    tiers = np.empty(size, dtype=np.int64)
    tiers[order] = np.cumsum(ends) - ends
    return tiers


def schwartz_set(beats: Bools) -> Bools:
    """Mark the agents of the strong components that nobody outside beats.

    The union of the smallest sets whose members lose to nobody outside
    (Schwartz 1972). It lies within the Smith set, and is the same where only
    the agents of the Smith set are given.

    >>> schwartz_set(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)).tolist()
    [True, True, False]
    """
    unbeaten = np.zeros(len(beats), dtype=bool)
    for group in strong_components(beats):
        winners = np.asarray(beats[:, group].any(axis=1))
        winners[group] = False
        unbeaten[group] = not winners.any()
    return unbeaten


def uncovered_set(beats: Bools) -> Bools:
    r"""Mark the agents that no rival covers, in the sense of Gillies (1959).

    .. math:: i \text{ covers } j \iff \delta_{ij} > 0 \text{ and }
              \{k : \delta_{ki} > 0\} \subseteq \{k : \delta_{kj} > 0\}

    Whoever beats i beats j too. Without majority ties all definitions in use
    agree (Duggan 2013). It lies within the Smith set, and is the same where
    only the agents of the Smith set are given.

    >>> cycle = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)
    >>> uncovered_set(cycle).tolist()
    [True, True, True]
    """
    win = beats.astype(np.float32)  # counts stay far below 2^24, so they are exact
    escapes = win.T @ (1 - win)  # who beats the row agent, but not the column agent
    covers = beats & (escapes == 0)
    return np.asarray(~covers.any(axis=0))


def cyclic_triples(beats: Bools) -> int:
    r"""Count the triples of agents that beat each other in a circle.

    .. math:: \tfrac{1}{3} \operatorname{tr} B^3, \quad
              \text{without ties } \binom{m}{3} - \sum_i \binom{w_i}{2}

    (Kendall and Babington Smith 1940), where B marks who beats whom.

    >>> cyclic_triples(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool))
    1
    """
    size = len(beats)
    won = beats.sum(axis=1, dtype=np.int64)
    if int(won.sum()) == size * (size - 1) // 2:
        ordered = int((won * (won - 1) // 2).sum())
        return size * (size - 1) * (size - 2) // 6 - ordered
    win = beats.astype(np.float32)
    return round(float(((win @ win) * win.T).sum(dtype=np.float64)) / 3)


def shortest_cycle(margins: Floats) -> Ints:
    """Find a majority cycle that is as short as can be.

    Among the shortest it is one whose narrowest win is as wide as can be;
    among these, the first in the order of the agents.

    Returns:
        Codes along the cycle, each beating the next and the last the first;
        empty where there is no cycle.

    >>> margins = np.array([[0.0, 3, -1], [-3, 0, 5], [1, -5, 0]])
    >>> shortest_cycle(margins).tolist()
    [0, 1, 2]
    """
    length = _girth(margins > 0)
    if not length:
        return np.zeros(0, dtype=np.int64)
    levels = np.unique(margins[margins > 0])
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _returns(margins >= levels[middle], length).any():
            low = middle
        else:
            high = middle - 1
    wide = margins >= levels[low]
    return _walk_back(wide, int(np.argmax(_returns(wide, length))), length)


def _girth(beats: Bools) -> int:
    """Length of the shortest cycle, or 0."""
    step = beats.astype(np.float32)
    reach = step
    for length in range(2, len(beats) + 1):
        reach = ((reach @ step) > 0).astype(np.float32)
        if reach.diagonal().any():
            return length
        if not reach.any():
            break
    return 0


def _returns(beats: Bools, length: int) -> Bools:
    """Whether each agent comes back to itself in that many steps."""
    step = beats.astype(np.float32)
    reach = step
    for _ in range(length - 1):
        reach = ((reach @ step) > 0).astype(np.float32)
    return np.asarray(reach.diagonal() > 0)


def _walk_back(beats: Bools, start: int, length: int) -> Ints:
    """Follow the first way from an agent back to itself in that many steps, the fewest."""
    near = np.zeros((length, len(beats)), dtype=bool)
    near[0, start] = True
    for steps in range(1, length):
        near[steps] = (beats & near[steps - 1]).any(axis=1)
    path = [start]
    for left in range(length - 1, 0, -1):
        path.append(int(np.argmax(beats[path[-1]] & near[left])))
    return np.array(path, dtype=np.int64)
