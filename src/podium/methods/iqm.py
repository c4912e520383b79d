"""IQM: the interquartile mean over all runs."""

import numpy as np

from podium.arrays import Array, Floats
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.methods._means import Missing, Scaling, demand_rows, prepared, weighted
from podium.methods._registry import method


@method(
    "iqm",
    reads=Scores,
    cite="Agarwal et al. 2021",
    cost="rows log rows",
    holds={"agenda", "iia"},
    cheap_up_to=1_000,
    votes=False,
    remarks={
        "agenda": "Of the scores as they are; with scaling=minmax an agent's rating depends on who "
        "else is there.",
        "iia": "Of the scores as they are, as numbers: two tables that give the same ballots can "
        "rank two agents differently, so Arrow's theorem is not at odds with it.",
    },
)
def iqm(
    scores: Scores,
    *,
    scaling: Scaling = "none",
    low: str | None = None,
    high: str | None = None,
    missing: Missing = "skip",
) -> Ratings:
    r"""Average the middle half of an agent's runs over all tasks.

    The runs (samples) of all tasks are put in one order and a quarter of them
    is dropped at either end. A task's weight is shared by its runs. Where all
    weights are whole the quarter is rounded down to whole runs, as usual;
    otherwise exactly a quarter of the weight goes.

    Args:
        scores: The scores.
        scaling: "none", "minmax" (0 to 1 within each task) or "reference".
        low: Agent whose score becomes 0, with "reference".
        high: Agent whose score becomes 1, with "reference".
        missing: "skip" looks at what there is, "common" keeps the tasks that
            every agent has, "error" refuses.

    >>> runs = [("t", "a", score) for score in (1, 2, 4, 90)]
    >>> iqm(Scores.from_records(runs)).values
    array([3.])
    """
    ready = prepared(scores, scaling, low, high, missing)
    demand_rows(scores, weighted(ready)[1])
    most = int(ready.counts.max())
    weights = ready.weights[ready.task] * most / ready.counts[ready.task, ready.agent]
    return Ratings.by_value(scores.agents, _middle(ready, weights))


def _middle(scores: Scores, weights: Floats) -> Array:
    order = np.lexsort((scores.oriented, scores.agent))
    agent, value, weight = scores.agent[order], scores.oriented[order], weights[order]
    size = len(scores.agents)
    total = np.bincount(agent, weight, size)
    before = np.cumsum(weight) - weight
    before -= (np.cumsum(total) - total)[agent]
    whole = bool((weights == np.floor(weights)).all())
    cut = np.floor(total / 4) if whole else total / 4
    start, end = cut[agent], (total - cut)[agent]
    kept = np.clip(np.minimum(before + weight, end) - np.maximum(before, start), 0.0, None)
    return np.bincount(agent, kept * value, size) / np.bincount(agent, kept, size)
