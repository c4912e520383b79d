"""CSV and TSV files.

Python's own reader defines what a file holds, since it knows the line of each
record. Large files go through DuckDB, which is faster; it is given only files
that both read alike, and where it complains, Python's reader has the word.
"""

import codecs
import csv
import io
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.columns import interpret
from podium.importers.files import File, check_bytes, check_start, refuse_byte
from podium.importers.options import Found, Options
from podium.importers.tables import Table, shown
from podium.words import counted, listed

LARGE = 1 << 21
"""Files above this many bytes go through DuckDB."""

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_WORDS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def read(file: File, options: Options) -> Found:
    """Read a CSV or TSV file."""
    return interpret(read_table(file, options), options)


def read_table(file: File, options: Options) -> Table:
    """Read the columns of a CSV or TSV file, without asking what they mean."""
    if file.path.stat().st_size * (8 if file.packed else 1) > LARGE:
        table = _fast_table(file)
        if table is not None:
            return table
    return exact_table(file, options)


def _fast_table(file: File) -> Table | None:
    """Read a file by DuckDB, or not at all where it may read it unlike Python."""
    from podium.importers.duck import read_delimited

    survey = _survey(file)
    if not survey.plain:
        return None
    header = _header(file)
    table = read_delimited(file, header, SEPARATORS[file.ending])
    if table is None or not table.size:
        return None
    # DuckDB takes an empty field too many at the end of a line; such a file has more separators.
    exact = survey.separators == (len(header) - 1) * (table.size + 1)
    return table if exact or not survey.open_ends else None


def plain_header(file: File) -> list[str] | None:
    """Give the header of a file that DuckDB splits as Python does; None for others."""
    from podium.importers.duck import count_delimited

    survey = _survey(file)
    if not survey.plain:
        return None
    header = _header(file)
    if not survey.open_ends:
        return header
    size = count_delimited(file, header, SEPARATORS[file.ending])
    return header if survey.separators == (len(header) - 1) * (size + 1) else None


def exact_table(file: File, options: Options) -> Table:
    """Read a file record by record, knowing the line of each."""
    check_bytes(file, file.content)
    records = _records(file, file.content.decode("utf-8-sig"))
    line, header = next(records)
    check_header(file, header, line)
    rows, lines, ragged = [], [], []
    for line, record in records:
        if len(record) == len(header):
            rows.append(record)
            lines.append(line)
        elif options.skip_bad_rows:
            ragged.append(line)
        else:
            raise DataError(_ragged(file, line, record, header))
    if not rows:
        msg = f"{file.name} holds a header and no {'good ' if ragged else ''}rows; give some"
        raise DataError(msg)
    first = f"the first at line {ragged[0]}, with another number of fields" if ragged else ""
    return Table(
        source=file.name,
        columns=dict(zip(header, map(Cells, zip(*rows, strict=True)), strict=True)),
        size=len(rows),
        place=lambda row: f"line {lines[row]}",
        notes=(f"{counted(len(ragged), 'bad row')} skipped, {first}",) if ragged else (),
    )


def first_line(file: File) -> str:
    """Read the first line of a file, to tell what the file is."""
    start = next(file.blocks(), b"").partition(b"\n")[0]
    return start.decode("utf-8-sig", errors="replace").removesuffix("\r")


def line_of_record(file: File, row: int) -> int:
    """Find the line on which a record starts."""
    records = _records(file, file.content.decode("utf-8-sig"))
    next(records)
    return next(line for number, (line, _) in enumerate(records) if number == row)


