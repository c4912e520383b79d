"""Runs: what one agent got on one task in one go, by one or several metrics.

Several tools write such runs. Here is decided, for all of them alike, which run
counts, which metric is the score, and whether it is read sample by sample.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.nodes import is_number
from podium.words import counted, listed

NAMED = 3
"""How many cases a note names before it counts the others."""

CLOSE = 1e-6
"""How near the mean of samples is to the reported number, relative to it, to be the same."""


class Sample(NamedTuple):
    """The score of one sample, None where it failed."""

    place: str
    name: str
    value: object


Reader: TypeAlias = Callable[[], Sequence[Sample] | None]
"""Reads the values of the samples of a run, or gives None where there are none."""


def _no_samples() -> None:
    return None


@dataclass(frozen=True)
class Measure:
    """What one metric says of a run.

    Attributes:
        name: Name of the metric, in full.
        reported: The number that the tool reports, None where it reports none.
        lower: Whether low is good, None where no file says so.
        aliases: Shorter names by which it may be asked for.
        samples: Reads the samples.
    """

    name: str
    reported: object
    lower: bool | None = None
    aliases: tuple[str, ...] = ()
    samples: Reader = _no_samples


@dataclass(frozen=True)
class Run:
    """One agent on one task in one go.

    Attributes:
        agent: The agent.
        task: The task.
        place: Where it stands.
        when: When it was, in seconds; 0 where no file says so.
        lacking: What it lacks to be complete, for a note; empty where it is complete.
        measures: The metrics, in the order in which the tool lists them.
        default: The metric that the tool calls its score, if it does.
    """

    agent: str
    task: str
    place: str
    when: float
    lacking: str
    measures: tuple[Measure, ...]
    default: str | None = None

    @property
    def name(self) -> str:
        """What notes call the run."""
        return f"{self.agent!r} on {self.task!r}"

    def measure(self, name: str) -> Measure | None:
        """Find what a metric says."""
        return next((measure for measure in self.measures if measure.name == name), None)

    def is_lower(self, name: str) -> bool:
        """Tell whether the run says that low is good by a metric."""
        found = self.measure(name)
        return found is not None and found.lower is True


_Key = TypeVar("_Key", bound=Hashable)


class _Row(NamedTuple):
    place: str
    task: str
    agent: str
    score: object
    sample: str | None
    lower: int


REPORTED = "reported"
"""Identifies the number that a tool reports of a run, so that a copy of a log counts once."""


def table_of_runs(
    source: str, runs: Sequence[Run], options: Options, notes: Sequence[str] = ()
) -> Table:
    """Lay runs out in rows: of each agent and task the newest run that is complete.

    A task is read sample by sample where the mean of the samples is the reported
    number in all its runs; else it is read as reported.
    """
    if not runs:
        msg = f"{source} holds no score of a model on a task; give a folder or file with some"
        raise DataError(msg)
    kept = _newest(runs)
    rows: list[_Row] = []
    choices, as_reported = [], []
    for task, some in _by(kept, lambda run: run.task).items():
        name, others = _chosen(source, task, some, options.metric)
        if others:
            choices.append(f"{name!r} on {task!r} (not {listed(others, NAMED)})")
        by_sample = [_is_sampled(run, name) for run in some]
        if not all(by_sample) and any(_samples(run, name) for run in some):
            as_reported.append(f"{name!r} on {task!r}")
        low = any(run.is_lower(name) for run in some)
        rows += (row for run in some for row in _rows(run, name, by_sample=all(by_sample), low=low))
    partial = [f"{run.name} {run.lacking}" for run in kept if run.lacking]
    older = len(runs) - len(kept)
    said = (
        *notes,
        *(
            (f"left out {counted(older, 'run')}: a newer or more complete one counts",)
            * (older > 0)
        ),
        *several("incomplete: ", partial),
        *several("scores are ", [] if options.metric else choices),
        *several("read as reported, which is no mean of samples: ", as_reported),
    )
    return _table(source, rows, said)


def several(what: str, cases: Sequence[str]) -> tuple[str, ...]:
    """Write a note that names some cases and counts the others, if there are any.

    >>> several("lost: ", ["a", "b", "c", "d"]), several("lost: ", [])
    (('lost: a; b; c; and 1 more',), ())
    """
    if not cases:
        return ()
    more = [f"and {len(cases) - NAMED:,} more"] if len(cases) > NAMED else []
    return (what + "; ".join([*cases[:NAMED], *more]),)


def _by(runs: Iterable[Run], key: Callable[[Run], _Key]) -> dict[_Key, list[Run]]:
    groups: dict[_Key, list[Run]] = {}
    for run in runs:
        groups.setdefault(key(run), []).append(run)
    return groups


def _newest(runs: Sequence[Run]) -> list[Run]:
    """Keep one run of each agent on each task, or several that are equally new and complete."""
    best = {
        cell: max((not run.lacking, run.when) for run in some)
        for cell, some in _by(runs, lambda run: (run.task, run.agent)).items()
    }
    return [run for run in runs if (not run.lacking, run.when) == best[run.task, run.agent]]


def _chosen(
    source: str, task: str, runs: Sequence[Run], wanted: Sequence[str]
) -> tuple[str, list[str]]:
    """Choose the metric of a task; give it and the others."""
    known = {measure.name: measure for run in runs for measure in run.measures}
    if not known:
        return "", []
    if wanted:
        names = _asked(source, task, known, wanted)
    else:
        names = list(dict.fromkeys(run.default for run in runs if run.measures))
    if len(names) == 1 and names[0] is not None:
        return names[0], [name for name in known if name != names[0]]
    msg = (
        f"{source}: the score of {task!r} may be {listed(known, 40)}; "
        "choose with metric= (--metric), several times where tasks differ"
    )
    raise DataError(msg)


def _asked(
    source: str, task: str, known: Mapping[str, Measure], wanted: Sequence[str]
) -> list[str | None]:
    """Find the first of the metrics asked for that a task has, by its name or a shorter one."""
    for word in wanted:
        found = [word] if word in known else [n for n, one in known.items() if word in one.aliases]
        if found:
            return list(found)
    msg = (
        f"{source}: {task!r} has no metric {' or '.join(map(repr, wanted))}; "
        f"choose from {listed(known, 40)}"
    )
    raise DataError(msg)


def _samples(run: Run, name: str) -> Sequence[Sample] | None:
    measure = run.measure(name)
    return None if measure is None else measure.samples()


def _is_sampled(run: Run, name: str) -> bool:
    """Tell whether the samples of a run say what is reported of it, or nothing is reported."""
    measure = run.measure(name)
    if measure is None or measure.reported is None:
        return True
    values = [sample.value for sample in measure.samples() or () if sample.value is not None]
    numbers = [float(value) for value in values if is_number(value)]
    if not numbers or len(numbers) < len(values) or not is_number(measure.reported):
        return False
    mean = math.fsum(numbers) / len(numbers)
    return math.isclose(mean, measure.reported, rel_tol=CLOSE, abs_tol=CLOSE**2)


def _rows(run: Run, name: str, *, by_sample: bool, low: bool) -> Iterator[_Row]:
    """Lay out the samples of a run, or its reported number; an empty row where it has neither.

    What a run does not say of the direction, others of the task do.
    """
    measure = run.measure(name)
    told = None if measure is None else measure.lower
    lower = int(low if told is None else told)
    samples = measure.samples() if measure and by_sample else None
    for place, sample, value in samples or ():
        yield _Row(place, run.task, run.agent, value, sample, lower)
    if not samples:
        reported = measure.reported if measure else None
        yield _Row(f"{run.place}, {name!r}", run.task, run.agent, reported, REPORTED, lower)


def _table(source: str, rows: Sequence[_Row], notes: tuple[str, ...]) -> Table:
    places, *columns = zip(*rows, strict=True)
    names = ("task", "agent", "score", "sample", "lower_is_better")
    return Table(
        source=source,
        columns=dict(zip(names, map(Cells, columns), strict=True)),
        size=len(rows),
        place=lambda row: str(places[row]),
        notes=notes,
    )
