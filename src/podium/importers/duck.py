"""Columns that DuckDB holds: of large text files, of Parquet files, of its own files."""
# ruff: noqa: S608, every name and every text in a statement passes through `quoted` or `text`

import glob
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from podium.arrays import Array, Bools, Floats
from podium.errors import DataError
from podium.importers.cells import (
    BLANK,
    BLANKS,
    NOT_TEXT,
    NUMBER,
    Cells,
    Column,
    Names,
    Numbers,
    Reals,
    seconds,
)
from podium.importers.files import File
from podium.importers.tables import Table

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_WHOLE_TYPES = frozenset((*_WHOLE, *(f"U{kind}" for kind in _WHOLE)))
_REAL_TYPES = frozenset(("FLOAT", "DOUBLE"))


@dataclass(frozen=True)
class Held:
    """One column of a table inside DuckDB.

    Attributes:
        connection: The connection that holds the table.
        table: Name of the table, quoted.
        column: Name of the column, quoted.
        kind: DuckDB's type of the column.
    """

    connection: Any
    table: str
    column: str
    kind: str

    def names(self) -> Names:
        """Read all cells as names, coded inside DuckDB."""
        if self.kind not in _WHOLE_TYPES and not is_text(self.kind):
            blank = self._array(f"{self.column} IS NULL")
            return Names(np.where(blank, BLANK, NOT_TEXT).astype(np.int64), ())
        cell = f"nullif({self.column}::VARCHAR, '')"
        order = f"SELECT {cell} AS name, min(rowid) AS first FROM {self.table} GROUP BY name"
        names = self.connection.execute(
            f"SELECT name FROM ({order}) WHERE name IS NOT NULL ORDER BY first"
        ).fetchnumpy()["name"]
        if not len(names):
            return Names(np.full(table_size(self.connection, self.table), BLANK), ())
        self.connection.execute("DROP TYPE IF EXISTS podium_names")
        self.connection.execute(
            f"CREATE TYPE podium_names AS ENUM (SELECT name FROM ({order}) "
            "WHERE name IS NOT NULL ORDER BY first)"
        )
        code = f"coalesce(enum_code({cell}::podium_names)::BIGINT, {BLANK})"
        return Names(self._array(code), tuple(names.tolist()))

    def numbers(self) -> Numbers:
        """Read all cells as numbers."""
        bare = f"coalesce(trim({self.column}, {text(BLANKS)}) = '', true)"
        blank = self._array(bare if is_text(self.kind) else f"{self.column} IS NULL")
        number = number_of(self.column, self.kind)
        values = self._array(f"coalesce({number}, 'nan'::DOUBLE)")
        return Numbers(values, blank, ~np.isfinite(values) & ~blank)

    def times(self) -> Floats:
        """Read dates, as text or as DuckDB's own."""
        if self.kind.startswith(("DATE", "TIMESTAMP")):
            return self._array(f"coalesce(epoch({self.column}), 'nan'::DOUBLE)")
        codes, names = self.names()
        return np.array([*map(seconds, names), np.nan, np.nan])[codes]

    def cell(self, row: int) -> object:
        """Return one cell."""
        found: object = self.connection.execute(
            f"SELECT {self.column} FROM {self.table} WHERE rowid = ?", [row]
        ).fetchall()[0][0]
        return found

    def cells(self) -> Sequence[object]:
        """Return all cells."""
        query = f"SELECT {self.column} FROM {self.table} ORDER BY rowid"
        return [row[0] for row in self.connection.execute(query).fetchall()]

    def _array(self, expression: str) -> Array:
        query = f"SELECT {expression} AS cell FROM {self.table} ORDER BY rowid"
        return np.asarray(self.connection.execute(query).fetchnumpy()["cell"])


def is_text(kind: str) -> bool:
    """Tell whether a type of DuckDB holds text."""
    return kind == "VARCHAR" or kind.startswith("ENUM")


def is_real(kind: str) -> bool:
    """Tell whether a type of DuckDB holds numbers."""
    return kind in _WHOLE_TYPES | _REAL_TYPES or kind.startswith("DECIMAL")


def number_of(column: str, kind: str) -> str:
    """Write the number that a cell holds, or is as text, for SQL; NULL where it is none."""
    if is_text(kind):
        bare = f"trim({column}, {text(BLANKS)})"
        plain = f"regexp_full_match({bare}, {text(NUMBER)})"
        return f"CASE WHEN {plain} THEN try_cast({bare} AS DOUBLE) END"
    return f"{column}::DOUBLE" if is_real(kind) else "NULL::DOUBLE"


