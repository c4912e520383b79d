"""The application: routes, and what they share."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from litestar import Litestar, MediaType, Request, Router
from litestar.datastructures import CacheControlHeader
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.static_files import create_static_files_router

import podium
from podium.errors import PodiumError
from podium.server import problems
from podium.server.api import HANDLERS
from podium.server.desk import Desk
from podium.server.events import Events
from podium.server.guard import LOOPBACK, Guard
from podium.server.looks import HERE
from podium.server.pages import PAGES
from podium.server.shapes import read_body
from podium.server.slow import Slow
from podium.server.uploads import rank
from podium.store import Store

BODY_LIMIT = 8 << 20
"""Bytes that a request may have, but for uploads."""

WORKERS = 64
"""Threads in which requests wait for the store."""

PATIENCE = 1.0
"""Seconds that a strategy has to choose before queries are drawn by lot."""


KEPT = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)
"""How long browsers keep files of ours, whose addresses change when they do."""


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is read straight into the shape that its handler wants."""

    async def body(self) -> bytes:
        """Give the body; none stands for an empty object where a handler wants JSON."""
        return await super().body() or (b"{}" if self._shape else b"")

    async def json(self) -> Any:
        """Read the body, strictly."""
        return read_body(await super().body(), self._shape)

    @property
    def _shape(self) -> Any:
        data = self.route_handler.parsed_fn_signature.parameters.get("data")
        return data.annotation if data else None


def make_app(
    store: Store,
    *,
    token: str | None = None,
    hosts: Collection[str] = LOOPBACK,
    patience: float = PATIENCE,
    body_limit: int = BODY_LIMIT,
) -> Litestar:
    """Make the application that serves the studies of a store.

    Args:
        store: Where the studies are; it stays open when the application ends.
        token: What requests have to bring; None to let in all who reach the server.
        hosts: Names that requests may call the server by; none to allow all.
        patience: Seconds that a strategy has to choose before queries are drawn by lot.
        body_limit: Bytes that a request may have, but for uploads.
    """
    feeds = Events(store)
    desk, slow = Desk(store, patience, feeds.heard), Slow()

    @contextlib.asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(WORKERS))
        try:
            yield
        finally:
            feeds.close()
            slow.close()
            desk.close()

    shared = {"desk": desk, "feeds": feeds, "slow": slow, "secret": token or ""}
    api = Router("/api/v1", route_handlers=[*HANDLERS, rank])
    static = create_static_files_router(
        "/static", [HERE / "static"], include_in_schema=False, cache_control=KEPT
    )
    app = Litestar(
        [api, PAGES, static],
        dependencies={name: _given(part) for name, part in shared.items()},
        exception_handlers={
            PodiumError: problems.on_podium_error,
            HTTPException: problems.on_http_error,
            Exception: problems.on_fault,
        },
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="podium",
            version=podium.__version__,
            path="/api/v1/openapi.json",
            render_plugins=[JsonRenderPlugin(path="/", media_type=MediaType.JSON)],
            use_handler_docstrings=True,
        ),
        request_class=StrictRequest,
        request_max_body_size=body_limit,
    )
    app.state.feeds = feeds
    guarded: Any = Guard(app.asgi_handler, token=token, hosts=hosts)
    app.asgi_handler = guarded
    return app


def _given(part: Any) -> Provide:
    """Provide a part that all handlers share."""

    def provide() -> Any:
        return part

    return Provide(provide, sync_to_thread=False)
