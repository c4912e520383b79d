"""`podium compare`: every method that can read some data, side by side."""

from podium.cli import options as o
from podium.cli._requests import Reading, how_certain, parse_method
from podium.cli._values import Command

app = o.command_app()


@app.command(cls=Command, epilog="Example: podium compare scores.csv --format md")
def compare(
    data: o.Source,
    *,
    method: o.MethodOption = None,
    intervals: o.IntervalsOption = o.Intervals.none,
    resample: o.ResampleOption = None,
    replicates: o.Replicates = 200,
    level: o.Level = 0.95,
    task_weight: o.TaskWeight = None,
    lower_is_better: o.LowerIsBetter = None,
    kind: o.KindOption = None,
    column: o.ColumnOption = None,
    skip_bad_rows: o.SkipBadRows = False,
    on_conflict: o.OnConflictOption = o.OnConflict.error,
    seed: o.Seed = 0,
    jobs: o.Jobs = 1,
    form: o.FormatOption = o.Format.table,
) -> None:
    """Rank the agents of DATA by every method, side by side."""
    from podium.cli._answers import by_many
    from podium.cli._beside import write_beside

    wanted = [parse_method(text) for text in method or []]
    reading = Reading(data, kind, skip_bad_rows, on_conflict, lower_is_better, task_weight, column)
    how = how_certain(intervals, resample, replicates, level, seed, jobs)
    write_beside(by_many(reading.load(), wanted, how), form)
