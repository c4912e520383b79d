"""`podium compare`: every method that can read some data, or two agents, side by side."""

from typing import Annotated, Any

import typer

from podium.cli import options as o
from podium.cli._requests import Reading, how_certain, parse_method
from podium.cli._values import Command

app = o.command_app()

What = Annotated[
    list[str],
    typer.Argument(
        metavar="[A B] DATA",
        help="Two agents, or none; then the data as for `podium rank`.",
        autocompletion=o.complete_data,
        show_default=False,
    ),
]


class TwoWays(Command):
    """A command that takes DATA alone or A B DATA, and says so in its usage."""

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Name the arguments."""
        return ["[OPTIONS]", "[A B] DATA"]


@app.command(
    cls=TwoWays,
    epilog="Examples: podium compare scores.csv --format md; "
    "podium compare muzero agent57 scores.csv",
)
def compare(
    what: What,
    *,
    method: o.MethodOption = None,
    intervals: o.IntervalsOption = o.Intervals.none,
    resample: o.ResampleOption = None,
    replicates: Annotated[
        int | None,
        typer.Option(
            "--replicates",
            metavar="N",
            help="How many times chance is drawn: 200, or 2000 for A B.",
        ),
    ] = None,
    level: o.Level = 0.95,
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
    """Rank by every method, side by side; or set two agents against each other.

    With DATA alone: the ranks of all agents by every method. With A B DATA: is
    A better than B on what both did, by how much, and could it be chance?
    """
    agents, data = _split(what)
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
    if agents:
        given = {"--method": method, "--intervals": intervals is not o.Intervals.none}
        _refuse({**given, "--jobs": jobs != 1})
        settings = {"level": level, "seed": seed, "resample": resample and resample.value}
        settings |= {"replicates": 2000 if replicates is None else replicates}
        _duel(reading, agents, settings, form)
        return
    from podium.cli._answers import by_many
    from podium.cli._beside import write_beside

    wanted = [parse_method(text) for text in method or []]
    draws = 200 if replicates is None else replicates
    how = how_certain(intervals, resample, draws, level, seed, jobs)
    write_beside(by_many(reading.load(), wanted, how), form)


def _split(what: list[str]) -> tuple[list[str], str]:
    """Tell agents from data."""
    if len(what) == 2:
        msg = f"{what[0]!r} has no rival, or no data came; give DATA alone, or A B DATA"
        raise typer.BadParameter(msg, param_hint="'[A B] DATA'")
    if len(what) > 3:
        msg = f"{len(what)} arguments came; give DATA alone, or A B DATA"
        raise typer.BadParameter(msg, param_hint="'[A B] DATA'")
    return what[:-1], what[-1]


def _refuse(given: dict[str, Any]) -> None:
    """Refuse options that two agents have no use for."""
    for name, value in given.items():
        if value:
            msg = "two agents are compared without a method; leave it out, or give DATA alone"
            raise typer.BadParameter(msg, param_hint=name)


def _duel(reading: Reading, agents: list[str], settings: dict[str, Any], form: o.Format) -> None:
    from podium.analysis.pairwise import compare_two
    from podium.cli._duel import write_duel

    write_duel(compare_two(reading.load(), *agents, **settings), form)
