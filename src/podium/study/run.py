"""Workers: evaluate what a study asks, several queries at a time, until it stops."""

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

from podium.data.ratings import Ranking
from podium.errors import Conflict, DataError, PodiumError, StoreError, StudyError
from podium.words import check_number, counted, listed

T = TypeVar("T")

Evaluate = Callable[[str, tuple[str, ...]], Mapping[str, float]]
"""Given a task and agents, gives a score for each agent."""

FEWEST_FAILURES = 10
"""Failures in a row after which nothing is tried any more, if nothing else is said."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0
"""Seconds until it is asked again while others hold all that may be asked; each pause doubles."""

TRIES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds to wait, again and again, for a store that does not answer."""

GRACE = 10.0
"""Seconds in which open queries are handed back after an interrupt."""

LONGEST_WHY = 2_000
"""Letters of a failure that are kept."""


class Asking(Protocol):
    """What a run needs of a study, be it here or behind a server."""

    def ask(self, count: int) -> list[Any]:
        """Hand out queries."""
        ...

    def tell(
        self, query: str, scores: Mapping[str, float], *, lease_token: str | None = None
    ) -> Any:
        """Take an answer."""
        ...

    def fail(self, query: str, why: str) -> bool:
        """Take note of a failure."""
        ...

    def renew(self, query: str, lease_token: str | None = None) -> datetime:
        """Hold a query for longer."""
        ...

    def release(self, query: str, lease_token: str | None = None) -> bool:
        """Take a query back."""
        ...

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more."""
        ...

    def ranking(self) -> Ranking:
        """Rank by all answers so far."""
        ...


class Progress(NamedTuple):
    """How far a run is.

    Attributes:
        told: Queries that it has answered.
        failed: Evaluations that failed.
        running: Evaluations that are under way.
        why: Why the last one failed; nothing if it did not.
    """

    told: int
    failed: int
    running: int
    why: str


def run(
    study: Asking,
    evaluate: Evaluate,
    *,
    workers: int = 1,
    timeout: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    failures: int | None = None,
) -> Ranking:
    """Evaluate what a study asks, in threads, until it stops; gives the ranking.

    Leases are renewed while evaluations last. What `evaluate` raises, and scores
    that cannot be, are told to the study as failures. While others hold all that
    may be asked, the run waits. An interrupt hands open queries back to the
    study, for whoever asks next, and is raised; to go on, run again.

    Args:
        study: The study.
        evaluate: Given a task and agents, gives a score for each agent. It is
            called from several threads at once if there are several workers.
        workers: How many evaluations go on at the same time.
        timeout: Seconds after which an evaluation has failed. Its thread cannot be
            ended: what it gives later is dropped.
        progress: Told how far the run is, whenever an evaluation has ended.
        failures: Stop after so many failures in a row; by default 10, or twice
            the workers if that is more.

    Raises:
        StudyError: If too many evaluations failed in a row.
    """
    check_number("workers", workers, low=1)
    if timeout is not None and not timeout > 0.0:
        msg = f"timeout is {timeout!r}; give a number of seconds above 0"
        raise DataError(msg)
    crew = Crew(study, evaluate, int(workers), timeout, progress or (lambda _: None))
    crew.patience = failures or max(FEWEST_FAILURES, 2 * crew.workers)
    begun = False
    try:
        threading.Thread(target=crew.work, name="podium run", daemon=True).start()
        begun = True
        while not crew.over.wait(1.0):  # an endless wait keeps some systems from interrupts
            pass
    except BaseException:
        crew.stop()
        crew.over.wait(GRACE if begun else 0.0)
        raise
    if crew.error is not None:
        raise crew.error
    return study.ranking()


class Job:
    """A query that is being evaluated."""

    def __init__(self, query: Any) -> None:
        self.query = query
        self.over = threading.Event()
        self.why = ""
        self.cause: BaseException | None = None
        self.error: Exception | None = None
        self._lock = threading.Lock()

    def close(self) -> bool:
        """Say that no answer is waited for any more; True for whoever says so first."""
        with self._lock:
            first = not self.over.is_set()
            self.over.set()
            return first


class Crew:
    """Workers on one study; a thread of its own asks for them all.

    The thread that started the run only waits, so that an interrupt never cuts
    what is being written.
    """

    def __init__(
        self,
        study: Asking,
        evaluate: Evaluate,
        workers: int,
        timeout: float | None,
        progress: Callable[[Progress], None],
    ) -> None:
        self.study = study
        self.evaluate = evaluate
        self.workers = workers
        self.timeout = timeout
        self.progress = progress
        self.patience = FEWEST_FAILURES
        self.error: BaseException | None = None
        self.over = threading.Event()
        self._open: dict[str, Job] = {}
        self._ended: SimpleQueue[Job | None] = SimpleQueue()
        self._stopping = threading.Event()
        self._told = self._failed = self._in_a_row = 0

    def work(self) -> None:
        """Ask and evaluate until the study stops, or `stop` is called; never raises."""
        try:
            self._ask_and_evaluate()
        except BaseException as error:  # noqa: BLE001, it is raised by the thread that waits
            self.error = error
        finally:
            self.stop()
            self._hand_back()
            self.over.set()

    def stop(self) -> None:
        """Ask nothing more."""
        self._stopping.set()
        self._ended.put(None)

    def _ask_and_evaluate(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            free = self.workers - len(self._open)
            queries = self._patiently(self.study.ask, free)
            for query in queries:
                self._start(query)
            if not self._open and self._patiently(lambda: self.study.stopped):
                return
            pause = FIRST_PAUSE if queries else min(2 * pause, LONGEST_PAUSE)
            self._await_ends(pause if len(queries) < free else None)

    def _start(self, query: Any) -> None:
        """Evaluate a query in a thread of its own, with another that watches over it."""
        job = self._open[query.id] = Job(query)
        for part, work in (("evaluates", self._evaluate), ("watches", self._watch)):
            name = f"podium {part} {query.id}"
            threading.Thread(target=work, args=(job,), name=name, daemon=True).start()

    def _await_ends(self, seconds: float | None) -> None:
        """Wait until an evaluation has ended, or so many seconds."""
        with contextlib.suppress(Empty):
            job = self._ended.get(timeout=seconds)
            while True:
                if job is not None:
                    self._note(job)
                job = self._ended.get_nowait()

    def _note(self, job: Job) -> None:
        """Count an evaluation that has ended; too many failures end the run."""
        if self._open.pop(job.query.id, None) is None:
            return
        if job.error is not None:
            raise job.error
        self._told += not job.why
        self._failed += bool(job.why)
        self._in_a_row = self._in_a_row + 1 if job.why else 0
        self.progress(Progress(self._told, self._failed, len(self._open), job.why))
        if self._in_a_row >= self.patience:
            msg = (
                f"{counted(self._in_a_row, 'evaluation')} failed in a row, the last one of "
                f"{listed(job.query.agents)} on {job.query.task!r}: {job.why}\n"
                "The study is kept; mend the evaluation and run it again."
            )
            raise StudyError(msg) from job.cause

    def _evaluate(self, job: Job) -> None:
        """Evaluate a query and tell what came out."""
        query = job.query
        try:
            scores = self.evaluate(query.task, tuple(query.agents))
        except (Exception, SystemExit) as error:  # noqa: BLE001, the study is told whatever it is
            self._fail(job, said(error), error)
            return
        if not job.close():
            return
        try:
            told = self._patiently(
                lambda: self.study.tell(query.id, scores, lease_token=query.lease_token)
            )
        except Conflict:
            pass  # somebody else answered first, and that answer stands
        except DataError as error:
            self._give_up(job, str(error), error)
        except Exception as error:  # noqa: BLE001, it is raised by the thread that waits
            job.error = error
        else:
            if told.state == "open":
                left = [agent for agent in query.agents if agent not in scores]
                self._give_up(job, f"no score came for {listed(left)}")
        self._ended.put(job)

    def _watch(self, job: Job) -> None:
        """Hold a query while it is evaluated, for as long as is allowed."""
        begun, expires = time.monotonic(), job.query.expires
        third = max(0.01, (expires - datetime.now(UTC)).total_seconds() / 3.0)
        end = None if self.timeout is None else begun + self.timeout
        while not job.over.wait(third if end is None else min(third, end - time.monotonic())):
            if end is not None and time.monotonic() >= end:
                self._fail(job, f"no answer came within {self.timeout:g} seconds")
                return
            try:
                self.study.renew(job.query.id, job.query.lease_token)
            except StoreError:
                continue  # it may answer when the next third is over
            except PodiumError:
                # The lease is lost, as after a sleep of the machine; the answer is still welcome.
                third = threading.TIMEOUT_MAX

    def _fail(self, job: Job, why: str, cause: BaseException | None = None) -> None:
        """Tell of a failure, unless the job was closed before."""
        if job.close():
            self._give_up(job, why, cause)
            self._ended.put(job)

    def _give_up(self, job: Job, why: str, cause: BaseException | None = None) -> None:
        job.why, job.cause = why[:LONGEST_WHY], cause
        try:
            self._patiently(self.study.fail, job.query.id, job.why)
        except Exception as error:  # noqa: BLE001, it is raised by the thread that waits
            job.error = error

    def _hand_back(self) -> None:
        """Give open queries back, so that others need not wait for their leases to end."""
        for job in list(self._open.values()):
            if job.close():
                with contextlib.suppress(PodiumError, OSError):
                    self.study.release(job.query.id, job.query.lease_token)

    def _patiently(self, call: Callable[..., T], *args: Any) -> T:
        """Call, and call again if the store does not answer for a while."""
        for seconds in TRIES:
            try:
                return call(*args)
            except (StoreError, OSError):
                if self._stopping.wait(seconds):
                    break
        return call(*args)


def said(error: BaseException) -> str:
    """Say in one line what went wrong in an evaluation, and where.

    >>> said(StudyError("no luck")), said(ValueError("x"))
    ('no luck', 'ValueError: x')
    """
    if isinstance(error, PodiumError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"
