"""Tables of databases: SQLite, DuckDB and PostgreSQL, by URL."""

import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from podium.errors import DataError, MissingExtra
from podium.importers.cells import Cells
from podium.importers.tables import Table

WAYS = (
    "sqlite:///scores.db?table=name, duckdb:///scores.duckdb?table=name "
    "or postgresql://user@host/db?table=name"
)


def read_database(url: str) -> Table:
    """Read one table of a database.

    A path after three slashes starts at the current folder, after four at the root.
    """
    parts = urllib.parse.urlsplit(url)
    query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
    scheme = parts.scheme.partition("+")[0]
    table = query.pop("table", [""])[-1]
    if scheme not in ("sqlite", "duckdb", "postgresql", "postgres"):
        msg = f"{parts.scheme}:// is no source that podium reads; give a file, or {WAYS}"
        raise DataError(msg)
    if not table:
        msg = f"{_bare(parts)} names no table; give {WAYS}"
        raise DataError(msg)
    if scheme in ("postgresql", "postgres"):
        rest = urllib.parse.urlencode(query, doseq=True)
        return _postgres(urllib.parse.urlunsplit(parts._replace(query=rest)), _bare(parts), table)
    path = Path(urllib.parse.unquote(parts.path.removeprefix("/"))).expanduser()
    if parts.netloc or not path.is_file():
        msg = f"there is no file {str(parts.netloc / path)!r} for {_bare(parts)}; give {WAYS}"
        raise DataError(msg)
    if scheme == "sqlite":
        return _sqlite(path, table)
    from podium.importers.duck import read_database as read_duckdb

    return read_duckdb(path, table)


def _bare(parts: urllib.parse.SplitResult) -> str:
    """Write a URL for messages, without its password."""
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


def _sqlite(path: Path, table: str) -> Table:
    import sqlite3
    from contextlib import closing

    where = f"file:{urllib.parse.quote(str(path.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(where, uri=True)) as connection:
            found = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
            )
            names = [name for (name,) in found]
            return _fetched(connection, path.name, table, names)
    except sqlite3.Error as error:
        msg = f"{path.name} cannot be read as an SQLite file: {error}"
        raise DataError(msg) from None


def _postgres(url: str, bare: str, table: str) -> Table:
    try:
        import psycopg
    except ImportError:
        msg = f"reading {bare} needs psycopg; install podium[postgres]"
        raise MissingExtra(msg) from None
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            found = connection.execute(
                "SELECT table_name FROM information_schema.tables "
                "WHERE table_schema = ANY (current_schemas(false)) ORDER BY table_name"
            )
            return _fetched(connection, bare, table, [name for (name,) in found])
    except psycopg.Error as error:
        msg = f"{bare} cannot be read: {str(error).partition(chr(10))[0]}"
        raise DataError(msg) from None


def _fetched(connection: Any, source: str, table: str, names: Sequence[str]) -> Table:
    """Fetch a table that is there, row by row, as Python values."""
    from podium.importers.duck import check_table, quoted

    check_table(source, table, names)
    cursor = connection.execute(f"SELECT * FROM {quoted(table)}")  # noqa: S608, a quoted name
    header = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    if not rows:
        msg = f"{source}, table {table!r}, holds no rows; give some"
        raise DataError(msg)
    columns = dict(zip(header, map(Cells, zip(*rows, strict=True)), strict=True))
    return Table(f"{source}, table {table!r}", columns, len(rows), lambda row: f"row {row + 1}")
