"""Running the application until somebody stops it."""

import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Any

import uvicorn

from podium.errors import DataError, StoreError
from podium.server.app import make_app
from podium.server.guard import LOOPBACK, is_loopback
from podium.store import open_store

GRACE = 10
"""Seconds for which requests that are under way may go on when the server stops."""

SWITCH = 0.0005
"""Seconds after which a thread lets another go on: requests are short, and pass through several."""

BACKLOG = 1024
"""Connections that may wait to be taken."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A server that lets listeners go before it waits for requests to end."""

    def __init__(self, config: uvicorn.Config, before: Callable[[], None]) -> None:
        super().__init__(config)
        self._before = before

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: nothing new comes in, and what is under way ends."""
        self._before()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals as the wish to stop, and not as a failure."""
        before = {sig: signal.signal(sig, self.handle_exit) for sig in SIGNALS}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)


def serve(
    store: str,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    hosts: Collection[str] = (),
    listening: Callable[[str], Any] = lambda _: None,
) -> None:
    """Serve the studies of a store until a signal says stop.

    Args:
        store: URL of the store.
        host: Address to listen on. Others than those of this machine alone want a token.
        port: Port; 0 for any that is free.
        token: What requests have to bring.
        hosts: Names that requests may call the server by, beside its address; by default all
            that this machine calls itself, or any where there is a token.
        listening: Told the URL of the server when it listens.
    """
    here = is_loopback(host)
    if not here and token is None:
        msg = (
            f"{host} can be reached from other machines, and no token is set; give --token-file "
            "or PODIUM_TOKEN, or listen on 127.0.0.1"
        )
        raise DataError(msg, field="token")
    allowed = {*hosts, *LOOPBACK} if here or hosts else set()
    kept = open_store(store)
    try:
        app = make_app(kept, token=token, hosts=allowed)
        listener = _listener(host, port)
        config = uvicorn.Config(
            app,
            access_log=False,
            log_level="warning",
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=75,
        )
        sys.setswitchinterval(SWITCH)
        listening(_url(listener))
        Server(config, app.state.feeds.close).run(sockets=[listener])
    finally:
        kept.close()


def _listener(host: str, port: int) -> socket.socket:
    """Open the socket, so that a port in use is told at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, as asyncio sends small answers at once only if it is.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), port))
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        msg = f"cannot listen on {host}, port {port}: {error}; choose another with --port"
        raise StoreError(msg) from None
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
