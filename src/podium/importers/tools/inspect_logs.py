"""Logs of Inspect: `.eval` archives, and `.json` files of the same content.

An archive is a ZIP whose header is written last. A run that was killed has none:
what its journal says of the start and of the finished samples is then all there
is. Only the header and the summaries of the samples are read.
"""

import functools
import importlib
import math
import re
import sys
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from podium.errors import DataError, MissingExtra
from podium.importers.cells import NUMBER, seconds
from podium.importers.files import File
from podium.importers.jsontext import parse
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.logs import Log
from podium.importers.tools.nodes import Node
from podium.importers.tools.runs import Measure, Run, Sample, several, table_of_runs

NAME = "Inspect"
METRICS = True

WORTH = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""What the grades of Inspect are worth: correct, partial, incorrect, no answer."""

_PART = re.compile(r"_journal/summaries/\d+\.json")

SPREADS = frozenset(("stderr", "bootstrap_stderr", "std", "var"))
"""Metrics that say how certain another is."""

MEANS = ("accuracy", "mean")
"""Metrics that are means over samples."""


class Opened(NamedTuple):
    """What is read of a log."""

    header: Node
    samples: tuple[Node, ...]


def is_document(content: dict[str, Any]) -> bool:
    """Tell a log in JSON by its names."""
    return {"version", "status", "eval"} <= content.keys()


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read logs, one model on one task each."""
    opened = [_of_archive(log.file) if log.content is None else _of_json(log) for log in logs]
    valid = [one for one in opened if not _is_void(one.header)]
    void = [one.header.place for one in opened if _is_void(one.header)]
    ways: dict[str, list[object]] = {}
    for one in valid:
        known = ways.setdefault(_task(one.header), [])
        known += [own for own in [_arguments(one.header)] if own not in known]
    runs = [_run(one, named=len(ways[_task(one.header)]) > 1) for one in valid]
    notes = several("left out, as the log says that it is not valid: ", void)
    return table_of_runs(source, runs, options, notes)


def _of_json(log: Log) -> Opened:
    header = Node(log.file.name, log.content)
    return Opened(header, tuple(header.get("samples") or ()))


def _of_archive(file: File) -> Opened:
    with _archive(file) as archive:
        names = set(archive.namelist())
        read = functools.partial(_entry, file, archive)
        header = read("header.json" if "header.json" in names else "_journal/start.json")
        if "summaries.json" in names:
            return Opened(header, tuple(read("summaries.json")))
        parts = sorted(filter(_PART.fullmatch, names), key=lambda name: (len(name), name))
        samples = [sample for part in parts for sample in read(part)]
        told = {f"samples/{_id(one)}_epoch_{one['epoch'].count}.json" for one in samples}
        alone = sorted(n for n in names if n.startswith("samples/") and n not in told)
        return Opened(header, (*samples, *map(read, alone)))


def _zip_module() -> Any:
    """Find a module for ZIP that knows Zstandard, or else the one of Python."""
    if sys.version_info >= (3, 14):
        return zipfile
    try:
        return importlib.import_module("backports.zstd.zipfile")
    except ImportError:
        return zipfile


def _archive(file: File) -> Any:
    try:
        return _zip_module().ZipFile(file.path)
    except Exception as error:  # noqa: BLE001, damaged archives raise what they like
        msg = f"{file.name} cannot be read as an archive of Inspect: {error}; is it cut off?"
        raise DataError(msg) from None


def _entry(file: File, archive: Any, name: str) -> Node:
    """Read one JSON file of an archive."""
    place = f"{file.name}, {name}"
    try:
        text = archive.read(name).decode("utf-8")
    except NotImplementedError:
        msg = (
            f"{file.name} is packed with Zstandard; install podium[inspect], or write the log as "
            "JSON with `inspect log convert`"
        )
        raise MissingExtra(msg) from None
    except Exception as error:  # noqa: BLE001, damaged archives raise what they like
        reason = str(error).partition("\n")[0]
        msg = f"{place}, cannot be read: {reason}; is the log cut off?"
        raise DataError(msg) from None
    return Node(place, parse(place, text))


def _is_void(header: Node) -> bool:
    said = header.get("invalidated")
    return said is not None and said.flag


def _task(header: Node) -> str:
    return header["eval"]["task"].text


def _arguments(header: Node) -> dict[str, Any]:
    """Give the arguments with which a task was made, which make it another task."""
    given = header["eval"].get("task_args_passed") or header["eval"].get("task_args")
    return {} if given is None else given.mapping


def _run(opened: Opened, *, named: bool) -> Run:
    header = opened.header
    told = ", ".join(f"{name}={value}" for name, value in _arguments(header).items())
    task = f"{_task(header)} ({told})" if named and told else _task(header)
    created = header["eval"].get("created")
    moment = seconds(None if created is None else created.value)
    measures = tuple(_measures(opened))
    return Run(
        agent=header["eval"]["model"].text,
        task=task,
        place=header.place,
        when=0.0 if math.isnan(moment) else moment,
        lacking=_lacking(opened),
        measures=measures,
        default=_headline(header, measures),
    )


