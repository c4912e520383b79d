"""The path of a study: how certain it was, as it went."""

import math
import threading
from typing import NamedTuple

from podium.store import Store
from podium.study.evaluation import Evaluation
from podium.study.ledger import Ledger
from podium.study.spec import StudySpec

GROWTH = 1.25
"""By how much a study grows from one point to the next."""


class Point(NamedTuple):
    """A point of the path.

    Attributes:
        spent: What had been spent.
        heard: Answers and results that had come.
        certainty: Probability that the report of then was right.
        coverage: Share of the cells with a score.
    """

    spent: float
    heard: int
    certainty: float
    coverage: float


class Path:
    """Goes through the log of a study once, and looks up its certainty now and then.

    It reads the log and nothing else, so that nobody who asks or tells waits for it.
    May be used by several threads.

    Args:
        store: Where the study is kept.
        name: Its name.
    """

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self._ledger = Ledger(Evaluation(StudySpec.of(**store.load(name))))
        self._points: list[Point] = []
        self._next = max(2, len(self._ledger.spec.agents) // 2)
        self._lock = threading.Lock()

    def points(self) -> list[Point]:
        """Give the points so far, the last at the end of the log."""
        with self._lock:
            ledger = self._ledger
            for entry in self._store.read(self._name, ledger.seq):
                ledger.take(entry)
                if ledger.heard >= self._next:
                    self._points.append(self._point())
                    self._next = math.ceil(ledger.heard * GROWTH)
            at_end = not ledger.heard or (self._points and self._points[-1].heard == ledger.heard)
            return [*self._points] if at_end else [*self._points, self._point()]

    def _point(self) -> Point:
        ledger = self._ledger
        chance = ledger.posterior().chance(ledger.spec.top)
        covered = float((ledger.evaluation.records.plays > 0).mean())
        return Point(ledger.spent, ledger.heard, chance, covered)
