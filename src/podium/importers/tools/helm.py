"""Runs of HELM: folders that hold `run_spec.json`, `stats.json` and more.

Statistics come for each split and each perturbation of the prompts; the score
is that of the test split without perturbation, so that no instance counts twice.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

from podium.importers.files import File
from podium.importers.jsontext import parse_document
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.logs import Log
from podium.importers.tools.nodes import Node, is_number
from podium.importers.tools.runs import Measure, Run, Sample, table_of_runs

NAME = "HELM"
METRICS = True

SPEC = "run_spec.json"
COMPLETE = (
    SPEC,
    "scenario.json",
    "scenario_state.json",
    "stats.json",
    "per_instance_stats.json",
)
"""What a finished run holds."""


NOTHING = "none"
"""Main metric of groups that have none."""

UNDIRECTED = "no schema.json says which metrics are better low; all are taken as better high"


class _Schema(NamedTuple):
    """What the schema of a suite says: metric and split of each group, direction of each metric."""

    main: dict[str, tuple[str, str]]
    lower: dict[str, bool]


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read runs, one folder each."""
    schema = functools.cache(_schema)
    runs = [_run(log.file, schema) for log in logs]
    known = any(measure.lower is not None for run in runs for measure in run.measures)
    return table_of_runs(source, runs, options, () if known else (UNDIRECTED,))


def _document(file: File) -> Node:
    return Node(file.name, parse_document(file.name, file.text))


def _beside(file: File, name: str) -> Node | None:
    """Read a JSON file in the folder of another, if it is there."""
    path = file.path.with_name(name)
    label = str(PurePath(file.name).with_name(name))
    return _document(File(path, ".json", label=label)) if path.is_file() else None


def _schema(suite: Path) -> _Schema:
    """Read the schema that a summary has put beside the runs, or into the only release."""
    releases = sorted(suite.parent.parent.glob("releases/*/schema.json"))
    found = [suite] if (suite / "schema.json").is_file() else [path.parent for path in releases]
    top = _beside(File(found[0] / SPEC, ".json"), "schema.json") if len(found) == 1 else None
    if top is None:
        return _Schema({}, {})
    main = {}
    for group in top.get("run_groups") or ():
        about = group.get("environment")
        name, split = (None, None) if about is None else map(about.get, ("main_name", "main_split"))
        if name is not None and name.value != NOTHING:
            main[group["name"].text] = (name.text, "test" if split is None else split.text)
    lower = {
        metric["name"].text: metric["lower_is_better"].flag
        for metric in top.get("metrics") or ()
        if metric.get("lower_is_better") is not None
    }
    return _Schema(main, lower)


def _run(file: File, schema_of: Callable[[Path], _Schema]) -> Run:
    spec = _document(file)
    schema = schema_of(file.path.parent.parent)
    groups = [group.text for group in spec.get("groups") or ()]
    known = [schema.main[group] for group in groups if group in schema.main]
    main, split = known[0] if known else (None, "test")
    measures = tuple(_measures(file, split, schema))
    names = [measure.name for measure in measures]
    asked = [main, *_listed_metrics(spec)]
    lacking = [name for name in COMPLETE if not file.path.with_name(name).is_file()]
    return Run(
        agent=_agent(spec["adapter_spec"]),
        task=_task(spec["name"].text),
        place=str(PurePath(file.name).with_name("stats.json")),
        when=0.0,
        lacking=f"has no {' nor '.join(lacking)}" if lacking else "",
        measures=measures,
        default=next((name for name in asked if name in names), None),
    )


def _agent(adapter: Node) -> str:
    deployed = adapter.get("model_deployment")
    return (adapter["model"] if deployed is None or deployed.value == "" else deployed).text


def _task(name: str) -> str:
    """Take the model out of the name of a run.

    >>> _task("mmlu:subject=law,model=acme_ada"), _task("boolq:model=acme_ada")
    ('mmlu:subject=law', 'boolq')
    """
    scenario, _, rest = name.partition(":")
    kept = [part for part in rest.split(",") if not part.startswith(("model=", "model_deploy"))]
    return ":".join([scenario, ",".join(kept)]) if any(kept) else scenario


def _listed_metrics(spec: Node) -> Iterator[str]:
    """Give the names of metrics that the run was asked for, in order."""
    for metric in spec.get("metric_specs") or ():
        arguments = metric.get("args")
        names = None if arguments is None else arguments.get("names")
        yield from (name.text for name in names or ())


def _measures(file: File, split: str, schema: _Schema) -> Iterator[Measure]:
    """List what was measured without perturbation, on one split or, without it, on each."""
    top = _beside(file, "stats.json")
    found: dict[str, dict[str, Node]] = {}
    for stat in top or ():
        if _is_plain(stat["name"]):
            found.setdefault(stat["name"]["name"].text, {})[_split(stat["name"])] = stat
    instances = functools.cache(functools.partial(_beside, file, "per_instance_stats.json"))
    for name, by_split in found.items():
        kept = {split: by_split[split]} if split in by_split else by_split
        for part, stat in kept.items():
            full = name if len(kept) == 1 else f"{name} ({part})"
            read = functools.partial(_samples, instances, name, part)
            lower = schema.lower.get(name)
            yield Measure(full, _mean(stat), lower, (name,), functools.cache(read))


def _is_plain(name: Node) -> bool:
    return name.get("perturbation") is None and name.get("sub_split") is None


def _split(name: Node) -> str:
    own = name.get("split")
    return "" if own is None else own.text


def _mean(stat: Node) -> object:
    """Take the mean; what has no value is not written at all."""
    mean = stat.get("mean")
    if mean is not None:
        return mean.value
    count, total = stat["count"].count, stat.get("sum")
    return total.value / count if count and total is not None and is_number(total.value) else None


def _samples(instances: Callable[[], Node | None], name: str, split: str) -> list[Sample] | None:
    """Take one metric of each instance, as often as it was tried."""
    found = []
    for instance in instances() or ():
        if instance.get("perturbation") is not None:
            continue
        trial = instance["train_trial_index"].count
        mark = instance["instance_id"].text + (f", trial {trial + 1}" if trial else "")
        for stat in instance["stats"]:
            about = stat["name"]
            if about["name"].text == name and _is_plain(about) and _split(about) == split:
                found.append(Sample(stat.place, mark, _mean(stat)))
    return found or None
