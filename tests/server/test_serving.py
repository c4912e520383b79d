"""Real servers: events, several processes on one store, stopping, logs."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import podium
from commands import run
from servers import Server, free_port, serving

TOKEN = "correct-horse-battery-staple"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("store") / "s.db") as running:
        yield running


class Listener:
    """Reads the events of a study in a thread, with the time at which each came."""

    def __init__(self, url: str, study: str, query: str = "", **headers: str) -> None:
        parts = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._connection.request("GET", f"/api/v1/studies/{study}/events{query}", headers=headers)
        self._answer = self._connection.getresponse()
        assert self._answer.headers["content-type"].startswith("text/event-stream")
        assert self._answer.readline().startswith(b"retry:")
        self.came: list[tuple[float, int, dict[str, Any]]] = []
        self.over = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        id_ = 0
        while line := self._answer.readline():
            if line.startswith(b"id: "):
                id_ = int(line[4:])
            elif line.startswith(b"data: "):
                self.came.append((time.monotonic(), id_, json.loads(line[6:])))
        self.over.set()
        self._connection.close()

    def wait(self, count: int, seconds: float = 5.0) -> list[dict[str, Any]]:
        """Wait for so many events."""
        end = time.monotonic() + seconds
        while len(self.came) < count and time.monotonic() < end:
            time.sleep(0.01)
        return [entry for _, _, entry in self.came]


def made(server: Server, name: str) -> Any:
    return podium.connect(server.url).create(
        name, agents=["a", "b"], tasks=["t"], preset="uniform-averaging"
    )


def answered(study: Any) -> float:
    """Answer a query; give when that was acknowledged."""
    query = study.ask()
    study.tell(query, dict.fromkeys(query.agents, 1.0))
    return time.monotonic()


def test_events_come_at_once(server: Server) -> None:
    study = made(server, "events")
    listeners = [Listener(server.url, "events") for _ in range(5)]
    for n in range(1, 4):
        at = answered(study)
        for listener in listeners:
            assert [entry["kind"] for entry in listener.wait(2 * n)] == ["asked", "told"] * n
            assert listener.came[-1][0] - at < 1.0
            assert [id_ for _, id_, _ in listener.came] == [*range(1, 2 * n + 1)]
    podium.connect(server.url).delete("events")
    assert all(listener.over.wait(5) for listener in listeners), "events end with their study"


def test_events_go_on_where_they_were(server: Server) -> None:
    study = made(server, "resumed")
    for _ in range(3):
        answered(study)
    seen = Listener(server.url, "resumed", **{"Last-Event-ID": "2"}).wait(4)
    assert [entry["seq"] for entry in seen] == [3, 4, 5, 6]
    seen = Listener(server.url, "resumed", "?after=0").wait(6)
    assert [entry["seq"] for entry in seen] == [1, 2, 3, 4, 5, 6]


def test_two_servers_on_one_store(server: Server, tmp_path: Path) -> None:
    store = tmp_path / "shared.db"
    with serving(store) as one, serving(store) as two:
        first = made(one, "s")
        second = podium.connect(two.url, study="s")
        listener = Listener(two.url, "s")
        at = answered(first)
        assert [entry["kind"] for entry in listener.wait(2)] == ["asked", "told"]
        assert listener.came[-1][0] - at < 1.0, "what another process wrote comes within a second"
        held = {query.id for query in first.ask(5)} | {query.id for query in second.ask(5)}
        assert len(held) == 10, "no query is handed out twice"
        assert second.status()["told"] == first.status()["told"] == 1


def test_a_server_stops_when_it_is_asked_to(tmp_path: Path) -> None:
    with serving(tmp_path / "s.db") as server:
        study = made(server, "s")
        listener = Listener(server.url, "s")
        answered(study)
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 5.0
        assert listener.over.wait(5), "listeners are let go"
        server.start()
        assert study.status()["told"] == 1


def test_no_token_in_the_output(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    store = f"sqlite:///{tmp_path}/s.db"
    with serving(store, "--host", "127.0.0.1", "--token-file", str(file)) as server:
        with pytest.raises(podium.StoreError, match="token"):
            podium.connect(server.url, retry_for=0).studies()
        with pytest.raises(podium.StoreError, match="token"):
            podium.connect(server.url, token=TOKEN + "x", retry_for=0).studies()
        assert podium.connect(server.url, token=TOKEN).studies() == []
        assert server.process is not None
        server.process.terminate()
        said, _ = server.process.communicate(timeout=30)
        assert TOKEN not in said


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--host", "0.0.0.0"], "no token is set"),
        (["--token-file", "missing"], "missing"),
        (["--store", "nonsense"], "names no store"),
        (["--host", "192.0.2.1", "--token-file", "token"], "cannot listen on 192.0.2.1"),
    ],
)
def test_servers_that_cannot_start(options: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN, encoding="utf-8")
    ended = run("serve", "--store", "memory://", "--port", str(free_port()), *options, cwd=tmp_path)
    assert ended.returncode == 1
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_port_in_use_is_told(server: Server) -> None:
    ended = run("serve", "--store", "memory://", "--port", str(server.port))
    assert ended.returncode == 1
    assert "choose another with --port" in ended.stderr


def test_a_study_that_another_server_has_put_in_the_place_of_one(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    with serving(store) as one, serving(store) as two:
        made(one, "s").ask(5)
        assert len(podium.connect(two.url, study="s").log()) == 5
        podium.connect(one.url).delete("s")
        made(one, "s")
        other = podium.connect(two.url, study="s", retry_for=5.0)
        assert [query.id for query in other.ask(2)] == ["q1", "q2"]


PATHS = (
    "/static/../api/v1/studies",
    "/static/..%2fapi/v1/studies",
    "/static/%2e%2e/%2e%2e/app.py",
    "/static/../app.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/login/../api/v1/studies",
    "//api/v1/studies",
    "/api/v1/health/../studies",
    "/API/v1/studies",
)


def test_no_path_leads_around_the_token(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    with serving(tmp_path / "s.db", "--token-file", str(file)) as server:
        for path in PATHS:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", path)
            answer = connection.getresponse()
            assert answer.status in (303, 401, 404), path
            assert b'studies":' not in answer.read()
            connection.close()
