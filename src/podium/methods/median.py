"""Median: the middle score over tasks."""

import numpy as np

from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.methods._means import Missing, Scaling, demand_rows, prepared, weighted
from podium.methods._registry import method


@method(
    "median",
    reads=Scores,
    cite="folklore",
    cost="rows",
    holds={"agenda", "iia"},
    cheap_up_to=2_000,
    votes=False,
    remarks={
        "agenda": "Of the scores as they are; with scaling=minmax an agent's rating depends on who "
        "else is there.",
        "iia": "Of the scores as they are, as numbers: two tables that give the same ballots can "
        "rank two agents differently, so Arrow's theorem is not at odds with it.",
    },
)
def median(
    scores: Scores,
    *,
    scaling: Scaling = "none",
    low: str | None = None,
    high: str | None = None,
    missing: Missing = "skip",
) -> Ratings:
    r"""Take the median of an agent's mean scores over tasks.

    The (weighted) median is the score at which half of the weight lies on
    either side; where a whole interval does that, its midpoint.

    Args:
        scores: The scores.
        scaling: "none", "minmax" (0 to 1 within each task) or "reference".
        low: Agent whose score becomes 0, with "reference".
        high: Agent whose score becomes 1, with "reference".
        missing: "skip" looks at what there is, "common" keeps the tasks that
            every agent has, "error" refuses.

    >>> median(Scores.from_matrix([[1], [5], [9], [2]], list("stuv"), ["a"])).values
    array([3.5])
    """
    values, weights = weighted(prepared(scores, scaling, low, high, missing))
    demand_rows(scores, weights)
    order = np.argsort(np.where(weights > 0, values, np.inf), axis=0, kind="stable")
    ordered = np.take_along_axis(values, order, axis=0)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    half = reached[-1] / 2
    slack = 1e-12 * reached[-1]
    lower = np.argmax(reached >= half - slack, axis=0)
    upper = np.argmax(reached > half + slack, axis=0)
    column = np.arange(len(scores.agents))
    return Ratings.by_value(scores.agents, (ordered[lower, column] + ordered[upper, column]) / 2)
