"""Tables of LiveBench: `table_<date>.csv`, a model a row and a task a column, from 0 to 100.

`categories_<date>.json` beside it says which tasks make a category; the overall
score of LiveBench is the mean of the categories, so a task weighs as little as
its category is large.
"""

import re
from collections.abc import Sequence
from pathlib import PurePath

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.delimited import exact_table, first_line
from podium.importers.files import File
from podium.importers.jsontext import parse
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.livebench_judgments import EVEN, even_weights
from podium.importers.tools.logs import Log
from podium.importers.tools.nodes import Node
from podium.words import counted, listed

NAME = "LiveBench"
METRICS = False

NAMED = re.compile(r"table_(\d{4}_\d\d_\d\d)\.csv")


def fits(file: File) -> bool:
    """Tell a table by its name and its first column."""
    return NAMED.fullmatch(file.path.name) is not None and first_line(file).startswith("model,")


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read the newest of some tables; each release has tasks of its own."""
    dates = {_date(log.file): log.file for log in logs}
    if len(dates) < len(logs):
        names = [log.file.name for log in logs]
        msg = f"{source} holds two tables of one date among {listed(names)}; give one of them"
        raise DataError(msg)
    date = max(dates)
    older = len(logs) - 1
    told = f"read {dates[date].name}, and left {counted(older, 'older table')} out"
    return _long(dates[date], source, date, options, (told,) if older else ())


def _date(file: File) -> str:
    found = NAMED.fullmatch(file.path.name)
    return found[1] if found else ""


def _long(file: File, source: str, date: str, options: Options, notes: tuple[str, ...]) -> Table:
    """Lay the table out with one score a row."""
    wide = exact_table(file, options)
    names = list(wide.columns)
    tasks, models = names[1:], wide.columns["model"].cells()
    size = len(models)
    columns = {
        "task": Cells([task for task in tasks for _ in models]),
        "agent": Cells([*models] * len(tasks)),
        "score": Cells([cell for task in tasks for cell in wide.columns[task].cells()]),
    }
    categories = _categories(file, date, tasks)
    if categories:
        told = [categories[task] for task in tasks for _ in models]
        columns["category"] = Cells(told)
        columns["weight"] = Cells(even_weights(columns["task"].values, told))
    return Table(
        source=source,
        columns=columns,
        size=size * len(tasks),
        place=lambda row: f"{wide.place(row % size)}, {tasks[row // size]!r}",
        notes=(*wide.notes, *notes, *((EVEN,) if categories else ())),
    )


def _categories(file: File, date: str, tasks: Sequence[str]) -> dict[str, str]:
    """Read the category of each task, if the file that says so is there."""
    path = file.path.with_name(f"categories_{date}.json")
    if not path.is_file():
        return {}
    name = str(PurePath(file.name).with_name(path.name))
    top = Node(name, parse(name, File(path, ".json", label=name).text))
    found = {task.text: category for category, inside in top.parts.items() for task in inside}
    for task in tasks:
        if task not in found:
            msg = f"{name}, names no category of {task!r}; name all tasks of {file.name}"
            raise DataError(msg)
    return found
