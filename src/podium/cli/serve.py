"""`podium serve`: studies over HTTP, for many workers, with pages for people."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli import options as o
from podium.cli._values import Command

app = o.command_app()


@app.command(
    cls=Command,
    epilog="Example: podium serve --store sqlite:///studies.db --port 8000",
)
def serve(
    *,
    store: Annotated[
        str,
        typer.Option("--store", metavar="URL", help="Where the studies are kept."),
    ] = "sqlite:///podium.db",
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where to listen; beyond this machine with a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 for any that is free.")
    ] = 8000,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="F",
            help="A file whose first line is the token that requests bring; or set PODIUM_TOKEN.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="A name of this server; others are refused."
        ),
    ] = None,
) -> None:
    """Serve studies over HTTP, until it is interrupted.

    Pages are at /, and JSON is at /api/v1, with its description at
    /api/v1/openapi.json. `podium.connect(URL)` gives the studies in Python. What
    was acknowledged is kept: a server may be stopped, or killed, at any time,
    and workers go on when it is back.
    """
    from podium.cli import _serving

    _serving.serve(store, host, port, token_file, allow_host or [])
