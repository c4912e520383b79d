"""Zeros: scores of 0 that look like failed runs."""

from dataclasses import dataclass

import numpy as np

from podium.analysis._section import Fact, View, joined
from podium.arrays import Floats, Ints
from podium.data.scores import Scores

NORMAL = 0.1
"""Where this share of the other agents has 0 or less, a score of 0 is usual."""

USUAL = 0.5
"""An agent does well elsewhere if it gets at least this share of the tasks' medians."""

FEWEST = 2
"""An agent needs so many other tasks to be said to do well elsewhere."""


@dataclass(frozen=True)
class Zero:
    """A cell whose score is 0 while all else says that it should not be.

    Attributes:
        task: The task.
        agent: The agent.
        rivals: Median score of the others on this task, or None without any.
    """

    task: str
    agent: str
    rivals: float | None


@dataclass(frozen=True)
class SuspiciousZeros:
    """Scores of 0 that are outliers.

    Attributes:
        cells: The suspicious cells, by task and agent.
        zeros: Number of all cells whose score is 0.
    """

    cells: tuple[Zero, ...]
    zeros: int

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        named = joined(f"{cell.agent} on {cell.task}" for cell in self.cells)
        return [("scores of 0", f"{self.zeros:,}"), ("of these suspicious", named)]

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if not self.cells:
            return []
        named = joined(f"{cell.agent} on {cell.task}" for cell in self.cells)
        return [
            (
                f"failed run? A score of 0 is an outlier for {named}; look at the log, and leave "
                "the score out (missing, not 0) if the run failed"
            )
        ]


def suspicious_zeros(view: View) -> SuspiciousZeros | str:
    """Find scores of 0 that look like failed runs."""
    if not isinstance(view.data, Scores):
        return "only scores can be 0 for a failed run"
    scores = view.data
    flip = np.where(scores.lower_is_better, -1.0, 1.0)
    raw = scores.means * flip[:, None]
    task, agent = outlying_zeros(raw)
    cells = [
        Zero(scores.tasks[t], scores.agents[a], _median_of_others(raw[t], a))
        for t, a in zip(task.tolist(), agent.tolist(), strict=True)
    ]
    ordered = sorted(cells, key=lambda cell: (cell.task, cell.agent))
    return SuspiciousZeros(tuple(ordered), int((raw == 0).sum()))


def outlying_zeros(scores: Floats) -> tuple[Ints, Ints]:
    """Find the zeros that neither the task nor the agent explains.

    A score of 0 of an agent on a task is suspicious if both hold:

    - the task does not explain it: fewer than one in ten of the other agents
      have 0 or less there, and their median is above 0; so a task on which 0
      is a usual score, or which has scores below 0, is never told of;
    - the agent does not explain it: on at least three quarters of its other
      tasks (two or more, with a median above 0) it gets at least half of the
      median score of the task.

    Where no other agent has a score on the task, the agent's scores elsewhere
    are held against their own median. A cell of several samples counts as 0
    if their mean is 0.

    Args:
        scores: Tasks x agents as recorded, NaN where missing.

    Returns:
        Codes of task and agent.

    >>> scores = np.array([[8.0, 9, 7], [7, 8, 9], [8, 0, 9]])
    >>> [codes.tolist() for codes in outlying_zeros(scores)]
    [[2], [1]]
    """
    found = []
    middle = _medians(scores)
    for task in np.flatnonzero((scores == 0).any(axis=1)).tolist():
        zeros = np.flatnonzero(scores[task] == 0)
        others = _known(np.delete(scores[task], zeros[0]))  # the same for all that have 0 here
        if _explains_zero(others):
            continue
        for agent in zeros.tolist():
            elsewhere = np.delete(scores[:, agent], task)
            yardstick = np.delete(middle, task) if others.size else _medians(elsewhere[None])
            if _does_well(_known(elsewhere / yardstick)):
                found.append((task, agent))
    codes = np.array(found, dtype=np.int64).reshape(-1, 2)
    return codes[:, 0], codes[:, 1]


def _explains_zero(others: Floats) -> bool:
    """Whether 0 is a usual score, going by the others."""
    if not others.size:
        return False
    return bool((others <= 0).mean() >= NORMAL or np.median(others) <= 0)


def _known(values: Floats) -> Floats:
    return np.asarray(values[~np.isnan(values)])


def _medians(scores: Floats) -> Floats:
    """Median of each task, NaN where there is none above 0."""
    middle = np.full(len(scores), np.nan)
    filled = ~np.isnan(scores).all(axis=1)
    middle[filled] = np.nanmedian(scores[filled], axis=1)
    middle[~(middle > 0)] = np.nan
    return middle


def _does_well(shares: Floats) -> bool:
    return shares.size >= FEWEST and float(np.quantile(shares, 0.25)) >= USUAL


def _median_of_others(row: Floats, agent: int) -> float | None:
    others = _known(np.delete(row, agent))
    return float(np.median(others)) if others.size else None
