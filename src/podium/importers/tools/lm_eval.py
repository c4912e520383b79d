"""Results of lm-evaluation-harness: `results_<time>.json`, and `samples_<task>_<time>.jsonl`.

The agent is `model_name`; `config.model` names the back end alone. A key of a
task is a metric if it holds a comma, as `acc,none` does: name and filter. Each
document stands in the samples once a filter, and its hash tells it apart, since
its number depends on the version and the limit.
"""

import functools
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from podium.importers.files import File
from podium.importers.jsontext import parse
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.logs import Log
from podium.importers.tools.nodes import Node, is_number
from podium.importers.tools.runs import Measure, Reader, Run, Sample, several, table_of_runs

NAME = "lm-evaluation-harness"
METRICS = True

_TIME = re.compile(r"_(\d{4}-\d\d-\d\dT[\d.-]+)\.json$")
_SAMPLES = re.compile(r"samples_.+\.jsonl")


def is_document(content: dict[str, Any]) -> bool:
    """Tell results by the names that every version writes."""
    return "results" in content and ("configs" in content or "versions" in content)


def is_beside(name: str) -> bool:
    """Tell files that belong to results and are read with them."""
    return _SAMPLES.fullmatch(name) is not None


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read results, one model a file."""
    runs: list[Run] = []
    groups: list[str] = []
    versions: dict[str, dict[str, None]] = {}
    for log in logs:
        top = Node(log.file.name, log.content)
        inside = _groups(top)
        groups += [name for name in top["results"].parts if name in inside]
        for task, block in top["results"].parts.items():
            # A heading over other tasks, as older versions write it, has no metric.
            if task not in inside and any(map(_is_metric, block.mapping)):
                runs.append(_run(log.file, top, task, block))
                versions.setdefault(task, {})[_setting(top, task)] = None
    notes = several("groups left out, as their tasks count: ", list(dict.fromkeys(groups)))
    differ = [
        f"{task!r} ({', '.join(found)})" for task, found in versions.items() if len(found) > 1
    ]
    notes += several("runs differ in version or number of examples: ", differ)
    return table_of_runs(source, runs, options, notes)


def _groups(top: Node) -> Collection[str]:
    """Name what stands for tasks that are in the results themselves."""
    listed = top.get("group_subtasks")
    below = {} if listed is None else listed.parts
    there = top["results"].parts
    return [name for name, tasks in below.items() if any(one.text in there for one in tasks)]


def _setting(top: Node, task: str) -> str:
    """Say what has to be alike for scores to be comparable."""
    found = []
    for name in ("versions", "n-shot"):
        part = top.get(name)
        value = None if part is None else part.get(task)
        found.append("unknown" if value is None else str(value.value))
    return "version {}, {}-shot".format(*found)


def _run(file: File, top: Node, task: str, block: Node) -> Run:
    lines = functools.cache(functools.partial(_lines, file, task))
    metrics = {key: value for key, value in block.mapping.items() if _is_metric(key)}
    measures = tuple(
        _measure(top, task, key, value, functools.partial(_samples, lines, key))
        for key, value in metrics.items()
    )
    date = top.get("date")
    return Run(
        agent=_agent(top),
        task=task,
        place=block.place,
        when=float(date.value) if date is not None and is_number(date.value) else 0.0,
        lacking=_lacking(top, task),
        measures=measures,
        default=measures[0].name,
    )


def _is_metric(key: str) -> bool:
    return "," in key and not key.partition(",")[0].endswith("_stderr")


def _agent(top: Node) -> str:
    """Name the model; older versions name it only among the arguments."""
    named = top.get("model_name")
    if named is not None:
        return named.text
    config = top.get("config")
    arguments = None if config is None else config.get("model_args")
    given = str(arguments.value) if arguments is not None else ""
    told = re.search(r"(?:^|,)(?:pretrained|model)=([^,]+)", given)
    return told[1] if told else top["model_name"].text


def _lacking(top: Node, task: str) -> str:
    """Say how many documents of a task were left out, by a limit or otherwise."""
    counts = top.get("n-samples")
    own = None if counts is None else counts.get(task)
    if own is None:
        return ""
    ran, of = own["effective"].count, own["original"].count
    return f"ran {ran:,} of {of:,} samples" if ran < of else ""


def _measure(top: Node, task: str, key: str, value: object, samples: Reader) -> Measure:
    metric = key.partition(",")[0]
    directions = top.get("higher_is_better")
    own = None if directions is None else directions.get(task)
    higher = None if own is None else own.get(metric)
    lower = None if higher is None else not higher.flag
    return Measure(key, value, lower, (metric,), functools.cache(samples))


class _Line(NamedTuple):
    """One document under one filter."""

    place: str
    name: str
    filter: object
    scores: dict[str, Any]


def _lines(file: File, task: str) -> list[_Line] | None:
    """Read the samples of a task that were written with the results, if they were."""
    told = _TIME.search(file.path.name)
    path = file.path.with_name(f"samples_{task}_{told[1]}.jsonl") if told else None
    if path is None or not path.is_file():
        return None
    name = str(Path(file.name).with_name(path.name))
    found: list[_Line] = []
    numbers: dict[str, list[object]] = {}
    for line, text in enumerate(File(path, ".jsonl", label=name).text.split("\n"), start=1):
        if text.strip():
            place = f"{name}, line {line}"
            row = Node(place, parse(place, text))
            number, known = row["doc_id"], row.get("doc_hash")
            mark = f"document {number.value}" if known is None else known.text
            # Equal documents have one hash, and count each.
            same = numbers.setdefault(mark, [])
            if number.value not in same:
                same.append(number.value)
            more = same.index(number.value)
            mark = f"{mark} ({more + 1})" if more else mark
            found.append(_Line(place, mark, row.mapping.get("filter"), row.mapping))
    return found


def _samples(lines: Callable[[], list[_Line] | None], key: str) -> list[Sample] | None:
    """Take one metric under one filter."""
    metric, _, name = key.partition(",")
    some = [line for line in lines() or () if line.filter == name and metric in line.scores]
    found = [Sample(line.place, line.name, _plain(line.scores[metric])) for line in some]
    return found or None


def _plain(value: object) -> object:
    return float(value) if isinstance(value, bool) else value
