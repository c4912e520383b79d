"""Mean: the average score over tasks."""

from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.methods._means import Missing, Scaling, demand_rows, prepared, weighted
from podium.methods._registry import method


@method(
    "mean",
    reads=Scores,
    cite="folklore",
    cost="rows",
    holds={"population", "agenda", "iia"},
    cheap_up_to=2_000,
    votes=False,
    remarks={
        "population": "Of tasks on which every agent has a score; with missing cells a winner of "
        "both halves can lose the whole (Simpson's paradox).",
        "agenda": "Of the scores as they are; with scaling=minmax an agent's rating depends on who "
        "else is there.",
        "iia": "Of the scores as they are, as numbers: two tables that give the same ballots can "
        "rank two agents differently, so Arrow's theorem is not at odds with it.",
    },
)
def mean(
    scores: Scores,
    *,
    scaling: Scaling = "none",
    low: str | None = None,
    high: str | None = None,
    missing: Missing = "skip",
) -> Ratings:
    r"""Average the mean scores of an agent over tasks.

    .. math:: r_i = \frac{\sum_t w_t \bar s_{ti}}{\sum_t w_t}

    over the tasks on which i has a score.

    Args:
        scores: The scores.
        scaling: "none", "minmax" (0 to 1 within each task) or "reference".
        low: Agent whose score becomes 0, with "reference".
        high: Agent whose score becomes 1, with "reference".
        missing: "skip" averages over what there is, "common" keeps the tasks
            that every agent has, "error" refuses.

    >>> mean(Scores.from_matrix([[1, 3], [5, 6]], ["s", "t"], ["a", "b"])).values
    array([3. , 4.5])
    """
    values, weights = weighted(prepared(scores, scaling, low, high, missing))
    demand_rows(scores, weights)
    averages = (weights * values).sum(axis=0) / weights.sum(axis=0)
    return Ratings.by_value(scores.agents, averages)
