"""A study behind a server does what a study here does."""

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import podium
from podium.client.wire import pauses
from podium.errors import UnknownQuery, UnknownStudy
from servers import Server, free_port, serving

PARTS: dict[str, Any] = {"agents": ["a", "b", "c"], "tasks": ["t", "u"], "seed": 5, "budget": 100}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("store") / "s.db") as running:
        yield running


def pair(server: Server, name: str, **parts: Any) -> tuple[Any, Any]:
    """Make the same study here and there."""
    here = podium.Study.create(name, store="memory://", **{**PARTS, **parts})
    return here, podium.connect(server.url).create(name, **{**PARTS, **parts})


def test_the_same_questions_answers_and_rankings(server: Server) -> None:
    both = pair(server, "same")
    for n in range(12):
        one, other = (study.ask() for study in both)
        assert one is not None
        assert (one.id, one.task, one.agents, one.cost) == other[0:1] + other[2:4] + (other.cost,)
        scores = {agent: ord(agent) + n / 7 for agent in one.agents}
        told = [study.tell(one.id, scores) for study in both]
        assert told[0] == told[1] == ("told", True)
        assert [study.tell(one.id, scores) for study in both] == [("told", False)] * 2
    one, other = both[0].ranking(), both[1].ranking()
    assert (one.tiers, one.ratings, one.rank_intervals) == (
        other.tiers,
        other.ratings,
        other.rank_intervals,
    )
    assert one.info == other.info
    logs = [json.loads(json.dumps([entry[:4] for entry in study.log()])) for study in both]
    assert logs[0] == logs[1]
    assert both[0].spec == both[1].spec
    assert json.loads(json.dumps(both[0].status())) == both[1].status()


def test_every_verb(server: Server) -> None:
    for study in pair(server, "verbs", retries=0):
        one, two, three, four = study.ask(4)
        assert study.renew(one) >= one.expires.replace(microsecond=0)
        assert study.release(one)
        assert not study.release(one)
        assert study.ask().id == one.id
        assert study.fail(two, "no network") is False
        study.skip(three)
        assert {waiting.id for waiting in study.waiting()} == {one.id, four.id}
        assert study.add([("t", "a", 1.0), ("t", "b", 0.5)]) == 2
        assert study.add(podium.Scores.from_records([("u", "a", 3.0)])) == 1
        study.extend(agents=["d"], budget=10)
        assert study.spec.agents == ("a", "b", "c", "d")
        study.pause()
        assert study.ask() is None
        study.resume()
        assert study.ask() is not None
        assert study.stopped == ""
        assert study.next()["agents"]
        assert study.forecast(0.5, top=1).low >= 0.0
        study.finish("enough")
        assert study.next() == {}
        assert study.stopped == "enough"
        assert study.ask(3) == []
        assert [entry.kind for entry in study.log(after=4, limit=2)] == ["failed", "skipped"]


def test_the_same_errors(server: Server) -> None:
    for study in pair(server, "errors"):
        query = study.ask()
        with pytest.raises(UnknownQuery, match="never asked 'q99'"):
            study.tell("q99", {"a": 1.0})
        for bad in (float("nan"), "0.5", None, True, 10**400):
            with pytest.raises(podium.DataError) as caught:
                study.tell(query, dict.fromkeys(query.agents, bad))
            assert caught.value.field == "scores"
        study.tell(query, dict.fromkeys(query.agents, 1.0))
        with pytest.raises(podium.Conflict, match="the first answer stands"):
            study.tell(query, dict.fromkeys(query.agents, 2.0))
        with pytest.raises(podium.StudyError, match="not held by this lease token"):
            study.renew(query.id, "0")
        with pytest.raises(podium.DataError, match="no agents 'z'"):
            study.add([("t", "z", 1.0)])
    service = podium.connect(server.url)
    with pytest.raises(UnknownStudy, match="no study named 'nobody'"):
        service.study("nobody")
    with pytest.raises(podium.Conflict, match="already"):
        service.create("errors", **PARTS)
    with pytest.raises(podium.DataError, match="no preset named 'podiun'"):
        service.create("x", **PARTS, preset="podiun")


