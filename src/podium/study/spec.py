"""What a study is made of: its roster, how it chooses, and its limits. It never changes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from podium.errors import DataError
from podium.kernels.stream import LARGEST_SEED
from podium.words import check_name, check_names, counted, unknown

PerTask: TypeAlias = float | Mapping[str, float]
"""One number for all tasks, or one for each that is named."""

LARGEST_SCORE = 1e100
"""Largest score, or lowest below 0: with a margin, so that sums of squares stay finite."""

Costs: TypeAlias = Mapping[str, float | Mapping[str, float]]
"""Task to what a query on it costs, or to what each agent costs there."""


@dataclass(frozen=True)
class StudySpec:
    """What a study is made of.

    Attributes:
        name: Its name.
        agents: The agents that are ranked.
        tasks: The tasks that they are evaluated on.
        preset: How it learns and chooses.
        learner: Another learner than that of the preset.
        strategy: Another strategy than that of the preset.
        seed: Start of all chance.
        budget: What it may spend in all; None for no bound.
        costs: What a query on a task costs, 1 if nothing is said; or what each
            agent costs there, so that a query costs the sum.
        lease: Seconds for which a query may be held.
        confidence: Stop when the ranking, or its top, is right with this probability.
        top: How many of the best agents matter; None for all.
        limit: How many scores a cell may have: the size of finite test sets.
        noise: Standard deviation of repeated scores, where it is known; where it
            is 0, no cell is asked twice.
        forbidden: Cells, as (task, agent), that are never asked.
        retries: How often a query that failed, or was lost, is asked again.
    """

    name: str
    agents: tuple[str, ...]
    tasks: tuple[str, ...]
    preset: str = "podium"
    learner: str | None = None
    strategy: str | None = None
    seed: int = 0
    budget: float | None = None
    costs: Costs | None = None
    lease: float = 3600.0
    confidence: float | None = None
    top: int | None = None
    limit: PerTask | None = None
    noise: PerTask | None = None
    forbidden: tuple[tuple[str, str], ...] = ()
    retries: int = 2

    @classmethod
    def of(cls, **parts: Any) -> "StudySpec":
        """Check the parts and make a specification.

        >>> StudySpec.of(name="s", agents=["a", "b"], tasks=["t"], budget=10).budget
        10.0
        """
        known = [field.name for field in fields(cls)]
        for part in parts:
            if part not in known:
                raise DataError(unknown("part of a study", part, known), field=part)
        given = {name: value for name, value in parts.items() if value is not None}
        for part in ("name", "agents", "tasks"):
            if part not in given:
                msg = f"a study needs {part}; give name, agents and tasks"
                raise DataError(msg, field=part)
        checked: dict[str, Any] = {}
        for name in (name for name in known if name in given):
            try:
                checked[name] = _CHECKS[name](given[name], checked)
            except DataError as error:
                raise DataError(str(error), field=error.field or name) from None
        return cls(**checked)

    def extended(self, more: Mapping[str, Any]) -> "StudySpec":
        """Add agents, tasks and budget, and what is to be known of them.

        >>> spec = StudySpec.of(name="s", agents=["a", "b"], tasks=["t"], budget=10)
        >>> more = spec.extended({"agents": ["c"], "budget": 5})
        >>> more.agents, more.budget
        (('a', 'b', 'c'), 15.0)
        """
        parts = self.to_dict()
        for name, value in more.items():
            if name not in _GROWING:
                raise DataError(unknown("part that can be extended", name, _GROWING), field=name)
            parts[name] = _GROWING[name](parts.get(name), value)
        return StudySpec.of(**parts)

    def to_dict(self) -> dict[str, Any]:
        """Give what was asked for, as JSON can hold it."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in parts.items() if value not in (None, ())}


def number(what: str, value: Any, *, low: float = -math.inf, above: float = -math.inf) -> float:
    """Demand a finite number of at least `low` and above `above`.

    >>> number("budget", 3, above=0)
    3.0
    """
    bound = f" of at least {low:g}" if low > -math.inf else ""
    bound = f" above {above:g}" if above > -math.inf else bound
    if isinstance(value, bool) or not isinstance(value, int | float) or _beyond(value):
        msg = f"{what} is {value!r}; give a finite number{bound}"
        raise DataError(msg)
    if value < low or value <= above:
        msg = f"{what} is {value!r}; give a number{bound}"
        raise DataError(msg)
    return float(value)


def checked_score(agent: str, score: Any) -> float:
    """Demand a score whose square is a finite number, too.

    >>> checked_score("a", 1)
    1.0
    """
    try:
        found = number(f"the score of {agent!r}", score)
    except DataError as error:
        raise DataError(str(error), field="scores") from None
    if abs(found) > LARGEST_SCORE:
        bounds = f"from {-LARGEST_SCORE:g} to {LARGEST_SCORE:g}"
        msg = f"the score of {agent!r} is {score!r}; give a number {bounds}"
        raise DataError(msg, field="scores")
    return found


