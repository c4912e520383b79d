"""Requests to a server that may be away for a while, and their answers or errors."""

import http.client
import json
import os
import random
import ssl
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from podium.errors import (
    Conflict,
    DataError,
    MissingExtra,
    PodiumError,
    StoreError,
    StudyError,
    UnknownQuery,
    UnknownStudy,
)

ERRORS: dict[str, type[PodiumError]] = {
    "unknown_study": UnknownStudy,
    "unknown_query": UnknownQuery,
    "conflict": Conflict,
    "out_of_turn": StudyError,
    "missing_extra": MissingExtra,
    "invalid": DataError,
}
"""What the codes of a server's complaints stand for; any other is a `StoreError`."""

AWAY = (502, 503, 504)
"""Statuses of a server, or of what stands before it, that may be well again soon."""

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two tries: doubled each time, up to what meets a server that is up briefly."""


class Wire:
    """A server, reached by a connection for each thread that stays open.

    Args:
        url: Where the server is.
        token: Its token, where it wants one.
        timeout: Seconds to wait for an answer.
        retry_for: Seconds for which a request is tried again if the server is away.
    """

    def __init__(self, url: str, token: str | None, timeout: float, retry_for: float) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            msg = f"{url!r} is no address of a server; give http://HOST:PORT"
            raise DataError(msg)
        if "/studies/" in parts.path:
            msg = f"{url!r} names a study; give the address of the server, and the name as study="
            raise DataError(msg)
        self.url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        self._parts, self._timeout, self._retry_for = parts, timeout, retry_for
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._local = threading.local()

    def get(self, *path: str, **query: float | None) -> Any:
        """Read something."""
        asked = "&".join(f"{name}={value}" for name, value in query.items() if value is not None)
        return self._call("GET", path, f"?{asked}" if asked else "", None, {})

    def post(self, *path: str, body: Mapping[str, Any], key: str = "") -> Any:
        """Do something, once, however often it has to be sent."""
        named = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self._call("POST", path, "", encoded(body), named)

    def delete(self, *path: str) -> Any:
        """Delete something."""
        return self._call("DELETE", path, "", None, {})

    def close(self) -> None:
        """Close the connection of this thread."""
        self._local.__dict__.pop("line", None)

    def _call(
        self, verb: str, path: tuple[str, ...], query: str, body: bytes | None, more: dict[str, str]
    ) -> Any:
        place = "/".join(quote(part, safe="") for part in path)
        target = f"{self._parts.path.rstrip('/')}/api/v1/{place}{query}"
        for pause in pauses(self._retry_for):
            try:
                status, text = self._sent(verb, target, body, {**self._headers, **more})
                if status not in AWAY or pause is None:
                    return answer(self.url, status, text)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if pause is None or isinstance(error, ssl.SSLCertVerificationError):
                    why = str(error) or type(error).__name__
                    msg = f"{self.url} does not answer ({why}); check that the server runs"
                    raise StoreError(msg) from None
            time.sleep(pause)
        raise AssertionError  # the last pause is None

    def _sent(
        self, verb: str, target: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        connection = self._connection()
        connection.request(verb, target, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def _connection(self) -> http.client.HTTPConnection:
        """Give the connection of this thread; a process that was forked off makes its own."""
        line: Line | None = getattr(self._local, "line", None)
        if line is None or line.process != os.getpid():
            kind: type[http.client.HTTPConnection] = http.client.HTTPConnection
            if self._parts.scheme == "https":
                kind = http.client.HTTPSConnection
            host, port = str(self._parts.hostname), self._parts.port
            line = self._local.line = Line(kind(host, port, timeout=self._timeout))
        return line.connection


class Line:
    """A connection that is closed when its thread ends."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self.connection = connection
        self.process = os.getpid()

    def __del__(self) -> None:
        self.connection.close()


def pauses(within: float) -> Iterator[float | None]:
    """Give the pauses after tries, longer and longer and never quite the same; None after the last.

    The first is none: a connection that was idle may just have been closed.
    """
    end = time.monotonic() + within
    if within > 0:
        yield 0.0
    pause = FIRST_PAUSE
    while time.monotonic() < end:
        yield pause * random.uniform(0.5, 1.0)  # noqa: S311, it spreads the tries of many workers
        pause = min(2 * pause, LONGEST_PAUSE)
    yield None


def encoded(body: Mapping[str, Any]) -> bytes:
    """Write a body as JSON."""
    try:
        return json.dumps(body).encode()
    except (TypeError, ValueError) as error:
        msg = f"this cannot be sent as JSON: {error}; give text, numbers, lists and dictionaries"
        raise DataError(msg) from None


def answer(url: str, status: int, text: bytes) -> Any:
    """Read an answer, or raise the error that it tells of."""
    try:
        found = json.loads(text)
    except ValueError:
        msg = f"{url} answered {status} and no JSON; check that it is a server of podium"
        raise StoreError(msg) from None
    if status == 200:
        return found
    told = found.get("error", {}) if isinstance(found, dict) else {}
    message = told.get("message", f"{url} answered {status}")
    kind = ERRORS.get(told.get("code", ""), StoreError)
    if kind is DataError:
        raise DataError(message, field=told.get("field", ""))
    raise kind(message)