def test_studies_are_listed_opened_and_deleted(server: Server) -> None:
    service = podium.connect(server.url)
    for name in ("a/b", "%2e%2e", "Ünï 🏅"):
        service.create(name, **PARTS)
        assert name in service.studies()
        assert podium.connect(server.url, study=name).spec.name == name
        service.delete(name)
        assert name not in service.studies()


def test_workers_run_on_a_study_behind_a_server(server: Server) -> None:
    study = podium.connect(server.url).create("run", **{**PARTS, "budget": 20})
    ranking = study.run(lambda _, agents: {a: float(ord(a)) for a in agents}, workers=3)
    assert ranking.order == ("c", "b", "a")
    assert study.stopped == "the budget of 20 is spent"


def test_a_request_counts_once_however_often_it_is_sent(server: Server) -> None:
    here, there = pair(server, "keys")
    for study in (here, there):
        first = study.ask(2, key="k")
        assert [query[:4] for query in study.ask(2, key="k")] == [query[:4] for query in first]
        with pytest.raises(podium.Conflict, match="of its own"):
            study.ask(3, key="k")
        for _ in range(3):
            study.add([("t", "a", 1.0)], key="add")
            study.extend(budget=5, key="more")
            study.fail(first[0], "lost", key="fail")
        assert study.status()["added"] == 1
        assert study.spec.budget == 105
        assert sum(entry.kind == "failed" for entry in study.log()) == 1
        with pytest.raises(podium.Conflict, match="of its own"):
            study.add([("t", "a", 2.0)], key="add")


def test_names_of_requests_outlive_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "s.db") as server:
        study = podium.connect(server.url).create("s", **PARTS)
        queries = study.ask(2, key="k")
        study.add([("t", "a", 1.0)], key="add")
        study.fail(queries[0], "lost", key="fail")
        server.kill()
        server.start()
        assert [query[:4] for query in study.ask(2, key="k")] == [q[:4] for q in queries[1:]]
        study.add([("t", "a", 1.0)], key="add")
        study.fail(queries[0], "lost", key="fail")
        assert study.status()["added"] == 1
        assert sum(entry.kind == "failed" for entry in study.log()) == 1


def test_the_same_answer_from_many_at_once(server: Server) -> None:
    study = podium.connect(server.url).create("many", **PARTS)
    query = study.ask()
    assert query is not None
    seen: list[bool] = []
    conflicts: list[float] = []

    def tell(score: float) -> None:
        for _ in range(20):
            try:
                seen.append(study.tell(query, dict.fromkeys(query.agents, score)).new)
            except podium.Conflict:
                conflicts.append(score)

    threads = [threading.Thread(target=tell, args=(float(n % 2),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(seen), len(seen), len(conflicts)) == (1, 80, 80)
    kinds = [entry.kind for entry in study.log()]
    assert kinds.count("told") == 1
    assert kinds.count("conflict") == 80, "every answer that contradicts is kept"


def test_a_server_that_is_not_there() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(podium.StoreError, match="does not answer"):
        podium.connect(url, retry_for=0.2).studies()
    for bad in ("ftp://x", "http://", "http://x/studies/s"):
        with pytest.raises(podium.DataError, match="give"):
            podium.connect(bad)


def test_pauses_grow_and_end() -> None:
    found = list(pauses(0.0))
    assert found == [None]
    few = pauses(10.0)
    assert next(few) == 0.0
    grown = [next(few) or 0.0 for _ in range(6)]
    assert all(
        0.5 * min(0.05 * 2**n, 1.0) <= pause <= min(0.05 * 2**n, 1.0)
        for n, pause in enumerate(grown)
    )


def test_a_forked_process_opens_its_own_connection(server: Server) -> None:
    service = podium.connect(server.url)
    before = service.studies()
    ends = os.pipe()
    child = os.fork()
    if not child:
        os.write(ends[1], repr(service.studies()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(ends[1])
    with os.fdopen(ends[0], "rb") as said:
        assert said.read().decode() == repr(before)
    assert service.studies() == before
