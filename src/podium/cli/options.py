"""Options that several commands share."""

from enum import StrEnum
from typing import Annotated, Any

import typer

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


def command_app() -> typer.Typer:
    """Start the file of one command, with the plain help that all have."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )


class Format(StrEnum):
    """How an answer is written."""

    table = "table"
    json = "json"
    csv = "csv"
    md = "md"


class Kind(StrEnum):
    """What rows of data are."""

    scores = "scores"
    summaries = "summaries"
    matches = "matches"
    ballots = "ballots"
    game = "game"


class OnConflict(StrEnum):
    """What to do with rows that contradict each other."""

    error = "error"
    first = "first"
    last = "last"
    mean = "mean"


class Intervals(StrEnum):
    """How intervals are made."""

    auto = "auto"
    none = "none"
    bootstrap = "bootstrap"
    sandwich = "sandwich"
    posterior = "posterior"


class Resample(StrEnum):
    """What the bootstrap draws anew."""

    task = "task"
    sample = "sample"
    both = "task+sample"
    match = "match"
    ballot = "ballot"


def choices(of: type[StrEnum]) -> str:
    """Write the choices of an option, as its help shows them."""
    return "|".join(of)


def complete_method(incomplete: str) -> list[str]:
    """Complete the name of a method, read off the files so that none is loaded."""
    import pkgutil
    from importlib.util import find_spec

    spec = find_spec("podium.methods")
    files = pkgutil.iter_modules(spec.submodule_search_locations if spec else [])
    names = (file.name.replace("_", "-") for file in files if not file.name.startswith("_"))
    return [name for name in names if name.startswith(incomplete)]


def complete_preset(incomplete: str) -> list[str]:
    """Complete the name of a preset."""
    from podium.study.presets import PRESETS

    return [name for name in PRESETS.cards if name.startswith(incomplete)]


def complete_data(incomplete: str) -> list[str]:
    """Complete the name of bundled data; the shell completes files by itself."""
    from podium.bundled import SETS

    return [name for name in SETS.cards if name.startswith(incomplete)]


def complete_experiment(incomplete: str) -> list[str]:
    """Complete the name of an experiment, or of a group of them."""
    from podium.experiments import EXPERIMENTS

    names = {name for one in EXPERIMENTS for name in (one.group, one.name)}
    return [name for name in sorted(names) if name.startswith(incomplete)]


Source = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A file, a folder of one tool's logs, a database URL, the name of bundled data, "
        "or - for CSV on standard input.",
        autocompletion=complete_data,
        show_default=False,
    ),
]
KindOption = Annotated[
    Kind | None,
    typer.Option(
        "--kind", metavar=choices(Kind), help="What the rows are, where columns leave it open."
    ),
]
SkipBadRows = Annotated[
    bool, typer.Option("--skip-bad-rows", help="Leave bad rows out and count them.")
]
OnConflictOption = Annotated[
    OnConflict,
    typer.Option(
        "--on-conflict",
        metavar=choices(OnConflict),
        help="Rows of one identifier that contradict each other.",
    ),
]
CountOption = Annotated[
    bool,
    typer.Option(
        "--count",
        help="Count the pairs of matches or ballots in the files, which need not fit into memory.",
    ),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="PART=COLUMN",
        help="Column that holds a part (task, agent, score, ...) under another name; repeatable.",
    ),
]
LowerIsBetter = Annotated[
    list[str] | None,
    typer.Option(
        "--lower-is-better", metavar="TASK", help="A task where a low score is good; repeatable."
    ),
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help="Metric of a tool's logs that is the score; repeatable, the first that a task has.",
    ),
]
TaskWeight = Annotated[
    list[str] | None,
    typer.Option("--task-weight", metavar="TASK=W", help="Weight of a task; repeatable."),
]
MethodOption = Annotated[
    list[str] | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME[:OPTION=VALUE,...]",
        help="Method to rank by; repeatable.",
        autocompletion=complete_method,
        show_default=False,
    ),
]
IntervalsOption = Annotated[
    Intervals,
    typer.Option(
        "--intervals",
        metavar=choices(Intervals),
        help="Intervals around ratings and ranks; auto bootstraps where that is cheap.",
    ),
]
ResampleOption = Annotated[
    Resample | None,
    typer.Option("--resample", metavar=choices(Resample), help="What the bootstrap draws anew."),
]
Replicates = Annotated[
    int, typer.Option("--replicates", metavar="N", help="How many times the bootstrap draws.")
]
Level = Annotated[
    float, typer.Option("--level", metavar="SHARE", help="Share that an interval holds.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Start of all chance.")]
Jobs = Annotated[
    int, typer.Option("--jobs", metavar="N", help="Processes that work at the same time.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="local|ray[:address=HOST:PORT]",
        help="Where simulations run: here, or by the workers of a Ray cluster.",
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", "-f", metavar=choices(Format), help="How to write the answer.")
]
