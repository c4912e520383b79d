"""Names of requests, by which the log tells a request that came twice from two requests."""

import hashlib
from collections.abc import Sequence

from podium.store import Entry, Event
from podium.store.records import packed

KEY, OUTCOME = "key", "final"
"""Parts of an entry: its name, and what was found when it was written, not requested."""


def keyed(events: Sequence[Event], key: str) -> list[Event]:
    """Name the events of a request; no name, and they stay as they are."""
    if not key:
        return list(events)
    return [
        Event(kind, query, {**data, KEY: f"{key}/{place}"})
        for place, (kind, query, data) in enumerate(events)
    ]


def digest(event: Event | Entry) -> str:
    """Sum up what was requested.

    >>> digest(Event("paused", "", {})) == digest(Event("paused", "", {KEY: "k/0"}))
    True
    """
    data = {name: part for name, part in event.data.items() if name not in (KEY, OUTCOME)}
    text = packed({"kind": event.kind, "query": event.query, "data": data})
    return hashlib.sha256(text.encode()).hexdigest()[:32]
