"""Counting pairs where the data live: only the counts come back."""

import functools
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, locked
from podium.data.convert import KINDS, convert
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.roster import first_seen
from podium.data.tally import Pairs, Tally
from podium.errors import DataError
from podium.importers.columns import Shape, find_roles, find_shape, ignored_note
from podium.importers.duck import first_line
from podium.importers.files import File, files_of
from podium.importers.grouping import open_duckdb, sources_of
from podium.importers.options import Options
from podium.importers.reading import read
from podium.importers.repeats import IDENTIFIERS
from podium.importers.sources import COPIES, Source
from podium.importers.tables import NothingLeft, Table, check_blanks, joined_notes, skipped_rows
from podium.importers.tools.rows import tool_of
from podium.words import counted, listed, unknown

COUNTED = ("matches", "ballots")
"""Kinds of rows that say which of two agents is above."""

KEPT_DIGITS = 12
"""Digits of a sum of fractions that do not depend on the order in which it was added up."""


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
        with (
            tempfile.TemporaryDirectory() as folder,
            open_duckdb(memory_limit, temp_directory or folder) as connection,
        ):
            return settled(_of_files(files, options, connection, repeats=repeats))
    lazy = _lazy(source)
    if lazy is not None:
        return settled(_of_rows(lazy, options, repeats=repeats))
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
    lazy = _lazy(source)
    if lazy is None:
        return None
    roles = find_roles(lazy.columns, {})
    shape = find_shape(lazy.columns, roles, Options())
    if shape is None or shape.kind not in COUNTED:
        return None
    if any(part in roles for part in IDENTIFIERS if part in shape.may):
        return None
    return Rows(Matches if shape.kind == "matches" else Profile, "cluster" in roles)


def _lazy(source: Any) -> Source | None:
    """See rows that an engine holds, other than those of a tool; None for everything else."""
    if type(source) in KINDS or isinstance(source, str | os.PathLike | list | tuple):
        return None
    from podium.importers.lazy import Lazy

    lazy = Lazy.of(source)
    return lazy if lazy is None or tool_of(lazy.columns.columns) is None else None


def _of_files(files: Sequence[File], options: Options, connection: Any, *, repeats: bool) -> Tally:
    import duckdb

    sources, others = sources_of(files, connection, skip=options.skip_bad_rows)
    parts: list[Tally] = []
    for source in sources:
        if not options.columns and tool_of(source.columns.columns):
            others += source.files  # only reading knows which rows of a tool count
            continue
        try:
            parts.append(_of_rows(source, options, repeats=repeats))
        except duckdb.Error as error:
            msg = f"{source.columns.source} cannot be counted: {first_line(error)}"
            raise DataError(msg) from None
    parts += [_of_data(file.path, options) for file in others]
    tally = functools.reduce(Tally.merged, parts)
    return replace(tally, notes=joined_notes(tally.notes))


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


def _of_rows(source: Source, options: Options, *, repeats: bool) -> Tally:
    """Count the pairs of rows that come put together, as if each had come alone."""
    header = source.columns
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
    adding = _Adding(shape, used, options)
    for table in source.grouped(keys, used.get("weight"), zero=shape.kind == "matches"):
        adding.add(table)
    notes = (*adding.notes, *ignored_note(header.columns, used), *told)
    return adding.total(header.source).with_notes(*notes)


class _Adding:
    """Adds up the pairs of rows that come in parts.

    Args:
        shape: What the rows are.
        used: Part of a row to the column that holds it.
        options: How the rows are to be read.
    """

    def __init__(self, shape: Shape, used: Mapping[str, str], options: Options) -> None:
        self.shape = shape
        self.used = used
        self.options = options
        self.rows = 0
        self.notes: tuple[str, ...] = ()
        self.tasks: tuple[str, ...] = ()
        self.tally: Tally | None = None

    def add(self, table: Table) -> None:
        """Add a part; one without a good row leaves its notes."""
        alone = {} if table.copies is None else {"weight": COPIES}
        bare = replace(self.options, weights={})
        try:
            data: Any = self.shape.read(table, {**alone, **self.used}, bare)
        except NothingLeft as error:
            data, notes = None, error.notes
        else:
            notes = data.notes
        self.rows += table.counted() - skipped_rows(notes) + skipped_rows(table.notes)
        self.notes = joined_notes((*self.notes, *notes))
        if data is None:
            return
        self.tasks = first_seen((*self.tasks, *data.tasks))
        own = {task: w for task, w in self.options.weights.items() if task in data.tasks}
        tally = convert(data.with_weights(own) if own else data, Tally)
        self.tally = tally if self.tally is None else self.tally.merged(tally)

    def total(self, source: str) -> Tally:
        """Give the counts of all parts."""
        if not self.rows and not self.notes:
            msg = f"{source} holds no rows; give some"
            raise DataError(msg)
        if self.tally is None:
            raise NothingLeft(source, self.shape.kind, self.notes)
        for task in self.options.weights:
            if task not in self.tasks:
                raise DataError(unknown("task", task, self.tasks))
        counts = f"{counted(self.rows, 'row')} of {source} were counted where they are"
        return replace(self.tally, matches=self.shape.kind == "matches").with_notes(counts)


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
