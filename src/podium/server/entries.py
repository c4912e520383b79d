"""Entries of a log, and times, as JSON shows them."""

from datetime import UTC, datetime
from typing import Any

from podium.store import Entry
from podium.study.keys import KEY


def entry_of(entry: Entry) -> dict[str, Any]:
    """Give an entry of a log as one flat object.

    >>> told = Entry(2, "told", "q1", {"task": "t", "scores": {"a": 0.5}}, 0.0)
    >>> entry_of(told)["scores"], entry_of(told)["at"]
    ({'a': 0.5}, '1970-01-01T00:00:00Z')
    """
    data = {name: part for name, part in entry.data.items() if name != KEY}
    head = {"seq": entry.seq, "kind": entry.kind, "id": entry.query}
    return {**data, **head, "at": moment(datetime.fromtimestamp(entry.at, UTC))}


def moment(when: datetime) -> str:
    """Write a time.

    >>> moment(datetime(2026, 1, 31, 12, tzinfo=UTC))
    '2026-01-31T12:00:00Z'
    """
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
