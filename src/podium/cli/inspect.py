"""`podium inspect`: what there is in some data."""

from podium.cli import options as o
from podium.cli._requests import Reading
from podium.cli._values import Command
from podium.cli.output import write

app = o.command_app()


@app.command(cls=Command, epilog="Example: podium inspect votes.soc --format json")
def inspect(
    data: o.Source,
    *,
    task_weight: o.TaskWeight = None,
    lower_is_better: o.LowerIsBetter = None,
    kind: o.KindOption = None,
    column: o.ColumnOption = None,
    metric: o.MetricOption = None,
    skip_bad_rows: o.SkipBadRows = False,
    count: o.CountOption = False,
    on_conflict: o.OnConflictOption = o.OnConflict.error,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Say what there is in DATA: winners, cycles, clones, gaps."""
    from podium.analysis.inspection import inspect as look_into
    from podium.cli import _inspection

    reading = Reading(
        data,
        kind,
        skip_bad_rows,
        on_conflict,
        lower_is_better,
        task_weight,
        column,
        count=count,
        metric=metric,
    )
    found = look_into(reading.load())
    write(
        form,
        document=found.to_dict,
        rows=lambda: _inspection.rows(found),
        table=lambda: _inspection.print_all(found),
    )
