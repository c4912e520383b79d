"""Equal rows put together where they live: in Spark, Dask, polars, Ibis or DuckDB.

Only the groups come back. The statement is written once, for narwhals, which
translates it for each engine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.arrays import Ints
from podium.errors import DataError, MissingExtra
from podium.importers.frames import read_frame
from podium.importers.sources import COPIES, header_of
from podium.importers.tables import Table, shown

GOOD, TOTAL, LEAST = "podium good", "podium total", "podium least"
"""Columns made on the way: whether a weight is one, the sum of a group, and its lowest."""


@dataclass(frozen=True)
class Lazy:
    """Rows that an engine holds, or would compute.

    Attributes:
        frame: The rows, as narwhals sees them.
    """

    frame: Any

    @classmethod
    def of(cls, source: Any) -> "Lazy | None":
        """See rows that are not in memory; None for what is in memory or holds no rows."""
        import narwhals as nw

        frame = nw.from_native(source, pass_through=True)
        return cls(frame) if isinstance(frame, nw.LazyFrame) else None

    @property
    def source(self) -> str:
        """What messages call the rows."""
        return "the relation" if self.frame.implementation.is_duckdb() else "the frame"

    @property
    def columns(self) -> Table:
        """The names of the columns, without rows."""
        return header_of(self.source, self.frame.collect_schema().names())

    def grouped(self, keys: Sequence[str], weight: str | None, *, zero: bool) -> Iterator[Table]:
        """Put rows together that are equal in the key columns, adding their weights up."""
        import narwhals as nw

        by, sums, total = list(keys), [nw.len().alias(COPIES)], []
        frame = self.frame.select(*keys, *([] if weight is None else [weight]))
        if weight is not None:
            self._check_numbers(weight)
            heavy = nw.col(weight)
            # Where NaN compares at all, it is above every number.
            good = (heavy >= 0 if zero else heavy > 0) & (heavy < float("inf"))
            frame = frame.with_columns(good.fill_null(value=False).alias(GOOD))
            by.append(GOOD)
            sums += [heavy.sum().alias(TOTAL), heavy.min().alias(LEAST)]
            chosen = nw.when(nw.col(GOOD)).then(nw.col(TOTAL)).otherwise(nw.col(LEAST))
            total = [chosen.alias(weight)]
        yield self._table(frame.group_by(*by).agg(*sums).select(*keys, COPIES, *total))

    def _check_numbers(self, weight: str) -> None:
        kind = self.frame.collect_schema()[weight]
        if not kind.is_numeric():
            msg = f"{self.source}, column {weight!r} holds {kind}; make it numbers first"
            raise DataError(msg)

    def _table(self, groups: Any) -> Table:
        """Fetch the groups; a row of them is told by what it holds."""
        try:
            native = groups.to_native()
            if not groups.implementation.is_duckdb():  # a relation is fetched by `read_frame`
                native = groups.collect().to_native()
        except ModuleNotFoundError as error:
            msg = f"fetching from {self.source} needs {error.name}; install it"
            raise MissingExtra(msg) from None
        table = read_frame(native)
        copies = table.columns[COPIES].numbers().values.astype(np.int64)

        def place(row: int) -> str:
            cells = ((name, column.cell(row)) for name, column in table.columns.items())
            told = (f"{name} = {shown(cell)}" for name, cell in cells if name != COPIES)
            return f"where {', '.join(told)}"

        def first(rows: Ints) -> int:  # engines give groups in any order
            return int(min(rows.tolist(), key=place))

        return replace(
            table,
            source=self.source,
            place=place,
            copies=copies,
            first=first,
            telling="one",
        )
