"""`podium report`: all there is to tell of some data or a study, as one page."""

from enum import StrEnum
from typing import Annotated

import typer

from podium.cli import _study_options as so
from podium.cli import options as o
from podium.cli._requests import Reading, how_certain
from podium.cli._values import Command

app = o.command_app()


class Form(StrEnum):
    """How a report is written."""

    html = "html"
    md = "md"
    tex = "tex"


What = Annotated[
    str,
    typer.Argument(
        metavar="DATA|STUDY",
        help="Data as for `podium rank`, or the name of a study; a file of that name wins.",
        autocompletion=o.complete_data,
        show_default=False,
    ),
]
Output = Annotated[
    str,
    typer.Option("--output", "-o", metavar="FILE", help="File to write; - for standard output."),
]


@app.command(
    cls=Command, epilog="Examples: podium report scores.csv; podium report llms --format md -o -"
)
def report(
    what: What,
    *,
    output: Output = "",
    form: Annotated[
        Form | None,
        typer.Option(
            "--format", "-f", metavar=o.choices(Form), help="By default, what FILE ends in; html."
        ),
    ] = None,
    method: o.MethodOption = None,
    intervals: o.IntervalsOption = o.Intervals.auto,
    resample: o.ResampleOption = None,
    replicates: o.Replicates = 200,
    level: o.Level = 0.95,
    store: so.Store = None,
    task_weight: o.TaskWeight = None,
    lower_is_better: o.LowerIsBetter = None,
    kind: o.KindOption = None,
    column: o.ColumnOption = None,
    metric: o.MetricOption = None,
    skip_bad_rows: o.SkipBadRows = False,
    count: o.CountOption = False,
    on_conflict: o.OnConflictOption = o.OnConflict.error,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
) -> None:
    """Write all there is to tell of DATA or a study into one page.

    Who leads, how sure that is, where methods disagree and why, which tasks decide, and
    what to evaluate next.

    The page needs no network and runs no script. Methods that take long on so many
    agents are left out, and the page says so; name them with --method. The first
    one named is the main one.
    """
    from podium.cli import _reports

    reading = Reading(
        what,
        kind,
        skip_bad_rows,
        on_conflict,
        lower_is_better,
        task_weight,
        column,
        count=count,
        metric=metric,
    )
    how = how_certain(intervals, resample, replicates, level, seed, jobs)
    place = _reports.Target.of(output, form and form.value)
    _reports.make(reading, method or [], how, store).write(place)
