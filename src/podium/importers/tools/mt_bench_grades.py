"""Judgments of MT-bench on single answers: a grade from 1 to 10 for each turn of a question.

A question is a task, its turns are samples. A grade of -1 says that the judge
failed, and is missing.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from podium.importers.cells import Reals
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.rows import joined, others
from podium.words import counted

NAME = "MT-bench judgments"
METRICS = False

FAILED = -1.0


def fits(columns: Collection[str]) -> bool:
    """Tell such judgments by their judge and turn."""
    needs = {"question_id", "model", "judge", "score", "turn"}
    return needs <= set(columns) and "task" not in columns


def understood(table: Table, options: Options) -> Table:
    """Make a score of each grade."""
    used = ("question_id", "model", "judge", "score", "turn")
    columns = others(table, used, options)
    columns |= {"task": joined(table, "question_id"), "agent": table.columns["model"]}
    columns["sample"] = joined(table, "judge", "turn")
    grades = table.columns["score"]
    values, blank, wrong = grades.numbers()
    failed = values == FAILED
    lost = int(failed.sum())
    columns["score"] = grades
    if lost and not wrong.any():
        columns["score"] = Reals(np.where(failed, np.nan, values), blank | failed)
    told = (f"{counted(lost, 'failed judgment')} ({FAILED:g}) left out",) if lost else ()
    return replace(table, columns=columns, notes=table.notes + told)
