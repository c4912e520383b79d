"""What commands on studies are told: rosters, costs, limits and scores, by flags or in a file."""

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.errors import DataError
from podium.words import listed, unknown

PARTS = (
    "agents",
    "tasks",
    "preset",
    "learner",
    "strategy",
    "budget",
    "costs",
    "seed",
    "confidence",
    "top",
    "limit",
    "noise",
    "forbidden",
    "lease",
    "retries",
)
"""What a study is created from, each named as its flag."""

RUN = ("workers", "timeout", "failures", "python", "command", "log", "progress")
"""What a run is told, each named as its flag; `command` is what stands behind `--`."""

LISTS = ("", ".txt", ".list")
"""Endings of files that hold a name a line."""

CELL = ("task", "agent", "cost")


def configured(file: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Join flags with a TOML file of the same keys; a flag goes before the file.

    Args:
        file: The file, if there is one.
        given: What the flags say; None and empty lists were not given.
    """
    said = {key: value for key, value in given.items() if value is not None and value != []}
    return {**(_toml(Path(file)) if file else {}), **said}


def _toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        msg = f"{path} is no TOML: {error}"
        raise DataError(msg) from None
    known = (*PARTS, *RUN, "store")
    for key in found:
        if key.replace("-", "_") not in known:
            raise DataError(f"{path}: " + unknown("key", key, known))
    return {key.replace("-", "_"): value for key, value in found.items()}


def parts_of(told: Mapping[str, Any], agents: Sequence[str] = (), tasks: Sequence[str] = ()) -> Any:
    """Give the parts of a study as `podium.Study.create` takes them.

    Args:
        told: What flags and file say.
        agents: Agents that are known already.
        tasks: Tasks that are known already.
    """
    parts = {key: told[key] for key in PARTS if key in told}
    for what in ("agents", "tasks"):
        if what in parts:
            parts[what] = names_of(what, parts[what])
    for what in ("limit", "noise"):
        if what in parts:
            parts[what] = per_task(what, parts[what])
    if isinstance(parts.get("costs"), str):
        parts["costs"] = costs_of(Path(parts["costs"]))
    if "forbidden" in parts:
        known = ({*tasks, *parts.get("tasks", ())}, {*agents, *parts.get("agents", ())})
        parts["forbidden"] = [_cell(cell, *known) for cell in _listed(parts["forbidden"])]
    return parts


def names_of(what: str, given: Any) -> list[str]:
    """List names that came in flags `A,B` or `@FILE`, or in a list of a file.

    >>> names_of("agents", ["a,b", "c d"])
    ['a', 'b', 'c d']
    """
    names: list[str] = []
    for text in _listed(given):
        if not isinstance(text, str):
            msg = f"{what} hold {text!r}; give names as text"
            raise DataError(msg)
        if text.startswith("@"):
            names += _named_in(what, Path(text[1:]))
        else:
            names += [name.strip() for name in text.split(",") if name.strip()]
    return names


def _named_in(what: str, path: Path) -> Sequence[str]:
    """List the names in a file: one a line, or the agents or tasks of some data."""
    if path.suffix in LISTS:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [line.strip() for line in lines if line.strip()]
    from podium.importers import read

    names: Sequence[str] = getattr(read(path), what)
    return names


def _listed(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list | tuple) else [given]


def per_task(what: str, given: Any) -> Any:
    """Read one number for all tasks, or TASK=NUMBER of each.

    >>> per_task("limit", ["5"]), per_task("limit", ["t=5", "a=b=2"])
    (5.0, {'t': 5.0, 'a=b': 2.0})
    """
    if not isinstance(given, list):
        return given
    if len(given) == 1 and "=" not in str(given[0]):
        return _number(f"--{what}", given[0])
    found = {}
    for text in given:
        task, equals, number = str(text).rpartition("=")
        if not equals or not task:
            msg = f"--{what} {text!r} names no task; give one number for all, or TASK=NUMBER"
            raise DataError(msg)
        found[task] = _number(f"--{what} {text!r}", number)
    return found


def _number(what: str, text: Any) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        msg = f"{what}: {text!r} is no number"
        raise DataError(msg) from None


def _cell(cell: Any, tasks: Collection[str], agents: Collection[str]) -> Any:
    """Read TASK=AGENT, where either may hold equal signs itself."""
    if not isinstance(cell, str):
        return cell
    signs = [place for place, letter in enumerate(cell) if letter == "="]
    splits = [(cell[:place], cell[place + 1 :]) for place in signs]
    if not splits:
        msg = f"--forbidden {cell!r} names no cell; write TASK=AGENT"
        raise DataError(msg)
    known = [split for split in splits if split[0] in tasks and split[1] in agents]
    return (known or splits)[0]


def costs_of(path: Path) -> dict[str, Any]:
    """Read costs: CSV with columns task, cost and perhaps agent, or JSON of the same.

    JSON may be a list of such rows, or map a task to its cost, or to the cost
    of each agent.
    """
    if path.suffix == ".json":
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            msg = f"{path} is no JSON: {error}"
            raise DataError(msg) from None
        if isinstance(found, dict):
            return found
        rows = enumerate(found if isinstance(found, list) else [found], start=1)
    else:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = enumerate(list(csv.DictReader(file)), start=2)
    costs: dict[str, Any] = {}
    for place, row in rows:
        task, agent, cost = _row(f"{path}, row {place}", row)
        if agent is None:
            costs[task] = cost
        else:
            costs.setdefault(task, {})
            if isinstance(costs[task], dict):
                costs[task][agent] = cost
    return costs


def _row(where: str, row: Any) -> tuple[str, str | None, float]:
    columns = set(row) if isinstance(row, dict) else set()
    if columns not in ({"task", "cost"}, set(CELL)):
        found = listed(sorted(map(str, columns))) if columns else repr(row)
        msg = f"{where} has {found}; costs need the columns task and cost, and perhaps agent"
        raise DataError(msg)
    return row["task"], row.get("agent") or None, _number(f"{where}, cost", row["cost"])


def scores_of(texts: Sequence[str]) -> dict[str, float]:
    """Read `AGENT=SCORE` of each; an agent's name may hold equal signs itself.

    >>> scores_of(["gpt=0.7", "a=b=1"])
    {'gpt': 0.7, 'a=b': 1.0}
    """
    return dict(_scores(texts))


def _scores(texts: Sequence[str]) -> Iterator[tuple[str, float]]:
    seen: set[str] = set()
    for text in texts:
        agent, equals, score = text.rpartition("=")
        if not equals or not agent:
            msg = f"{text!r} is no score; write AGENT=SCORE"
            raise DataError(msg)
        if agent in seen:
            msg = f"{agent!r} is scored twice; tell one score for each agent"
            raise DataError(msg)
        seen.add(agent)
        yield agent, _number(repr(text), score)
