"""From a URL to a store."""

from urllib.parse import parse_qs, urlsplit, urlunsplit

from podium.errors import DataError
from podium.store.records import Store

FORMS = "memory://, sqlite:///file.db (four slashes before an absolute path), postgresql://.../db"


def open_store(url: str) -> Store:
    """Open the store that a URL names; `sqlite:///studies.db?fast=1` may forget at a power cut.

    >>> open_store("memory://").studies()
    []
    """
    parts = urlsplit(url)
    if parts.scheme == "memory":
        from podium.store.memory import MemoryStore

        return MemoryStore()
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        from podium.store.sqlite import SqliteStore

        fast = parse_qs(parts.query).get("fast", ["0"])[-1] in ("1", "true", "yes")
        return SqliteStore(parts.path[1:], fast=fast)
    if parts.scheme in ("postgresql", "postgres"):
        from podium.store.postgres import PostgresStore

        return PostgresStore(url)
    msg = f"{url!r} names no store; give {FORMS}"
    raise DataError(msg)


def without_password(url: str) -> str:
    """Take the password out of a URL.

    >>> without_password("postgresql://me:secret@host:5432/db")
    'postgresql://me@host:5432/db'
    """
    parts = urlsplit(url)
    if "@" not in parts.netloc:
        return url
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}@{host}"))
