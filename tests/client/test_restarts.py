"""Servers that are killed while workers are at work: nothing is lost, nothing counts twice."""

import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import podium
from servers import Server, serving

AGENTS, TASKS = ["a", "b", "c", "d"], ["t", "u", "v"]


class Workers:
    """Threads that ask and tell until they are stopped, and remember what was acknowledged."""

    def __init__(self, url: str, count: int) -> None:
        self.acknowledged: dict[str, dict[str, float]] = {}
        self.held: Counter[str] = Counter()
        self.errors: list[Exception] = []
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._study = podium.connect(url, study="s", retry_for=600.0)
        self._threads = [threading.Thread(target=self._work, args=(n,)) for n in range(count)]
        for thread in self._threads:
            thread.start()

    def _work(self, worker: int) -> None:
        try:
            while not self._stop.is_set():
                for query in self._study.ask(2):
                    with self._lock:
                        self.held[query.id] += 1
                    number = float(query.id[1:])
                    scores = dict.fromkeys(query.agents, number + worker / 8)
                    self._study.tell(query, scores)
                    with self._lock:
                        self.acknowledged[query.id] = scores
        except Exception as error:  # noqa: BLE001, the test looks at it
            self.errors.append(error)

    def stop(self) -> None:
        """Let all come to an end."""
        self._stop.set()
        for thread in self._threads:
            thread.join()


def killed(server: Server, kills: int, seconds: float) -> float:
    """Kill a server and start it again, a few times; give the longest it took to come back."""
    longest = 0.0
    for _ in range(kills):
        time.sleep(seconds)
        server.kill()
        begun = time.monotonic()
        server.start()
        longest = max(longest, time.monotonic() - begun)
    time.sleep(seconds)
    return longest


def check_kills(path: Path, workers: int, kills: int, seconds: float) -> None:
    with serving(path) as server:
        service = podium.connect(server.url)
        service.create("s", agents=AGENTS, tasks=TASKS, preset="uniform-averaging", retries=0)
        crew = Workers(server.url, workers)
        killed(server, kills, seconds)
        crew.stop()
        assert [str(error) for error in crew.errors] == []
        study = service.study("s")
        log = study.log()
        told = {entry.query: entry.data["scores"] for entry in log if entry.kind == "told"}
        assert len(told) == sum(entry.kind == "told" for entry in log), "each answer counts once"
        assert told == crew.acknowledged, "what was acknowledged is there, and nothing else"
        assert set(crew.held.values()) == {1}, "no query was held by two"
        assert len(told) > 10 * kills
        assert study.waiting() == [], "no lease was lost with an answer"
        assert server.stop() == 0


def test_workers_do_not_notice_kills(tmp_path: Path) -> None:
    check_kills(tmp_path / "s.db", workers=4, kills=3, seconds=0.7)


@pytest.mark.slow
def test_workers_do_not_notice_many_kills(tmp_path: Path) -> None:
    check_kills(tmp_path / "s.db", workers=8, kills=200, seconds=0.5)
