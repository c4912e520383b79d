"""Reading data from files, frames and databases, and writing data to files.

One module a format; `files.READERS` says which ending goes to which. All
tables, wherever they come from, are understood in `columns`.
"""

from typing import TYPE_CHECKING, Any

from podium.importers.reading import read, read_by

if TYPE_CHECKING:
    from podium.importers.writing import write

__all__ = ["read", "read_by", "write"]


def __getattr__(name: str) -> Any:
    """Load what writes when it is first used, since most who read do not write."""
    if name != "write":
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from podium.importers.writing import write

    return write
