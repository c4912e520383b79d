"""Battles of Chatbot Arena and its kin, with the column `anony`.

Only battles whose models were hidden from the judge count. The judge is the one
who voted, so votes of one judge share a cluster; a conversation that was voted
on twice is one battle.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from podium.errors import DataError
from podium.importers.cells import Column
from podium.importers.options import Options
from podium.importers.tables import Sieve, Table
from podium.importers.tools.rows import joined, others
from podium.words import counted

NAME = "arena battles"
METRICS = False

_FLAGS = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}


def fits(columns: Collection[str]) -> bool:
    """Tell battles by the column that says whether the models were hidden."""
    return {"model_a", "model_b", "winner", "anony"} <= set(columns)


def understood(table: Table, options: Options) -> Table:
    """Keep the battles that count, and say which belong together."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    said = [_FLAGS.get(str(cell).lower(), np.nan) for cell in table.columns["anony"].cells()]
    hidden = np.array(said)
    sieve.refuse(np.isnan(hidden), "anony", "say true or false")
    rows = np.flatnonzero(sieve.good & (hidden == 1))
    if not len(rows):
        msg = f"{table.source} holds no battle with anony true, and no others count"
        raise DataError(msg)
    open_ = int((sieve.good & (hidden == 0)).sum())
    told = f"{counted(open_, 'battle')} whose models were known (anony false) left out"
    return replace(
        table.where(rows),
        columns=_columns(table.where(rows), options),
        notes=sieve.notes + (told,) * (open_ > 0),
    )


def _columns(table: Table, options: Options) -> dict[str, Column]:
    """Name the columns as podium does, unless the rows have such columns already."""
    used = ("anony", "question_id", "judge", "tstamp")
    columns = others(table, used, options)
    made = {"instance": ("question_id", "judge"), "cluster": ("judge",)}
    for part, names in made.items():
        if names[0] in table.columns:
            columns.setdefault(part, joined(table, *names))
    if "tstamp" in table.columns:
        columns.setdefault("time", table.columns["tstamp"])
    return columns
