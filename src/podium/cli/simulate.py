"""`podium simulate`: let presets find out the true ranking of a world."""

from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._values import Command

app = o.command_app()


@app.command(
    cls=Command,
    epilog="Example: podium simulate podium uniform-averaging --world mallows:phi=0.6 --seeds 20",
)
def simulate(
    preset: Annotated[
        list[str],
        typer.Argument(
            metavar="PRESET...",
            help="Presets: podium, or any algorithm of the paper.",
            autocompletion=o.complete_preset,
            show_default=False,
        ),
    ],
    *,
    world: Annotated[
        str,
        typer.Option(
            "--world",
            metavar="NAME[:OPTION=VALUE,...]",
            help="mallows, plackett-luce, clones or agent57; or DATA of scores, to be replayed.",
        ),
    ] = "mallows",
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="Rounds; each asks for two scores.")
    ] = 10_000,
    seeds: Annotated[int, typer.Option("--seeds", metavar="N", help="Repetitions.")] = 100,
    top: Annotated[
        list[int] | None,
        typer.Option(
            "--top", metavar="K", help="How many agents matter; repeatable. By default 3, and all."
        ),
    ] = None,
    at: Annotated[
        list[int] | None,
        typer.Option(
            "--at", metavar="ROUND", help="Rounds to tell the error at; repeatable. The last too."
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", help="Threads that work at the same time.")
    ] = 1,
    engine: o.EngineOption = "local",
    form: o.FormatOption = o.Format.table,
) -> None:
    """Let presets find out the true ranking of a world, and tell how fast they do.

    The error is the average generalized ranking error of the first k agents up to
    a round (AGRE), with half of the width of its 95 % interval over the seeds;
    error rounds are that error times the number of rounds.
    """
    from podium.cli import _contest

    contest = _contest.Contest(
        tuple(preset), world, rounds, seeds, tuple(top or ()), tuple(at or ())
    )
    contest.held(jobs, engine).write(form)
