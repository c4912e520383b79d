"""Studies in one SQLite file, which several processes of one machine may share.

The file is in WAL mode and every commit reaches the disk before it is
acknowledged (`synchronous=FULL`); with `?fast=1` a power cut, but no crash of
a process, may cost the last moments. In each process one thread writes for
all others (`_writer.py`); readers never wait for it, nor it for them.
"""

import contextlib
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Self

import apsw

from podium.errors import StoreError
from podium.store._clock import boot, now
from podium.store._complaints import missing, taken
from podium.store._files import check_folder, check_header
from podium.store._migrations import check_version, scripts
from podium.store._whole import check_whole, checksum, entries_of, leases_of
from podium.store._writer import Writer
from podium.store.records import (
    OPEN,
    TOLD,
    Decide,
    Entry,
    Event,
    Lease,
    Question,
    Settled,
    Standing,
    Waiting,
    packed,
    unpacked,
)

APPLICATION = 0x706F6469
"""Marks a SQLite file as podium's; it reads "podi"."""

PATIENCE = 60_000
"""Milliseconds to wait for another process that writes."""

PAGES_OF_LOG = 1_000
"""Pages that the file's write-ahead log may hold before it is taken over into the file."""


class SqliteStore:
    """A store in a file.

    Args:
        path: The file; it is made if it is not there.
        fast: Whether the last moments may be lost at a power cut.
    """

    def __init__(self, path: str | Path, *, fast: bool = False) -> None:
        self.path = Path(path).expanduser().absolute()
        self.url = f"sqlite:///{self.path}"
        self._fast = fast
        check_folder(self.path)
        check_header(self.path)
        self._readers: LifoQueue[apsw.Connection] = LifoQueue()
        with self._told():
            self._connection = self._connect()
            self._prepare(self._connection)
        self._writer = Writer(self._connection, self._translated)

    def create(self, study: str, spec: Mapping[str, Any]) -> None:
        """Begin a study; one of that name must not be there."""
        self.restore(study, spec, (), ())

    def restore(
        self,
        study: str,
        spec: Mapping[str, Any],
        entries: Sequence[Entry],
        queries: Sequence[Standing],
    ) -> None:
        """Begin a study that has a log already, all of it or nothing."""
        text = packed(spec)

        def work(db: apsw.Connection) -> None:
            if db.execute("SELECT 1 FROM studies WHERE name = ?", (study,)).get:
                raise taken(study)
            db.execute(
                "INSERT INTO studies (name, spec, entries, chosen, checked) VALUES (?, ?, ?, ?, ?)",
                (study, text, len(entries), len(queries), checksum(study, text)),
            )
            _restore(db, _number(db, study), entries, queries)

        self._writer.do(work)

    def studies(self) -> list[str]:
        """Name all studies, in the order of the alphabet."""
        with self._reader() as db:
            return sorted(name for (name,) in db.execute("SELECT name FROM studies"))

    def load(self, study: str) -> dict[str, Any]:
        """Give the specification of a study."""
        with self._reader() as db:
            number = _number(db, study)
            wanted = "SELECT spec, checked FROM studies WHERE study = ?"
            text, checked = db.execute(wanted, (number,)).get
        check_whole(f"the specification of {study!r}", self.url, checked, study, text)
        return unpacked(text)

    def delete(self, study: str) -> None:
        """Forget a study and all that belongs to it."""

        def work(db: apsw.Connection) -> None:
            db.execute("DELETE FROM studies WHERE study = ?", (_number(db, study),))

        self._writer.do(work)

    def append(self, study: str, events: Sequence[Event]) -> None:
        """Put events into the log, one after another."""
        self._writer.do(lambda db: _log(db, _number(db, study), events))

    def read(self, study: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries behind a place in the log, in order."""
        with self._reader() as db:
            return self._entries(db, _number(db, study), after, limit)

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

        def work(db: apsw.Connection) -> list[Lease]:
            number = _number(db, study)
            if key and (again := self._again(db, number, key, count)):
                return again
            named = key, count
            leases = self._claim(db, number, count, seconds, most, named)
            wanted = count - len(leases)
            if wanted > 0:
                entries = self._entries(db, number, after, alone=True)
                _choose(db, number, decide(entries, wanted))
                leases += self._claim(db, number, wanted, seconds, most, named)
            return leases

        return self._writer.do(work)

    def renew(self, study: str, query: str, token: str, seconds: float) -> float | None:
        """Hold a query for so many seconds from now; None if the token does not hold it."""

        def work(db: apsw.Connection) -> float | None:
            row = (now() + seconds, seconds, boot(), _number(db, study), query, token)
            db.execute(
                "UPDATE queries SET until = ?, span = ?, boot = ? "
                "WHERE study = ? AND query = ? AND token = ? AND token != '' AND state = 'open'",
                row,
            )
            return seconds if db.changes() else None

        return self._writer.do(work)

    def release(self, study: str, query: str, token: str) -> bool:
        """End the lease that a token holds, as if never given; False if it holds none."""

        def work(db: apsw.Connection) -> bool:
            db.execute(
                "UPDATE queries SET token = '', key = '', until = NULL, leases = leases - 1 "
                "WHERE study = ? AND query = ? AND token = ? AND token != '' AND state = 'open'",
                (_number(db, study), query, token),
            )
            return bool(db.changes())

        return self._writer.do(work)

    def settle(self, study: str, state: str, event: Event, answer: str = "") -> Settled | None:
        """Settle the query of an event, and put the event into the log, if it still is open."""

        def work(db: apsw.Connection) -> Settled | None:
            number = _number(db, study)
            found = self._standing(db, number, event.query)
            if found is None:
                return None
            was, stands = found
            if was != OPEN and not (state == TOLD != was):
                return Settled(new=False, state=was, answer=stands)
            sealed = checksum(event.query, state, answer)
            db.execute(
                "UPDATE queries SET state = ?, answer = ?, until = NULL, sealed = ? "
                "WHERE study = ? AND query = ?",
                (state, answer, sealed, number, event.query),
            )
            _log(db, number, [event])
            return Settled(new=True, state=state, answer=answer)

        return self._writer.do(work)

    def reopen(self, study: str, event: Event) -> bool:
        """End the lease of an open query, so that it is handed out again, and log the event."""

        def work(db: apsw.Connection) -> bool:
            number = _number(db, study)
            db.execute(
                "UPDATE queries SET token = '', key = '', until = NULL "
                "WHERE study = ? AND query = ? AND state = 'open'",
                (number, event.query),
            )
            reopened = bool(db.changes())
            if reopened:
                _log(db, number, [event])
            return reopened

        return self._writer.do(work)

    def overdue(self, study: str, most: int) -> Sequence[str]:
        """Name the open queries whose last allowed lease has run out."""
        with self._reader() as db:
            rows = db.execute(
                "SELECT query FROM queries WHERE study = ? AND state = 'open' AND leases >= ? "
                "AND ifnull(until, 0) <= ? ORDER BY place",
                (_number(db, study), most, now()),
            )
            return [query for (query,) in rows]

    def waiting(self, study: str) -> Sequence[Waiting]:
        """List the queries that are not settled, in the order in which they were chosen."""
        with self._reader() as db:
            rows = db.execute(
                "SELECT query, data, leases, until - ? FROM queries "
                "WHERE study = ? AND state = 'open' ORDER BY place",
                (now(), _number(db, study)),
            )
            return [Waiting(query, unpacked(data), *rest) for query, data, *rest in rows]

    def keep(self, study: str, seq: int, state: bytes) -> None:
        """Keep what the log adds up to at a place, in place of what was kept before."""

        def work(db: apsw.Connection) -> None:
            row = (_number(db, study), seq, state, checksum(seq, state.hex()))
            db.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?, ?)", row)

        self._writer.do(work)

    def kept(self, study: str) -> tuple[int, bytes] | None:
        """Give what was kept last; what is damaged is as good as not kept."""
        with self._reader() as db:
            wanted = "SELECT seq, state, checked FROM states WHERE study = ?"
            found = db.execute(wanted, (_number(db, study),)).get
        if found is None or checksum(found[0], found[1].hex()) != found[2]:
            return None
        return int(found[0]), bytes(found[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._writer.close()
        with self._told():
            self._connection.close()
            with contextlib.suppress(Empty):
                while True:
                    self._readers.get_nowait().close()

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(PATIENCE)
        for pragma in (
            "journal_mode = WAL",
            f"synchronous = {'NORMAL' if self._fast else 'FULL'}",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {PAGES_OF_LOG}",
        ):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _prepare(self, db: apsw.Connection) -> None:
        """Make the tables, or bring those of an earlier version up to date."""
        steps = scripts("sqlite")
        db.execute("BEGIN IMMEDIATE")
        try:
            there = db.pragma("user_version")
            check_version(there, len(steps), self.url)
            for step in steps[there:]:
                db.execute(step)
            db.pragma("application_id", APPLICATION)
            db.pragma("user_version", len(steps))
            # The clock began anew with the machine, and so do leases.
            db.execute(
                "UPDATE queries SET boot = ?, until = ? + span "
                "WHERE state = 'open' AND until IS NOT NULL AND boot != ?",
                (boot(), now(), boot()),
            )
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        """Lend a connection for reading, in one transaction."""
        with self._told():
            try:
                connection = self._readers.get_nowait()
            except Empty:
                connection = self._connect()
            try:
                with connection:
                    yield connection
            finally:
                self._readers.put(connection)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (apsw.Error, UnicodeDecodeError) as error:
            raise self._translated(error) from None

    def _translated(self, error: Exception) -> Exception:
        """Word an error of SQLite for users; others stay as they are."""
        if not isinstance(error, apsw.Error | UnicodeDecodeError):
            return error
        hints: dict[type[Exception], str] = {
            UnicodeDecodeError: "the file is damaged; put a copy of it in its place",
            apsw.FullError: "the disk is full; free some space and try again",
            apsw.BusyError: "another process has been writing for too long; try again",
            apsw.CorruptError: "the file is damaged; put a copy of it in its place",
            apsw.NotADBError: "the file is no SQLite database; give another path",
            apsw.ReadOnlyError: "the file cannot be written; check its permissions",
            apsw.CantOpenError: "the file cannot be opened; check the path and its permissions",
            apsw.IOError: "the disk does not answer as it should, or is full",
        }
        hint = hints.get(type(error), str(error))
        return StoreError(f"{self.path}: {hint}")

    def _entries(
        self,
        db: apsw.Connection,
        number: int,
        after: int,
        limit: int | None = None,
        *,
        alone: bool = False,
    ) -> list[Entry]:
        counted = "SELECT entries FROM studies WHERE study = ?"
        last = db.execute(counted, (number,)).get if limit is None else None
        rows: list[Any] = db.execute(
            "SELECT seq, kind, query, data, at, checked FROM log "
            "WHERE study = ? AND seq > ? ORDER BY seq LIMIT ?",
            (number, after, -1 if limit is None else limit),
        ).fetchall()
        return entries_of(rows, number, after, last, self.url, alone=alone)

    def _standing(self, db: apsw.Connection, number: int, query: str) -> tuple[str, str] | None:
        """Give the state and the answer of a query."""
        wanted = "SELECT state, answer, sealed FROM queries WHERE study = ? AND query = ?"
        row = db.execute(wanted, (number, query)).get
        if row is None:
            return None
        state, answer, sealed = row
        check_whole(f"query {query!r}", self.url, sealed, query, state, answer)
        return state, answer

    def _again(self, db: apsw.Connection, number: int, key: str, count: int) -> list[Lease]:
        """Give the leases that a request of this name was given before, and that it still holds."""
        rows: list[Any] = db.execute(
            "SELECT query, data, token, ifnull(until, 0.0) - ?, checked, wanted FROM queries "
            "WHERE study = ? AND key = ? AND key != '' ORDER BY place",
            (now(), number, key),
        ).fetchall()
        return leases_of(rows, key, count, self.url)

    def _claim(
        self,
        db: apsw.Connection,
        number: int,
        count: int,
        seconds: float,
        most: int,
        named: tuple[str, int],
    ) -> list[Lease]:
        here = now()
        rows: list[Any] = db.execute(
            "SELECT query, data, checked FROM queries WHERE study = ? AND state = 'open' "
            "AND leases < ? AND ifnull(until, 0) <= ? ORDER BY place LIMIT ?",
            (number, most, here, count),
        ).fetchall()
        leases = []
        for query, data, checked in rows:
            check_whole(f"query {query!r}", self.url, checked, query, data)
            token = secrets.token_hex(8)
            db.execute(
                "UPDATE queries SET token = ?, until = ?, span = ?, boot = ?, key = ?, wanted = ?, "
                "leases = leases + 1 WHERE study = ? AND query = ?",
                (token, here + seconds, seconds, boot(), *named, number, query),
            )
            leases.append(Lease(query, unpacked(data), token, seconds))
        return leases


def _number(db: apsw.Connection, study: str) -> int:
    """Find the number of a study."""
    found = db.execute("SELECT study FROM studies WHERE name = ?", (study,)).get
    if found is None:
        known = [name for (name,) in db.execute("SELECT name FROM studies")]
        raise missing(study, known)
    return int(found)


def _log(db: apsw.Connection, number: int, events: Sequence[Event]) -> None:
    """Put events at the end of the log."""
    entries = db.execute("SELECT entries FROM studies WHERE study = ?", (number,)).get
    at = time.time()
    rows = []
    for seq, (kind, query, data) in enumerate(events, start=entries + 1):
        text = packed(data)
        rows.append((number, seq, kind, query, text, at, checksum(number, kind, query, text, at)))
    db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.execute("UPDATE studies SET entries = ? WHERE study = ?", (entries + len(events), number))


def _restore(
    db: apsw.Connection, number: int, entries: Sequence[Entry], queries: Sequence[Standing]
) -> None:
    """Write the log and the queries of a study that was kept elsewhere."""
    log = []
    for seq, kind, query, data, at in entries:
        text = packed(data)
        log.append((number, seq, kind, query, text, at, checksum(number, kind, query, text, at)))
    db.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", log)
    rows = []
    for place, (query, data, state, answer, leases) in enumerate(queries, start=1):
        text = packed(data)
        sums = (checksum(query, text), checksum(query, state, answer))
        rows.append((number, query, place, text, state, answer, leases, *sums))
    db.executemany(
        "INSERT INTO queries (study, query, place, data, state, answer, leases, checked, sealed) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def _choose(db: apsw.Connection, number: int, questions: Sequence[Question]) -> None:
    """Put new queries behind those that are there, and into the log."""
    if not questions:
        return
    chosen = db.execute("SELECT chosen FROM studies WHERE study = ?", (number,)).get
    rows = []
    for place, (query, data) in enumerate(questions, start=chosen + 1):
        text = packed(data)
        sums = (checksum(query, text), checksum(query, OPEN, ""))
        rows.append((number, query, place, text, *sums))
    db.executemany(
        "INSERT INTO queries (study, query, place, data, checked, sealed) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        rows,
    )
    db.execute("UPDATE studies SET chosen = ? WHERE study = ?", (chosen + len(questions), number))
    _log(db, number, [Event("asked", *question) for question in questions])