def connect(**settings: str) -> Any:
    """Open DuckDB so that it never fetches an extension from the network."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        **settings,
    }
    return duckdb.connect(":memory:", config=config)


def read_delimited(file: File, header: Sequence[str], separator: str) -> Table | None:
    """Read a large CSV or TSV file as text, or nothing where DuckDB complains."""
    import duckdb

    from podium.importers.delimited import line_of_record

    connection = connect()
    try:
        where = delimited_source([file], header, separator)
        connection.execute(f"CREATE TABLE held AS SELECT * FROM {where}")
    except duckdb.Error:
        return None
    columns = {name: Held(connection, "held", f'"{n}"', "VARCHAR") for n, name in enumerate(header)}
    size = table_size(connection, "held")
    return Table(file.name, columns, size, lambda row: f"line {line_of_record(file, row)}")


def delimited_source(files: Sequence[File], header: Sequence[str], separator: str) -> str:
    """Write files of one header for SQL, all cells text and columns named by their numbers."""
    fields = ", ".join(f"{text(str(n))}: 'VARCHAR'" for n, _ in enumerate(header))
    packed = "gzip" if files[0].packed else "none"
    return (
        f"read_csv({listed_paths(files)}, columns = {{{fields}}}, delim = {text(separator)}, "
        f"header = true, compression = '{packed}', auto_detect = false, "
        "quote = '\"', escape = '\"', strict_mode = true, null_padding = false)"
    )


def count_delimited(file: File, header: Sequence[str], separator: str) -> int:
    """Count the rows of a CSV or TSV file; -1 where DuckDB complains."""
    import duckdb

    try:
        return table_size(connect(), delimited_source([file], header, separator))
    except duckdb.Error:
        return -1


def listed_paths(files: Sequence[File]) -> str:
    """Write paths for DuckDB, which would read `*`, `?` and `[` as patterns."""
    return f"[{', '.join(text(glob.escape(str(file.path))) for file in files)}]"


def read_parquet(file: File) -> Table:
    """Read the columns of a Parquet file."""
    import duckdb

    connection = connect()
    try:
        where = f"read_parquet({listed_paths([file])}, hive_partitioning = false)"
        return held_table(file.name, connection, where)
    except duckdb.Error as error:
        msg = f"{file.name} cannot be read as Parquet: {first_line(error)}"
        raise DataError(msg) from None


def read_database(path: Path, table: str) -> Table:
    """Read a table of a DuckDB file, which is not changed."""
    import duckdb

    connection = connect()
    try:
        connection.execute(f"ATTACH {text(str(path))} AS source (READ_ONLY)")
        found = connection.execute(
            "SELECT table_name FROM information_schema.tables "
            "WHERE table_catalog = 'source' ORDER BY table_name"
        ).fetchall()
    except duckdb.Error as error:
        msg = f"{path.name} cannot be opened as a DuckDB file: {first_line(error)}"
        raise DataError(msg) from None
    check_table(path.name, table, [name for (name,) in found])
    source = f"{path.name}, table {table!r}"
    try:
        return held_table(source, connection, f"source.{quoted(table)}")
    except duckdb.Error as error:
        msg = f"{source}, cannot be read: {first_line(error)}"
        raise DataError(msg) from None


def check_table(source: str, table: str, found: Sequence[str]) -> None:
    """Demand a table that is there."""
    if table not in found:
        from podium.words import unknown

        msg = f"{source}: {unknown('table', table, found)}" if found else f"{source} has no table"
        raise DataError(msg)


def held_table(source: str, connection: Any, where: str) -> Table:
    """Copy rows into a table inside DuckDB, whose columns go by their numbers.

    A column that is named `rowid` would otherwise hide the order of the rows.
    """
    parts = connection.execute(f"DESCRIBE SELECT * FROM {where}").fetchall()
    names = {name: f'"{n}"' for n, (name, *_) in enumerate(parts)}
    chosen = ", ".join(f"{quoted(name)} AS {number}" for name, number in names.items())
    connection.execute(f"CREATE TABLE held AS SELECT {chosen} FROM {where}")
    columns = {name: Held(connection, "held", names[name], kind) for name, kind, *_ in parts}
    size = table_size(connection, "held")
    if not size:
        msg = f"{source} holds no rows; give some"
        raise DataError(msg)
    return Table(source, columns, size, lambda row: f"row {row + 1}")


def table_size(connection: Any, table: str) -> int:
    """Count the rows of a table."""
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def parquet_bytes(columns: Mapping[str, Sequence[Any]], numeric: Collection[str]) -> bytes:
    """Write columns as a Parquet file; columns not named as numeric are text."""
    arrays = {
        name: np.array(cells, dtype=np.float64 if name in numeric else object)
        for name, cells in columns.items()
    }
    kinds = {name: "DOUBLE" if name in numeric else "VARCHAR" for name in columns}
    chosen = ", ".join(f"{quoted(name)}::{kind} AS {quoted(name)}" for name, kind in kinds.items())
    with tempfile.TemporaryDirectory() as folder, connect() as connection:
        path = Path(folder, "rows.parquet")
        connection.register("rows", arrays)
        where = f"{text(str(path))} (FORMAT parquet)"
        connection.execute(f"COPY (SELECT {chosen} FROM rows) TO {where}")
        return path.read_bytes()


def fetched_columns(arrays: Mapping[str, Array]) -> dict[str, Column]:
    """Make columns of the arrays that DuckDB hands out."""
    return {name: _fetched(array) for name, array in arrays.items()}


def _fetched(array: Array) -> Column:
    blank: Bools = np.ma.getmaskarray(array)
    values = np.ma.getdata(array)
    if values.dtype.kind in "iuf":
        return Reals(values, blank)
    if values.dtype.kind == "M":
        values = values.astype("datetime64[us]")
    plain = [v.tolist() if isinstance(v, np.ndarray) else v for v in values.tolist()]
    return Cells([None if b else v for v, b in zip(plain, blank, strict=True)])


def quoted(name: str) -> str:
    """Write a name of a table or column for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Write text for SQL."""
    return "'" + value.replace("'", "''") + "'"


def first_line(error: Exception) -> str:
    """Give what an error says first."""
    return str(error).partition("\n")[0]
