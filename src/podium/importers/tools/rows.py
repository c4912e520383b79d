"""Tools that write rows: recognised by the columns, in whatever kind of file or frame they come."""

import importlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from podium.errors import DataError
from podium.importers.cells import ABSENT, Cells, Column
from podium.importers.options import Options
from podium.importers.tables import Table

TOOLS = (
    "arena",
    "mt_bench_pairs",
    "mt_bench_grades",
    "alpaca_eval",
    "alpaca_board",
    "livebench_judgments",
)
"""Modules here, each with `NAME`, `METRICS`, `fits(columns)` and `understood(table, options)`."""

_TIDY = frozenset(("task", "agent", "score"))
_STRAYS = {
    ("doc_id", "doc_hash", "filter"): "samples of lm-evaluation-harness do not name their model; "
    "give the folder with results_*.json",
    ("instance_id", "train_trial_index", "stats"): "statistics of HELM do not name their model; "
    "give the folder with run_spec.json",
}
"""Columns of files that mean nothing alone, and what to give instead."""


def tool_of(columns: Iterable[str]) -> Any:
    """Find the tool that writes such columns, if there is one."""
    names = tuple(columns)
    if set(names) >= _TIDY:
        return None
    modules = (importlib.import_module(f"podium.importers.tools.{tool}") for tool in TOOLS)
    return next((module for module in modules if module.fits(names)), None)


def understood(table: Table, options: Options) -> Table:
    """Turn rows that a tool wrote into rows with the parts that podium knows; leave others alone.

    Rows whose columns the user has named are what the user says.
    """
    tool = None if options.columns else tool_of(table.columns)
    if tool is None:
        _check_no_stray(table)
        return table
    made: Table = tool.understood(table, options)
    return replace(made, chosen=tool.METRICS)


def _check_no_stray(table: Table) -> None:
    """Refuse rows of a tool that cannot be read without files beside them."""
    for columns, advice in _STRAYS.items():
        if table.columns.keys() >= set(columns):
            msg = f"{table.source}: {advice}"
            raise DataError(msg)


def others(table: Table, used: Collection[str], options: Options) -> dict[str, Column]:
    """Give the columns that a tool's module does not use, and those wanted as terms."""
    return {
        name: column
        for name, column in table.columns.items()
        if name not in used or name in options.terms
    }


def joined(table: Table, *names: str) -> Cells:
    """Make one text of several columns, of those that are there.

    >>> table = Table("x", {"a": Cells(["p", "q"]), "b": Cells([1, None])}, 2, str)
    >>> joined(table, "a", "b", "c").values
    ['p 1', 'q']
    """
    columns = [table.columns[name].cells() for name in names if name in table.columns]
    return Cells(
        [" ".join(filter(None, map(text_of, cells))) for cells in zip(*columns, strict=True)]
    )


def text_of(value: object) -> str:
    """Write a cell as part of an identifier or a name; lists are joined.

    A number that a frame made a fraction is the same as the whole one.

    >>> text_of(["gpt-4", "pair-v2"]), text_of(81.0), text_of(None)
    ('gpt-4 pair-v2', '81', '')
    """
    if isinstance(value, list | tuple):
        return " ".join(map(text_of, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None or value is ABSENT else str(value)
