"""What `podium serve` needs from its surroundings: the token, and a line that says where it is."""

import os
import sys
from collections.abc import Collection
from pathlib import Path

from podium.errors import DataError, MissingExtra


def serve(
    store: str, host: str, port: int, token_file: Path | None, hosts: Collection[str]
) -> None:
    """Serve studies until a signal says stop."""
    token = token_of(token_file)
    try:
        from podium.server import serving
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("podium"):
            raise
        msg = f"a server needs {error.name}; pip install 'podium[server]'"
        raise MissingExtra(msg) from None
    serving.serve(store, host=host, port=port, token=token, hosts=hosts, listening=announce)


def token_of(file: Path | None) -> str | None:
    """Read the token from a file, or take it from the environment."""
    if file is None:
        return os.environ.get("PODIUM_TOKEN")
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        lines = []
    if not lines:
        msg = f"{file} holds no token; write one into its first line, such as "
        raise DataError(msg + "`python -c 'import secrets; print(secrets.token_urlsafe(32))'`")
    return lines[0].strip()


def announce(url: str) -> None:
    """Say where the server listens."""
    sys.stdout.write(f"podium listens on {url}; stop it with Ctrl-C\n")
    sys.stdout.flush()
