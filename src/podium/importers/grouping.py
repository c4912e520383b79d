"""Equal rows put together by DuckDB, in files that need not fit into memory.

DuckDB reads the files block by block, keeps one row for each distinct
combination of cells, and writes to disk what its memory cannot hold.
"""
# ruff: noqa: S608, every name and every text in a statement passes through `quoted` or `text`

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.delimited import SEPARATORS, line_of_record, plain_header
from podium.importers.duck import (
    Held,
    connect,
    delimited_source,
    first_line,
    is_text,
    listed_paths,
    number_of,
    quoted,
)
from podium.importers.files import File
from podium.importers.tables import Table
from podium.words import counted

COPIES = "number of rows"
"""Column of a grouped table that says how many rows each of its rows stands for."""

PART = 1 << 20
"""Distinct rows that are looked at together."""

LARGEST_LOCATED = 1 << 26
"""Bytes of a text file up to which the line of a bad row is looked for."""


@dataclass(frozen=True)
class Scan:
    """Files that DuckDB reads as one table.

    Attributes:
        files: The files.
        header: Name of each column to its name for SQL and its type in DuckDB.
        where: What to select from, for SQL.
        separator: What stands between the cells of text files, None in Parquet files.
    """

    files: tuple[File, ...]
    header: Mapping[str, tuple[str, str]]
    where: str
    separator: str | None = None

    @property
    def source(self) -> str:
        """What messages call the files."""
        return source_of(self.files)

    @property
    def columns(self) -> Table:
        """The names of the columns, without rows."""
        return Table(self.source, dict.fromkeys(self.header, Cells(())), 0, str)

    def grouped(
        self, connection: Any, keys: Sequence[str], weight: str | None, *, zero: bool
    ) -> Iterator[Table]:
        """Put rows together that are equal in the key columns, adding their weights up.

        Rows of a weight that is none stay apart from the others, so that they are
        found. Large answers come in parts.

        Args:
            connection: DuckDB.
            keys: Columns to compare.
            weight: Column of weights, if there is one.
            zero: Whether a weight may be 0.
        """
        import duckdb

        try:
            query = self._query(keys, weight, zero=zero)
            connection.execute(f"CREATE OR REPLACE TABLE groups AS {query}")
        except duckdb.Error as error:
            msg = f"{self.source} cannot be counted: {first_line(error)}"
            raise DataError(msg) from None
        size = int(connection.execute("SELECT count(*) FROM groups").fetchall()[0][0])
        for first in range(0, size, PART):
            last = min(first + PART, size)
            rows = f"rowid >= {first} AND rowid < {last}"
            connection.execute(f"CREATE OR REPLACE TABLE part AS SELECT * FROM groups WHERE {rows}")
            same = self._same(keys, weight, zero=zero)
            yield self._part(connection, keys, weight, last - first, same)

    def _query(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> str:
        chosen = [f"{self.header[key][0]} AS k{n}" for n, key in enumerate(keys)]
        if weight is not None:
            column, kind = self.header[weight]
            total = f"fsum({number_of(column, kind)})"
            total = f"({total})::VARCHAR" if is_text(kind) else total
            chosen.append(f"{self._good(weight, zero=zero)} AS good")
            chosen.append(f"CASE WHEN good THEN {total} ELSE min({column}) END AS weight")
        groups = [f"k{n}" for n, _ in enumerate(keys)] + ["good"] * (weight is not None)
        rows = f"count(*) AS copies FROM {self.where} GROUP BY {', '.join(groups)}"
        return f"SELECT {', '.join(chosen)}, {rows}"

    def _good(self, weight: str, prefix: str = "", *, zero: bool) -> str:
        """Write the test of a weight for SQL."""
        column, kind = self.header[weight]
        number = number_of(f"{prefix}{column}", kind)
        low = f"{number} >= 0" if zero else f"{number} > 0"
        return f"coalesce(isfinite({number}) AND {low}, false)"

    def _same(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> str:
        """Write for SQL that a row of the files belongs to a group."""
        same = [
            f"s.{self.header[key][0]} IS NOT DISTINCT FROM g.k{n}" for n, key in enumerate(keys)
        ]
        if weight is not None:
            same.append(f"{self._good(weight, 's.', zero=zero)} = g.good")
        return " AND ".join(same)

    def _part(
        self, connection: Any, keys: Sequence[str], weight: str | None, size: int, same: str
    ) -> Table:
        held = {key: (f"k{n}", self.header[key][1]) for n, key in enumerate(keys)}
        if weight is not None:
            kind = self.header[weight][1]
            held[weight] = ("weight", kind if is_text(kind) else "DOUBLE")
        held[COPIES] = ("copies", "BIGINT")
        columns = {name: Held(connection, "part", *about) for name, about in held.items()}
        copies = columns[COPIES].numbers().values.astype(np.int64)
        return Table(
            self.source,
            columns,
            size,
            lambda row: self._place(connection, same, row),
            copies=copies,
        )

    def _place(self, connection: Any, same: str, row: int) -> str:
        """Find the first row that a row of the part stands for."""
        if self.separator is None:
            options = "hive_partitioning = false, filename = true, file_row_number = true"
            where = f"read_parquet({listed_paths(self.files)}, {options})"
            found = self._first(connection, "s.filename, s.file_row_number", where, same, row)
            return _named(self.files, *found[:2]) if found else "some row"
        for file in self.files:
            where = delimited_source([file], list(self.header), self.separator)
            numbered = f"(SELECT row_number() OVER () - 1 AS n, * FROM {where})"
            found = self._first(connection, "s.n", numbered, same, row)
            if found:
                return _named(self.files, str(file.path), int(found[0]))
        return "some row"

    @staticmethod
    def _first(
        connection: Any, wanted: str, where: str, same: str, row: int
    ) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = connection.execute(
            f"SELECT {wanted} FROM {where} AS s, (SELECT * FROM part WHERE rowid = {row}) AS g "
            f"WHERE {same} ORDER BY {wanted} LIMIT 1"
        ).fetchone()
        return found


def source_of(files: Sequence[File]) -> str:
    """Name some files in a message."""
    if len(files) == 1:
        return files[0].name
    return f"{counted(len(files), 'file')} ({files[0].name}, ...)"


def _named(files: Sequence[File], path: str, row: int) -> str:
    """Say where a row stands: by its line in a text file that is not too large."""
    file = next((f for f in files if str(f.path) == path), files[0])
    small = file.ending in SEPARATORS and file.path.stat().st_size <= LARGEST_LOCATED
    place = f"line {line_of_record(file, row)}" if small else f"row {row + 1}"
    return place if len(files) == 1 else f"{file.name}, {place}"


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


def scans_of(files: Sequence[File], connection: Any) -> tuple[list[Scan], list[File]]:
    """Tell what DuckDB reads, files of one form together, from what it does not."""
    scans: list[Scan] = []
    others: list[File] = []
    parquet = [file for file in files if file.ending == ".parquet"]
    if parquet:
        scans.append(_parquet(parquet, connection))
    texts: dict[tuple[Any, ...], list[File]] = {}
    for file in files:
        if file.ending in SEPARATORS:
            header = plain_header(file)
            if header is None:
                others.append(file)
            else:
                texts.setdefault((file.ending, file.packed, tuple(header)), []).append(file)
        elif file.ending != ".parquet":
            others.append(file)
    scans += [_delimited(together, key[2]) for key, together in texts.items()]
    return scans, others


def _parquet(files: Sequence[File], connection: Any) -> Scan:
    import duckdb

    where = f"read_parquet({listed_paths(files)}, hive_partitioning = false)"
    try:
        parts = connection.execute(f"DESCRIBE SELECT * FROM {where}").fetchall()
    except duckdb.Error as error:
        msg = f"{source_of(files)} cannot be read as Parquet: {first_line(error)}"
        raise DataError(msg) from None
    return Scan(tuple(files), {name: (quoted(name), kind) for name, kind, *_ in parts}, where)


def _delimited(files: Sequence[File], header: Sequence[str]) -> Scan:
    separator = SEPARATORS[files[0].ending]
    where = delimited_source(files, header, separator)
    named = {name: (f'"{n}"', "VARCHAR") for n, name in enumerate(header)}
    return Scan(tuple(files), named, where, separator)
