"""`podium convert`: write the data of one file in another format."""

from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._requests import Reading
from podium.cli._values import Command
from podium.cli.output import write

app = o.command_app()


@app.command(cls=Command, epilog="Example: podium convert votes.soc votes.csv")
def convert(
    data: o.Source,
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; its ending says the format.")
    ],
    *,
    kind: o.KindOption = None,
    column: o.ColumnOption = None,
    metric: o.MetricOption = None,
    skip_bad_rows: o.SkipBadRows = False,
    on_conflict: o.OnConflictOption = o.OnConflict.error,
    lower_is_better: o.LowerIsBetter = None,
    task_weight: o.TaskWeight = None,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Write the data of one file in another format."""
    from podium.cli._ranking import in_figures
    from podium.cli._screen import line
    from podium.data.convert import summary
    from podium.importers import write as write_data

    reading = Reading(
        data,
        kind,
        skip_bad_rows,
        on_conflict,
        lower_is_better,
        task_weight,
        column,
        metric=metric,
    )
    value = reading.load()
    write_data(value, out)
    figures = summary(value)
    write(
        form,
        document=lambda: {"schema": "podium.convert/1", "path": out, "data": figures},
        rows=lambda: [{"path": out, **figures}],
        table=lambda: line(f"Wrote {out}: {in_figures(figures)}."),
    )
