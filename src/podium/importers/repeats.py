"""Rows that share an identifier: counted once, or in conflict."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.errors import DataError
from podium.importers.options import Options
from podium.importers.tables import Table, joined_codes
from podium.words import counted

IDENTIFIERS = ("seed", "instance", "sample", "sample_id")
"""Columns that tell the samples of one cell apart."""


class Marked(NamedTuple):
    """Rows of a table with what identifies each, and the value of each.

    Attributes:
        table: The table, for messages.
        column: The column of the values.
        rows: Where in the table each row stands.
        keys: Codes that together identify a row.
        values: The value of each row.
        what: What the keys identify, for messages.
    """

    table: Table
    column: str
    rows: Ints
    keys: tuple[Ints, ...]
    values: Floats
    what: str


class Kept(NamedTuple):
    """The rows that are left, the value of each, and what is to be said."""

    rows: Ints
    values: Floats
    notes: tuple[str, ...]


def settle(marked: Marked, options: Options) -> Kept:
    """Count rows with equal keys and values once; settle equal keys with other values."""
    rows, values, what = marked.rows, marked.values, marked.what
    group = joined_codes(*marked.keys)
    order = np.argsort(group, kind="stable")
    follows = np.append(False, group[order][1:] == group[order][:-1])
    if not follows.any():
        return Kept(np.arange(len(rows)), values, ())
    head = order[~follows]  # the first row of each group, by group
    differs = values != values[head[group]]
    clash = np.zeros(len(head), dtype=np.bool_)
    clash[group[differs]] = True
    if clash.any() and options.on_conflict == "error":
        second = int(np.flatnonzero(differs)[0])
        raise DataError(_conflict(marked, int(head[group[second]]), second))
    chosen = values[head]
    if options.on_conflict == "last":
        chosen = values[order[np.append(np.flatnonzero(~follows)[1:], len(order)) - 1]]
    if options.on_conflict == "mean":
        chosen = _means(group, values)
    kept = np.sort(head)
    level = np.unique(values, return_inverse=True)[1]
    repeated = len(rows) - len(np.unique(joined_codes(group, level)))
    notes = []
    if repeated:
        notes.append(f"{counted(repeated, 'row')} repeated another ({what}, value); counted once")
    if clash.any():
        notes.append(
            f"{counted(int(clash.sum()), 'set')} of {what} had contradicting values; "
            f"took the {options.on_conflict}"
        )
    return Kept(kept, chosen[group[kept]], tuple(notes))


def _means(group: Ints, values: Floats) -> Floats:
    """Mean of the distinct values of each group, so that a repeated row does not weigh more."""
    levels, level = np.unique(values, return_inverse=True)
    pairs = np.unique(np.stack([group, level]), axis=1)
    sums = np.bincount(pairs[0], levels[pairs[1]])
    return np.asarray(sums / np.bincount(pairs[0]), dtype=np.float64)


def _conflict(marked: Marked, first: int, second: int) -> str:
    before, after = (marked.table.place(int(marked.rows[row])) for row in (first, second))
    return (
        f"{marked.table.source}, {after}, column {marked.column!r} holds "
        f"{marked.values[second]:g} where {before} holds {marked.values[first]:g} for the same "
        f"{marked.what}; correct one, or say on_conflict='mean', 'first' or 'last'"
    )
