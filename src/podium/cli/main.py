"""The command `podium`."""

import io
import os
import sys
from typing import Annotated

# Set before numpy is loaded: its threads are made on import, cost as much as the rest of
# numpy, and gain nothing at the sizes of rankings.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import typer

from podium import __version__
from podium.cli._exits import FAULT, INTERRUPTED, WRONG, tell_fault, tell_system
from podium.cli._lazy import Lazy
from podium.cli.options import SETTINGS

app = typer.Typer(
    cls=Lazy,
    name="podium",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def _tell_version(wanted: bool) -> None:  # noqa: FBT001, typer calls it with the flag
    if wanted:
        typer.echo(f"podium {__version__}")
        raise typer.Exit


@app.callback(epilog="`podium COMMAND --help` says more. Start with: podium demo")
def podium(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Which agents are best, and what should be evaluated next."""


def main() -> None:
    """Run a command line and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter gets its number instead of a crash.
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="podium")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:  # help or version could not be written
        tell_system(error)
        sys.exit(WRONG)
    except Exception as error:  # noqa: BLE001, whatever is left is a fault of ours
        tell_fault(error)
        sys.exit(FAULT)


if __name__ == "__main__":
    main()