def _beyond(value: float) -> bool:
    """Tell numbers that are no finite float."""
    try:
        return not math.isfinite(value)
    except OverflowError:
        return True


def whole(what: str, value: Any, *, low: int, high: int = LARGEST_SEED) -> int:
    """Demand a whole number within bounds.

    >>> whole("seed", 3.0, low=0)
    3
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        upper = f" to {high:,}" if high < LARGEST_SEED else " on"
        msg = f"{what} is {value!r}; give a whole number from {low:,}{upper}"
        raise DataError(msg)
    return value


def _names(what: str, value: Any, least: int) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        msg = f"{what}s are {value!r}; give a list of names"
        raise DataError(msg)
    names = check_names(what, value)
    if len(names) < least:
        msg = f"{counted(len(names), what)} came; a study needs at least {least}"
        raise DataError(msg)
    return names


def _text(what: str) -> Any:
    """Make the check of a name."""

    def check(value: Any, _: Mapping[str, Any]) -> str:
        if not isinstance(value, str):
            msg = f"the name of a {what} is {value!r}; give text"
            raise DataError(msg)
        check_name(what, value)
        return value

    return check


def _costs(value: Any, known: Mapping[str, Any]) -> Costs:
    if not isinstance(value, Mapping):
        msg = f"costs are {value!r}; give a number for each task, or for each agent of a task"
        raise DataError(msg)
    costs: dict[str, float | Mapping[str, float]] = {}
    for task, cost in value.items():
        if task not in known["tasks"]:
            raise DataError(unknown("task", task, known["tasks"]))
        if not isinstance(cost, Mapping):
            costs[task] = number(f"the cost of {task!r}", cost, above=0.0)
            continue
        for agent in cost:
            if agent not in known["agents"]:
                raise DataError(unknown("agent", agent, known["agents"]))
        what = f"the cost of {{}} on {task!r}"
        costs[task] = {a: number(what.format(repr(a)), c, above=0.0) for a, c in cost.items()}
    return costs


def _per_task(what: str, least: float) -> Any:
    """Make the check of one number, or one for each task that is named."""

    def check(value: Any, known: Mapping[str, Any]) -> PerTask:
        if not isinstance(value, Mapping):
            return number(what, value, low=least)
        for task in value:
            if task not in known["tasks"]:
                raise DataError(unknown("task", task, known["tasks"]))
        return {task: number(f"{what} of {task!r}", n, low=least) for task, n in value.items()}

    return check


def _forbidden(value: Any, known: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        msg = f"forbidden is {value!r}; give a list of (task, agent)"
        raise DataError(msg)
    cells = []
    for cell in value:
        if isinstance(cell, str) or not isinstance(cell, Sequence) or len(cell) != 2:
            msg = f"a forbidden cell is {cell!r}; give (task, agent)"
            raise DataError(msg)
        task, agent = cell
        if task not in known["tasks"]:
            raise DataError(unknown("task", task, known["tasks"]))
        if agent not in known["agents"]:
            raise DataError(unknown("agent", agent, known["agents"]))
        cells.append((task, agent))
    return tuple(cells)


def _confidence(value: Any, _: Mapping[str, Any]) -> float:
    found = number("confidence", value, above=0.0)
    if found >= 1.0:
        msg = f"confidence is {value!r}; give a number above 0 and below 1, such as 0.95"
        raise DataError(msg)
    return found


def _joined(before: Any, more: Any) -> Any:
    """Put a list behind a list; what is no list is told by the check that follows."""
    listed = isinstance(more, Sequence) and not isinstance(more, str)
    return (*(before or ()), *more) if listed else more


def _merged(before: Any, more: Any) -> Any:
    """Put what is said of new tasks beside what was said of others."""
    both = isinstance(before, Mapping) and isinstance(more, Mapping)
    return {**before, **more} if both else more


def _added(before: Any, more: Any) -> Any:
    """Add to a budget, if there is one."""
    amount = number("budget", more, above=0.0)
    return amount if before is None else before + amount


_GROWING: dict[str, Any] = {
    "agents": _joined,
    "tasks": _joined,
    "budget": _added,
    "costs": _merged,
    "limit": _merged,
    "noise": _merged,
    "forbidden": _joined,
}

_CHECKS: dict[str, Any] = {
    "name": _text("study"),
    "agents": lambda value, _: _names("agent", value, 2),
    "tasks": lambda value, _: _names("task", value, 1),
    "preset": _text("preset"),
    "learner": _text("learner"),
    "strategy": _text("strategy"),
    "seed": lambda value, _: whole("seed", value, low=0),
    "budget": lambda value, _: number("budget", value, above=0.0),
    "costs": _costs,
    "lease": lambda value, _: number("lease", value, above=0.0),
    "confidence": _confidence,
    "top": lambda value, known: whole("top", value, low=1, high=len(known["agents"])),
    "limit": _per_task("limit", 1.0),
    "noise": _per_task("noise", 0.0),
    "forbidden": _forbidden,
    "retries": lambda value, _: whole("retries", value, low=0),
}
