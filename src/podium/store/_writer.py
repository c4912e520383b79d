"""One thread that writes for all: what waits is written together and made durable at once.

A commit that reaches the disk takes milliseconds, however much is in it. So
the work of all threads that wait goes into one transaction, each piece behind
a savepoint of its own, and everybody is answered when it is durable.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from podium.errors import StoreError

T = TypeVar("T")

TOGETHER = 256
"""Pieces of work that one commit takes at most."""


class Work(NamedTuple):
    """A piece of work and the promise of its answer."""

    do: Callable[[Any], Any]
    answer: "Future[Any]"


class Writer:
    """Writes into one database, in a thread of its own.

    Args:
        connection: The connection that nobody else writes with.
        translate: Turns an error of the database into one for users.
    """

    def __init__(self, connection: Any, translate: Callable[[Exception], Exception]) -> None:
        self._connection = connection
        self._translate = translate
        self._work: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="podium store", daemon=True)
        self._thread.start()

    def do(self, work: Callable[[Any], T]) -> T:
        """Have something written, and wait until it is durable."""
        if self._closed:
            msg = "this store is closed; open it again"
            raise StoreError(msg)
        answer: Future[T] = Future()
        self._work.put(Work(work, answer))
        return answer.result()

    def close(self) -> None:
        """Write what waits, and stop."""
        if not self._closed:
            self._closed = True
            self._work.put(None)
            self._thread.join()

    def _run(self) -> None:
        while (first := self._work.get()) is not None:
            batch = [first]
            while len(batch) < TOGETHER and not self._work.empty():
                more = self._work.get()
                if more is None:
                    self._work.put(None)
                    break
                batch.append(more)
            self._commit(batch)
        self._refuse_the_rest()

    def _commit(self, batch: list[Work]) -> None:
        """Do the work of a batch in one transaction, and answer when it is durable."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                done = [(work, self._outcome(work)) for work in batch]
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except Exception as error:  # noqa: BLE001, whatever it is, those who wait must hear of it
            for work in batch:
                work.answer.set_exception(self._translate(error))
            return
        for work, outcome in done:
            if isinstance(outcome, Exception):
                work.answer.set_exception(outcome)
            else:
                work.answer.set_result(outcome)

    def _outcome(self, work: Work) -> Any:
        """Do one piece of work; if it fails, undo this piece alone."""
        self._connection.execute("SAVEPOINT work")
        try:
            outcome = work.do(self._connection)
        except Exception as error:  # noqa: BLE001, it is handed to whoever asked for the work
            self._connection.execute("ROLLBACK TO work")
            outcome = self._translate(error)
        self._connection.execute("RELEASE work")
        return outcome

    def _refuse_the_rest(self) -> None:
        while not self._work.empty():
            work = self._work.get()
            if work is not None:
                work.answer.set_exception(StoreError("this store is closed; open it again"))
