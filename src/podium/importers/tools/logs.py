"""Logs of tools, recognised by what a file or a folder holds.

A folder is looked through with all folders in it. Its files may be of one tool
only: two tools in one folder would be two evaluations.
"""

import importlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from podium.errors import DataError
from podium.importers import delimited, jsontext
from podium.importers.cells import ABSENT, Cells
from podium.importers.columns import PARTS, interpret
from podium.importers.delimited import SEPARATORS, first_line
from podium.importers.files import FOLDER, File, ending_of
from podium.importers.jsontext import parse, parse_document
from podium.importers.options import Found, Options
from podium.importers.tables import Table
from podium.importers.tools.rows import tool_of, understood
from podium.words import counted, listed

NAMES = {"run_spec.json": "helm"}
ENDINGS = {".eval": "inspect_logs", ".pgn": "pgn"}
DOCUMENTS = ("lm_eval", "inspect_logs", "fastchess")
"""Modules here that know their JSON documents, by `is_document(content)`."""

MOST = 100_000
"""Files above which a folder is taken for something else."""

_KNOWN = (
    "lm-evaluation-harness, Inspect, HELM, AlpacaEval, LiveBench, MT-bench, fastchess, "
    "Chatbot Arena, or PGN"
)


class Log(NamedTuple):
    """A file of a tool, with its content where that was parsed to know the tool."""

    file: File
    content: Any = None


def read(file: File, options: Options) -> Found:
    """Read a folder, or a file that a tool's ending or name gives away."""
    if file.ending == ".csv" and not _tool("livebench").fits(file):
        return delimited.read(file, options)
    return interpret_log(_read(file, options), options)


def read_table(file: File, options: Options) -> Table:
    """Read the rows of a folder or a file, without asking what they mean."""
    if file.ending == ".csv" and not _tool("livebench").fits(file):
        return delimited.read_table(file, options)
    return _read(file, options)


def interpret_log(table: Table, options: Options) -> Found:
    """Read what a module here made; columns that were only to tell rows apart are done with."""
    wanted = PARTS | {*options.terms, *options.columns.values()}
    columns = {name: column for name, column in table.columns.items() if name in wanted}
    return interpret(replace(table, columns=columns), options)


def of_document(file: File, content: object, options: Options) -> Table | None:
    """Read a JSON document if a tool wrote it."""
    tool = _document_tool(content)
    return None if tool is None else _made(tool, [Log(file, content)], file.name, options)


def _tool(name: str) -> Any:
    return importlib.import_module(f"podium.importers.tools.{name}")


def _document_tool(content: object) -> str | None:
    if not isinstance(content, dict):
        return None
    return next((name for name in DOCUMENTS if _tool(name).is_document(content)), None)


def _made(name: str, logs: Sequence[Log], source: str, options: Options) -> Table:
    """Let a module read logs."""
    tool = _tool(name)
    table: Table = tool.read_logs(logs, source, options)
    return replace(table, chosen=tool.METRICS)


def _read(file: File, options: Options) -> Table:
    if file.ending != FOLDER:
        name = ENDINGS.get(file.ending, "livebench")
        return _made(name, [Log(file)], file.name, options)
    source = file.path.name or str(file.path)
    found, unknown = _sorted_out(file.path)
    if {"alpaca_eval", "alpaca_board"} <= found.keys():
        unknown += [log.file.name for log in found.pop("alpaca_board")]
    if len(found) != 1:
        raise DataError(_not_one(file, found, unknown))
    (name, logs), *_ = found.items()
    if hasattr(_tool(name), "read_logs"):
        table = _made(name, logs, source, options)
    else:
        table = understood(_stacked(source, [_rows(log, options) for log in logs]), options)
    return replace(table, notes=table.notes + _left_out(unknown))


