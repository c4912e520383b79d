"""What a store keeps, and what every store can do.

The log of a study is the truth: it only grows, and the state of a study is
what its entries add up to. Beside it a store keeps the queries that were
chosen: who holds which under a lease, and which answer came first. Leases are
the store's alone, on its own clock; they never decide what is asked next.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

TOLD = "told"
"""State of a query that is answered; an answer stands against every other state."""

OPEN = "open"
"""State of a query that waits for an answer."""


class Event(NamedTuple):
    """Something that happened to a study, before the log has a place for it.

    Attributes:
        kind: What happened: "asked", "told", "failed", ...
        query: Id of the query that it is about, or nothing.
        data: What else there is to say; JSON can hold it.
    """

    kind: str
    query: str
    data: Mapping[str, Any]


class Entry(NamedTuple):
    """An event in its place in the log.

    Attributes:
        seq: Its place, from 1, without gaps.
        kind: What happened.
        query: Id of the query that it is about, or nothing.
        data: What else there is to say.
        at: When, in seconds since 1970; for people, nothing is computed from it.
    """

    seq: int
    kind: str
    query: str
    data: Mapping[str, Any]
    at: float


class Question(NamedTuple):
    """A query that was chosen.

    Attributes:
        id: Its id.
        data: The task, the agents, and why.
    """

    id: str
    data: Mapping[str, Any]


class Lease(NamedTuple):
    """A query that somebody holds until a time.

    Attributes:
        id: Id of the query.
        data: The task, the agents, and why.
        token: Proof of holding it.
        left: Seconds that are left of the lease.
    """

    id: str
    data: Mapping[str, Any]
    token: str
    left: float


class Settled(NamedTuple):
    """How a query stands after somebody tried to settle it.

    Attributes:
        new: Whether this was what settled it.
        state: Its state: "told", "failed", "skipped" or "lost".
        answer: The answer that stands, as text; nothing where there is none.
    """

    new: bool
    state: str
    answer: str


class Standing(NamedTuple):
    """A query as the log of a study tells of it, to be restored.

    Attributes:
        id: Its id.
        data: The task, the agents, and why.
        state: "open", or what settled it.
        answer: The answer that stands, as text; nothing where there is none.
        leases: How often it was handed out, as far as that is known.
    """

    id: str
    data: Mapping[str, Any]
    state: str = OPEN
    answer: str = ""
    leases: int = 0


class Waiting(NamedTuple):
    """A query that is not settled, as a page shows it.

    Attributes:
        id: Its id.
        data: The task, the agents, and why.
        leases: How often it was handed out.
        left: Seconds that are left of its lease: 0 or less if it ran out, None
            if nobody holds it.
    """

    id: str
    data: Mapping[str, Any]
    leases: int
    left: float | None


Decide = Callable[[Sequence[Entry], int], Sequence[Question]]
"""Given the entries that came since and a number of queries, chooses that many, or fewer."""


class Store(Protocol):
    """Keeps studies. All functions may be called from several threads and processes at once.

    A function that writes returns when what it wrote is durable, or raises
    `StoreError` and has written nothing. A study that is not there is a
    `StudyError`.

    Attributes:
        url: Where it is, without any password.
    """

    url: str

    def create(self, study: str, spec: Mapping[str, Any]) -> None:
        """Begin a study; one of that name must not be there."""
        ...

    def restore(
        self,
        study: str,
        spec: Mapping[str, Any],
        entries: Sequence[Entry],
        queries: Sequence[Standing],
    ) -> None:
        """Begin a study that has a log already: that of another store, all of it or nothing.

        Args:
            study: Its name here, which no other study has.
            spec: Its specification.
            entries: Its log from place 1, without gaps.
            queries: All queries that were chosen, in order.
        """
        ...

    def studies(self) -> list[str]:
        """Name all studies, in the order of the alphabet."""
        ...

    def load(self, study: str) -> dict[str, Any]:
        """Give the specification of a study."""
        ...

    def delete(self, study: str) -> None:
        """Forget a study and all that belongs to it."""
        ...

    def append(self, study: str, events: Sequence[Event]) -> None:
        """Put events into the log, one after another."""
        ...

    def read(self, study: str, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries behind a place in the log, in order."""
        ...

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
        """Hand out queries: those that nobody holds any more, then new ones.

        `decide` is called while nobody else can choose for this study. It is
        given all entries behind `after`, so that it knows the whole log, and
        the number of queries that are wanted. What it chooses is put into the
        log as "asked". Entries that it saw may be undone if this raises.

        Args:
            study: Name of the study.
            count: How many queries are wanted.
            seconds: How long each may be held.
            after: Place in the log up to which `decide` knows it.
            most: How often one query may be handed out.
            decide: Chooses new queries.
            key: Names this request: the same request again is given the same queries,
                and another one of that name is a `Conflict`. Nothing: it is not named.
        """
        ...

    def renew(self, study: str, query: str, token: str, seconds: float) -> float | None:
        """Hold a query for so many seconds from now; None if the token does not hold it."""
        ...

    def release(self, study: str, query: str, token: str) -> bool:
        """End the lease that a token holds, as if never given; False if it holds none."""
        ...

    def settle(self, study: str, state: str, event: Event, answer: str = "") -> Settled | None:
        """Settle the query of an event, and put the event into the log, if it still is open.

        An answer ("told") also takes the place of any other state. None if
        there is no such query.
        """
        ...

    def reopen(self, study: str, event: Event) -> bool:
        """End the lease of an open query, so that it is handed out again, and log the event."""
        ...

    def overdue(self, study: str, most: int) -> Sequence[str]:
        """Name the open queries whose last allowed lease has run out."""
        ...

    def waiting(self, study: str) -> Sequence[Waiting]:
        """List the queries that are not settled, in the order in which they were chosen."""
        ...

    def keep(self, study: str, seq: int, state: bytes) -> None:
        """Keep what the log adds up to at a place, in place of what was kept before."""
        ...

    def kept(self, study: str) -> tuple[int, bytes] | None:
        """Give what was kept last and the place in the log that it belongs to."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


def packed(data: Mapping[str, Any]) -> str:
    """Write data as text that is the same for the same data.

    >>> packed({"b": 1, "a": 0.5})
    '{"a":0.5,"b":1}'
    """
    return msgspec.json.encode(data, order="deterministic").decode()


def unpacked(text: str) -> dict[str, Any]:
    """Read data that `packed` wrote.

    >>> unpacked('{"a":0.5}')
    {'a': 0.5}
    """
    data: dict[str, Any] = msgspec.json.decode(text)
    return data
