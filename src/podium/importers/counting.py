"""Counting pairs where the data live: only the counts come back."""

import functools
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from podium.arrays import Floats, locked
from podium.data.convert import KINDS, convert
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.roster import first_seen
from podium.data.tally import Pairs, Tally
from podium.errors import DataError
from podium.importers.columns import find_roles, find_shape, ignored_note
from podium.importers.files import File, files_of
from podium.importers.grouping import COPIES, open_duckdb, scans_of
from podium.importers.options import Options
from podium.importers.reading import read
from podium.importers.repeats import IDENTIFIERS
from podium.importers.tables import Table, check_blanks
from podium.importers.tools.rows import tool_of
from podium.words import counted, listed, unknown

COUNTED = ("matches", "ballots")
"""Kinds of rows that say which of two agents is above."""

KEPT_DIGITS = 12
"""Digits of a sum of fractions that do not depend on the order in which it was added up."""


class Group(Protocol):
    """Puts rows together that are equal in some columns, and adds their weights up."""

    def __call__(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> Iterator[Table]:
        """Give the groups, in one part or several; `zero` says if a weight may be 0."""
        ...


def count(
    source: Any,
    *,
    kind: str | None = None,
    columns: Mapping[str, str] | None = None,
    skip_bad_rows: bool = False,
    weights: Mapping[str, float] | None = None,
    repeats: bool = False,
    memory_limit: str = "2GB",
    temp_directory: str | os.PathLike[str] | None = None,
) -> Tally:
    """Count the pairs of matches or ballots without holding their rows in memory.

    CSV, TSV and Parquet files are read block by block by DuckDB, which keeps
    to a bound of memory and writes to disk what exceeds it. The rows of a
    DuckDB relation, or of a lazy frame (Spark, Dask, polars, Ibis), are put
    together where they are. Everything else is read first. Rows are checked as
    `read` checks them.

    The counts are those of the data that `read` gives. What they do not hold is
    lost: the time of a match, and which matches belong together.

    Args:
        source: A file, a pattern such as `logs/*.parquet`, a list of these; a
            relation or a lazy frame; or anything else that `read` takes.
        kind: "matches" or "ballots"; None to recognise it.
        columns: Part of a row to the column that holds it, as for `read`.
        skip_bad_rows: Leave bad rows out and count them, instead of refusing them.
        weights: Weights of tasks.
        repeats: Count every row, where rows carry identifiers by which `read`
            would find those that are told twice.
        memory_limit: Memory that DuckDB may use for files.
        temp_directory: Where it writes what exceeds that; by default a folder
            that is deleted again.

    Returns:
        The counts, with the agents in the order of the alphabet.

    >>> import polars
    >>> frame = polars.LazyFrame({"a": ["x", "y"], "b": ["y", "x"], "winner": ["x", "tie"]})
    >>> tally = count(frame)
    >>> tally.agents, tally.wins.tolist(), tally.met.tolist()
    (('x', 'y'), [[0.0, 1.0], [0.0, 0.0]], [[0.0, 2.0], [2.0, 0.0]])
    """
    options = Options(
        kind=kind, columns=columns or {}, skip_bad_rows=skip_bad_rows, weights=weights or {}
    )
    files = files_of(source)
    if files is not None:
        with tempfile.TemporaryDirectory() as folder:
            connection = open_duckdb(memory_limit, temp_directory or folder)
            with connection:
                return settled(_of_files(files, options, connection, repeats=repeats))
    if type(source) not in KINDS and not isinstance(source, str):
        from podium.importers.lazy import Lazy

        lazy = Lazy.of(source)
        if lazy is not None and tool_of(lazy.columns.columns) is None:
            return settled(_of_groups(lazy.columns, lazy.grouped, options, repeats=repeats))
    return settled(_of_data(source, options))


class Rows(NamedTuple):
    """What the rows of a relation or a lazy frame are, none of which has been fetched.

    Attributes:
        kind: What they would be read as.
        clustered: Whether they say which of them belong together.
    """

    kind: type[Matches | Profile]
    clustered: bool


def rows_of(source: Any) -> Rows | None:
    """Say what rows that live elsewhere are, if their pairs are all that counting loses none of.

    None for data in memory, for files, and for rows that are no matches or
    ballots or that may tell one match twice.
    """
    if type(source) in KINDS or isinstance(source, str | os.PathLike | list | tuple):
        return None
    from podium.importers.lazy import Lazy

    lazy = Lazy.of(source)
    if lazy is None or tool_of(lazy.columns.columns) is not None:
        return None
    roles = find_roles(lazy.columns, {})
    shape = find_shape(lazy.columns, roles, Options())
    if shape is None or shape.kind not in COUNTED:
        return None
    if any(part in roles for part in IDENTIFIERS if part in shape.may):
        return None
    return Rows(Matches if shape.kind == "matches" else Profile, "cluster" in roles)


def _of_files(files: Sequence[File], options: Options, connection: Any, *, repeats: bool) -> Tally:
    import duckdb

    scans, others = scans_of(files, connection)
    parts: list[Tally] = []
    for scan in scans:
        if not options.columns and tool_of(scan.header):  # only reading knows which rows count
            others += scan.files
            continue
        try:
            group = functools.partial(scan.grouped, connection)
            parts.append(_of_groups(scan.columns, group, options, repeats=repeats))
        except duckdb.Error:  # then the reader that knows the line of each record has the word
            others += scan.files
    parts += [_of_data(file.path, options) for file in others]
    return functools.reduce(Tally.merged, parts)


def _of_data(source: Any, options: Options) -> Tally:
    """Count the pairs of data that are in memory, or read them first."""
    if isinstance(source, Tally):
        return source
    data = source
    if type(source) not in KINDS:
        data = read(
            source,
            kind=options.kind,
            columns=options.columns,
            skip_bad_rows=options.skip_bad_rows,
            weights=options.weights,
        )
    if KINDS[type(data)] not in COUNTED:
        raise DataError(_no_pairs("the data are", KINDS[type(data)]))
    if data is source and options.weights:
        data = source.with_weights(options.weights)
    tally: Tally = convert(data, Tally)
    return replace(tally, matches=isinstance(data, Matches)).with_notes(*data.notes)


def _no_pairs(what: str, kind: str) -> str:
    return f"{what} {kind}; pairs are counted of matches and ballots, so read these instead"


def _of_groups(header: Table, group: Group, options: Options, *, repeats: bool) -> Tally:
    """Count the pairs of rows that come put together, as if each had come alone."""
    roles = find_roles(header, options.columns)
    shape = find_shape(header, roles, options)
    if shape is None or shape.kind not in COUNTED:
        kind = "scores" if shape is None else shape.kind
        raise DataError(_no_pairs(f"{header.source} holds", kind))
    told = _about(
        header, {part: roles[part] for part in shape.may if part in roles}, repeats=repeats
    )
    more = ["weight", "agents", *(["task"] if options.weights else [])]
    wanted = (*shape.needs, *(part for part in more if part in shape.may))
    used = {part: roles[part] for part in wanted if part in roles}
    keys = [column for part, column in used.items() if part != "weight"]
    groups = group(keys, used.get("weight"), zero=shape.kind == "matches")
    parts, rows = [], 0
    for table in groups:
        parts.append(shape.read(table, {"weight": COPIES, **used}, replace(options, weights={})))
        rows += table.size if table.copies is None else int(table.copies.sum())
    if not parts:
        msg = f"{header.source} holds no rows; give some"
        raise DataError(msg)
    tallies = [convert(part, Tally) for part in _weighted(parts, options.weights)]
    notes = first_seen(note for part in parts for note in part.notes)
    ignored = ignored_note(header.columns, used)
    counts = f"{counted(rows, 'row')} of {header.source} were counted where they are"
    tally: Tally = functools.reduce(Tally.merged, tallies)
    tally = replace(tally, matches=shape.kind == "matches")
    return tally.with_notes(counts, *notes, *ignored, *told)


def _about(header: Table, roles: Mapping[str, str], *, repeats: bool) -> tuple[str, ...]:
    """Say what counts do not hold; refuse rows that may tell one match twice."""
    marks = [column for part, column in roles.items() if part in IDENTIFIERS]
    if marks and not repeats:
        msg = (
            f"{header.source}: rows with {listed(marks)} may tell one match twice, which counting "
            "cannot see; read the data instead, or say repeats=True to count every row"
        )
        raise DataError(msg)
    if "cluster" not in roles:
        return ()
    return ("counts do not hold which matches belong together, so intervals take each on its own",)


def _weighted(parts: Sequence[Any], weights: Mapping[str, float]) -> list[Any]:
    """Weigh tasks, each of which need be in one part only."""
    if not weights:
        return list(parts)
    tasks = first_seen(task for part in parts for task in part.tasks)
    for task in weights:
        if task not in tasks:
            raise DataError(unknown("task", task, tasks))
    own = ({t: w for t, w in weights.items() if t in part.tasks} for part in parts)
    return [part.with_weights(some) for part, some in zip(parts, own, strict=True)]


def settled(tally: Tally, source: str = "the data") -> Tally:
    """Put the agents in the order of the alphabet, and forget in which order sums were made."""
    check_blanks(source, "agent", tally.agents)
    ordered = tally.only(sorted(tally.agents))
    if ordered.dense is not None:
        wins, met = (locked(steady(counts)) for counts in ordered.dense)
        return replace(ordered, dense=(wins, met))
    pairs = ordered.pairs
    return replace(ordered, sparse=Pairs(*pairs[:2], *(locked(steady(c)) for c in pairs[2:])))


def steady(sums: Floats) -> Floats:
    """Round sums of fractions to the digits that the order of adding leaves alone.

    >>> (0.1 + 0.2) + 0.3 == 0.1 + (0.2 + 0.3)
    False
    >>> steady(np.array([(0.1 + 0.2) + 0.3, 7.0])) == steady(np.array([0.1 + (0.2 + 0.3), 7.0]))
    array([ True,  True])
    """
    whole = sums == np.round(sums)
    if whole.all():
        return sums
    size = np.floor(np.log10(np.where(whole, 1.0, np.abs(sums))))
    unit = 10.0 ** (KEPT_DIGITS - 1 - size)
    rounded: Floats = np.where(whole, sums, np.round(sums * unit) / unit)
    return rounded
