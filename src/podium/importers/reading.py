"""Reading data, wherever they are."""

import importlib
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from podium.arrays import Ints
from podium.data.convert import KINDS
from podium.data.game import Game
from podium.data.roster import first_seen
from podium.errors import DataError
from podium.importers.cells import Remembered
from podium.importers.files import READERS, File, find_file, is_bare, is_log
from podium.importers.options import Found, Options
from podium.importers.tables import Table
from podium.words import unknown


def read(
    source: str | PathLike[str] | Any,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    skip_bad_rows: bool = False,
    on_conflict: str = "error",
    lower_is_better: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
    terms: Collection[str] = (),
    metric: str | Sequence[str] = (),
) -> Found:
    """Read scores, matches, ballots or a game.

    The kind is recognised by the ending of a file and by its columns. What is
    missing stays missing, and nothing else is guessed: a bad row is an error
    that says where it stands. What a reader should know stands in `.notes`.

    Args:
        source: A file, a folder of logs of one evaluation tool, a URL of a
            table in a database, the name of bundled data, or a frame of
            pandas, polars, pyarrow, DuckDB or Spark.
        kind: "scores", "summaries", "matches", "ballots" or "game"; None to
            recognise it.
        columns: Part of a row to the column that holds it, where its name is
            another: `columns={"agent": "model"}`.
        skip_bad_rows: Leave bad rows out and count them, instead of refusing them.
        on_conflict: What to do where one identifier (seed, instance, sample)
            has two values: "error", "mean", "first" or "last".
        lower_is_better: Tasks on which a low score is good.
        weights: Weights of tasks, in place of those of a column `weight`.
        terms: Columns of matches to keep, beside who met whom and how it
            ended: numbers, or labels such as a judge. `elo` estimates them.
        metric: Which metric of a tool's log is the score, where it has several;
            or some of them, of which each task takes the first that it has.

    Returns:
        Scores, Matches, Profile or Game.

    >>> import polars
    >>> read(polars.DataFrame({"ballot": ["a > b", "b > a = c"], "weight": [2, 1]}))
    Profile(3 agents, 2 ballots)
    """
    options = Options(
        kind=kind,
        columns=columns or {},
        skip_bad_rows=skip_bad_rows,
        on_conflict=on_conflict,
        lower_is_better=lower_is_better,
        weights=weights or {},
        terms=terms,
        metric=(metric,) if isinstance(metric, str) else tuple(metric),
    )
    file = _file(source)
    if file is not None:
        return _weighted(_module(file).read(file, options), options)
    return _weighted(_interpret(_table(source), options), options)


def read_by(source: str | PathLike[str] | Any, by: str, **how: Any) -> dict[str, Found]:
    """Read the rows of each value of a column apart.

    Args:
        source: What `read` takes, if it has rows.
        by: The column that tells the parts apart.
        **how: The options of `read`.

    Returns:
        The data of each value, in the order in which the values come.

    >>> import polars
    >>> frame = polars.DataFrame(
    ...     {"field": ["x", "y"], "task": ["s", "t"], "agent": ["a", "a"], "score": [1, 2]}
    ... )
    >>> {value: part.tasks for value, part in read_by(frame, "field").items()}
    {'x': ('s',), 'y': ('t',)}
    """
    metric = how.pop("metric", ())
    how["metric"] = (metric,) if isinstance(metric, str) else tuple(metric)
    options = Options(**{name: value for name, value in how.items() if value is not None})
    file = _file(source)
    if file is not None and not hasattr(_module(file), "read_table"):
        msg = f"{file.name} has no columns, so its ballots cannot be told apart by {by!r}"
        raise DataError(msg)
    table = _table(source) if file is None else _module(file).read_table(file, options)
    if by not in table.columns:
        msg = f"{table.source}: {unknown('column', by, table.columns)}"
        raise DataError(msg)
    from podium.importers.columns import PARTS

    codes, values = table.columns[by].names()
    rest = {name: Remembered(column) for name, column in table.columns.items()}
    if by not in PARTS:
        del rest[by]
    if (codes < 0).any():
        place = table.place(int((codes < 0).argmax()))
        msg = f"{table.source}, {place}, column {by!r} is empty or no text; fill it in every row"
        raise DataError(msg)
    rows = {value: (codes == code).nonzero()[0] for code, value in enumerate(values)}
    return _parts(replace(table, columns=rest), rows, options)


def _parts(table: Table, rows: Mapping[str, Ints], options: Options) -> dict[str, Found]:
    """Read each part; a task that options name need be in one part only."""
    bare = replace(options, weights={}, lower_is_better=())
    tasks = {name: _interpret(table.where(part), bare).tasks for name, part in rows.items()}
    every = first_seen(task for known in tasks.values() for task in known)
    for task in (*options.weights, *options.lower_is_better):
        if task not in every:
            raise DataError(unknown("task", task, every))
    found = {}
    for name, part in rows.items():
        weights = {t: weight for t, weight in options.weights.items() if t in tasks[name]}
        lower = [task for task in options.lower_is_better if task in tasks[name]]
        own = replace(options, weights=weights, lower_is_better=lower)
        found[name] = _weighted(_interpret(table.where(part), own), own)
    return found


def _file(source: Any) -> File | None:
    """Find the file that a source names, or the bundled file of that name."""
    if not isinstance(source, str | os.PathLike) or "://" in str(source):
        return None
    path = Path(source)
    return find_file(_bundled(str(source)) if is_bare(path) else path)


def _bundled(name: str) -> Path:
    from podium.bundled import SETS

    if name not in SETS.cards:
        msg = f"there is no file {name!r}, and {unknown('bundled data set', name, SETS.cards)}"
        raise DataError(msg)
    return Path(SETS[name].path)


def _module(file: File) -> Any:
    """Find the module that reads a file."""
    home = "tools.logs" if is_log(file) else READERS[file.ending]
    return importlib.import_module(f"podium.importers.{home}")


def _table(source: Any) -> Table:
    """See a frame, or the table that a URL names, as a table."""
    if isinstance(source, str):
        from podium.importers.databases import read_database

        return read_database(source)
    if isinstance(source, tuple(KINDS)):
        msg = f"{type(source).__name__} came, which is data already; use it as it is"
        raise DataError(msg)
    from podium.importers.frames import read_frame

    return read_frame(source)


def _interpret(table: Table, options: Options) -> Found:
    from podium.importers.columns import interpret

    return interpret(table, options)


def _weighted(data: Found, options: Options) -> Found:
    """Give tasks the weights asked for."""
    if not options.weights:
        return data
    if isinstance(data, Game) or not data.tasks:
        msg = f"these {KINDS[type(data)]} have no tasks; weights are for tasks"
        raise DataError(msg)
    return data.with_weights(options.weights)
