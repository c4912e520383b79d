"""JSON and JSON lines: rows, columns, and games."""

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from podium.errors import DataError
from podium.importers.cells import ABSENT, Cells
from podium.importers.columns import interpret
from podium.importers.files import File
from podium.importers.options import Found, Options
from podium.importers.tables import Table, shown, skip_note
from podium.words import listed

LARGE = 1 << 21
"""Files above this many bytes are read fast where they are plain."""

SHAPES = "a list of rows such as [{...}, ...], columns such as {'task': [...], ...}, or a game"


def read(file: File, options: Options) -> Found:
    """Read a JSON or JSON lines file."""
    if file.ending != ".json":
        return interpret(read_table(file, options), options)
    content = parse_document(file.name, file.text)
    if isinstance(content, dict) and "payoff_1" in content:
        from podium.importers.games import game_of_parts

        options.check_kind(file.name, "game")
        options.check_no_metric(file.name)
        return game_of_parts(file.name, content)
    log = _log(file, content, options)
    if log is not None:
        from podium.importers.tools.logs import interpret_log

        return interpret_log(log, options)
    return interpret(table_of(file.name, content), options)


def _log(file: File, content: object, options: Options) -> Table | None:
    """Read a document of an evaluation tool, if it is one."""
    from podium.importers.tools.logs import of_document

    return of_document(file, content, options)


def read_table(file: File, options: Options) -> Table:
    """Read the columns of a JSON or JSON lines file, without asking what they mean."""
    if file.ending == ".json":
        content = parse_document(file.name, file.text)
        log = _log(file, content, options)
        return table_of(file.name, content) if log is None else log
    quick = _quick_rows(file.text) if len(file.content) > LARGE else None
    if quick and any(quick):
        return table_of_rows(file.name, quick, range(1, len(quick) + 1))
    lines: list[int] = []
    rows: list[dict[str, Any]] = []
    bad: list[str] = []
    for number, line in enumerate(file.text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(_object(file.name, number, line))
            lines.append(number)
        except DataError as error:
            if not options.skip_bad_rows:
                raise
            bad.append(str(error))
    if not any(rows):
        msg = f"{file.name} holds no rows; give one object a line"
        raise DataError(msg)
    notes = (skip_note(len(bad), f"the first: {bad[0]}"),) if bad else ()
    return table_of_rows(file.name, rows, lines, notes)


def _quick_rows(text: str) -> list[dict[str, Any]] | None:
    """Read many rows fast, or give up where a line is not one object with distinct names."""
    import msgspec

    try:
        rows = msgspec.json.Decoder(dict[str, Any]).decode_lines(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    # As many colons as names: then no name was lost to another of the same object.
    if text.count(":") != sum(map(len, rows)):
        return None
    starts = text.startswith("{") + text.count("\n{")
    return rows if len(rows) == starts == text.rstrip("\n").count("\n") + 1 else None


def _object(source: str, number: int, line: str) -> dict[str, Any]:
    row = parse(f"{source}, line {number}", line)
    if not isinstance(row, dict):
        msg = f"{source}, line {number}, holds {shown(row)}; give one object a line"
        raise DataError(msg)
    return row


def parse_document(source: str, text: str) -> Any:
    """Parse a JSON document; rows are parsed fast where no name can have been lost."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return parse(source, text)
    flat = isinstance(content, list) and all(isinstance(row, dict) for row in content)
    if flat and text.count(":") == sum(map(len, content)):
        return content
    return parse(source, text)


def parse(source: str, text: str) -> Any:
    """Parse JSON text, refusing what would be lost or cannot be meant."""
    try:
        return _STRICT.decode(text)
    except json.JSONDecodeError as error:
        place = f"{source}, line {error.lineno}" if "\n" in text.strip() else source
        msg = f"{place}, character {error.colno}: {error.msg}; give valid JSON"
    except RecursionError:
        msg = f"{source} is nested too deeply; give {SHAPES}"
    except ValueError as error:
        msg = f"{source}: {error}"
    raise DataError(msg)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = {name for name in names if names.count(name) > 1}
        msg = f"an object names {listed(sorted(twice))} twice; give each name once"
        raise ValueError(msg)
    return found


_STRICT = json.JSONDecoder(object_pairs_hook=_distinct)


def table_of(source: str, content: Any) -> Table:
    """Read rows or columns."""
    if isinstance(content, list) and content and all(isinstance(row, dict) for row in content):
        return table_of_rows(source, content)
    if isinstance(content, list) and content:
        row = next(n for n, row in enumerate(content) if not isinstance(row, dict))
        msg = f"{source}, row {row + 1}, is {shown(content[row])}; give {SHAPES}"
        raise DataError(msg)
    if isinstance(content, dict) and content:
        return table_of_columns(source, content)
    msg = f"{source} holds {shown(content)}; give {SHAPES}"
    raise DataError(msg)


def table_of_rows(
    source: str,
    rows: Sequence[Mapping[str, Any]],
    lines: Sequence[int] | None = None,
    notes: tuple[str, ...] = (),
) -> Table:
    """Lay rows side by side; a name that a row does not have is told apart from null."""
    names = dict.fromkeys(itertools.chain.from_iterable(rows))
    columns = {name: Cells([row.get(name, ABSENT) for row in rows]) for name in names}

    def place(row: int) -> str:
        return f"row {row + 1}" if lines is None else f"line {lines[row]}"

    return Table(source, columns, len(rows), place, notes=notes)


def table_of_columns(source: str, content: Mapping[str, Any]) -> Table:
    """Check columns of equal length."""
    for name, values in content.items():
        if not isinstance(values, list):
            msg = f"{source}, {name!r}, is {shown(values)}; give {SHAPES}"
            raise DataError(msg)
    sizes = {name: len(values) for name, values in content.items()}
    if len(set(sizes.values())) > 1 or not all(sizes.values()):
        msg = f"{source} has columns of lengths {sizes}; give one length above 0 to all"
        raise DataError(msg)
    columns = {name: Cells(values) for name, values in content.items()}
    return Table(source, columns, next(iter(sizes.values())), lambda row: f"row {row + 1}")
