"""Kemeny's rule for win rates, with the epochs of KemenyEl."""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels import kemeny_rounds
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import insert_better, kemeny_order
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.kernels.tournaments import copeland_scores
from podium.learners._learner import Belief, Learner, learner, no_belief

CONFIDENCE, SHARE = 0.1, 0.5
"""The first epoch's chance of error, and its error as a share of all pairs."""


class KemenyEl(NamedTuple):
    """A belief, win rates, and the epoch.

    Attributes:
        belief: What is thought of the agents.
        rates: Share of matches that the row agent won against the column agent; 1/2 if none.
        order: The best order so far.
        epoch: Number of the epoch, from 0.
        room: Room for the exact search; of one set only where agents are too many for it.
    """

    belief: Belief
    rates: Floats
    order: Ints
    epoch: Ints
    room: kemeny_rounds.Table


@kernel
def update(state: KemenyEl, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Take in one match, order the agents anew if needed, and end the epoch if it is full."""
    one, other = query[1], query[2]
    met = records.wins[one, other] + records.wins[other, one]
    state.rates[one, other] = records.wins[one, other] / met
    state.rates[other, one] = records.wins[other, one] / met
    ratings = state.belief.ratings
    if not copeland_scores(state.rates, ratings):
        if len(state.room.best) > 1:
            kemeny_order(state.rates, state.room, state.order)
        else:
            insert_better(state.rates, state.order)
        for place in range(len(ratings)):
            ratings[state.order[place]] = len(ratings) - 1.0 - place
    pairs = len(ratings) * (len(ratings) - 1) // 2
    if records.rounds[0] >= pairs * needed(pairs, state.epoch[0]):
        state.epoch[0] += 1


@kernel
def needed(pairs: int, epoch: int) -> float:
    r"""Give the matches that each pair needs by the end of an epoch (Hoeffding 1963).

    .. math:: \ln(2 P / \delta_k) / (2 \epsilon_k^2), \quad
              \delta_k = 0.1 / 2^k, \quad \epsilon_k = 1 / 2^{k+1}

    so that all P win rates are within :math:`\epsilon_k`, and the ranking is off
    by a share :math:`\epsilon_k` of all pairs at most, but for a chance of
    :math:`\delta_k`.
    """
    halves = 2.0**-epoch
    error = SHARE * halves
    return math.log(2.0 * pairs / (CONFIDENCE * halves)) / (2.0 * error * error)


@learner("kemeny-el", cite="George and Dimitrakakis 2024; Lanctot et al. 2026, section 4.1.2")
def kemeny_el() -> Learner:
    r"""Order agents by Kemeny's rule for the share of matches that each won against each.

    .. math:: \max_\succ \sum_{a \succ b} \frac{w_{ab}}{w_{ab} + w_{ba}}

    A pair that has not met counts 1/2. The epochs say how certain the order is;
    they change what is asked only where pairs are not chosen alike. Above
    ten agents the order of last time is improved by moving single agents.
    """

    def start(sizes: Sizes) -> KemenyEl:
        agents = sizes.agents
        return KemenyEl(
            belief=no_belief(sizes),
            rates=np.full((agents, agents), 0.5),
            order=np.arange(agents, dtype=np.int64),
            epoch=np.zeros(1, dtype=np.int64),
            room=kemeny_rounds.table(agents if agents <= kemeny_rounds.MOST else 0),
        )

    return Learner("kemeny-el", start, update, refits=True, pairs=True)
