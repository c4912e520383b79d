"""SoftForecast: tasks vote as in SoftVote, and votes that are missing are forecast."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_forecast import (
    Forecast,
    foretell,
    no_forecast,
    prices,
    take_in,
    weigh_pairs,
)
from podium.kernels.stream import Stream
from podium.learners._learner import Learner, learner
from podium.learners._soft import SoftBelief, hear, no_soft_belief, report


class SoftForecast(NamedTuple):
    """A belief, the last report, and what they rest on.

    Attributes:
        belief: What strategies see.
        forecast: What all tasks will have said.
        price: What it costs to have each place exchanged with the next.
        order: The last report.
        other: Room for another.
    """

    belief: SoftBelief
    forecast: Forecast
    price: Floats
    order: Ints
    other: Ints


@kernel
def update(state: SoftForecast, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Take in a round: votes, forecast, report, open questions."""
    belief, forecast = state.belief, state.forecast
    hear(belief.cells, belief.votes, records, query)
    take_in(forecast, belief.votes, records)
    foretell(forecast, belief.votes)
    report(forecast.total, state.order, state.other, belief.ratings)
    weigh_pairs(forecast, state.order, state.price, belief.weights)


@learner("soft-forecast", cite="podium")
def soft_forecast() -> Learner:
    r"""Order agents by Kemeny's rule for the votes that all tasks will have cast in the end.

    .. math:: \max_\succ \sum_{a \succ b} F(a, b), \quad F = T + (n - Q) \,
              \frac{T + \kappa (f_a - f_b)}{Q + \kappa + 1}

    with T the soft votes of `soft-vote` added up, Q their squares, which count
    the tasks that have made up their mind, f the effects of agents that fit all
    votes best, and :math:`\kappa` how many votes these are worth.
    """

    def start(sizes: Sizes) -> SoftForecast:
        places = np.arange(sizes.agents, dtype=np.int64)
        price = prices(sizes.agents)
        belief, forecast = no_soft_belief(sizes), no_forecast(sizes)
        return SoftForecast(belief, forecast, price, places, places.copy())

    return Learner("soft-forecast", start, update)