def _records(file: File, text: str) -> Iterator[tuple[int, list[str]]]:
    """Go through the line and the fields of each record; blank lines are no records."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=SEPARATORS[file.ending], strict=True
    )
    limit = csv.field_size_limit(sys.maxsize)
    start = 1
    try:
        for record in reader:
            if len(record) > 1 or (record and record[0].strip()):
                yield start, record
            start = reader.line_num + 1
    except csv.Error as error:
        what = "a quote opens and never closes" if "end of data" in str(error) else str(error)
        msg = f"{file.name}, line {start}: {what}; double the quotes inside a quoted field"
        raise DataError(msg) from None
    finally:
        csv.field_size_limit(limit)


def check_header(file: File, header: Sequence[str], line: int = 1) -> None:
    """Demand a header with distinct names, separated as the ending says."""
    separator = SEPARATORS[file.ending]
    others = [mark for mark in _WORDS if mark != separator and mark in header[0]]
    if len(header) == 1 and others:
        msg = (
            f"{file.name}, line {line}, is separated by {_WORDS[others[0]]}; {file.ending} means "
            f"{_WORDS[separator]}, so separate the fields by these"
            f"{', or name it .tsv' if others[0] == chr(9) else ''}"
        )
        raise DataError(msg)
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        msg = f"{file.name}, line {line}, names column {listed(twice)} twice; rename one"
        raise DataError(msg)


def _ragged(file: File, line: int, record: Sequence[str], header: Sequence[str]) -> str:
    more = len(record) > len(header)
    extra = f", the first beyond the header is {shown(record[len(header)])}" if more else ""
    hint = "quote a field that holds the separator" if more else "write all separators"
    return (
        f"{file.name}, line {line}, has {counted(len(record), 'field')}{extra}; "
        f"the header has {len(header)}, so {hint}"
    )


def _header(file: File) -> list[str]:
    """Read the header of a file that has been found plain."""
    with file.open() as stream:
        text = stream.readline().decode("utf-8-sig")
    _, header = next(_records(file, text))
    check_header(file, header)
    return header


class _Survey(NamedTuple):
    """What the bytes of a file tell.

    Attributes:
        plain: Whether DuckDB splits such a file into fields as Python does: no
            quotes beside blanks, lines that start with a blank, returns without
            a line end, nor a header of several lines.
        separators: How many there are, in quotes or not.
        open_ends: Whether a line may end with an empty field.
    """

    plain: bool
    separators: int
    open_ends: bool


def _survey(file: File) -> _Survey:
    """Check all bytes of a file, block by block."""
    mark = SEPARATORS[file.ending].encode()
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    lines, separators, plain, open_ends = 1, 0, True, False
    before = b""
    for block in file.blocks():
        if not before:
            check_start(file, block)
            first = block.removeprefix(codecs.BOM_UTF8).partition(b"\n")[0]
            plain = b"\n" in block and b'"' not in first and bool(first.strip())
        _check_block(file, decoder, block, lines)
        lines += block.count(b"\n")
        separators += block.count(mark)
        window = before[-2:] + block
        plain = plain and not _differs(window)
        open_ends = open_ends or any(mark + end in window for end in (b"\n", b"\r", b'""'))
        before = block
    if held := decoder.getstate()[0]:
        refuse_byte(file, held[0], lines)
    return _Survey(
        plain and not before.endswith(b"\r"), separators, open_ends or before.endswith(mark)
    )


def _check_block(file: File, decoder: codecs.IncrementalDecoder, block: bytes, line: int) -> None:
    """Demand UTF-8 without NUL in a block that starts on a line."""
    try:
        decoder.decode(block)
    except UnicodeDecodeError as error:
        held = len(error.object) - len(block)  # bytes of the block before
        ends = block.count(b"\n", 0, max(error.start - held, 0))
        refuse_byte(file, error.object[error.start], line + ends)
    if b"\0" in block:
        refuse_byte(file, 0, line + block.count(b"\n", 0, block.index(b"\0")))


def _differs(window: bytes) -> bool:
    returns = window.removesuffix(b"\r").count(b"\r")
    if returns and returns != window.count(b"\r\n"):
        return True
    return any(mark in window for mark in (b' "', b'" ', b'\t"', b'"\t', b"\n "))
