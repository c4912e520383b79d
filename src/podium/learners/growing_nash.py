"""Nash averaging, solved again after each round."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels import matrix_games
from podium.kernels.compiled import kernel
from podium.kernels.matrix_games import solve_game
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class GrowingNash(NamedTuple):
    """A belief, the payoffs (agents x tasks), and room for the solver."""

    belief: Belief
    payoffs: Floats
    room: matrix_games.Room


@kernel
def update(state: GrowingNash, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Put the new means into the game, solve it, and rate agents against the task player."""
    belief, task = state.belief, query[0]
    for side in range(1, len(query)):
        state.payoffs[query[side], task] = records.means[task, query[side]]
    agents, tasks = state.payoffs.shape
    solve_game(state.payoffs, agents, tasks, state.room, belief.agents, belief.tasks)
    belief.rivals[:] = belief.agents
    for agent in range(agents):
        belief.ratings[agent] = 0.0
        for other in range(tasks):
            belief.ratings[agent] += belief.tasks[other] * state.payoffs[agent, other]


@learner("growing-nash", cite="Balduzzi et al. 2018; Lanctot et al. 2026, section 4.2.1")
def growing_nash() -> Learner:
    r"""Rate agents by their mean score on the tasks that an equilibrium picks against them.

    .. math:: r_a = \sum_v \sigma_2(v) \, \bar s_{v,a}

    where :math:`\sigma` is an equilibrium of the game in which one player picks
    an agent and gets its mean score, and the other picks the task and pays it.
    A cell without a score pays 0. Of several equilibria it is some vertex.
    """

    def start(sizes: Sizes) -> GrowingNash:
        agents, tasks = sizes
        room = matrix_games.room(agents, tasks)
        return GrowingNash(no_belief(sizes), np.zeros((agents, tasks)), room)

    return Learner("growing-nash", start, update, refits=True)