def _left_out(names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        return ()
    return (f"left out {counted(len(names), 'file')} that hold other things: {listed(names, 3)}",)


def _not_one(folder: File, found: Mapping[str, Sequence[Log]], unknown: Sequence[str]) -> str:
    """Say what a folder holds, if not the logs of one tool."""
    if not found:
        held = f"holds {listed(unknown, 5)}" if unknown else "holds no such file"
        return (
            f"{folder.path} is a folder without logs that podium knows ({held}); give one file, "
            f"or a folder of logs of {_KNOWN}"
        )
    parts = [f"{_tool(name).NAME} ({logs[0].file.name})" for name, logs in found.items()]
    return f"{folder.path} holds logs of {' and of '.join(parts)}; give a folder or file of one"


def _sorted_out(folder: Path) -> tuple[dict[str, list[Log]], list[str]]:
    """Find the files of each tool, and those that are of none."""
    found: dict[str, list[Log]] = {}
    files = list(_files(folder))
    rest = []
    for file in files:
        name = _named(file)
        if name is None:
            rest.append(file)
        else:
            found.setdefault(name, []).append(Log(file))
    if found.keys() & {"helm", "livebench"}:  # what else is in such a folder is known by its name
        return found, []
    unknown = []
    for file in rest:
        content = parse_document(file.name, file.text) if file.ending == ".json" else None
        name = _by_content(file, content)
        if name is None:
            unknown.append(file.name)
        else:
            found.setdefault(name, []).append(Log(file, content))
    beside = _tool("lm_eval").is_beside
    return found, [
        name for name in unknown if "lm_eval" not in found or not beside(PurePath(name).name)
    ]


def _files(folder: Path) -> Iterator[File]:
    """Go through the files of a folder whose endings podium knows, hidden ones left out."""
    paths = list(itertools.islice(folder.rglob("*"), MOST + 1))
    if len(paths) > MOST:
        msg = f"{folder} is a folder of more than {MOST:,} files; give the folder of the logs"
        raise DataError(msg)
    for path in sorted(paths):
        inside = path.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or not path.is_file():
            continue
        try:
            ending, packed = ending_of(path)
        except DataError:  # podium reads no such files
            continue
        yield File(path, ending, packed, inside.as_posix())


def _named(file: File) -> str | None:
    """Tell the tool by the name of a file alone."""
    if file.ending == ".csv":
        return "livebench" if _tool("livebench").fits(file) else None
    return NAMES.get(file.path.name, ENDINGS.get(file.ending))


def _by_content(file: File, content: object) -> str | None:
    """Tell the tool by a JSON document, or by the columns of rows."""
    if isinstance(content, dict):
        return _document_tool(content)
    columns: Iterable[str] = ()
    if isinstance(content, list) and content and isinstance(content[0], dict):
        columns = content[0]
    elif file.ending in (".jsonl", ".ndjson"):
        line = first_line(file)
        row = parse(f"{file.name}, line 1", line) if line.strip() else None
        columns = row if isinstance(row, dict) else ()
    elif file.ending in SEPARATORS:
        columns = [name.strip('"') for name in first_line(file).split(SEPARATORS[file.ending])]
    tool = tool_of(columns)
    return None if tool is None else str(tool.__name__.rpartition(".")[2])


def _rows(log: Log, options: Options) -> Table:
    """Read the rows of a file."""
    if log.content is not None:
        return jsontext.table_of(log.file.name, log.content)
    if log.file.ending in SEPARATORS:
        return delimited.exact_table(log.file, options)
    return jsontext.read_table(log.file, options)


def _stacked(source: str, tables: Sequence[Table]) -> Table:
    """Put the rows of several files below one another."""
    names = dict.fromkeys(name for table in tables for name in table.columns)
    columns = {
        name: Cells(
            [
                cell
                for table in tables
                for cell in (
                    table.columns[name].cells() if name in table.columns else [ABSENT] * table.size
                )
            ]
        )
        for name in names
    }
    places = [(table, row) for table in tables for row in range(table.size)]
    return Table(
        source=source,
        columns=columns,
        size=len(places),
        place=lambda row: f"{places[row][0].source}, {places[row][0].place(places[row][1])}",
        notes=tuple(f"{table.source}: {note}" for table in tables for note in table.notes),
    )
