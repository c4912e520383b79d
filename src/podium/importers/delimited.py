"""CSV and TSV files.

Python's own reader defines what a file holds, since it knows the line of each
record. Large files go through DuckDB, which is faster; it is given only files
that both read alike, and where it complains, Python's reader has the word.
"""

import csv
import io
import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.columns import interpret
from podium.importers.files import File, check_bytes
from podium.importers.options import Found, Options
from podium.importers.surveying import survey
from podium.importers.tables import Table, shown, skip_note
from podium.words import counted, listed

LARGE = 1 << 21
"""Files above this many bytes go through DuckDB."""

PART = 1 << 17
"""Records of a large file that are looked at together."""

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

    separator = SEPARATORS[file.ending]
    found = survey(file, separator)
    if not found.plain:
        return None
    header = read_header(file)
    table = read_delimited(file, header, separator)
    if table is None or not table.size:
        return None
    # DuckDB takes an empty field too many at the end of a line; such a file has more separators.
    exact = found.separators == (len(header) - 1) * (table.size + 1)
    return table if exact or not found.open_ends else None


def is_plain(file: File) -> bool:
    """Check all bytes of a file, and tell whether DuckDB splits it as Python does."""
    from podium.importers.duck import count_delimited

    separator = SEPARATORS[file.ending]
    found = survey(file, separator)
    if not found.plain or not found.open_ends:
        return found.plain
    header = read_header(file)
    size = count_delimited(file, header, separator)
    return found.separators == (len(header) - 1) * (size + 1)


def exact_table(file: File, options: Options) -> Table:
    """Read a file record by record, knowing the line of each."""
    check_bytes(file, file.content)
    records = _records(file, io.StringIO(file.content.decode("utf-8-sig"), newline=""))
    header = _checked_header(file, records)
    table = _table(file, header, records, skip=options.skip_bad_rows)
    if not table.size:
        msg = f"{file.name} holds a header and no {'good ' * bool(table.notes)}rows; give some"
        raise DataError(msg)
    return table


def exact_tables(file: File, *, skip: bool) -> Iterator[Table]:
    """Read a file of any size record by record, its bytes being checked already.

    Args:
        file: The file.
        skip: Leave records with another number of fields out, instead of refusing them.
    """
    with _opened(file) as text:
        records = _records(file, text)
        header = _checked_header(file, records)
        while part := [*itertools.islice(records, PART)]:
            yield _table(file, header, part, skip=skip)


def _table(
    file: File, header: Sequence[str], records: Iterable[tuple[int, list[str]]], *, skip: bool
) -> Table:
    rows, lines, ragged = [], [], []
    for line, record in records:
        if len(record) == len(header):
            rows.append(record)
            lines.append(line)
        elif skip:
            ragged.append(line)
        else:
            raise DataError(_ragged(file, line, record, header))
    columns = zip(*rows, strict=True) if rows else [()] * len(header)
    first = f"the first at line {ragged[0]}, with another number of fields" if ragged else ""
    return Table(
        source=file.name,
        columns=dict(zip(header, map(Cells, columns), strict=True)),
        size=len(rows),
        place=lambda row: f"line {lines[row]}",
        notes=(skip_note(len(ragged), first),) if ragged else (),
    )


def first_line(file: File) -> str:
    """Read the first line of a file, to tell what the file is."""
    start = next(file.blocks(), b"").partition(b"\n")[0]
    return start.decode("utf-8-sig", errors="replace").removesuffix("\r")


def line_of_record(file: File, row: int) -> int:
    """Find the line on which a record starts."""
    with _opened(file) as text:
        lines = (line for line, _ in _records(file, text))
        return next(itertools.islice(lines, row + 1, None))


def _opened(file: File) -> io.TextIOWrapper:
    return io.TextIOWrapper(file.open(), encoding="utf-8-sig", newline="")


def _records(file: File, text: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Go through the line and the fields of each record; blank lines are no records."""
    reader = csv.reader(text, delimiter=SEPARATORS[file.ending], strict=True)
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


def read_header(file: File) -> list[str]:
    """Read the header of a file whose bytes have been checked."""
    with _opened(file) as text:
        return _checked_header(file, _records(file, text))


def _checked_header(file: File, records: Iterator[tuple[int, list[str]]]) -> list[str]:
    line, header = next(records, (0, []))
    if not header:
        msg = f"{file.name} holds only blanks; give a file with data"
        raise DataError(msg)
    check_header(file, header, line)
    return header
