"""Rows that are read are what was written, or an error says which are not."""

import zlib
from collections.abc import Iterable
from typing import Any

from podium.errors import StoreError
from podium.store._complaints import reused
from podium.store.records import Entry, Lease, unpacked


def checksum(*parts: object) -> int:
    """Sum up what is written, to find out when it is read whether a bit has changed.

    >>> checksum("told", "q1", "{}") == checksum("told", "q2", "{}")
    False
    """
    return zlib.crc32("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"))


def check_whole(what: str, url: str, checked: int, *parts: object) -> None:
    """Refuse parts that do not add up to what was summed up when they were written."""
    if checksum(*parts) != checked:
        msg = (
            f"{what} in {url} is damaged: it is not what was written; what stands before it in "
            "the log can still be read (`read` with a limit)"
        )
        raise StoreError(msg)


def entries_of(
    rows: Iterable[Any],
    number: int,
    after: int,
    last: int | None,
    url: str,
    *,
    alone: bool = False,
) -> list[Entry]:
    """Check and unpack rows of the log of a study: seq, kind, query, data, at, checked.

    Args:
        rows: The rows.
        number: Number of the study.
        after: The place before the first of them.
        last: A place that they reach at least; None where only some were wanted.
        url: Where they are from.
        alone: Whether nobody else can write now, so that the log reaches to `after`, at least.
    """
    entries = []
    for place, (seq, kind, query, data, at, checked) in enumerate(rows, start=after + 1):
        due = checked if seq == place else -1
        check_whole(f"entry {place:,} of the log", url, due, number, kind, query, data, at)
        entries.append(Entry(seq, kind, query, unpacked(data), at))
    if alone and last is not None and last < after:
        msg = (
            f"the log in {url} ends at entry {last:,}, and {after:,} were read before: another "
            "study has taken the place of this one; open it again"
        )
        raise StoreError(msg)
    if last is not None and after + len(entries) < last:
        msg = (
            f"the log in {url} is damaged: it ends at entry {after + len(entries):,}, and "
            f"{last:,} were written; what is there can still be read (`read` with a limit)"
        )
        raise StoreError(msg)
    return entries


def leases_of(rows: Iterable[Any], key: str, count: int, url: str) -> list[Lease]:
    """Check and unpack the leases that a request was given: id, data, token, left, checked, wanted.

    Args:
        rows: The leases.
        key: Name of the request.
        count: How many queries it wants, which must be as many as it wanted then.
        url: Where they are from.
    """
    leases = []
    for query, data, token, left, checked, wanted in rows:
        if wanted != count:
            raise reused(key)
        check_whole(f"query {query!r}", url, checked, query, data)
        leases.append(Lease(query, unpacked(data), token, max(0.0, left)))
    return leases
