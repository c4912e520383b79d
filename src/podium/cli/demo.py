"""`podium demo`: an active evaluation, on data that come with podium."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._values import Command

app = o.command_app()


@app.command(cls=Command)
def demo(
    *,
    seed: o.Seed = 0,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Folder for the study and report.")
    ] = "podium-demo",
    form: o.FormatOption = o.Format.table,
) -> None:
    """Show what podium does, on data that come with it.

    A study evaluates eight agents on 57 Atari games until the first three are
    right with probability 0.95, or 1,000 queries are spent. Each score is drawn by
    chance from the mean and the standard deviation that the bundled table gives
    for its agent and game. The same study, with the same learner and the same rule
    to stop, is then made with queries drawn uniformly at random, three times each,
    to say what choosing them has saved. DIR gets the study and report.html; a study
    that is there from an earlier demo is made anew.
    """
    from podium.cli import _demo

    _demo.show(seed, Path(output)).write(form)
