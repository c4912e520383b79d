"""Files: which format a path names, and bytes that are checked before they are read."""

import codecs
import difflib
import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from podium.errors import DataError
from podium.words import counted, listed

READERS = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".jsonl": "jsontext",
    ".ndjson": "jsontext",
    ".json": "jsontext",
    ".parquet": "columnar",
    ".soc": "preflib",
    ".soi": "preflib",
    ".toc": "preflib",
    ".toi": "preflib",
    ".npz": "games",
    ".eval": "tools.logs",
    ".pgn": "tools.logs",
}
"""File endings to the module here whose `read(file, options)` reads them."""

FOLDER = "/"
"""What stands for the ending of a folder."""

BINARY = (".parquet", ".npz", ".eval")

_ADVICE = {
    ".cat": "PrefLib categories are not orders; give a .soc, .soi, .toc or .toi file",
    ".wmd": "PrefLib matching data are not orders; give a .soc, .soi, .toc or .toi file",
    ".dat": "old PrefLib files are not read; give a .soc, .soi, .toc or .toi file",
    ".xlsx": "save the sheet as CSV (UTF-8)",
    ".xls": "save the sheet as CSV (UTF-8)",
    ".ods": "save the sheet as CSV (UTF-8)",
    ".zip": "unpack it, or pack the one file with gzip",
    ".bz2": "unpack it, or pack it with gzip",
    ".xz": "unpack it, or pack it with gzip",
    ".zst": "unpack it, or pack it with gzip",
}
_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
    b"\x1f\x8b": "gzip-packed",
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"PAR1": "Parquet",
}
_GZIP = b"\x1f\x8b"
_BLOCK = 1 << 22


@dataclass(frozen=True)
class File:
    """A file that is there, with the ending that says its format.

    Attributes:
        path: Where it is.
        ending: Its ending in lower case, without `.gz`.
        packed: Whether it is packed with gzip.
        label: What messages call it, where that is more than its name.
    """

    path: Path
    ending: str
    packed: bool = False
    label: str = ""

    @property
    def name(self) -> str:
        """What messages call the file."""
        return self.label or self.path.name

    @cached_property
    def content(self) -> bytes:
        """All bytes, unpacked."""
        return b"".join(self.blocks())

    def blocks(self) -> Iterator[bytes]:
        """Read the bytes block by block, unpacked."""
        with self.open() as stream:
            while block := self._next(stream):
                yield block

    def open(self) -> IO[bytes]:
        """Open the file, unpacking it where it is packed."""
        try:
            stream = self.path.open("rb")
        except OSError as error:
            msg = f"{self.name} cannot be opened: {error.strerror or error}"
            raise DataError(msg) from None
        if not self.packed:
            return stream
        import gzip

        if stream.read(2) != _GZIP:
            stream.close()
            msg = f"{self.name} is not packed with gzip; take .gz off its name, or pack it"
            raise DataError(msg)
        stream.close()
        return gzip.open(self.path)  # type: ignore[return-value] # a GzipFile reads bytes

    def _next(self, stream: IO[bytes]) -> bytes:
        import zlib

        try:
            return stream.read(_BLOCK)
        except (EOFError, OSError, zlib.error) as error:
            hint = "it is cut off or damaged" if self.packed else str(error)
            msg = f"{self.name} cannot be read to its end: {hint}"
            raise DataError(msg) from None

    @property
    def text(self) -> str:
        """All text, checked, without a byte order mark."""
        check_bytes(self, self.content)
        return self.content.decode("utf-8-sig")


def files_of(source: Any) -> list[File] | None:
    """Find the files that are meant, those of a pattern in order; None for other sources."""
    if isinstance(source, list | tuple):
        parts = [files_of(part) for part in source]
        if not parts or None in parts:
            msg = f"a list of {counted(len(source), 'source')} came; list one or more files"
            raise DataError(msg)
        return [file for part in parts for file in part or ()]
    if not isinstance(source, str | os.PathLike) or "://" in str(source):
        return None
    path = Path(source).expanduser()
    if is_pattern(path):
        base = Path(path.anchor or ".")
        found = base.glob(str(path.relative_to(path.anchor)))
        files = sorted(one for one in found if one.is_file() and not one.name.startswith("."))
        if not files:
            msg = f"no file fits {str(source)!r}; check the pattern"
            raise DataError(msg)
        return [find_file(one) for one in files]
    return None if is_bare(path) else [find_file(path)]


