"""The loop that learns what was told, round after round."""

from typing import Any

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, record
from podium.kernels.stream import LEARNS, start

update: Any = None
"""The step of the learner; the caller puts it in."""


@kernel
def learn(
    learning: Any,
    records: Records,
    queries: Ints,
    scores: Floats,
    seed: int,
    pairs: bool,  # noqa: FBT001, kernels have no keywords
) -> None:
    """Take in rounds.

    Args:
        learning: State of the learner.
        records: What was seen so far.
        queries: Task, agent and other agent of each round; no other is -1.
        scores: Their scores.
        seed: Decides all chance.
        pairs: Whether a score that came alone teaches the learner nothing.
    """
    stream = np.zeros(1, dtype=np.uint64)
    query, told = np.zeros(3, dtype=np.int64), np.zeros(2)
    for row in range(len(queries)):
        query[:] = queries[row]
        told[:] = scores[row]
        agents = 2 if query[2] >= 0 else 1
        start(stream, seed, LEARNS, records.rounds[0])
        record(records, query[: 1 + agents], told[:agents])
        if agents > 1 or not pairs:
            update(learning, records, query[: 1 + agents], told[:agents], stream)