def _lacking(opened: Opened) -> str:
    """Say how many samples were not finished, and how the run ended if not well."""
    about = opened.header["eval"]["dataset"]
    asked, status = opened.header["eval"].get("config"), opened.header.get("status")
    epochs = None if asked is None else asked.get("epochs")
    sizes = [about.get("samples"), about.get("sample_ids")]
    size = max([0, *(len(list(n)) if isinstance(n.value, list) else n.count for n in sizes if n)])
    size *= 1 if epochs is None else epochs.count
    results = opened.header.get("results")
    done = None if results is None else results.get("completed_samples")
    failed = sum(sample.get("error") is not None for sample in opened.samples)
    ran = len(opened.samples) - failed if done is None or opened.samples else done.count
    said = [f"has {ran:,} of {size:,} samples"] * (ran < size)
    said += [f"{failed:,} failed"] * (failed > 0)
    ended = "started" if status is None else status.text
    said += [f"status {ended!r}"] * (ended != "success")
    return ", ".join(said)


def _headline(header: Node, measures: Sequence[Measure]) -> str | None:
    """Name the metric that the log calls its headline, or the first that it lists."""
    results = header.get("results")
    told = None if results is None else results.get("headline")
    name = None
    if told is not None:
        name = _full_name(told["score"].text, told["metric"].text, told.get("reducer"))
    names = [measure.name for measure in measures]
    return name if name in names else next(iter(names), None)


def _measures(opened: Opened) -> Iterator[Measure]:
    """List the metrics of the results, or those that the scorers were to have."""
    results = opened.header.get("results")
    if results is None:
        for scorer, score, metric in _intended(opened):
            if metric in MEANS:
                reader = functools.cache(functools.partial(_samples, opened, scorer, score))
                yield Measure(f"{score}/{metric}", None, None, (score, metric), reader)
        return
    for part in results["scores"]:
        scorer, score = part["scorer"].text, part["name"].text
        reader = functools.cache(functools.partial(_samples, opened, scorer, score))
        reported = {n: m for n, m in part["metrics"].parts.items() if n not in SPREADS}
        for metric, found in reported.items():
            name = _full_name(score, metric, part.get("reducer"))
            value = _worth(found.mapping.get("value"))
            yield Measure(name, value, None, (f"{score}/{metric}", score, metric), reader)


def _full_name(score: str, metric: str, reducer: Node | None) -> str:
    """Name a metric of a score, and how epochs were put together where there are several ways."""
    return f"{score}/{metric}" + ("" if reducer is None else f" ({reducer.text})")


def _intended(opened: Opened) -> Iterator[tuple[str, str, str]]:
    """Give scorer, score and metric of what a run was to report, if it says so."""
    parts = (sample.get("scores") for sample in opened.samples)
    known = {name for part in parts if part is not None for name in part.mapping}
    for scorer in opened.header["eval"].get("scorers") or ():
        name, metrics = scorer["name"].text, scorer.get("metrics")
        name = name if name in known else name.rpartition("/")[2]
        if metrics is None or isinstance(metrics.value, list):
            yield from ((name, name, _bare(metric)) for metric in metrics or ())
        else:
            for score, own in metrics.parts.items():
                yield from ((name, score, _bare(metric)) for metric in own)


def _bare(metric: Node) -> str:
    """Name a metric without the package that it is from."""
    return metric["name"].text.rpartition("/")[2] if metric.mapping else ""


def _samples(opened: Opened, scorer: str, score: str) -> list[Sample] | None:
    """Take one score of each sample."""
    found = []
    for sample in opened.samples:
        epoch = sample["epoch"].count
        name = _id(sample) if epoch == 1 else f"{_id(sample)}, epoch {epoch}"
        scores = sample.get("scores")
        failed = scores is None or sample.get("error") is not None
        value = None if failed or scores is None else _value(scores, scorer, score)
        found.append(Sample(sample.place, name, value))
    return found or None


def _id(sample: Node) -> str:
    own = sample["id"]
    if not isinstance(own.value, str | int):
        own.refuse("text or a whole number")
    return str(own.value)


def _value(scores: Node, scorer: str, score: str) -> object:
    """Find a score under its own name, or among the several values of its scorer."""
    own = scores.get(score)
    if own is not None and not isinstance(own.mapping.get("value"), dict):
        return _worth(own.mapping.get("value"))
    many = scores.get(scorer)
    values = None if many is None else many.get("value")
    inside = isinstance(values.value, dict) if values is not None else False
    return _worth(values.mapping.get(score)) if values is not None and inside else None


def _worth(value: object) -> object:
    """Turn a value into a number as Inspect does; NaN stands for what was not scored."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        grade = WORTH.get(value, WORTH.get(value.lower()))
        return (
            float(value)
            if grade is None and re.fullmatch(NUMBER, value)
            else value
            if grade is None
            else grade
        )
    return None if isinstance(value, float) and math.isnan(value) else value
