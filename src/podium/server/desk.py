"""The desk: studies that are open in this process, and requests that came before."""

import contextlib
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

import msgspec

from podium.errors import Conflict, DataError, StoreError, UnknownStudy
from podium.server.shapes import Body, StudyLine
from podium.store import Store
from podium.store._complaints import reused
from podium.study.spec import StudySpec
from podium.study.study import Study
from podium.words import check_name

A = TypeVar("A")

SLASH = "\ue000"
"""Stands for a slash in the name of a study on its way from a path."""

REMEMBERED = 10_000
"""Answers to requests with a name that are kept, in case that they come again."""


class Desk:
    """Opens each study once, and answers a request that comes twice as before.

    Args:
        store: Where the studies are.
        patience: Seconds that strategies have to choose.
        heard: Told the name of a study when something was written to it.
    """

    def __init__(self, store: Store, patience: float, heard: Callable[[str], None]) -> None:
        self.store = store
        self._patience = patience
        self._heard = heard
        self._studies: dict[str, Study] = {}
        self._answers: OrderedDict[tuple[str, str], tuple[bytes, Future[Any]]] = OrderedDict()
        self._lock = threading.Lock()

    def study(self, name: str) -> Study:
        """Give a study, opening it if need be."""
        name = name.replace(SLASH, "/")
        found = self._studies.get(name)
        if found is not None:
            return found
        try:
            check_name("study", name)
        except DataError as error:
            raise UnknownStudy(str(error)) from None
        opened = Study(self.store, name, patience=self._patience)
        with self._lock:
            kept = self._studies.setdefault(name, opened)
        if kept is not opened:
            opened.close()
        return kept

    def lines(self) -> list[StudyLine]:
        """List all studies."""
        lines = []
        for name in self.store.studies():
            with contextlib.suppress(UnknownStudy):  # deleted while they are listed
                spec = StudySpec.of(**self.store.load(name))
                lines.append(StudyLine(name, spec.preset, len(spec.agents), len(spec.tasks)))
        return lines

    def create(self, parts: dict[str, Any], key: str) -> StudySpec:
        """Begin a study; the same request again finds what it made."""
        spec = StudySpec.of(**parts)
        try:
            Study.create(store=self.store, **parts)
        except Conflict:
            made = StudySpec.of(**self.store.load(spec.name))
            if not key or made != spec or self.store.read(spec.name, 0, 1):
                raise
        return spec

    def delete(self, name: str) -> None:
        """Delete a study."""
        study = self.study(name)
        self.store.delete(study.name)
        self._forget(study)

    def do(self, name: str, work: Callable[[Study], A]) -> A:
        """Do something with a study, and tell that it may have changed."""
        study = self.study(name)
        try:
            done = work(study)
        except (UnknownStudy, StoreError):
            self._forget(study)  # another process may have put another in its place
            raise
        self._heard(study.name)
        return done

    def once(self, scope: str, key: str, body: Body, work: Callable[[], A]) -> A:
        """Do the work of a request; if it came before under its name, give the answer of then.

        This is for requests that come again soon. What must hold after a restart of the server,
        too, is seen to by the study, which writes names into its log and beside its leases.
        """
        if not key:
            return work()
        text = msgspec.json.encode([type(body).__name__, body])
        digest = hashlib.sha256(text).digest()
        mine: Future[Any] = Future()
        with self._lock:
            before, answer = self._answers.setdefault((scope, key), (digest, mine))
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        if before != digest:
            raise reused(key)
        if answer is not mine:
            return answer.result()  # type: ignore[no-any-return] # what the same work gave
        try:
            done = work()
        except BaseException as error:
            with self._lock:
                self._answers.pop((scope, key), None)
            mine.set_exception(error)  # whoever waits for the same hears of it, too
            raise
        mine.set_result(done)
        return done

    def close(self) -> None:
        """Let go of all studies."""
        for study in list(self._studies.values()):
            self._forget(study)

    def _forget(self, study: Study) -> None:
        with self._lock:
            if self._studies.get(study.name) is study:
                del self._studies[study.name]
        study.close()
