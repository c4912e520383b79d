"""A study that was written to a file and read again is the same study."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from podium import DataError, Study, StudyError
from podium.store import Store, open_store
from podium.study.transfer import exported, imported

AGENTS, TASKS = ["a", "b", "c"], ["t", "u"]


def eventful(store: Store) -> Study:
    """Give a study to which all that can happen has happened."""
    study = Study.create("s", agents=AGENTS, tasks=TASKS, store=store, budget=30, retries=1, seed=3)
    first, second, third, fourth, fifth = study.ask(5)
    study.tell(first, {agent: len(agent) / 7 for agent in first.agents})
    study.fail(second, "no luck")
    study.skip(third, "no use")
    study.tell(fourth, {fourth.agents[0]: 0.25})
    study.fail(fifth, "x")
    study.fail(fifth, "y")
    study.tell(fifth, dict.fromkeys(fifth.agents, 0.5))
    study.add([("t", "a", 1.0), ("t", "c", 0.5)])
    study.extend(agents=["Ünïcode"], budget=5)
    study.pause()
    study.resume()
    return study


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_study_goes_on_elsewhere_as_it_would_have_here(kind: str, tmp_path: Path) -> None:
    study = eventful(open_store("memory://"))
    other = open_store({"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/s.db"}[kind])
    assert imported(other, exported(study.store, "s"), "file") == "s"
    again = Study.open("s", other)
    assert list(exported(other, "s")) == list(exported(study.store, "s"))
    assert again.spec == study.spec
    assert again.ranking() == study.ranking()
    known = {"q1": "told", "q3": "skipped", "q5": "told"}
    for each in (study, again):
        waiting = {one.id: one.leases for one in each.waiting()}
        assert set(waiting) == {f"q{n}" for n in range(1, 6)} - set(known)
        assert not each.tell("q1", {agent: len(agent) / 7 for agent in _agents(each, "q1")}).new
        assert each.tell("q3", dict.fromkeys(_agents(each, "q3"), 0.75)).new, "it is late"
    mine, theirs = study.ask(3), again.ask(4)  # q4 is held here, and nobody holds it there
    assert [q.id for q in theirs] == ["q2", "q4", "q6", "q7"]
    assert [(q.id, q.task, q.agents) for q in mine] == [
        (q.id, q.task, q.agents) for q in theirs if q.id != "q4"
    ]
    other.close()


def _agents(study: Study, id_: str) -> list[str]:
    (asked,) = [e for e in study.log() if e.kind == "asked" and e.query == id_]
    return list(asked.data["agents"])


def test_a_study_may_get_another_name() -> None:
    store = open_store("memory://")
    study = eventful(store)
    assert imported(store, exported(store, "s"), "file", "twin") == "twin"
    assert Study.open("twin", store).ranking() == study.ranking()
    with pytest.raises(StudyError, match="already"):
        imported(store, exported(store, "s"), "file")


def damaged(change: Callable[[list[str]], Any]) -> str:
    lines = list(exported(eventful(open_store("memory://")).store, "s"))
    change(lines)
    store = open_store("memory://")
    with pytest.raises(DataError) as raised:
        imported(store, lines, "study.jsonl")
    assert store.studies() == []
    return str(raised.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines.clear(), "study.jsonl holds no study"),
        (lambda lines: lines.__setitem__(0, "task,agent,score\n"), "holds no study"),
        (lambda lines: lines.pop(), "ends after entry"),
        (lambda lines: lines.pop(2), "line 3: this cannot follow"),
        (lambda lines: lines.__setitem__(3, lines[3].replace("t", "u", 1)), "line 4: this is not"),
        (lambda lines: lines.__setitem__(-1, lines[-1][:20]), "the file is damaged there"),
    ],
)
def test_damage_is_told(change: Callable[[list[str]], Any], said: str) -> None:
    assert said in damaged(change)
