"""Studies in the memory of this process, for trials and tests; they end with it."""

import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from podium.store._complaints import missing, reused, taken
from podium.store.records import (
    OPEN,
    TOLD,
    Decide,
    Entry,
    Event,
    Lease,
    Settled,
    Standing,
    Waiting,
    packed,
    unpacked,
)


@dataclass
class Query:
    """A query that was chosen, and who holds it."""

    data: Mapping[str, Any]
    state: str = OPEN
    answer: str = ""
    token: str = ""
    until: float | None = None
    leases: int = 0
    key: str = ""


@dataclass
class Kept:
    """One study."""

    spec: str
    log: list[Entry] = field(default_factory=list)
    queries: dict[str, Query] = field(default_factory=dict)
    open: dict[str, Query] = field(default_factory=dict)
    keyed: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    state: tuple[int, bytes] | None = None

    def write(self, events: Sequence[Event]) -> None:
        """Put events into the log."""
        now = time.time()
        for event in events:
            self.log.append(Entry(len(self.log) + 1, *event, now))


class MemoryStore:
    """A store that forgets everything when the process ends."""

    url = "memory://"

    def __init__(self) -> None:
        self._studies: dict[str, Kept] = {}
        self._lock = threading.RLock()

    def create(self, study: str, spec: Mapping[str, Any]) -> None:
        """Begin a study; one of that name must not be there."""
        with self._lock:
            if study in self._studies:
                raise taken(study)
            self._studies[study] = Kept(packed(spec))

    def restore(
        self,
        study: str,
        spec: Mapping[str, Any],
        entries: Sequence[Entry],
        queries: Sequence[Standing],
    ) -> None:
        """Begin a study that has a log already."""
        kept = Kept(packed(spec), list(entries))
        for id_, data, state, answer, leases in queries:
            query = kept.queries[id_] = Query(data, state, answer, leases=leases)
            if state == OPEN:
                kept.open[id_] = query
        with self._lock:
            if study in self._studies:
                raise taken(study)
            self._studies[study] = kept

    def studies(self) -> list[str]:
        """Name all studies, in the order of the alphabet."""
        return sorted(self._studies)

    def load(self, study: str) -> dict[str, Any]:
        """Give the specification of a study."""
        return unpacked(self._of(study).spec)

    def delete(self, study: str) -> None:
        """Forget a study."""
        with self._lock:
            self._of(study)
            del self._studies[study]

    def append(self, study: str, events: Sequence[Event]) -> None:
        """Put events into the log, one after another."""
        with self._lock:
            self._of(study).write(events)

    def read(self, study: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries behind a place in the log, in order."""
        with self._lock:
            return self._of(study).log[after : None if limit is None else after + limit]

    def lease(
        self,
        study: str,
        count: int,
        seconds: float,
        *,
        after: int,
        most: int,
        decide: Decide,
        key: str = "",
    ) -> Sequence[Lease]:
        """Hand out queries: those that nobody holds any more, then new ones."""
        with self._lock:
            kept = self._of(study)
            if leases := self._again(kept, key, count):
                return leases
            leases = self._claim(kept, count, seconds, most)
            wanted = count - len(leases)
            if wanted > 0:
                for question in decide(kept.log[after:], wanted):
                    query = Query(question.data)
                    kept.queries[question.id] = kept.open[question.id] = query
                    kept.write([Event("asked", question.id, question.data)])
                leases += self._claim(kept, wanted, seconds, most)
            if key:
                kept.keyed[key] = count, [lease.id for lease in leases]
            for lease in leases:
                kept.queries[lease.id].key = key
            return leases

    def renew(self, study: str, query: str, token: str, seconds: float) -> float | None:
        """Hold a query for so many seconds from now; None if the token does not hold it."""
        with self._lock:
            found = self._of(study).open.get(query)
            if found is None or not token or found.token != token:
                return None
            found.until = time.monotonic() + seconds
            return seconds

    def release(self, study: str, query: str, token: str) -> bool:
        """End the lease that a token holds, as if never given; False if it holds none."""
        with self._lock:
            found = self._of(study).open.get(query)
            if found is None or not token or found.token != token:
                return False
            found.token, found.key, found.until = "", "", None
            found.leases -= 1
            return True

    def settle(self, study: str, state: str, event: Event, answer: str = "") -> Settled | None:
        """Settle the query of an event, and put the event into the log, if it still is open."""
        with self._lock:
            kept = self._of(study)
            found = kept.queries.get(event.query)
            if found is None:
                return None
            new = found.state == OPEN or (state == TOLD and found.state != TOLD)
            if new:
                found.state, found.answer, found.until = state, answer, None
                kept.open.pop(event.query, None)
                kept.write([event])
            return Settled(new, found.state, found.answer)

    def reopen(self, study: str, event: Event) -> bool:
        """End the lease of an open query, so that it is handed out again, and log the event."""
        with self._lock:
            kept = self._of(study)
            found = kept.open.get(event.query)
            if found is None:
                return False
            found.token, found.key, found.until = "", "", None
            kept.write([event])
            return True

    def overdue(self, study: str, most: int) -> Sequence[str]:
        """Name the open queries whose last allowed lease has run out."""
        with self._lock:
            now = time.monotonic()
            found = self._of(study).open.items()
            return [id_ for id_, q in found if q.leases >= most and (q.until or 0.0) <= now]

    def waiting(self, study: str) -> Sequence[Waiting]:
        """List the queries that are not settled, in the order in which they were chosen."""
        with self._lock:
            now = time.monotonic()
            return [
                Waiting(id_, q.data, q.leases, None if q.until is None else q.until - now)
                for id_, q in self._of(study).open.items()
            ]

    def keep(self, study: str, seq: int, state: bytes) -> None:
        """Keep what the log adds up to at a place."""
        with self._lock:
            self._of(study).state = (seq, state)

    def kept(self, study: str) -> tuple[int, bytes] | None:
        """Give what was kept last and the place in the log that it belongs to."""
        return self._of(study).state

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _of(self, study: str) -> Kept:
        if study not in self._studies:
            raise missing(study, self._studies)
        return self._studies[study]

    @staticmethod
    def _again(kept: Kept, key: str, count: int) -> list[Lease]:
        """Give the leases that a request of this name was given before, and that it still holds."""
        wanted, ids = kept.keyed.get(key, (count, []))
        held = [(id_, kept.queries[id_]) for id_ in ids if kept.queries[id_].key == key]
        if held and wanted != count:
            raise reused(key)
        now = time.monotonic()
        return [Lease(id_, q.data, q.token, (q.until or now) - now) for id_, q in held]

    @staticmethod
    def _claim(kept: Kept, count: int, seconds: float, most: int) -> list[Lease]:
        now = time.monotonic()
        leases: list[Lease] = []
        for id_, query in kept.open.items():
            if len(leases) == count:
                break
            if query.leases < most and (query.until is None or query.until <= now):
                query.token, query.until = secrets.token_hex(8), now + seconds
                query.leases += 1
                leases.append(Lease(id_, query.data, query.token, seconds))
        return leases
