"""`podium data`: the data that come with podium."""

from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._values import Command, Group
from podium.cli.output import write

app = o.command_app()
Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="Name of the data.", autocompletion=o.complete_data),
]


@app.callback(cls=Group, no_args_is_help=True)
def data() -> None:
    """List, show and export the data that come with podium."""


@app.command("list", cls=Command)
def list_all(*, form: o.FormatOption = o.Format.table) -> None:
    """List the data that come with podium."""
    from podium.cli import _sets

    write(
        form,
        document=lambda: {"schema": "podium.data/1", "data": _sets.described()},
        rows=_sets.described,
        table=_sets.print_all,
    )


@app.command(cls=Command)
def show(name: Name, *, form: o.FormatOption = o.Format.table) -> None:
    """Say what some data hold and where they are from."""
    from podium.cli import _sets

    known = _sets.known(name)
    write(
        form,
        document=lambda: {"schema": "podium.data/1", "data": [known]},
        rows=lambda: [known],
        table=lambda: _sets.print_one(known),
    )


@app.command(cls=Command, epilog="Example: podium data export agent57 -o atari.csv")
def export(
    name: Name,
    *,
    out: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File to write, else to standard output."
        ),
    ] = None,
) -> None:
    """Write some data to a file, in the format of its ending."""
    from podium.cli import _sets

    _sets.export(name, out)
