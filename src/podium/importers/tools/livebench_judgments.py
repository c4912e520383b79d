"""Judgments of LiveBench: one score a question and model.

Published files hold questions twice, some with two different scores; those are
found as every repeat of an identifier is.
"""

from collections.abc import Collection
from dataclasses import replace

from podium.importers.cells import Cells
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.rows import joined, others, text_of

NAME = "LiveBench judgments"
METRICS = False

EVEN = "tasks weigh so that each category weighs the same, as LiveBench has it"


def fits(columns: Collection[str]) -> bool:
    """Tell judgments by their question and category."""
    return {"question_id", "task", "model", "score", "category"} <= set(columns)


def understood(table: Table, options: Options) -> Table:
    """Name the parts, and weigh tasks by their category."""
    used = ("question_id", "model", "turn", "tstamp", "category")
    columns = others(table, used, options)
    tasks = [text_of(cell) for cell in table.columns["task"].cells()]
    categories = [text_of(cell) for cell in table.columns["category"].cells()]
    columns |= {
        "agent": table.columns["model"],
        "sample": joined(table, "question_id", "turn"),
        "weight": Cells(even_weights(tasks, categories)),
    }
    return replace(table, columns=columns, notes=(*table.notes, EVEN))


def even_weights(tasks: Collection[str], categories: Collection[str]) -> list[float]:
    """Give each task its share of its category, so that all categories weigh the same.

    >>> even_weights(["sums", "proofs", "sums", "poems"], ["math", "math", "math", "words"])
    [0.5, 0.5, 0.5, 1.0]
    """
    inside: dict[str, set[str]] = {}
    for task, category in zip(tasks, categories, strict=True):
        inside.setdefault(category, set()).add(task)
    return [1 / len(inside[category]) for category in categories]
