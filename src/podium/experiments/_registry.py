"""The one list of experiments, and what an experiment gives back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from podium.errors import DataError
from podium.experiments._kept import Kept
from podium.registry import Registry
from podium.words import unknown

Verdict: TypeAlias = Literal[
    "equal", "explained", "consistent", "differs", "no data",
    "holds", "not decided", "does not hold",
]  # fmt: skip

VERDICTS: dict[str, str] = {
    "equal": "ours is the printed number, to its last printed digit",
    "explained": "ours differs, and a tie, a choice among several answers or a misprint says why",
    "consistent": "ours agrees within chance, or with data fitted to it or standing in for others",
    "differs": "ours differs, and what is known of the reason is told",
    "no data": "the data are not public, or podium lacks the method",
    "holds": "a sentence of the paper, put to numbers, is so in our runs, beyond chance",
    "not decided": "our runs are too few to tell whether the sentence is so",
    "does not hold": "the sentence is not so in our runs, beyond chance",
}

AMISS: tuple[Verdict, ...] = ("differs", "does not hold")
"""Verdicts on what was looked for and not found."""


@dataclass(frozen=True)
class Finding:
    """One printed number, or one claim, and what podium finds.

    Attributes:
        where: Table, figure or observation of the paper.
        what: What is looked at, such as a method.
        printed: What the paper says.
        ours: What podium says.
        verdict: How the two compare; one of `VERDICTS`.
        why: The reason, where they are not simply equal.
        of: The agent or the pair that the number is about, if any.
        interval: Lowest and highest number that podium could have given, if known.
    """

    where: str
    what: str
    printed: str
    ours: str
    verdict: Verdict
    why: str = ""
    of: str = ""
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Picture:
    """A picture that is drawn only when somebody wants to see it.

    Attributes:
        name: Name of its file, without the ending.
        title: What it shows.
        draw: Makes the chart; raises `MissingExtra` without the extra "plots".
    """

    name: str
    title: str
    draw: Callable[[], Any]


@dataclass(frozen=True)
class Setting:
    """How much work an experiment may do.

    Attributes:
        seeds: Number of random repetitions, or None for the paper's number.
        jobs: Number of processes.
        engine: Where simulations run.
        kept: Simulations that experiments share.
    """

    seeds: int | None = None
    jobs: int = 1
    engine: str = "local"
    kept: Kept = field(default_factory=Kept)


@dataclass(frozen=True)
class Result:
    """What an experiment found.

    Attributes:
        findings: A row for each printed number or claim.
        tables: Our own numbers, by title: rows of equal columns.
        pictures: Pictures to draw.
        data: The numbers behind the pictures, by name: rows of equal columns.
        notes: What the reader should know.
        name: Name of the experiment.
        title: What it is about.
        remakes: The tables and figures that it remakes.
    """

    findings: tuple[Finding, ...]
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()
    data: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    name: str = ""
    title: str = ""
    remakes: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """How many findings have each verdict."""
        return {v: sum(f.verdict == v for f in self.findings) for v in VERDICTS}


@dataclass(frozen=True)
class Experiment:
    """One experiment.

    Attributes:
        name: The name that users type.
        title: What it is about.
        group: The group that it belongs to; its name selects all of it.
        remakes: The tables, figures and observations that it remakes.
        call: The function.
    """

    name: str
    title: str
    group: str
    remakes: str
    call: Callable[[Setting], Result]


EXPERIMENTS: Registry[Experiment] = Registry("experiment")


def experiment(
    name: str, *, group: str, remakes: str
) -> Callable[[Callable[[Setting], Result]], Callable[[Setting], Result]]:
    """Register the decorated function; the first line of its docstring is the title."""

    def register(call: Callable[[Setting], Result]) -> Callable[[Setting], Result]:
        title = (call.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        EXPERIMENTS.put(Experiment(name, title, group, remakes, call))
        return call

    return register


def chosen(names: Sequence[str]) -> list[Experiment]:
    """List the experiments that names of experiments or of groups stand for, each once.

    Without names, all of them.

    >>> [one.name for one in chosen(["voting-pentathlon"])]
    ['voting-pentathlon']
    """
    groups = {one.group for one in EXPERIMENTS}
    found: dict[str, Experiment] = {}
    for name in names or sorted(groups):
        if name not in groups and name not in EXPERIMENTS.cards:
            raise DataError(unknown("experiment", name, [*groups, *EXPERIMENTS.cards]))
        found |= {one.name: one for one in EXPERIMENTS if name in (one.name, one.group)}
    return list(found.values())
