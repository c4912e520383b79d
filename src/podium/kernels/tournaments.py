"""Voting rules on small tables of wins, kept up to date round by round.

The rules of `kernels/majority.py` and `kernels/locking.py` tell all answers and
all ties of one table. These tell one answer, ten thousand times a second: where
equal margins leave a choice, the lower code goes first. Codes mean nothing, since
studies and simulations deal them out by lot.
"""

from typing import Any

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel


@kernel
def copeland_scores(wins: Floats, ratings: Floats) -> bool:
    r"""Write each agent's majorities, a tie as a half; tell whether these alone order the agents.

    They do where no majority is tied and none closes a cycle, that is, where
    every number of majorities from 0 to m - 1 comes up once. Every rule that
    keeps to majorities then gives this one ranking.
    """
    size = len(ratings)
    strict = True
    ratings[:] = 0.0
    for one in range(size):
        for other in range(one):
            margin = wins[one, other] - wins[other, one]
            if margin > 0.0:
                ratings[one] += 1.0
            elif margin < 0.0:
                ratings[other] += 1.0
            else:
                ratings[one] += 0.5
                ratings[other] += 0.5
                strict = False
    if not strict:
        return False
    # Where no majority is tied, a cycle makes some two scores equal.
    squares = 0.0
    for one in range(size):
        squares += ratings[one] * ratings[one]
    return squares == (size - 1) * size * (2 * size - 1) / 6.0


@kernel
def sort_pairs(wins: Floats, pairs: Ints) -> None:
    """Sort pairs (one x size + other) by the size of their margin, falling; ties by code."""
    size = len(wins)
    for place in range(1, len(pairs)):
        pair = pairs[place]
        strength = abs(wins[pair // size, pair % size] - wins[pair % size, pair // size])
        free = place
        while free > 0:
            before = pairs[free - 1]
            lead = abs(wins[before // size, before % size] - wins[before % size, before // size])
            if lead > strength or (lead == strength and before < pair):
                break
            pairs[free] = before
            free -= 1
        pairs[free] = pair


@kernel
def lock_sorted(wins: Floats, pairs: Ints, reach: Any, ratings: Floats) -> None:
    """Lock majorities from the largest down unless that closes a cycle (Tideman 1987).

    Agents are rated by how many others they reach along locked majorities.
    """
    size = len(ratings)
    reach[:] = False
    for pair in pairs:
        one, other = pair // size, pair % size
        margin = wins[one, other] - wins[other, one]
        if margin < 0.0:
            one, other = other, one
        if margin == 0.0 or reach[one, other] or reach[other, one]:
            continue
        for upper in range(size):
            if upper == one or reach[upper, one]:
                reach[upper, other] = True
                for lower in range(size):
                    reach[upper, lower] = reach[upper, lower] or reach[other, lower]
    for agent in range(size):
        ratings[agent] = reach[agent].sum()
