"""Strategies that fail or take too long, and rankings that do: workers are asked all the same."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from podium import Study
from podium.errors import StoreError
from podium.store import open_store
from podium.study.ledger import Ledger

AGENTS, TASKS = ["a", "b", "c"], ["t", "u"]


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Give an event for which slow strategies wait, at most until the test ends."""
    event = threading.Event()
    yield event
    event.set()


def patient(monkeypatch: pytest.MonkeyPatch, choose: Callable[[Ledger], Any]) -> Study:
    """Make a study whose strategy is another."""
    store = open_store("memory://")
    Study.create("s", agents=AGENTS, tasks=TASKS, store=store)
    monkeypatch.setattr(Ledger, "next_question", choose)
    return Study(store, "s", patience=0.2)


def replayed(study: Study) -> list[str]:
    """Open the study anew and give the ids of what is open."""
    return [one.id for one in Study(study.store, "s").waiting()]


def test_a_strategy_that_fails(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    def broken(_: Ledger) -> Any:
        msg = "no idea"
        raise ZeroDivisionError(msg)

    study = patient(monkeypatch, broken)
    queries = study.ask(5)
    assert len(queries) == 5
    assert all("by lot, as the strategy failed with ZeroDivisionError" in q.why for q in queries)
    assert len({(q.task, frozenset(q.agents)) for q in queries}) > 1
    assert [entry.data["why"] for entry in study.log()] == [query.why for query in queries]
    assert replayed(study) == [query.id for query in queries]
    assert "no idea" in caplog.text
    study.tell(queries[0], dict.fromkeys(queries[0].agents, 1.0))
    assert study.ranking().info["told"] == 1


def test_a_strategy_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, release: threading.Event
) -> None:
    real = Ledger.next_question

    def slow(ledger: Ledger) -> Any:
        release.wait(60)
        return real(ledger)

    study = patient(monkeypatch, slow)
    begun = time.monotonic()
    queries = [query for _ in range(5) for query in study.ask(2)]
    assert time.monotonic() - begun < 1.5, "only the first waits"
    assert all("by lot, as the strategy takes longer than 0.2 s" in query.why for query in queries)
    assert [query.id for query in queries] == [f"q{n}" for n in range(1, 11)]
    for query in queries:
        assert study.tell(query, dict.fromkeys(query.agents, 1.0)).new
    release.set()
    time.sleep(0.3)
    assert len(study.log()) == 20, "what a slow strategy thought of comes to nothing"
    (query,) = study.ask(1)
    assert query.id == "q11"
    assert "by lot" not in query.why, "the strategy chooses again, and knows all that came since"
    assert study.ranking().info["told"] == 10


def test_a_strategy_in_time_chooses_what_it_always_does() -> None:
    def course(patience: float | None) -> list[tuple[str, tuple[str, ...]]]:
        store = open_store("memory://")
        Study.create("s", agents=AGENTS, tasks=TASKS, store=store, seed=4)
        study, seen = Study(store, "s", patience=patience), []
        for _ in range(20):
            (query,) = study.ask(1)
            seen.append((query.task, query.agents))
            study.tell(query, {agent: float(ord(agent)) for agent in query.agents})
        return seen

    assert course(60.0) == course(None)


def test_a_slow_ranking_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, release: threading.Event
) -> None:
    from podium.study.ledger import Evidence

    real = Evidence.weighed

    def slow(evidence: Evidence) -> Any:
        release.wait(60)
        return real(evidence)

    study = patient(monkeypatch, Ledger.next_question)
    monkeypatch.setattr(Evidence, "weighed", slow)
    rankings: list[Any] = []
    reader = threading.Thread(target=lambda: rankings.append(study.ranking()))
    reader.start()
    time.sleep(0.1)
    (query,) = study.ask(1)
    assert "by lot" not in query.why
    assert study.tell(query, dict.fromkeys(query.agents, 1.0)).new
    release.set()
    reader.join()
    assert rankings[0].order == ("a", "b", "c")


def test_budgets_hold_for_lots_too(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store("memory://")
    Study.create("s", agents=AGENTS, tasks=TASKS, store=store, budget=3)
    monkeypatch.setattr(Ledger, "next_question", lambda _: 1 / 0)
    study = Study(store, "s", patience=1.0)
    assert len(study.ask(10)) == 3
    study.pause()
    assert study.ask(1) == []


def test_a_study_that_was_closed_keeps_nobody_waiting() -> None:
    store = open_store("memory://")
    Study.create("s", agents=AGENTS, tasks=TASKS, store=store)
    study = Study(store, "s", patience=5.0)
    study.close()
    for _ in range(3):
        with pytest.raises(StoreError, match="opened anew"):
            study.ranking()
    (query,) = study.ask(1)
    assert "by lot" in query.why
