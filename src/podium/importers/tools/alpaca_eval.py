"""Annotations of AlpacaEval: which of two outputs a judge preferred, one instruction a row.

The score of a model is `preference - 1`: 0 where the baseline was preferred, 1
where the model was, 0.5 for a tie, and in between for judges that say how sure
they are. No preference means that the judge failed, and is missing.
"""

import math
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from podium.importers.cells import Cells, Reals
from podium.importers.options import Options
from podium.importers.tables import Sieve, Table
from podium.importers.tools.rows import joined, others, text_of
from podium.words import counted, listed

NAME = "AlpacaEval annotations"
METRICS = False

TIE, EARLY_TIE = 1.5, 0.0
"""Preference where neither output is better, now and as early versions wrote it."""

_NEEDS = frozenset(("instruction", "generator_1", "generator_2", "preference"))


def fits(columns: Collection[str]) -> bool:
    """Tell annotations by their two generators."""
    return set(columns) >= _NEEDS


def understood(table: Table, options: Options) -> Table:
    """Score the second generator of each row against the first, the baseline."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    values, blank, wrong = table.columns["preference"].numbers()
    failed = blank | np.array([_is_nan(cell) for cell in table.columns["preference"].cells()])
    values = np.where(values == EARLY_TIE, TIE, values)
    with np.errstate(invalid="ignore"):
        outside = (values < 1) | (values > 2)
    allowed = "a preference is from 1, the first output, to 2, the second; null where there is none"
    sieve.refuse((wrong & ~failed) | outside, "preference", allowed)
    rows = np.flatnonzero(sieve.good)
    kept = table.where(rows)
    unknown = int(failed[rows].sum())
    told = f"{counted(unknown, 'annotation')} without a preference: the judge failed"
    columns = others(kept, (*_NEEDS, "dataset", "annotator"), options)
    task, baselines = _tasks(kept)
    columns |= {
        "task": Cells(task),
        "agent": kept.columns["generator_2"],
        "score": Reals(values[rows] - 1, failed[rows]),
        "sample": joined(kept, "annotator", "instruction"),
    }
    against = f"scores are against {listed(baselines)}"
    notes = (*sieve.notes, against, *((told,) if unknown else ()))
    return replace(kept, columns=columns, notes=notes)


def _is_nan(cell: object) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def _tasks(table: Table) -> tuple[list[str], list[str]]:
    """Name the task of each row: its data set, and judge and baseline where there are several."""
    parts = {"dataset": "{}", "annotator": "judged by {}", "generator_1": "against {}"}
    names: list[list[str]] = []
    baselines: list[str] = []
    for column, wording in parts.items():
        cells = (
            [text_of(c) for c in table.columns[column].cells()] if column in table.columns else []
        )
        distinct = list(dict.fromkeys(cells))
        if column == "generator_1":
            baselines = distinct
        if len(distinct) > 1 or (distinct and column == "dataset"):
            names.append([wording.format(cell) for cell in cells])
    if not names:
        return ["alpaca_eval"] * table.size, baselines
    return [" ".join(row) for row in zip(*names, strict=True)], baselines
