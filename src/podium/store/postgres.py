"""Studies in PostgreSQL, for several servers and crowds of workers.

Those who tell do not wait for one another: an answer settles its own row and
goes into an inbox, which is durable at once. Whoever reads the log or chooses
next gives what is in the inbox its places in the log. Workers take queries by
`SKIP LOCKED`; while many of them are at work, a few queries more than asked for
are chosen at a time, so that most find one ready.
"""

import contextlib
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from queue import Empty, LifoQueue
from typing import Any

from podium.errors import MissingExtra, StoreError
from podium.store._complaints import missing, taken
from podium.store._migrations import check_version, scripts
from podium.store._opening import without_password
from podium.store._whole import check_whole, checksum, entries_of, leases_of
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

SCHEMA = "podium"
"""Name of the schema that holds the tables."""

GATE = 0x706F6469
"""Number of the lock that keeps two processes from making the tables at once."""

CROWD = 4
"""From this many queries on that are out with workers, more are chosen than asked for."""

AHEAD = 32
"""Queries that are chosen ahead, at most."""

FRESH = 5.0
"""Seconds for which an idle connection is taken to be alive without asking."""


class PostgresStore:
    """A store in a PostgreSQL database.

    Args:
        url: `postgresql://user:password@host/database`, as libpq reads it.
    """

    def __init__(self, url: str) -> None:
        try:
            import psycopg
        except ModuleNotFoundError:
            msg = "studies in PostgreSQL need psycopg; pip install 'podium[postgres]'"
            raise MissingExtra(msg) from None
        self._psycopg = psycopg
        self._where = url
        self.url = without_password(url)
        self._idle: LifoQueue[tuple[float, Any]] = LifoQueue()
        self._closed = False
        self._prepare()

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
        with self._session() as db:
            made = db.execute(
                "INSERT INTO studies (name, spec, entries, chosen, checked) "
                "VALUES (%s, %s, %s, %s, %s) ON CONFLICT (name) DO NOTHING",
                (study, text, len(entries), len(queries), checksum(study, text)),
            )
            if not made.rowcount:
                raise taken(study)
            _restore(db, _number(db, study), entries, queries)

    def studies(self) -> list[str]:
        """Name all studies, in the order of the alphabet."""
        with self._session() as db:
            return sorted(name for (name,) in db.execute("SELECT name FROM studies"))

    def load(self, study: str) -> dict[str, Any]:
        """Give the specification of a study."""
        with self._session() as db:
            number = _number(db, study)
            wanted = "SELECT spec, checked FROM studies WHERE study = %s"
            text, checked = db.execute(wanted, (number,)).fetchone()
        check_whole(f"the specification of {study!r}", self.url, checked, study, text)
        return unpacked(text)

    def delete(self, study: str) -> None:
        """Forget a study and all that belongs to it."""
        with self._session() as db:
            db.execute("DELETE FROM studies WHERE study = %s", (_number(db, study),))

    def append(self, study: str, events: Sequence[Event]) -> None:
        """Put events into the log, one after another."""
        with self._session() as db:
            _submit(db, _number(db, study), events)

    def read(self, study: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries behind a place in the log, in order."""
        with self._session() as db:
            number = _number(db, study)
            waits = "SELECT EXISTS (SELECT FROM inbox WHERE study = %s)"
            if db.execute(waits, (number,)).fetchone()[0]:
                _hold(db, number)
                _place(db, number)
            return self._entries(db, number, after, limit)

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
        with self._session() as db:
            number = _number(db, study)
            if key and (again := self._again(db, number, key, count)):
                return again
            named = key, count
            leases = self._claim(db, number, count, seconds, most, named)
        if len(leases) == count:
            return leases
        try:
            with self._session() as db:
                _hold(db, number)
                # Somebody may have chosen for all while this one waited.
                more = self._claim(db, number, count - len(leases), seconds, most, named)
                wanted = count - len(leases) - len(more)
                if wanted:
                    _place(db, number)
                    entries = self._entries(db, number, after, alone=True)
                    _choose(db, number, decide(entries, wanted + _ahead(db, number)))
                    more += self._claim(db, number, wanted, seconds, most, named)
        except BaseException:
            self._give_back(number, leases)
            raise
        return leases + more

    def renew(self, study: str, query: str, token: str, seconds: float) -> float | None:
        """Hold a query for so many seconds from now; None if the token does not hold it."""
        with self._session() as db:
            renewed = db.execute(
                "UPDATE queries SET until = clock_timestamp() + make_interval(secs => %s) WHERE "
                "study = %s AND query = %s AND token = %s AND token != '' AND state = 'open'",
                (seconds, _number(db, study), query, token),
            )
            return seconds if renewed.rowcount else None

    def release(self, study: str, query: str, token: str) -> bool:
        """End the lease that a token holds, as if never given; False if it holds none."""
        with self._session() as db:
            released = db.execute(
                "UPDATE queries SET token = '', key = '', until = NULL, leases = leases - 1 "
                "WHERE study = %s AND query = %s AND token = %s AND token != '' AND state = 'open'",
                (_number(db, study), query, token),
            )
            return bool(released.rowcount)

    def settle(self, study: str, state: str, event: Event, answer: str = "") -> Settled | None:
        """Settle the query of an event, and put the event into the log, if it still is open."""
        with self._session() as db:
            number = _number(db, study)
            settled = db.execute(
                "UPDATE queries SET state = %s, answer = %s, until = NULL, sealed = %s "
                "WHERE study = %s AND query = %s AND (state = 'open' OR (%s AND state != 'told'))",
                (
                    *(state, answer, checksum(event.query, state, answer)),
                    *(number, event.query, state == TOLD),
                ),
            )
            if settled.rowcount:
                _submit(db, number, [event])
                return Settled(new=True, state=state, answer=answer)
            wanted = "SELECT state, answer, sealed FROM queries WHERE study = %s AND query = %s"
            found = db.execute(wanted, (number, event.query)).fetchone()
        if found is None:
            return None
        state, stands, sealed = found
        check_whole(f"query {event.query!r}", self.url, sealed, event.query, state, stands)
        return Settled(new=False, state=state, answer=stands)

    def reopen(self, study: str, event: Event) -> bool:
        """End the lease of an open query, so that it is handed out again, and log the event."""
        with self._session() as db:
            number = _number(db, study)
            reopened = db.execute(
                "UPDATE queries SET token = '', key = '', until = NULL "
                "WHERE study = %s AND query = %s AND state = 'open'",
                (number, event.query),
            )
            if reopened.rowcount:
                _submit(db, number, [event])
            return bool(reopened.rowcount)

    def overdue(self, study: str, most: int) -> Sequence[str]:
        """Name the open queries whose last allowed lease has run out."""
        with self._session() as db:
            rows = db.execute(
                "SELECT query FROM queries WHERE study = %s AND state = 'open' AND leases >= %s "
                "AND (until IS NULL OR until <= clock_timestamp()) ORDER BY place",
                (_number(db, study), most),
            )
            return [query for (query,) in rows]

    def waiting(self, study: str) -> Sequence[Waiting]:
        """List the queries that are not settled, in the order in which they were chosen."""
        with self._session() as db:
            rows = db.execute(
                "SELECT query, data, leases, extract(epoch FROM until - clock_timestamp())::float8 "
                "FROM queries WHERE study = %s AND state = 'open' ORDER BY place",
                (_number(db, study),),
            )
            return [Waiting(query, unpacked(data), *rest) for query, data, *rest in rows]

    def keep(self, study: str, seq: int, state: bytes) -> None:
        """Keep what the log adds up to at a place, in place of what was kept before."""
        with self._session() as db:
            db.execute(
                "INSERT INTO states VALUES (%(study)s, %(seq)s, %(state)s, %(sum)s) "
                "ON CONFLICT (study) DO UPDATE "
                "SET seq = excluded.seq, state = excluded.state, checked = excluded.checked",
                {
                    "study": _number(db, study),
                    "seq": seq,
                    "state": state,
                    "sum": checksum(seq, state.hex()),
                },
            )

    def kept(self, study: str) -> tuple[int, bytes] | None:
        """Give what was kept last; what is damaged is as good as not kept."""
        with self._session() as db:
            wanted = "SELECT seq, state, checked FROM states WHERE study = %s"
            found = db.execute(wanted, (_number(db, study),)).fetchone()
        if found is None or checksum(found[0], bytes(found[1]).hex()) != found[2]:
            return None
        return int(found[0]), bytes(found[1])

    def close(self) -> None:
        """Let go of all connections."""
        self._closed = True
        with contextlib.suppress(Empty):
            while True:
                self._idle.get_nowait()[1].close()

    def _prepare(self) -> None:
        """Make the tables, or bring those of an earlier version up to date."""
        with self._session() as db:
            encoding = db.execute("SHOW server_encoding").fetchone()[0]
            if encoding != "UTF8":
                msg = (
                    f"{self.url} has the encoding {encoding}, which cannot hold every name; make "
                    "a database with ENCODING 'UTF8'"
                )
                raise StoreError(msg)
            db.execute("SELECT pg_advisory_xact_lock(%s)", (GATE,))
            db.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            db.execute("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
            found = db.execute("SELECT number FROM version").fetchone()
            there, steps = found[0] if found else 0, scripts("postgres")
            check_version(there, len(steps), self.url)
            for step in steps[there:]:
                db.execute(step)
            if not found:
                db.execute("INSERT INTO version VALUES (0)")
            db.execute("UPDATE version SET number = %s", (len(steps),))

    @contextlib.contextmanager
    def _session(self) -> Iterator[Any]:
        """Lend a connection, in one transaction."""
        if self._closed:
            msg = "this store is closed; open it again"
            raise StoreError(msg)
        try:
            connection = self._connection()
            try:
                with connection.transaction():
                    yield connection
            finally:
                if not connection.closed and not connection.broken:
                    self._idle.put((time.monotonic(), connection))
        except self._psycopg.Error as error:
            raise self._translated(error) from None

    def _connection(self) -> Any:
        while True:
            try:
                since, connection = self._idle.get_nowait()
            except Empty:
                return self._connect()
            if time.monotonic() - since < FRESH:
                return connection
            try:
                connection.execute("SELECT 1")
            except self._psycopg.Error:
                connection.close()
            else:
                return connection

    def _connect(self) -> Any:
        connection = self._psycopg.connect(
            self._where, autocommit=True, application_name="podium", connect_timeout=10
        )
        connection.execute(f"SET search_path TO {SCHEMA}")
        connection.execute("SET lock_timeout TO '60s'")
        connection.execute("SET synchronous_commit TO on")
        return connection

    def _translated(self, error: Exception) -> StoreError:
        """Word an error of PostgreSQL for users."""
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        return StoreError(f"{self.url}: {first}; nothing was written")

    def _entries(
        self, db: Any, number: int, after: int, limit: int | None = None, *, alone: bool = False
    ) -> list[Entry]:
        counted = "SELECT entries FROM studies WHERE study = %s"
        last = db.execute(counted, (number,)).fetchone()[0] if limit is None else None
        rows = db.execute(
            "SELECT seq, kind, query, data, at, checked FROM log "
            "WHERE study = %s AND seq > %s ORDER BY seq LIMIT %s",
            (number, after, limit),
        )
        return entries_of(rows, number, after, last, self.url, alone=alone)

    def _again(self, db: Any, number: int, key: str, count: int) -> list[Lease]:
        """Give the leases that a request of this name was given before, and that it still holds."""
        rows = db.execute(
            "SELECT query, data, token, "
            "coalesce(extract(epoch FROM until - clock_timestamp()), 0)::float8, checked, wanted "
            "FROM queries WHERE study = %s AND key = %s AND key != '' ORDER BY place",
            (number, key),
        )
        return leases_of(rows, key, count, self.url)

    def _claim(
        self, db: Any, number: int, count: int, seconds: float, most: int, named: tuple[str, int]
    ) -> list[Lease]:
        """Take queries that nobody holds and nobody else is taking."""
        rows = db.execute(
            "UPDATE queries SET token = %(token)s || place, leases = leases + 1, "
            "key = %(key)s, wanted = %(wanted)s, "
            "until = clock_timestamp() + make_interval(secs => %(seconds)s) "
            "WHERE study = %(study)s AND query IN (SELECT query FROM queries WHERE "
            "study = %(study)s AND state = 'open' AND leases < %(most)s "
            "AND (until IS NULL OR until <= clock_timestamp()) "
            "ORDER BY place LIMIT %(count)s FOR UPDATE SKIP LOCKED) "
            "RETURNING place, query, data, token, checked",
            {
                "token": secrets.token_hex(8),
                "key": named[0],
                "wanted": named[1],
                "seconds": seconds,
                "study": number,
                "most": most,
                "count": count,
            },
        ).fetchall()
        leases = []
        for _, query, data, token, checked in sorted(rows):
            check_whole(f"query {query!r}", self.url, checked, query, data)
            leases.append(Lease(query, unpacked(data), token, seconds))
        return leases

    def _give_back(self, number: int, leases: Sequence[Lease]) -> None:
        """Undo leases that nobody will hear of."""
        if not leases:
            return
        with contextlib.suppress(StoreError), self._session() as db:
            db.execute(
                "UPDATE queries SET token = '', key = '', until = NULL, leases = leases - 1 "
                "WHERE study = %s AND token = ANY(%s)",
                (number, [lease.token for lease in leases]),
            )


def _number(db: Any, study: str) -> int:
    """Find the number of a study."""
    found = db.execute("SELECT study FROM studies WHERE name = %s", (study,)).fetchone()
    if found is None:
        known = [name for (name,) in db.execute("SELECT name FROM studies")]
        raise missing(study, known)
    return int(found[0])


def _hold(db: Any, number: int) -> None:
    """Be the only one who gives places in this log, until the end of the transaction."""
    db.execute("SELECT FROM studies WHERE study = %s FOR NO KEY UPDATE", (number,))


def _place(db: Any, number: int) -> None:
    """Give what is in the inbox its places in the log, in the order of arrival."""
    db.execute(
        "WITH moved AS (DELETE FROM inbox WHERE study = %(study)s RETURNING *), "
        "placed AS (INSERT INTO log SELECT study, "
        "(SELECT entries FROM studies WHERE study = %(study)s) "
        "+ row_number() OVER (ORDER BY arrival), kind, query, data, at, checked FROM moved) "
        "UPDATE studies SET entries = entries + (SELECT count(*) FROM moved) "
        "WHERE study = %(study)s",
        {"study": number},
    )


def _ahead(db: Any, number: int) -> int:
    """Say how many queries to choose for those who will ask next."""
    held = db.execute(
        "SELECT count(*) FROM queries WHERE study = %s AND state = 'open' "
        "AND until > clock_timestamp()",
        (number,),
    ).fetchone()[0]
    return 0 if held < CROWD else min(AHEAD, held // 2)


def _rows(number: int, events: Sequence[Event]) -> list[tuple[Any, ...]]:
    at, rows = time.time(), []
    for kind, query, data in events:
        text = packed(data)
        rows.append((number, kind, query, text, at, checksum(number, kind, query, text, at)))
    return rows


def _submit(db: Any, number: int, events: Sequence[Event]) -> None:
    """Make events durable; they get their places in the log later."""
    db.cursor().executemany(
        "INSERT INTO inbox (study, kind, query, data, at, checked) VALUES (%s, %s, %s, %s, %s, %s)",
        _rows(number, events),
    )


def _restore(db: Any, number: int, entries: Sequence[Entry], queries: Sequence[Standing]) -> None:
    """Write the log and the queries of a study that was kept elsewhere."""
    cursor, log, rows = db.cursor(), [], []
    for seq, kind, query, data, at in entries:
        text = packed(data)
        log.append((number, seq, kind, query, text, at, checksum(number, kind, query, text, at)))
    for place, (query, data, state, answer, leases) in enumerate(queries, start=1):
        text = packed(data)
        sums = (checksum(query, text), checksum(query, state, answer))
        rows.append((number, query, place, text, state, answer, leases, *sums))
    cursor.executemany("INSERT INTO log VALUES (%s, %s, %s, %s, %s, %s, %s)", log)
    cursor.executemany(
        "INSERT INTO queries (study, query, place, data, state, answer, leases, checked, sealed) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        rows,
    )


def _choose(db: Any, number: int, questions: Sequence[Question]) -> None:
    """Put new queries behind those that are there, and into the log."""
    if not questions:
        return
    counts = "SELECT chosen, entries FROM studies WHERE study = %s"
    chosen, entries = db.execute(counts, (number,)).fetchone()
    asked = _rows(number, [Event("asked", *question) for question in questions])
    cursor = db.cursor()
    cursor.executemany(
        "INSERT INTO queries (study, query, place, data, checked, sealed) "
        "VALUES (%s, %s, %s, %s, %s, %s)",
        [
            (number, query, chosen + n, text, checksum(query, text), checksum(query, OPEN, ""))
            for n, (_, _, query, text, _, _) in enumerate(asked, start=1)
        ],
    )
    cursor.executemany(
        "INSERT INTO log (study, kind, query, data, at, checked, seq) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s)",
        [(*row, entries + n) for n, row in enumerate(asked, start=1)],
    )
    db.execute(
        "UPDATE studies SET chosen = chosen + %s, entries = entries + %s WHERE study = %s",
        (len(asked), len(asked), number),
    )
