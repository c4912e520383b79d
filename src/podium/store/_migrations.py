"""The scripts that make the tables, and bring old ones up to date: numbered, never changed."""

import functools
from importlib import resources

from podium.errors import StoreError


@functools.cache
def scripts(dialect: str) -> tuple[str, ...]:
    """Read the scripts of a dialect, in order; the number of a schema is how many have run."""
    folder = resources.files("podium.store") / "schema"
    files = sorted(
        (file for file in folder.iterdir() if file.name.startswith(f"{dialect}_")),
        key=lambda file: file.name,
    )
    return tuple(file.read_text(encoding="utf-8") for file in files)


def check_version(there: int, known: int, url: str) -> None:
    """Refuse tables that a later version of podium has made."""
    if there > known:
        msg = (
            f"{url} was written by a later version of podium (schema {there}, while this one knows "
            f"{known}); update podium"
        )
        raise StoreError(msg)
