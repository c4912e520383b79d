"""Workers on a study: each query is answered once, and nothing that fails stops the rest."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from podium import Study
from podium.errors import DataError, StoreError, StudyError
from podium.study.run import FEWEST_FAILURES, Progress

AGENTS, TASKS = ["a", "b", "c"], ["t", "u"]
TRUTH = {"a": 3.0, "b": 2.0, "c": 1.0}


def made(**parts: Any) -> Study:
    usual: dict[str, Any] = {"agents": AGENTS, "tasks": TASKS, "store": "memory://", "budget": 12}
    return Study.create("s", **usual | parts)


def scored(_: str, agents: tuple[str, ...]) -> Mapping[str, float]:
    return {agent: TRUTH[agent] for agent in agents}


def kinds(study: Study) -> list[str]:
    return [entry.kind for entry in study.log()]


@pytest.mark.parametrize("workers", [1, 4])
def test_a_run_goes_on_until_the_study_stops(workers: int) -> None:
    study = made()
    ranking = study.run(scored, workers=workers)
    assert ranking.tiers == (("a",), ("b",), ("c",))
    assert "budget" in study.stopped
    assert kinds(study).count("asked") == kinds(study).count("told") == 12
    assert study.run(scored).tiers == ranking.tiers  # there is nothing left to do


def test_workers_work_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=30)

    def evaluate(task: str, agents: tuple[str, ...]) -> Mapping[str, float]:
        together.wait()  # nobody passes before three are there
        return scored(task, agents)

    made().run(evaluate, workers=3)


def test_failures_are_told_and_tried_again() -> None:
    study, calls = made(), []

    def evaluate(task: str, agents: tuple[str, ...]) -> Mapping[str, float]:
        calls.append(task)
        if len(calls) == 1:
            msg = "out of luck"
            raise ZeroDivisionError(msg)
        return scored(task, agents)

    study.run(evaluate)
    (failed,) = [entry for entry in study.log() if entry.kind == "failed"]
    assert failed.data["why"].startswith("ZeroDivisionError: out of luck (test_run.py, line ")
    assert kinds(study).count("told") == 12


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"a": float("nan"), "b": 1.0, "c": 1.0}, "finite"),
        ({}, "give a number for each agent"),
        (None, "give a number for each agent"),
        ({"nobody": 1.0}, "'nobody'"),
    ],
)
def test_scores_that_cannot_be_are_failures(answer: Any, why: str) -> None:
    study = made(agents=["a", "b"])
    answers = iter([answer])
    study.run(lambda task, agents: next(answers, scored(task, agents)))
    (failed,) = [entry for entry in study.log() if entry.kind == "failed"]
    assert why in failed.data["why"]


def test_an_answer_without_all_scores_is_a_failure() -> None:
    study = made(agents=["a", "b"])
    answers = iter([{"a": 1.0}])
    study.run(lambda task, agents: next(answers, {**scored(task, agents), "a": 1.0}))
    (failed,) = [entry for entry in study.log() if entry.kind == "failed"]
    assert failed.data["why"] == "no score came for 'b'"
    assert "budget" in study.stopped


def test_too_many_failures_in_a_row_end_the_run() -> None:
    study = made(budget=1000)
    with pytest.raises(StudyError, match="10 evaluations failed in a row") as raised:
        study.run(lambda *_: 1 / 0)  # type: ignore[arg-type]
    assert "mend the evaluation" in str(raised.value)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert kinds(study).count("failed") == FEWEST_FAILURES
    assert all(not one.left for one in study.waiting())


def test_what_takes_too_long_has_failed() -> None:
    study, freed, calls = made(), threading.Event(), []

    def evaluate(task: str, agents: tuple[str, ...]) -> Mapping[str, float]:
        calls.append(task)
        if len(calls) == 1:
            freed.wait(30)
        return scored(task, agents)

    try:
        study.run(evaluate, timeout=0.2)
    finally:
        freed.set()
    (failed,) = [entry for entry in study.log() if entry.kind == "failed"]
    assert failed.data["why"] == "no answer came within 0.2 seconds"


def test_leases_are_renewed_while_evaluations_last() -> None:
    study, calls = made(lease=0.3, budget=2, retries=0), []

    def evaluate(task: str, agents: tuple[str, ...]) -> Mapping[str, float]:
        calls.append(task)
        time.sleep(1.0)
        assert len(study.ask(5)) == 0, "nobody else is handed a query that is being evaluated"
        return scored(task, agents)

    study.run(evaluate, workers=2)
    assert len(calls) == 2
    assert set(kinds(study)) == {"asked", "told"}


def test_a_run_waits_for_what_others_hold() -> None:
    study = made(budget=1)
    held = study.ask()
    assert held is not None
    threading.Timer(0.4, lambda: study.tell(held.id, scored("", held.agents))).start()
    study.run(lambda *_: pytest.fail("there is nothing to evaluate"))
    assert study.status()["told"] == 1


def test_what_others_hold_is_taken_over_when_their_lease_ends() -> None:
    study = made(budget=1, lease=0.3)
    assert study.ask() is not None
    study.run(scored)
    assert study.status()["told"] == 1


def test_a_store_that_fails_for_a_moment_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    study = made()
    settle, failures = study.store.settle, iter([StoreError("the disk is full")])

    def sometimes(*args: Any, **how: Any) -> Any:
        for error in failures:
            raise error
        return settle(*args, **how)

    monkeypatch.setattr(study.store, "settle", sometimes)
    study.run(scored)
    assert study.status()["told"] == 12


def test_progress_is_told() -> None:
    seen: list[Progress] = []
    made(budget=3).run(scored, progress=seen.append)
    assert seen == [Progress(n, 0, 0, "") for n in (1, 2, 3)]


@pytest.mark.parametrize("how", [{"workers": 0}, {"timeout": 0.0}, {"timeout": float("nan")}])
def test_wrong_options_are_told(how: dict[str, Any]) -> None:
    with pytest.raises(DataError, match=next(iter(how))):
        made().run(scored, **how)


INTERRUPTED = """
import sys, time
from podium import Study

study = Study.open("s", sys.argv[1])

def evaluate(task, agents):
    print("begun", flush=True)
    time.sleep(60)

study.run(evaluate, workers=2)
"""


def test_an_interrupt_hands_open_queries_back(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/studies.db"
    study = Study.create("s", agents=AGENTS, tasks=TASKS, store=store, retries=0)
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, store], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in said
    again = study.ask(2)
    assert [query.id for query in again] == ["q1", "q2"], "they are asked again at once"
    assert kinds(study) == ["asked", "asked"], "nothing has failed"
    study.store.close()
