"""How values are laid out in columns, so that reading them gives the same value."""

from collections.abc import Sequence
from functools import singledispatch
from typing import Any, TypeAlias

import numpy as np

from podium.data.convert import Data
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.roster import first_seen
from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers.ballots import write_ballot

Columns: TypeAlias = dict[str, Sequence[Any]]
"""Names of columns to cells: text, numbers, None where a cell stays empty."""

NUMERIC = frozenset(("score", "mean", "std", "weight", "time"))
"""Columns of numbers; the others hold text, or 1 and 0."""


@singledispatch
def columns_of(data: Data, name: str) -> Columns:
    """Lay a value out in columns, saying under which file name where it cannot be done."""
    msg = f"{type(data).__name__} has no rows, so it cannot be written as {name}"
    raise DataError(msg)


@columns_of.register
def _(data: Scores, name: str) -> Columns:
    tasks, agents = data.task.tolist(), data.agent.tolist()
    lonely = _lonely(data, name)
    for task, agent in lonely:
        tasks.append(task)
        agents.append(agent)
    empty: list[None] = [None] * len(lonely)
    columns: Columns = {
        "task": [data.tasks[code] for code in tasks],
        "agent": [data.agents[code] for code in agents],
        "score": [*data.value.tolist(), *empty],
    }
    if data.stds is not None:
        if data.counts.max() > 1:
            msg = f"{name}: scores with published deviations have one mean a cell, not samples"
            raise DataError(msg)
        columns["mean"] = columns.pop("score")
        spread = data.stds[data.task, data.agent]
        columns["std"] = [*(std if std >= 0 else None for std in spread.tolist()), *empty]
    if (data.weights != 1).any():
        columns["weight"] = data.weights[tasks].tolist()
    if data.lower_is_better.any():
        columns["lower_is_better"] = [str(int(low)) for low in data.lower_is_better[tasks]]
    if data.sample is not None:
        columns["sample"] = [*map(str, data.sample.tolist()), *empty]
    return columns


def _lonely(scores: Scores, name: str) -> list[tuple[int, int]]:
    """Choose an empty cell for each task and agent without a score, so that it is known."""
    if not len(scores.value):
        msg = f"{name}: there is no score to write"
        raise DataError(msg)
    tasks = np.flatnonzero(scores.counts.sum(axis=1) == 0).tolist()
    agents = np.flatnonzero(scores.counts.sum(axis=0) == 0).tolist()
    return [(task, 0) for task in tasks] + [(0, agent) for agent in agents]


@columns_of.register
def _(data: Matches, name: str) -> Columns:
    seen = np.unique(np.concatenate([data.left, data.right]))
    if len(seen) < len(data.agents):
        absent = next(a for code, a in enumerate(data.agents) if code not in seen)
        msg = f"{name}: {absent!r} has no match, so no row can name it; leave it out first"
        raise DataError(msg)
    columns: Columns = {
        "a": [data.agents[code] for code in data.left.tolist()],
        "b": [data.agents[code] for code in data.right.tolist()],
        "score": data.score.tolist(),
    }
    if (data.weight != 1).any():
        columns["weight"] = data.weight.tolist()
    if data.task is not None:
        columns["task"] = [data.tasks[code] for code in data.task.tolist()]
    if data.time is not None:
        columns["time"] = data.time.tolist()
    if data.cluster is not None:
        columns["cluster"] = [str(code) for code in data.cluster.tolist()]
    for term in data.terms:
        cells = term.values.tolist()
        columns[term.name] = [term.labels[code] for code in cells] if term.labels else cells
    return columns


@columns_of.register
def _(data: Profile, name: str) -> Columns:
    ballots = [ballot for _, ballot in data.ballots()]
    if not ballots or not all(ballots) or (data.weights <= 0).any():
        msg = f"{name}: each ballot to be written names an agent and has a weight above 0"
        raise DataError(msg)
    columns: Columns = {"ballot": [write_ballot(ballot) for ballot in ballots]}
    if (data.weights != 1).any():
        columns["weight"] = data.weights.tolist()
    if data.sources:
        columns["task"] = list(data.sources)
    if data.agents != first_seen(name for ballot in ballots for group in ballot for name in group):
        empty: list[str | None] = [None] * (len(ballots) - 1)
        columns["agents"] = [write_ballot((data.agents,)), *empty]
    return columns
