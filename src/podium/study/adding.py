"""Results that nobody asked for, as entries of a log."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from podium.data.scores import Scores
from podium.errors import DataError
from podium.store import Event
from podium.study.spec import StudySpec, checked_score
from podium.words import listed

Cells = dict[tuple[str, int], dict[str, float]]
"""Task and number of the repeat to the scores of agents."""


def events_of(results: Any, spec: StudySpec) -> list[Event]:
    """Turn scores into entries: one for each task and repeat, with all agents that have one.

    A score of a task where low is better is turned around.

    Args:
        results: `Scores`, or records of (task, agent, score).
        spec: Whose agents and tasks these are.
    """
    scores = results if isinstance(results, Scores) else Scores.from_records(_records(results))
    _check(scores, spec)
    repeats: dict[tuple[int, int], int] = defaultdict(int)
    cells: Cells = defaultdict(dict)
    signs = [-1.0 if lower else 1.0 for lower in scores.lower_is_better.tolist()]
    rows = zip(scores.task.tolist(), scores.agent.tolist(), scores.value.tolist(), strict=True)
    for task, agent, value in rows:
        repeat = repeats[task, agent]
        repeats[task, agent] += 1
        name = scores.agents[agent]
        cells[scores.tasks[task], repeat][name] = signs[task] * checked_score(name, value)
    return [
        Event("added", "", {"task": task, "scores": by_agent})
        for (task, _), by_agent in cells.items()
    ]


def _records(results: Any) -> Iterable[tuple[str, str, float]]:
    if isinstance(results, str) or not isinstance(results, Iterable):
        kind = type(results).__name__
        msg = f"results came as {kind}; give scores, as `podium.read` reads them, or records"
        raise DataError(msg, field="results")
    return results


def _check(scores: Scores, spec: StudySpec) -> None:
    """Demand that all agents and tasks are those of the study."""
    parts = (("agents", scores.agents, spec.agents), ("tasks", scores.tasks, spec.tasks))
    for part, given, known in parts:
        strange = [name for name in given if name not in set(known)]
        if strange:
            msg = (
                f"study {spec.name!r} has no {part} {listed(strange)}; leave them out, or extend "
                "the study by them first"
            )
            raise DataError(msg, field=part)
