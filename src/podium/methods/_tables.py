"""Scores as a complete table of agents against tasks."""

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from podium.arrays import Bools, Floats
from podium.data.scores import Scores
from podium.errors import DataError
from podium.methods._means import demand_rows, weighted
from podium.words import counted, listed

Holes: TypeAlias = Literal["error", "common"]
HOLES = ("error", "common")

EQUAL = 1e-12
"""Scores that differ by less than this share of the largest differ by rounding."""


class Table(NamedTuple):
    """What agents get from tasks.

    Attributes:
        payoffs: Agents x tasks, higher is better; NaN where there is no score.
        tasks: Names of the tasks.
        weights: Weight of each task, above 0.
        notes: What was made of the data.
    """

    payoffs: Floats
    tasks: tuple[str, ...]
    weights: Floats
    notes: tuple[str, ...]


def table(scores: Scores, *, scale: bool, missing: str, who: str) -> Table:
    r"""Lay out the mean scores.

    .. math:: S_{it} = \frac{\bar s_{ti} - \min_j \bar s_{tj}}
                            {\max_j \bar s_{tj} - \min_j \bar s_{tj}}

    A task on which all agents are equal has no such scale; it tells nobody apart
    and is left out, not set to 0, since a column of zeros would be the hardest
    task of all.

    Args:
        scores: The scores.
        scale: Whether to bring each task to [0, 1]; if not, scores stay as they are.
        missing: "error", "common" for the tasks that every agent has, or "skip",
            which leaves holes.
        who: The method that asks, for messages.
    """
    demand_rows(scores, weighted(scores)[1])
    full, notes = _usable(scores, missing, who)
    kept = full & (scores.weights > 0)
    rows = scores.means[kept]
    names = [task for task, on in zip(scores.tasks, kept, strict=True) if on]
    if not scale:
        return Table(rows.T, tuple(names), scores.weights[kept], notes)
    low, high = np.fmin.reduce(rows, axis=1), np.fmax.reduce(rows, axis=1)
    flat = high / 2 - low / 2 <= EQUAL * np.maximum(np.abs(low), np.abs(high))
    if flat.any():
        gone = [name for name, equal in zip(names, flat, strict=True) if equal]
        notes += (f"all agents are equal on {listed(gone)}, so it is left out",)
    names = [name for name, equal in zip(names, flat, strict=True) if not equal]
    halves = rows / 2 - low[:, None] / 2, high / 2 - low / 2  # the whole might be too large
    scaled = (halves[0][~flat] / halves[1][~flat, None]).T
    return Table(scaled, tuple(names), scores.weights[kept][~flat], notes)


def _usable(scores: Scores, missing: str, who: str) -> tuple[Bools, tuple[str, ...]]:
    """Mark the tasks that can be used."""
    if missing == "skip":
        return np.asarray((scores.counts > 0).any(axis=1)), ()
    full = np.asarray((scores.counts > 0).all(axis=1))
    counting = scores.weights > 0
    gaps = [task for task, some in zip(scores.tasks, ~full & counting, strict=True) if some]
    if not gaps:
        return full, ()
    if missing == "error":
        msg = (
            f"{who} needs a score of every agent on every task; some are missing on "
            f"{listed(gaps)}. missing=common keeps the tasks that every agent has"
        )
        raise DataError(msg)
    if not (full & counting).any():
        msg = f"no task has a score of every agent, so {who}:missing=common leaves none"
        raise DataError(msg)
    return full, (f"{counted(len(gaps), 'task')} with missing scores left out",)
