"""An application with an empty store in memory, and a client of it."""

from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from podium.server import make_app
from podium.store import open_store

STUDY = {"name": "s", "agents": ["a", "b", "c"], "tasks": ["t", "u"], "preset": "uniform-averaging"}
HOST = "http://127.0.0.1:8000"


@pytest.fixture
def client() -> Iterator[TestClient[Any]]:
    with TestClient(make_app(open_store("memory://")), base_url=HOST) as opened:
        yield opened


@pytest.fixture
def study(client: TestClient[Any]) -> TestClient[Any]:
    """Give a client of a server that has the study "s"."""
    assert client.post("/api/v1/studies", json=STUDY).status_code == 200
    return client
