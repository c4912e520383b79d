"""All that was told to an evaluator, in order, in a few bytes a round."""

from collections.abc import Sequence

import numpy as np

from podium.arrays import Floats, Ints

NOBODY = -1
"""Stands in the place of the other agent of a score that came alone."""


class History:
    """Rounds in order: queries by codes, and scores.

    >>> history = History()
    >>> history.append((0, 2, 1), (0.5, 0.7))
    >>> history.append((3, 1), (0.1,))
    >>> history.queries().tolist()
    [[0, 2, 1], [3, 1, -1]]
    """

    def __init__(self, queries: Ints | None = None, scores: Floats | None = None) -> None:
        self._queries = np.zeros((0, 3), dtype=np.int64) if queries is None else queries
        self._scores = np.zeros((0, 2)) if scores is None else scores
        self._size = len(self._queries)

    def __len__(self) -> int:
        return self._size

    def append(self, query: Sequence[int], scores: Sequence[float]) -> None:
        """Add a round: task, agent and maybe another agent, and a score for each."""
        if self._size == len(self._queries):
            room = max(64, self._size // 2)
            self._queries = np.concatenate((self._queries, np.zeros((room, 3), dtype=np.int64)))
            self._scores = np.concatenate((self._scores, np.zeros((room, 2))))
        alone = len(scores) == 1
        self._queries[self._size] = (*query, NOBODY) if alone else query
        self._scores[self._size] = (*scores, 0.0) if alone else scores
        self._size += 1

    def queries(self, after: int = 0) -> Ints:
        """Give the queries from a round on."""
        return self._queries[after : self._size]

    def scores(self, after: int = 0) -> Floats:
        """Give the scores from a round on."""
        return self._scores[after : self._size]
