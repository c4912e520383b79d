"""Thinking apart: a ledger that learns and chooses in a thread of its own."""

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from podium.errors import StoreError
from podium.store import Entry
from podium.study.ledger import Ledger
from podium.study.posterior import Posterior

T = TypeVar("T")


class Mind:
    """A ledger of a study that only one thread ever touches.

    Whoever wants to know something of it can give up waiting. The thread then
    ends its thought all the same, and nothing comes of it: what a mind does
    never reaches the log or another ledger but by an answer that is taken.

    Args:
        ledger: The ledger, which nobody else uses.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        ledger.evaluation.evaluator.waits = False
        self._unheard: deque[Entry] = deque()
        self._jobs: queue.SimpleQueue[tuple[Callable[[Ledger], Any], Future[Any]] | None]
        self._jobs = queue.SimpleQueue()
        self._late = self._stopped = False
        self._posterior: tuple[Any, Posterior] | None = None
        self._weighing = threading.Lock()
        threading.Thread(target=self._run, name="podium mind", daemon=True).start()
        self._jobs.put((_warm_up, Future()))

    def hear(self, entries: Iterable[Entry]) -> None:
        """Have entries of the log taken in before the next thought."""
        self._unheard.extend(entries)

    def ask(self, work: Callable[[Ledger], T], patience: float | None = None) -> T:
        """Have something done with the ledger.

        Args:
            work: What to do.
            patience: Seconds to wait, or no longer than it takes.

        Raises:
            TimeoutError: At once, where a thought is under way that took too long for
                somebody else already.
        """
        answer: Future[T] = Future()
        self._jobs.put((work, answer))
        if self._stopped:
            self._refuse_the_rest()
        try:
            return answer.result(0.0 if self._late and patience is not None else patience)
        except TimeoutError:
            if not answer.done():
                self._late = True
                answer.cancel()  # if it has not begun
            raise

    def report(self, work: Callable[[Ledger], T]) -> T:
        """Have something done that needs the posterior, which is made by whoever wants it."""
        while True:
            with self._weighing:
                evidence = self.ask(Ledger.evidence)
                about = evidence.heard, evidence.records.plays.shape
                if self._posterior is None or self._posterior[0] != about:
                    self._posterior = (about, evidence.weighed())
                posterior = self._posterior[1]
            answers = self.ask(partial(Ledger.informed, posterior=posterior, work=work))
            if answers:
                return answers[0]

    def stop(self) -> None:
        """End the thread, after the thought that is under way."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, answer = job
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                while self._unheard:
                    self._ledger.take(self._unheard.popleft())
                answer.set_result(work(self._ledger))
            except Exception as error:  # noqa: BLE001, it is handed to whoever asked
                answer.set_exception(error)
            self._late = False
        self._stopped = True
        self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        """Tell those who still ask that nobody thinks here any more."""
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is not None and job[1].set_running_or_notify_cancel():
                    job[1].set_exception(StoreError("the study is opened anew; try again"))


def _warm_up(ledger: Ledger) -> None:
    """Load and learn all that the first question needs."""
    ledger.next_question()
