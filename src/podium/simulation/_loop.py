"""The loop of a simulation: strategy, world, learner, round after round."""

from typing import Any

import numpy as np

from podium.arrays import Array, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import View, record, sort_by_rating
from podium.kernels.stream import ASKS, LEARNS, SCORES, start

choose: Any = None
answer: Any = None
update: Any = None
"""The steps of strategy, world and learner; the caller puts them in."""


@kernel
def play(
    first: int,
    rounds: int,
    seed: int,
    source: Any,
    choosing: Any,
    learning: Any,
    view: View,
    since: Ints,
    orders: Array,
) -> int:
    """Play some rounds, and note each order that is reported and the round it is first reported.

    Args:
        first: How many were played before, with these states.
        rounds: How many.
        seed: Decides all chance.
        source: What the world draws scores from.
        choosing: State of the strategy.
        learning: State of the learner.
        view: What was seen so far, and what may be asked.
        since: Receives the rounds, from 1, in which the order changed; the first of these is one.
        orders: Receives those orders, best first.

    Returns:
        How many orders were noted.
    """
    stream = np.zeros(1, dtype=np.uint64)
    query, scores = np.zeros(3, dtype=np.int64), np.zeros(2)
    order = np.arange(orders.shape[1])
    noted = 0
    for count in range(first, first + rounds):
        start(stream, seed, ASKS, count)
        choose(choosing, view, learning.belief, stream, query)
        view.terms.asked[0] += 1
        start(stream, seed, SCORES, count)
        answer(source, query, scores, stream)
        start(stream, seed, LEARNS, count)
        record(view.records, query, scores)
        update(learning, view.records, query, scores, stream)
        if sort_by_rating(learning.belief.ratings, order) or count == first:
            since[noted] = count + 1
            orders[noted] = order
            noted += 1
    return noted
