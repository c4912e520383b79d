"""The guard at the door: whose requests come in, and with what headers answers go out."""

import hashlib
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import unquote, urlsplit

from podium.errors import DataError
from podium.server.desk import SLASH
from podium.server.problems import CODES, problem

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]

COOKIE = "podium"
"""Name of the cookie of those who have logged in."""

SHORTEST_TOKEN = 16

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Names under which a server is reached that only this machine can reach."""

OPEN_PATHS = ("/api/v1/health", "/login")
"""Paths that need no token; what lies under /static neither."""

SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # with no-referrer, forms of our own lose their origin
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            b"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
            b"frame-ancestors 'none'"
        ),
    ),
]
"""Headers of every answer; files of ours say themselves how long they may be kept."""


class Guard:
    """Lets in who may come in.

    Args:
        app: What is guarded.
        token: What a request has to bring; None to let everybody in.
        hosts: Names that a request may call this server by; none to allow all.
    """

    def __init__(self, app: App, *, token: str | None, hosts: Collection[str]) -> None:
        self._app = app
        self._token = check_token(token) if token is not None else None
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def outwards(message: Any) -> None:
            if message["type"] == "http.response.start":
                told = {name for name, _ in message["headers"]}
                more = [header for header in HEADERS if header[0] not in told]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._strange(scope, headers) or self._unknown(scope, headers)
        if refused:
            await _refuse(outwards, *refused)
            return
        raw = scope.get("raw_path", b"").partition(b"?")[0]  # some servers leave the query in it
        if b"%2f" in raw.lower():
            parts = raw.decode("latin-1").split("/")
            scope["path"] = "/".join(unquote(part).replace("/", SLASH) for part in parts)
        await self._app(scope, receive, outwards)

    def _strange(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, str, str] | None:
        """Refuse what a page of somebody else makes a browser send."""
        host = headers.get(b"host", "")
        if self._hosts and _hostname(host) not in self._hosts:
            return 403, f"this server is not called {host!r}; use a name that it is allowed", ""
        if scope["method"] in SAFE:
            return None
        origin = headers.get(b"origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        if foreign or headers.get(b"sec-fetch-site", "") in ("cross-site", "same-site"):
            return 403, "this request comes from a page of another site; send it from here", ""
        return None

    def _unknown(self, scope: Scope, headers: dict[bytes, str]) -> tuple[int, str, str] | None:
        """Refuse who brings neither the token nor a cookie that was given for it."""
        path = scope["path"]
        if self._token is None or path in OPEN_PATHS or path.startswith("/static/"):
            return None
        scheme, _, given = headers.get(b"authorization", "").partition(" ")
        if scheme.lower() == "bearer" and same(given.strip(), self._token):
            return None
        if same(_cookie(headers.get(b"cookie", "")), session(self._token)):
            return None
        if not path.startswith("/api/") and scope["method"] in SAFE:
            return 303, "log in first", "/login"
        return 401, "this server wants its token; send it as `Authorization: Bearer TOKEN`", ""


def check_token(token: str) -> str:
    """Demand a token that cannot be guessed and fits into a header."""
    if len(token) < SHORTEST_TOKEN or not all("!" <= letter <= "~" for letter in token):
        msg = (
            f"the token has {len(token)} characters; give {SHORTEST_TOKEN} or more, without blanks,"
            " such as `python -c 'import secrets; print(secrets.token_urlsafe(32))'` prints"
        )
        raise DataError(msg)
    return token


def session(token: str) -> str:
    """Give what a cookie holds in place of the token, the same after a restart."""
    return hmac.new(token.encode(), b"a session of podium", hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Compare secrets, in a time that tells nothing of how near they are."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def is_loopback(host: str) -> bool:
    """Tell an address that only this machine can reach.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _hostname(host: str) -> str:
    """Take the port off a Host header.

    >>> _hostname("LOCALHOST:8000"), _hostname("[::1]:8000")
    ('localhost', '[::1]')
    """
    name, _, port = host.lower().rpartition(":")
    return name if name and port.isdigit() else host.lower()


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def _refuse(send: Send, status: int, why: str, to: str) -> None:
    body = problem(status, CODES.get(status, "unauthorized"), why)
    headers = [(b"content-type", b"application/json")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if to:
        headers.append((b"location", to.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
