"""Iterated maximal lotteries on small tables of wins, quick enough to be asked each round."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.kernels import matrix_games
from podium.kernels.compiled import kernel
from podium.kernels.matrix_games import solve_game
from podium.kernels.tournaments import copeland_scores

DRAWN = 1e-6
"""An agent of lower probability is not drawn."""


class Levels(NamedTuple):
    """Room for the levels of one table.

    Attributes:
        left: Agents that no level has taken yet.
        members: The agents that the next lottery is among.
        level: Number of each agent's level, from 0.
        margins: Payoffs among the members.
        first: One player's strategy.
        second: The other's.
        game: Room for the solver.
    """

    left: Bools
    members: Ints
    level: Ints
    margins: Floats
    first: Floats
    second: Floats
    game: matrix_games.Room


def levels(size: int) -> Levels:
    """Make room for some agents."""
    return Levels(
        left=np.ones(size, dtype=np.bool_),
        members=np.zeros(size, dtype=np.int64),
        level=np.zeros(size, dtype=np.int64),
        margins=np.zeros((size, size)),
        first=np.zeros(size),
        second=np.zeros(size),
        game=matrix_games.room(size, size),
    )


@kernel
def lottery_ratings(wins: Floats, room: Levels, ratings: Floats, policy: Floats) -> None:
    """Rate agents by the level and the probability at which maximal lotteries draw them.

    Args:
        wins: Wins of the row agent against the column agent.
        room: Scratch space.
        ratings: Receives the number of levels below an agent's own, plus its probability there.
        policy: Receives the lottery of the first level.
    """
    size = len(ratings)
    if copeland_scores(wins, ratings):
        for agent in range(size):
            policy[agent] = 1.0 if ratings[agent] == size - 1 else 0.0
            ratings[agent] += 1.0
        return
    room.left[:] = True
    policy[:] = 0.0
    taken, level = 0, 0
    while taken < size:
        count = _unbeaten(wins, room)
        _draw(wins, room, count)
        for place in range(count):
            chance = room.first[place]
            if chance > DRAWN:
                agent = room.members[place]
                room.left[agent] = False
                room.level[agent] = level
                ratings[agent] = chance
                policy[agent] = chance if level == 0 else 0.0
                taken += 1
        level += 1
    for agent in range(size):
        ratings[agent] += level - 1 - room.level[agent]


@kernel
def _unbeaten(wins: Floats, room: Levels) -> int:
    """List the smallest set of agents left that each beat all others left; return its size."""
    left, members = room.left, room.members
    members[0] = _most_majorities(wins, left)
    count, looked = 1, 0
    while looked < count:
        member = members[looked]
        looked += 1
        for agent in range(len(left)):
            if left[agent] and wins[member, agent] <= wins[agent, member]:
                known = False
                for place in range(count):
                    known = known or members[place] == agent
                if not known:
                    members[count] = agent
                    count += 1
    return count


@kernel
def _most_majorities(wins: Floats, left: Bools) -> int:
    """Find an agent left with the most majorities over others left; it is never beaten by a set."""
    best, most = -1, -1.0
    for one in range(len(left)):
        if left[one]:
            own = 0.0
            for other in range(len(left)):
                if left[other]:
                    margin = wins[one, other] - wins[other, one]
                    own += 1.0 if margin > 0.0 else 0.5 if margin == 0.0 else 0.0
            if own > most:
                best, most = one, own
    return best


@kernel
def _draw(wins: Floats, room: Levels, count: int) -> None:
    if count == 1:
        room.first[0] = 1.0
        return
    for row in range(count):
        for column in range(count):
            one, other = room.members[row], room.members[column]
            room.margins[row, column] = wins[one, other] - wins[other, one]
    solve_game(room.margins, count, count, room.game, room.first, room.second)
