"""The library that draws charts in a browser: made once, by vl-convert, and kept on disk."""

import importlib.util
import tempfile
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path

from podium.errors import MissingExtra
from podium.kernels.compiled import cache_folder

SNIPPET = "window.vegaEmbed = vegaEmbed;"
"""All that pages use of it."""

_making = threading.Lock()


@cache
def bundle_path() -> str:
    """Give the address of the library, which changes with its version; nothing without it."""
    if importlib.util.find_spec("vl_convert") is None:
        return ""
    return f"/static/charts-{version('vl-convert-python')}.js"


def bundle() -> bytes:
    """Give the library, from disk if it was made before."""
    if not bundle_path():
        msg = "charts need altair and vl-convert: pip install 'podium[plots]'"
        raise MissingExtra(msg)
    kept = cache_folder().parent / Path(bundle_path()).name
    with _making:
        if not kept.exists():
            _write(kept, _made())
        return kept.read_bytes()


def _made() -> bytes:
    import vl_convert

    return str(vl_convert.javascript_bundle(SNIPPET)).encode()


def _write(path: Path, content: bytes) -> None:
    """Put a file in its place at once, so that no other process reads a part of it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)
