"""Reading data from files, frames and databases, and writing data to files.

One module a format; `files.READERS` says which ending goes to which. All
tables, wherever they come from, are understood in `columns`.
"""

import importlib
from typing import TYPE_CHECKING, Any

from podium.importers.reading import read, read_by

if TYPE_CHECKING:
    from podium.importers.counting import count
    from podium.importers.writing import write

__all__ = ["count", "read", "read_by", "write"]

_HOMES = {"count": "podium.importers.counting", "write": "podium.importers.writing"}


def __getattr__(name: str) -> Any:
    """Load what counts or writes when it is first used, since most only read."""
    if name not in _HOMES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(_HOMES[name]), name)
