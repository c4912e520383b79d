"""The ranking, by the study's own preset or by any method, of all tasks or some."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, NamedTuple

from podium.analysis.rank import rank
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.errors import PodiumError
from podium.methods._registry import METHODS
from podium.server.views._view import LEVEL, Look, Shown, View
from podium.study.picture import Picture
from podium.words import counted

METHOD = "copeland"
"""What ranks a part of the tasks if nothing else is said: a preset knows only all of them."""

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)

SEPARATORS = "/:|"
"""Letters that end the name of a group at the beginning of the name of a task."""

REPLICATES = 100
"""Draws for the intervals of a method."""


class Wanted(NamedTuple):
    """What is ranked, and how; a ranking is kept under this.

    Attributes:
        study: Name of the study.
        seq: Place in its log.
        method: Name of the method.
        tasks: The tasks.
        level: Chance that intervals hold.
    """

    study: str
    seq: int
    method: str
    tasks: tuple[str, ...]
    level: float


def make(look: Look) -> Shown:
    """Rank the agents as the address says."""
    picture, pattern = look.picture, look.text("tasks")
    tasks = tasks_like(picture.spec.tasks, pattern)
    method = look.text("method") or ("" if len(tasks) == len(picture.spec.tasks) else METHOD)
    ranking, problem = picture.ranking, ""
    if method:
        wanted = Wanted(look.name, picture.seq, method, tasks, look.level)
        try:
            ranking = ranked(picture, wanted)
        except PodiumError as error:
            problem = str(error)
    rows = [] if problem else rows_of(picture, ranking, tasks)
    context = {
        "method": method,
        "methods": methods_for(Scores),
        "tasks": tasks,
        "pattern": pattern,
        "groups": groups_of(picture.spec.tasks),
        "levels": sorted({*LEVELS, look.level}),
        "problem": problem,
        "notes": ranking.info.get("intervals", {}).get("notes", ()) if method else (),
        "last": max((row["rank"] for row in rows), default=1),
    }
    return Shown(rows, context, command_for(look, method, tasks))


def rows_of(picture: Picture, ranking: Ranking, tasks: Sequence[str]) -> list[dict[str, Any]]:
    """Give the rows of a ranking, with what each agent took and is known by."""
    at = [picture.spec.tasks.index(task) for task in tasks]
    plays, costs = picture.plays[at], picture.costs[at]
    found = {
        agent: {
            "scores": int(plays[:, code].sum()),
            "coverage": float((plays[:, code] > 0).mean()),
            "cost": float((plays * costs)[:, code].sum()),
        }
        for code, agent in enumerate(picture.spec.agents)
    }
    return [{**row, **found[row["agent"]]} for row in ranking.table()]


def ranked(picture: Picture, wanted: Wanted) -> Ranking:
    """Rank by a method, or say why it cannot be done here."""
    card = METHODS[wanted.method]
    if len(picture.spec.agents) > card.cheap_up_to:
        msg = (
            f"{card.name} may take long on {counted(len(picture.spec.agents), 'agent')}; take the "
            "scores, and use the command below"
        )
        raise PodiumError(msg)
    kept = _Kept(picture, wanted)
    return _ranked(kept)


class _Kept:
    """A picture that is the same as another if it is of the same moment."""

    def __init__(self, picture: Picture, wanted: Wanted) -> None:
        self.picture, self.wanted = picture, wanted

    def __hash__(self) -> int:
        return hash(self.wanted)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, _Kept) and self.wanted == other.wanted
        return same and self.picture.spec == other.picture.spec  # type: ignore[attr-defined]


@lru_cache(maxsize=32)
def _ranked(kept: _Kept) -> Ranking:
    picture, wanted = kept.picture, kept.wanted
    scores = picture.scores.only(tasks=wanted.tasks)
    return rank(scores, wanted.method, intervals="auto", replicates=REPLICATES, level=wanted.level)


def methods_for(kind: type) -> list[str]:
    """List the methods that can rank a kind of data."""
    import podium.methods  # noqa: F401, importing it fills the registry

    return sorted(card.name for card in METHODS if card.can_read(kind))


def tasks_like(tasks: Sequence[str], pattern: str) -> tuple[str, ...]:
    """Find the tasks that fit one of some patterns.

    >>> tasks_like(["math/a", "math/b", "art"], "math/*, ar")
    ('math/a', 'math/b')
    >>> tasks_like(["math", "art"], "")
    ('math', 'art')
    """
    if pattern in tasks:
        return (pattern,)
    wanted = [part.strip() for part in pattern.split(",") if part.strip()] or ["*"]
    found = tuple(t for t in tasks if any(t == p or fnmatchcase(t, p) for p in wanted))
    if not found:
        msg = f"no task is like {pattern!r}; give names, or patterns such as {tasks[0][:1]}*"
        raise PodiumError(msg)
    return found


def groups_of(tasks: Sequence[str]) -> dict[str, str]:
    """Give the groups that the names of tasks tell, with the pattern of each.

    >>> groups_of(["math/a", "math/b", "art/c", "x"])
    {'math': 'math/*', 'art': 'art/*'}
    >>> groups_of(["a", "b"])
    {}
    """
    groups = {}
    for task in tasks:
        for separator in SEPARATORS:
            group, found, _ = task.partition(separator)
            if found and group and "," not in group:
                groups[group] = f"{group}{separator}*"
                break
    return groups if len(groups) > 1 else {}


def command_for(look: Look, method: str, tasks: Sequence[str]) -> str:
    """Write the command that gives the same ranking."""
    if method:
        some = len(tasks) < len(look.picture.spec.tasks)
        return f"podium rank {'some-' if some else ''}scores.csv --method {method}"
    level = [] if look.level == LEVEL else [f"--level={look.level:g}"]
    return look.command("ranking", *level)


VIEW = View("ranking", "Ranking", make, keeps=("method", "tasks", "level"))
