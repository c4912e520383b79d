"""What the averages have in common: scaling, and the rule for missing cells."""

from typing import Literal, TypeAlias

import numpy as np

from podium.arrays import Floats, locked
from podium.data.scores import Scores
from podium.errors import DataError
from podium.words import check_choice, listed, unknown

Scaling: TypeAlias = Literal["none", "minmax", "reference"]
Missing: TypeAlias = Literal["skip", "common", "error"]
SCALINGS = ("none", "minmax", "reference")
MISSING = ("skip", "common", "error")


def prepared(
    scores: Scores, scaling: str, low: str | None, high: str | None, missing: str
) -> Scores:
    r"""Scale scores by task and settle missing cells.

    .. math:: z = \frac{s - a_t}{b_t - a_t}

    with :math:`a_t, b_t` the lowest and highest mean score of task t
    ("minmax"), or those of the agents `low` and `high` ("reference", as in
    human-normalised scores). A task on which they are equal tells nobody apart
    and counts 0 for all.

    Args:
        scores: The scores.
        scaling: "none", "minmax" or "reference".
        low: Agent whose score becomes 0, with "reference".
        high: Agent whose score becomes 1, with "reference".
        missing: "skip" averages over what there is, "common" keeps the tasks
            that every agent has, "error" refuses.
    """
    check_choice("scaling", scaling, SCALINGS)
    check_choice("missing", missing, MISSING)
    return _scaled(_settled(scores, missing), scaling, low, high)


def _settled(scores: Scores, missing: str) -> Scores:
    holes = (scores.counts == 0).any(axis=1)
    if missing == "skip" or not holes.any():
        return scores
    names = [task for task, hole in zip(scores.tasks, holes, strict=True) if hole]
    if missing == "error":
        msg = f"scores are missing on {listed(names)}; missing=skip averages over what there is"
        raise DataError(msg)
    if holes.all():
        msg = "no task has a score of every agent, so missing=common leaves nothing to average"
        raise DataError(msg)
    return scores.only(tasks=[t for t, hole in zip(scores.tasks, holes, strict=True) if not hole])


def _scaled(scores: Scores, scaling: str, low: str | None, high: str | None) -> Scores:
    if scaling == "none":
        return scores
    if scaling == "minmax":
        filled = np.where(scores.counts > 0, scores.means, np.nan)
        bottom = np.fmin.reduce(filled, axis=1)
        top = np.fmax.reduce(filled, axis=1)
    else:
        bottom, top = _reference(scores, "low", low), _reference(scores, "high", high)
    span = top - bottom
    same = span == 0
    scaled = (scores.oriented - bottom[scores.task]) / np.where(same, 1.0, span)[scores.task]
    flipped = np.where(scores.lower_is_better[scores.task], -scaled, scaled)
    return scores.with_values(np.where(same[scores.task], 0.0, flipped))


def _reference(scores: Scores, which: str, agent: str | None) -> Floats:
    if agent is None:
        msg = (
            f'scaling="reference" needs {which}=, the agent whose score becomes {which == "high":d}'
        )
        raise DataError(msg)
    if agent not in scores.roster.agent_index:
        raise DataError(unknown("agent", agent, scores.agents))
    column = scores.means[:, scores.roster.agent_index[agent]]
    if np.isnan(column).any():
        holes = [t for t, hole in zip(scores.tasks, np.isnan(column), strict=True) if hole]
        msg = f"reference agent {agent!r} has no score on {listed(holes)}; leave these tasks out"
        raise DataError(msg)
    return column


def weighted(scores: Scores) -> tuple[Floats, Floats]:
    """Give cell means and the weight of each cell, 0 where there is no score."""
    there = scores.counts > 0
    return np.where(there, scores.means, 0.0), locked(there * scores.weights[:, None])


def demand_rows(scores: Scores, weights: Floats) -> None:
    """Refuse agents that have no score at all, and scores of nobody."""
    if not scores.agents:
        msg = "there are no scores to average; give rows of (task, agent, score)"
        raise DataError(msg)
    empty = weights.sum(axis=0) == 0
    if empty.any():
        names = [agent for agent, gone in zip(scores.agents, empty, strict=True) if gone]
        msg = f"no score (or only tasks of weight 0) for {listed(names)}; leave these agents out"
        raise DataError(msg)
