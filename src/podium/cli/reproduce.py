"""`podium reproduce`: remake the tables and figures of the papers."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._values import Command

app = o.command_app()


@app.command(cls=Command, epilog="Example: podium reproduce voting-pentathlon -o pentathlon")
def reproduce(
    experiment: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="EXPERIMENT",
            help="Experiments or groups of them; without any, all.",
            autocompletion=o.complete_experiment,
            show_default=False,
        ),
    ] = None,
    *,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", metavar="N", help="Random repetitions; by default the paper's."),
    ] = None,
    jobs: o.Jobs = 1,
    engine: o.EngineOption = "local",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Folder for the reports.")
    ] = "podium-reproduce",
    form: o.FormatOption = o.Format.table,
) -> None:
    """Remake the tables and figures of the papers, and compare with what they print.

    Writes a report, CSV files and pictures for each experiment. Prints every
    number of the experiments that are named; without names those that differ.
    Simulations are kept in the folder, so that a stopped run goes on where it was.
    """
    from podium.cli import _remakes

    _remakes.remake(experiment or [], seeds, jobs, engine, Path(output)).write(form)
