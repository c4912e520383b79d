"""Judgments of MT-bench on pairs of models.

Each pair was judged twice, with sides swapped. As FastChat counts, a model wins
where both verdicts say so, and anything else is a tie.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from podium.arrays import Array
from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.options import Options
from podium.importers.tables import Sieve, Table
from podium.importers.tools.rows import joined, others, text_of
from podium.words import counted, listed

NAME = "MT-bench judgments on pairs"
METRICS = False

VERDICTS = ("model_1", "model_2", "tie")
FAILED = "error"
GAMES = ("g1_winner", "g2_winner")


def fits(columns: Collection[str]) -> bool:
    """Tell such judgments by their two verdicts."""
    return {"question_id", "model_1", "model_2", *GAMES} <= set(columns)


def understood(table: Table, options: Options) -> Table:
    """Make one match of the two verdicts."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    verdicts = [np.array([text_of(c) for c in table.columns[game].cells()]) for game in GAMES]
    for game, said in zip(GAMES, verdicts, strict=True):
        allowed = f"a verdict is {listed((*VERDICTS, FAILED))}"
        sieve.refuse(~np.isin(said, (*VERDICTS, FAILED)), game, allowed)
    failed = (verdicts[0] == FAILED) | (verdicts[1] == FAILED)
    rows = np.flatnonzero(sieve.good & ~failed)
    if not len(rows):
        msg = f"{table.source} holds no judgment that did not fail"
        raise DataError(msg)
    lost = int((sieve.good & failed).sum())
    kept = table.where(rows)
    used = ("model_1", "model_2", *GAMES, "question_id", "judge", "turn", "tstamp")
    columns = others(kept, used, options) | {
        "a": kept.columns["model_1"],
        "b": kept.columns["model_2"],
        "score": Cells(_scores(*(said[rows] for said in verdicts))),
        "instance": joined(kept, "question_id", "judge", "turn"),
        "cluster": joined(kept, "question_id"),
    }
    if "tstamp" in kept.columns:
        columns["time"] = kept.columns["tstamp"]
    told = (f"{counted(lost, 'failed judgment')} left out",) if lost else ()
    return replace(kept, columns=columns, notes=sieve.notes + told)


def _scores(first: Array, second: Array) -> list[float]:
    """Score the first model: a win or a loss where the verdicts agree, else a tie."""
    worth = {"model_1": 1.0, "model_2": 0.0, "tie": 0.5}
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return [worth[one] if one == other else worth["tie"] for one, other in pairs]