def is_many(source: Any) -> bool:
    """Tell whether a source is a list of files or a pattern for them."""
    if isinstance(source, list | tuple):
        return bool(source) and all(isinstance(part, str | os.PathLike) for part in source)
    return isinstance(source, str | os.PathLike) and is_pattern(source)


def is_pattern(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path stands for many files.

    >>> is_pattern("logs/*.csv"), is_pattern("logs/a.csv")
    (True, False)
    """
    try:
        return glob.has_magic(str(path)) and not Path(path).exists()
    except (OSError, ValueError):  # no path at all, as reading it will tell
        return False


def is_bare(path: Path) -> bool:
    """Tell whether a path is a mere name, which bundled data go by, and no file has it."""
    return len(path.parts) == 1 and not path.suffix and not path.exists()


def find_file(source: str | Path) -> File:
    """Find a file by its path, and its format by its ending."""
    path = Path(source).expanduser()
    _check_there(path)
    if path.is_dir():
        return File(path, FOLDER)
    return File(path, *ending_of(path))


def is_log(file: File) -> bool:
    """Tell folders, and files that have the name of a tool's file, from others."""
    return file.ending == FOLDER or re.fullmatch(r"table_[0-9_]+\.csv", file.path.name) is not None


def ending_of(path: Path) -> tuple[str, bool]:
    """Name the ending that says the format, and whether the file is packed.

    >>> ending_of(Path("scores.CSV.gz"))
    ('.csv', True)
    """
    endings = [ending.lower() for ending in path.suffixes]
    packed = endings[-1:] == [".gz"]
    ending = (endings[:-1] if packed else endings)[-1:] or [""]
    if ending[0] in READERS and not (packed and ending[0] in BINARY):
        return ending[0], packed
    if packed and ending[0] in BINARY:
        msg = f"{path.name}: only text formats may be .gz; give a plain {ending[0]} file"
        raise DataError(msg)
    ways = f"give {listed(READERS, 40)}, one of the text formats as .gz, or a folder of logs"
    hint = _ADVICE.get(ending[0], ways)
    msg = f"{path.name} ends in {ending[0]!r}, which podium does not know; {hint}"
    raise DataError(msg)


def _check_there(path: Path) -> None:
    try:
        if path.exists():
            return
        beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    except (OSError, ValueError) as error:
        msg = f"{str(path)[:80]!r} is no usable path: {error}"
        raise DataError(msg) from None
    near = difflib.get_close_matches(path.name, beside, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "check the path"
    msg = f"there is no file {str(path)!r}; {hint}"
    raise DataError(msg)


def check_bytes(file: File, content: bytes) -> None:
    """Demand text in UTF-8: not empty, not another encoding, no NUL."""
    check_start(file, content)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        refuse_byte(file, content[error.start], line)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        refuse_byte(file, 0, line)


def check_start(file: File, content: bytes) -> None:
    """Refuse a file that is empty or begins like something that is not UTF-8 text."""
    if not content.strip(b" \t\r\n\xef\xbb\xbf"):
        msg = f"{file.name} is empty; give a file with data"
        raise DataError(msg)
    for mark, what in _MARKS.items():
        if content.startswith(mark):
            msg = f"{file.name} is {what}; give text in UTF-8 that fits its ending {file.ending}"
            raise DataError(msg)


def refuse_byte(file: File, byte: int, line: int) -> None:
    """Refuse a byte that is no part of UTF-8 text."""
    what = "a NUL byte" if not byte else f"byte 0x{byte:02x}, which is not UTF-8"
    msg = f"{file.name}, line {line}, holds {what}; give text in UTF-8"
    raise DataError(msg)
