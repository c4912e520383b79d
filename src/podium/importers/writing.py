"""Writing values to files, in the format that the ending names."""

import os
import tempfile
from collections.abc import Callable
from os import PathLike
from pathlib import Path

import numpy as np

from podium.data.convert import Data, convert
from podium.data.game import Game
from podium.data.profile import Profile
from podium.errors import DataError
from podium.importers.files import ending_of
from podium.importers.games import parts_of_game
from podium.importers.layout import NUMERIC, Columns, columns_of
from podium.importers.preflib import ENDINGS, write_preflib
from podium.words import listed


def write(data: Data, path: str | PathLike[str]) -> Path:
    """Write data to a file; `podium.read` gives an equal value back.

    Scores, matches and ballots go to .csv, .tsv, .jsonl, .json and .parquet,
    games to .npz and .json. Ballots, or data that have ballots, go to PrefLib's
    .soc, .soi, .toc and .toi, of which only the most restrictive fits; equal
    orders are added up there. Text may be packed (.gz). Agents and tasks are
    listed anew in the order in which rows name them. A cell of a CSV file that
    starts with =, +, - or @ is written as it is; a spreadsheet may take it for
    a formula.

    Args:
        data: What to write.
        path: The file; what was there before is replaced at the end.

    Returns:
        The path of the file.
    """
    target = Path(path).expanduser()
    ending, packed = ending_of(target)
    if isinstance(data, Game):
        content = _game(data, target, ending)
    elif ending in ENDINGS:
        content = write_preflib(convert(data, Profile), target, ending).encode()
    elif ending in _TABLES:
        content = _TABLES[ending](columns_of(data, target.name))
    else:
        only = "only a game" if ending == ".npz" else "nothing"
        msg = (
            f"{target.name}: {only} is written as {ending}; give {listed([*_TABLES, *ENDINGS], 20)}"
        )
        raise DataError(msg)
    if packed:
        import gzip

        content = gzip.compress(content, mtime=0)
    _replace(target, content)
    return target


def _replace(target: Path, content: bytes) -> None:
    """Put content in place of a file, or change nothing."""
    try:
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            umask = os.umask(0)
            os.umask(umask)
            Path(beside).chmod(0o666 & ~umask)  # as a file opened in the usual way
            Path(beside).replace(target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror or error}"
        raise DataError(msg) from None


def _game(data: Game, target: Path, ending: str) -> bytes:
    import io
    import json

    parts = parts_of_game(data)
    if ending == ".npz":
        buffer = io.BytesIO()
        np.savez(buffer, **parts)
        return buffer.getvalue()
    if ending == ".json":
        lists = {name: part.tolist() for name, part in parts.items()}
        return json.dumps(lists, ensure_ascii=False).encode()
    msg = f"{target.name}: a game is written as .npz or .json"
    raise DataError(msg)


def _delimited(columns: Columns, separator: str) -> bytes:
    import csv
    import io

    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    if any(isinstance(c, str) and "\r" in c for cells in columns.values() for c in cells):
        # Left to itself the writer does not quote a return that stands alone.
        writer = csv.writer(buffer, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return buffer.getvalue().encode()


def _json(columns: Columns) -> bytes:
    return b"[\n" + b",\n".join(_objects(columns)) + b"\n]\n"


def _json_lines(columns: Columns) -> bytes:
    return b"\n".join([*_objects(columns), b""])


def _objects(columns: Columns) -> list[bytes]:
    import json

    rows = zip(*columns.values(), strict=True)
    return [
        json.dumps(
            dict(zip(columns, row, strict=True)), ensure_ascii=False, allow_nan=False
        ).encode()
        for row in rows
    ]


def _parquet(columns: Columns) -> bytes:
    from podium.importers.duck import parquet_bytes

    numbers = {name for name, cells in columns.items() if isinstance(cells[0], float)}
    return parquet_bytes(columns, (NUMERIC & columns.keys()) | numbers)


_TABLES: dict[str, Callable[[Columns], bytes]] = {
    ".csv": lambda columns: _delimited(columns, ","),
    ".tsv": lambda columns: _delimited(columns, "\t"),
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
}
