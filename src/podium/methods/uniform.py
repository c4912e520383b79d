"""Uniform: the expected payoff where all opponents are equally likely."""

import numpy as np

from podium.data.game import Game
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._means import demand_rows, weighted
from podium.methods._registry import method
from podium.words import listed


@method(
    "uniform",
    reads=(Game, Scores, Tally),
    cite="Marris et al. 2025, section 2.4",
    cost="payoffs",
    holds={"dominance", "n-player", "general-sum"},
    cheap_up_to=1_000,
    votes=False,
)
def uniform(data: Game | Scores | Tally) -> Ratings:
    r"""Average an agent's payoff over all that it may meet, each equally likely.

    .. math:: r_i = \frac{1}{|A_{-1}|} \sum_{a_{-1}} G_1(i, a_{-1})

    Scores are the game of agent against task (weights of tasks count); of
    matches and votes the payoff against a rival is the share of their meetings
    won, a tie half, averaged over the rivals that an agent met.

    >>> uniform(Game.from_payoffs([[[1, 3], [0, 2]], [[0, 0], [0, 0]]])).values
    array([2., 1.])
    """
    if isinstance(data, Game):
        others = tuple(range(1, len(data.payoffs)))
        return Ratings.by_value(data.agents, data.payoffs[0].mean(axis=others))
    if isinstance(data, Scores):
        payoffs, weights = weighted(data)
        demand_rows(data, weights)
    else:
        weights = (data.met > 0).astype(np.float64)
        _demand_rivals(data, weights)
        won = data.wins.T + (data.met - data.wins - data.wins.T) / 2
        payoffs = np.divide(won, data.met, out=np.zeros_like(won), where=weights > 0)
    return Ratings.by_value(data.agents, (weights * payoffs).sum(axis=0) / weights.sum(axis=0))


def _demand_rivals(tally: Tally, weights: np.ndarray) -> None:
    alone = [a for a, rivals in zip(tally.agents, weights.sum(axis=0), strict=True) if not rivals]
    if alone:
        msg = f"{listed(alone)} never met anybody; leave these agents out"
        raise DataError(msg)
