"""Frames of pandas, polars, pyarrow, Spark and others, and DuckDB relations."""

from typing import Any

import numpy as np

from podium.errors import DataError
from podium.importers.cells import Cells, Column, Reals
from podium.importers.tables import Table
from podium.words import listed

WAYS = "give a path, an URL, or a frame (pandas, polars, pyarrow, DuckDB, Spark)"


def read_frame(source: Any) -> Table:
    """See a frame as a table.

    None is a missing cell everywhere; so is NaN in pandas, which writes missing
    cells that way. Elsewhere NaN is a number that a score cannot be. A named
    index of pandas counts as a column.
    """
    if type(source).__name__ == "DuckDBPyRelation":
        from podium.importers.duck import fetched_columns

        return _table("the relation", fetched_columns(source.fetchnumpy()))
    import narwhals as nw

    try:
        frame = nw.from_native(_with_index(source))
        names = frame.collect_schema().names()
    except nw.exceptions.DuplicateError:
        msg = "the frame has two columns of one name; rename one"
        raise DataError(msg) from None
    except TypeError:
        msg = f"{type(source).__name__} came; {WAYS}"
        raise DataError(msg) from None
    strange = [name for name in names if not isinstance(name, str)]
    if strange:
        msg = f"the frame has columns named {listed(strange)}; names of columns are text"
        raise DataError(msg)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    columns = {name: _column(frame[name]) for name in names}
    return _table("the frame", columns)


def _with_index(source: Any) -> Any:
    """Make columns of a named index of pandas, as pivot tables have one."""
    names = getattr(getattr(source, "index", None), "names", [None])
    if None in names or not hasattr(source, "reset_index"):
        return source
    try:
        return source.reset_index()
    except ValueError as error:
        msg = f"the index of the frame cannot be made columns: {error}"
        raise DataError(msg) from None


def _table(source: str, columns: dict[str, Column]) -> Table:
    size = 0
    if columns:
        first = next(iter(columns.values()))
        size = len(first.values) if isinstance(first, Cells | Reals) else 0
    if not size:
        msg = f"{source} has no rows; give some"
        raise DataError(msg)
    return Table(source, columns, size, lambda row: f"row {row + 1}")


def _column(series: Any) -> Column:
    """Take numbers as an array, anything else as Python values."""
    import narwhals as nw

    kind = series.dtype
    if kind.is_integer() or kind.is_float():
        blank = np.asarray(series.is_null().to_numpy())
        if not blank.any():
            return Reals(np.asarray(series.to_numpy()), blank)
        values = series.cast(nw.Float64).fill_null(0.0).to_numpy()
        if kind.is_integer():
            return Reals(np.asarray(values).astype(np.int64), blank)
        return Reals(np.asarray(values), blank)
    if kind.is_decimal():
        return _column(series.cast(nw.Float64))
    missing = series.is_null().to_list()
    return Cells([None if m else v for v, m in zip(series.to_list(), missing, strict=True)])
