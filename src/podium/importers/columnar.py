"""Parquet files."""

from podium.importers.columns import interpret
from podium.importers.duck import read_parquet
from podium.importers.files import File
from podium.importers.options import Found, Options
from podium.importers.tables import Table


def read(file: File, options: Options) -> Found:
    """Read a Parquet file."""
    return interpret(read_table(file, options), options)


def read_table(file: File, options: Options) -> Table:
    """Read the columns of a Parquet file, without asking what they mean."""
    del options
    return read_parquet(file)
