"""Equal rows put together by DuckDB, in files that need not fit into memory.

DuckDB reads the files block by block, keeps one row for each distinct
combination of cells, and writes to disk what its memory cannot hold.
"""
# ruff: noqa: S608, every name and every text in a statement passes through `quoted` or `text`

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from podium.errors import DataError
from podium.importers.delimited import (
    SEPARATORS,
    exact_tables,
    is_plain,
    line_of_record,
    read_header,
)
from podium.importers.duck import (
    Held,
    connect,
    delimited_source,
    first_line,
    is_real,
    listed_paths,
    number_of,
    quoted,
    table_size,
)
from podium.importers.files import File
from podium.importers.sources import COPIES, header_of
from podium.importers.tables import Table
from podium.words import counted

PART = 1 << 20
"""Distinct rows that are looked at together."""


@dataclass(frozen=True)
class Lines:
    """Text files that are read record by record, as DuckDB would read them otherwise.

    Attributes:
        files: The files, of one header.
        skip: Whether records with another number of fields are left out.
    """

    files: tuple[File, ...]
    skip: bool

    @property
    def columns(self) -> Table:
        """The names of the columns, without rows."""
        return header_of(source_of(self.files), read_header(self.files[0]))

    def grouped(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> Iterator[Table]:
        """Give the rows as they are, in parts."""
        del keys, weight, zero
        for file in self.files:
            yield from exact_tables(file, skip=self.skip)


@dataclass(frozen=True)
class Scan:
    """Files that DuckDB reads as one table.

    Attributes:
        connection: DuckDB.
        files: The files.
        header: Name of each column to its name for SQL and its type in DuckDB.
        skip: Whether records with another number of fields are left out.
    """

    connection: Any
    files: tuple[File, ...]
    header: Mapping[str, tuple[str, str]]
    skip: bool

    @property
    def columns(self) -> Table:
        """The names of the columns, without rows."""
        return header_of(source_of(self.files), self.header)

    def grouped(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> Iterator[Table]:
        """Put rows together that are equal in the key columns, adding their weights up."""
        import duckdb

        grouping = _Grouping(self.header, keys, weight, zero=zero)
        rows = self._rows(self.files)
        try:
            self.connection.execute(f"CREATE OR REPLACE TABLE groups AS {grouping.query(rows)}")
        except duckdb.InvalidInputException:
            if not self._is_text:
                raise
            # Then the reader that knows the line of each record has the word.
            yield from Lines(self.files, self.skip).grouped(keys, weight, zero=zero)
            return
        size = table_size(self.connection, "groups")
        for first in range(0, size, PART):
            part = f"SELECT * FROM groups WHERE rowid >= {first} AND rowid < {first + PART}"
            self.connection.execute(f"CREATE OR REPLACE TABLE part AS {part}")
            yield self._part(grouping, whole=size <= PART)

    @property
    def _is_text(self) -> bool:
        return self.files[0].ending in SEPARATORS

    def _rows(self, files: Sequence[File], place: str = "") -> str:
        """Write files for SQL, if wanted with a column for the place of each row in its file."""
        if not self._is_text:
            numbered = f", file_row_number AS {place}" if place else ""
            more = ", file_row_number = true" if place else ""
            where = f"read_parquet({listed_paths(files)}, hive_partitioning = false{more})"
        else:
            numbered = f", row_number() OVER () - 1 AS {place}" if place else ""
            where = delimited_source(files, list(self.header), SEPARATORS[files[0].ending])
        return f"(SELECT *{numbered} FROM {where})"

    def _part(self, grouping: "_Grouping", *, whole: bool) -> Table:
        columns = {
            name: Held(self.connection, "part", *about) for name, about in grouping.columns.items()
        }
        copies = columns[COPIES].numbers().values.astype(np.int64)
        find = functools.cache(functools.partial(self._earliest, grouping.same))
        return Table(
            source=source_of(self.files),
            columns=columns,
            size=len(copies),
            place=lambda row: find((row,))[1],
            copies=copies,
            first=lambda rows: find(tuple(rows.tolist()))[0],
            telling="the first at" if whole else "one at",
        )

    def _earliest(self, same: str, groups: tuple[int, ...]) -> tuple[int, str]:
        """Find the first row of the files that is in some groups of a part, and say where it is."""
        self.connection.execute("SET preserve_insertion_order = true")
        chosen = "(SELECT rowid AS code, * FROM part WHERE rowid IN (SELECT unnest(?::BIGINT[])))"
        for file in self.files:
            rows = self._rows([file], "podium_place")
            found = self.connection.execute(
                f"SELECT g.code, s.podium_place FROM {rows} AS s, {chosen} AS g "
                f"WHERE {same} ORDER BY s.podium_place LIMIT 1",
                [list(groups)],
            ).fetchone()
            if found:
                place = _place(file, int(found[1]))
                return int(found[0]), place if len(self.files) == 1 else f"{file.name}, {place}"
        msg = f"{source_of(self.files)} changed while it was read; try again"
        raise DataError(msg)


class _Grouping:
    """How rows are put together, in SQL.

    Args:
        header: Name of each column to its name for SQL and its type in DuckDB.
        keys: Columns to compare.
        weight: Column of weights, if there is one.
        zero: Whether a weight may be 0.
    """

    def __init__(
        self,
        header: Mapping[str, tuple[str, str]],
        keys: Sequence[str],
        weight: str | None,
        *,
        zero: bool,
    ) -> None:
        self.keys = [header[key][0] for key in keys]
        self.weight, self.kind = header[weight] if weight is not None else ("", "")
        self.type = "DOUBLE" if is_real(self.kind) else "VARCHAR"
        self.low = ">= 0" if zero else "> 0"
        self.columns = {key: (f"k{n}", header[key][1]) for n, key in enumerate(keys)}
        if weight is not None:
            self.columns[weight] = ("weight", self.type)
        self.columns[COPIES] = ("copies", "BIGINT")

    def query(self, rows: str) -> str:
        """Write the groups of some rows: keys, the sum of good weights or a bad one, copies."""
        cells = self._cells()
        chosen = [*cells, "count(*) AS copies"]
        inner = [f"{cell} AS {name}" for name, cell in cells.items()]
        if self.weight:
            inner.append(f"{number_of(self.weight, self.kind)} AS number")
            total = f"fsum(number)::{self.type}"
            chosen.append(f"CASE WHEN good THEN {total} ELSE odd::{self.type} END AS weight")
        return (
            f"SELECT {', '.join(chosen)} FROM (SELECT {', '.join(inner)} FROM {rows}) "
            f"GROUP BY {', '.join(cells)}"
        )

    @property
    def same(self) -> str:
        """That a row `s` of the files belongs to a group `g`."""
        cells = self._cells("s.")
        return " AND ".join(f"{cell} IS NOT DISTINCT FROM g.{name}" for name, cell in cells.items())

    def _cells(self, prefix: str = "") -> dict[str, str]:
        """Write what rows have to be equal in: keys, whether the weight is good, it if not."""
        cells = {f"k{n}": f"{prefix}{key}" for n, key in enumerate(self.keys)}
        if self.weight:
            number = number_of(f"{prefix}{self.weight}", self.kind)
            good = f"coalesce(isfinite({number}) AND {number} {self.low}, false)"
            cells["good"] = good
            cells["odd"] = f"CASE WHEN NOT {good} THEN {prefix}{self.weight} END"
        return cells


def source_of(files: Sequence[File]) -> str:
    """Name some files in a message."""
    if len(files) == 1:
        return files[0].name
    return f"{counted(len(files), 'file')} ({files[0].name}, ...)"


def _place(file: File, row: int) -> str:
    """Say where a row stands: by its line in a text file."""
    return f"line {line_of_record(file, row)}" if file.ending in SEPARATORS else f"row {row + 1}"


def open_duckdb(memory_limit: str, temp_directory: str | os.PathLike[str]) -> Any:
    """Open DuckDB within a bound of memory, and with a folder for what exceeds it."""
    import duckdb

    try:
        return connect(
            memory_limit=memory_limit,
            temp_directory=str(temp_directory),
            preserve_insertion_order="false",
        )
    except duckdb.Error as error:
        msg = f"memory_limit is {memory_limit!r}: {first_line(error)}; give a size such as '2GB'"
        raise DataError(msg) from None


class _Form(NamedTuple):
    """What files have in common that are read as one table.

    Attributes:
        ending: How their names end.
        packed: Whether they are packed with gzip.
        plain: Whether DuckDB reads them as they are meant.
        header: Name of each column, its name for SQL and its type in DuckDB.
    """

    ending: str
    packed: bool
    plain: bool
    header: tuple[tuple[str, str, str], ...]


def sources_of(
    files: Sequence[File], connection: Any, *, skip: bool
) -> tuple[list[Lines | Scan], list[File]]:
    """Put files of one form together, and tell those that have no form that is known beforehand.

    Args:
        files: The files.
        connection: DuckDB.
        skip: Whether records of text files with another number of fields are left out.
    """
    alike: dict[_Form, list[File]] = {}
    others: list[File] = []
    for file in files:
        form = _form(file, connection)
        (others if form is None else alike.setdefault(form, [])).append(file)
    sources: list[Lines | Scan] = []
    for form, together in alike.items():
        if not form.plain:
            sources.append(Lines(tuple(together), skip))
        else:
            header = {name: (column, kind) for name, column, kind in form.header}
            sources.append(Scan(connection, tuple(together), header, skip))
    return sources, others


def _form(file: File, connection: Any) -> _Form | None:
    import duckdb

    if file.ending in SEPARATORS:
        plain = is_plain(file)
        columns = [(name, f'"{n}"', "VARCHAR") for n, name in enumerate(read_header(file))]
        return _Form(file.ending, file.packed, plain, tuple(columns))
    if file.ending != ".parquet":
        return None
    where = f"read_parquet({listed_paths([file])}, hive_partitioning = false)"
    try:
        parts = connection.execute(f"DESCRIBE SELECT * FROM {where}").fetchall()
    except duckdb.Error as error:
        msg = f"{file.name} cannot be read as Parquet: {first_line(error)}"
        raise DataError(msg) from None
    header = tuple((name, quoted(name), kind) for name, kind, *_ in parts)
    return _Form(file.ending, packed=False, plain=True, header=header)
