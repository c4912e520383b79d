"""Tools that write rows: recognised by the columns, in whatever kind of file or frame they come."""

import importlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

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
"""Modules here, each with `NAME`, `fits(columns)` and `understood(table, options)`."""


def tool_of(columns: Iterable[str]) -> Any:
    """Find the tool that writes such columns, if there is one."""
    names = tuple(columns)
    modules = (importlib.import_module(f"podium.importers.tools.{tool}") for tool in TOOLS)
    return next((module for module in modules if module.fits(names)), None)


def understood(table: Table, options: Options) -> Table:
    """Turn rows that a tool wrote into rows with the parts that podium knows; leave others alone.

    Rows whose columns the user has named are what the user says.
    """
    tool = None if options.columns else tool_of(table.columns)
    if tool is None:
        return table
    made: Table = tool.understood(table, options)
    return replace(made, chosen=tool.METRICS)


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
