"""`podium rank`: rank the agents of some data, by one method or many."""

from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._requests import Reading, how_certain, parse_method, terms_wanted
from podium.cli._values import Command

app = o.command_app()


@app.command(
    cls=Command,
    epilog="Examples: podium rank scores.csv --method approval:k=3 --method kemeny; "
    "podium rank matches.parquet --method elo --format json",
)
def rank(
    data: o.Source,
    *,
    method: o.MethodOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Rank by every method that can read the data.")
    ] = False,
    intervals: o.IntervalsOption = o.Intervals.auto,
    resample: o.ResampleOption = None,
    replicates: o.Replicates = 200,
    level: o.Level = 0.95,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="COLUMN", help="Rank for each value of a column, then on average."
        ),
    ] = None,
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
    form: o.FormatOption = o.Format.table,
) -> None:
    """Rank the agents of DATA, best first, with the ranks that each could have.

    Without --method: copeland; elo for matches; deviation for games. In csv, a
    quote stands before a name that a spreadsheet would run as a formula, and
    letters that steer terminals are written out; json has names as they are.
    """
    if method and every:
        msg = "give --all or --method, not both"
        raise typer.BadParameter(msg)
    if by is not None and count:
        msg = "--count holds pairs alone, so no column is left for --by; leave one of them out"
        raise typer.BadParameter(msg)
    if by is not None and (every or len(method or []) > 1):
        msg = "--by ranks by one method; give one --method, or none"
        raise typer.BadParameter(msg)
    from podium.cli import _answers

    wanted = [parse_method(text) for text in method or []]
    reading = Reading(
        data,
        kind,
        skip_bad_rows,
        on_conflict,
        lower_is_better,
        task_weight,
        column,
        terms_wanted(wanted),
        count,
        metric,
    )
    how = how_certain(intervals, resample, replicates, level, seed, jobs)
    if by is not None:
        from podium.cli._by import write_by

        write_by(reading, by, wanted, how, form)
    elif every:
        from podium.cli._beside import write_beside

        write_beside(_answers.by_many(reading.load(), [], how), form)
    elif len(wanted) > 1:
        _answers.write_each(_answers.by_many(reading.load(), wanted, how), form)
    else:
        _answers.write_one(_answers.by_one(reading.load(), wanted, how), form)
