"""Maximal lotteries, learned by two bandits that play the margin game."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.regret import match_regrets
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class OnlineLottery(NamedTuple):
    """A belief, and for each of two players the regrets and the sum of its policies."""

    belief: Belief
    row_regrets: Floats
    column_regrets: Floats
    row_total: Floats
    column_total: Floats


@kernel
def utility(wins: Floats, one: int, other: int) -> float:
    """Give the mean result of a pair, from -1 to 1; 0 where it has not met."""
    met = wins[one, other] + wins[other, one]
    return (wins[one, other] - wins[other, one]) / met if met > 0.0 else 0.0


@kernel
def update(state: OnlineLottery, records: Records, query: Ints, scores: Floats, _: Stream) -> None:
    """Add the regrets of both players, and rate agents against the mean policy of the second."""
    wins, belief = records.wins, state.belief
    one, other = query[1], query[2]
    won = 1.0 if scores[0] > scores[1] else -1.0 if scores[0] < scores[1] else 0.0
    for agent in range(len(wins)):
        if agent != one:
            state.row_regrets[agent] += utility(wins, agent, other) - won
        if agent != other:
            state.column_regrets[agent] -= utility(wins, one, agent) - won
    match_regrets(state.row_regrets, belief.agents, state.row_total)
    match_regrets(state.column_regrets, belief.rivals, state.column_total)
    for agent in range(len(wins)):
        total = 0.0
        for rival in range(len(wins)):
            total += state.column_total[rival] * utility(wins, agent, rival)
        belief.ratings[agent] = total / records.rounds[0]


@learner("online-lottery", cite="Lanctot et al. 2026, section 4.2.2 and appendix A")
def online_lottery() -> Learner:
    r"""Rate agents by their result against the mean policy of a bandit that plays the margin game.

    .. math:: r_a = \sum_b \bar\sigma_2(b) \, \bar u(a, b)

    Two players choose an agent each; who scores more wins 1 from the other. Both
    follow regret matching, and their mean policies come close to a maximal lottery.
    """

    def start(sizes: Sizes) -> OnlineLottery:
        return OnlineLottery(no_belief(sizes), *(np.zeros(sizes.agents) for _ in range(4)))

    return Learner("online-lottery", start, update, pairs=True)
