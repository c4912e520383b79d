"""Every endpoint: its shape, its statuses, and what it refuses."""

import json
from typing import Any

import pytest
from litestar.testing import TestClient

from podium.server.shapes import Ask, read_body

Client = TestClient[Any]
S = "/api/v1/studies/s"


def asked(client: Client, count: int = 1, **headers: str) -> list[dict[str, Any]]:
    answer = client.post(f"{S}/ask", json={"count": count}, headers=headers)
    assert answer.status_code == 200
    queries: list[dict[str, Any]] = answer.json()["queries"]
    return queries


def told(client: Client, query: dict[str, Any], score: float = 0.5) -> Any:
    scores = dict.fromkeys(query["agents"], score)
    return client.post(f"{S}/tell", json={"id": query["id"], "scores": scores})


def problem(answer: Any, status: int, code: str, field: str | None = None) -> str:
    """Demand a problem of a kind, in the one shape that all have, and give its message."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    assert list(answer.json()) == ["error"]
    error = answer.json()["error"]
    assert set(error) <= {"code", "message", "hint", "field"}
    assert (error["code"], error.get("field")) == (code, field)
    assert "Traceback" not in answer.text
    return str(error["message"])


def test_a_study_from_its_beginning_to_its_end(client: Client) -> None:
    parts = {"name": "s", "agents": ["a", "b"], "tasks": ["t"], "seed": 3, "budget": 3}
    more = {"lease": 60, "costs": {"t": 1}, "limit": 9, "noise": {"t": 0.5}, "retries": 1}
    made = client.post("/api/v1/studies", json={**parts, **more, "confidence": 0.99, "top": 1})
    assert made.status_code == 200
    assert made.json()["budget"] == 3.0
    (line,) = client.get("/api/v1/studies").json()["studies"]
    assert line == {"name": "s", "preset": "podium", "agents": 2, "tasks": 1}
    for _ in range(3):
        (query,) = asked(client)
        assert {"id", "lease_token", "task", "agents", "expires"} <= set(query)
        assert query["expires"].endswith("Z")
        assert told(client, query).json() == {"state": "told", "new": True}
    empty = client.post(f"{S}/ask", json={"count": 1}).json()
    assert empty == {"queries": [], "done": True, "reason": "the budget of 3 is spent"}
    assert client.get(f"{S}/stopped").json() == {"done": True, "reason": empty["reason"]}
    status = client.get(S).json()
    assert (status["told"], status["left"], status["name"]) == (3, 0.0, "s")
    assert client.get(f"{S}/status").json() == status
    assert client.delete(S).json() == {"state": "deleted"}
    assert client.get("/api/v1/studies").json() == {"studies": []}
    problem(client.get(S), 404, "unknown_study")


def test_rankings(study: Client) -> None:
    rows = [["t", agent, score] for agent, score in (("a", 3.0), ("b", 2.0), ("c", 1.0))]
    assert study.post(f"{S}/add", json={"results": rows}).json() == {"state": "added", "added": 3}
    document = study.get(f"{S}/ranking?level=0.9").json()
    assert document["schema"] == "podium.rank/1"
    assert [row["agent"] for row in document["results"][0]["ranking"]] == ["a", "b", "c"]
    assert document["tiers"] == [["a"], ["b"], ["c"]]
    assert 0.0 < document["confidence"] < 1.0
    for level in (0, 1, "x", "nan"):
        problem(study.get(f"{S}/ranking?level={level}"), 422, "invalid", "level")


def test_what_is_next_and_what_is_to_come(study: Client) -> None:
    found = study.get(f"{S}/next").json()["next"]
    (query,) = asked(study)
    assert (query["task"], query["agents"]) == (found["task"], found["agents"])
    spend = study.get(f"{S}/forecast?confidence=0.9&top=1").json()
    assert set(spend) == {"rounds", "low", "high"}
    problem(study.get(f"{S}/forecast?confidence=2"), 422, "invalid", "confidence")
    problem(study.get(f"{S}/forecast?top=99"), 422, "invalid", "top")


def test_the_log_holds_every_answer_once(study: Client) -> None:
    queries = asked(study, 5)
    for query in queries:
        told(study, query)
        told(study, query)
    log = study.get(f"{S}/log").json()
    assert [entry["seq"] for entry in log["entries"]] == [*range(1, 11)]
    entries = [entry for entry in log["entries"] if entry["kind"] == "told"]
    assert [entry["id"] for entry in entries] == [query["id"] for query in queries]
    assert entries[0]["scores"] == dict.fromkeys(queries[0]["agents"], 0.5)
    assert study.get(f"{S}/log?after={log['next']}").json() == {"entries": [], "next": 10}
    part = study.get(f"{S}/log?after=3&limit=2").json()
    assert ([entry["seq"] for entry in part["entries"]], part["next"]) == ([4, 5], 5)
    problem(study.get(f"{S}/log?after=-1"), 422, "invalid", "after")
    problem(study.get(f"{S}/log?after=x"), 422, "invalid", "after")


def test_answers_that_differ_are_conflicts(study: Client) -> None:
    (query,) = asked(study)
    assert told(study, query).json() == {"state": "told", "new": True}
    assert told(study, query).json() == {"state": "told", "new": False}
    problem(told(study, query, 0.6), 409, "conflict")
    assert told(study, query).json() == {"state": "told", "new": False}
    problem(told(study, {**query, "id": "q99"}), 404, "unknown_query")


@pytest.mark.parametrize(
    "id_", ["", "q", "q0", "q01", "x", "q" + "9" * 5000, "q٣", "q1\0", "../q1"]
)
def test_queries_that_were_never_asked(study: Client, id_: str) -> None:
    asked(study)
    body = {"id": id_, "scores": {"a": 1.0}}
    for what in ("tell", "fail", "skip"):
        sent = body if what == "tell" else {"id": id_}
        problem(study.post(f"{S}/{what}", json=sent), 404, "unknown_query")
    problem(study.post(f"{S}/renew", json={"id": id_, "lease_token": "0"}), 404, "unknown_query")


def test_leases_are_renewed_and_handed_back(study: Client) -> None:
    (query,) = asked(study)
    held = {"id": query["id"], "lease_token": query["lease_token"]}
    renewed = study.post(f"{S}/renew", json=held).json()
    assert renewed["state"] == "open"
    assert renewed["expires"] >= query["expires"]
    problem(study.post(f"{S}/renew", json={**held, "lease_token": "0"}), 409, "out_of_turn")
    (waiting,) = study.get(f"{S}/waiting").json()["queries"]
    assert (waiting["id"], waiting["leases"]) == ("q1", 1)
    assert study.post(f"{S}/release", json=held).json() == {"state": "open", "new": True}
    assert study.post(f"{S}/release", json=held).json() == {"state": "open", "new": False}
    assert asked(study)[0]["id"] == "q1"


def test_failed_and_skipped_queries(study: Client) -> None:
    for again in (True, True, False):
        (query,) = asked(study)
        assert query["id"] == "q1"
        failed = study.post(f"{S}/fail", json={"id": "q1", "why": "no network"}).json()
        assert failed == {"state": "open" if again else "failed", "again": again}
    (query,) = asked(study)
    assert study.post(f"{S}/skip", json={"id": query["id"]}).json() == {"state": "skipped"}
    assert study.get(f"{S}/waiting").json() == {"queries": []}


def test_studies_are_extended_paused_and_finished(study: Client) -> None:
    assert study.post(f"{S}/extend", json={"agents": ["d"], "tasks": ["v"]}).status_code == 200
    assert study.get(S).json()["agents"] == ["a", "b", "c", "d"]
    problem(study.post(f"{S}/extend", json={"agents": ["d"]}), 422, "invalid", "agents")
    assert study.post(f"{S}/pause").json() == {"state": "paused"}
    assert asked(study) == []
    assert study.post(f"{S}/resume").json() == {"state": "resumed"}
    assert len(asked(study)) == 1
    assert study.post(f"{S}/finish", json={"why": "enough"}).json() == {"state": "finished"}
    assert study.post(f"{S}/ask").json() == {"queries": [], "done": True, "reason": "enough"}


SCORES = ["NaN", "Infinity", "-Infinity", "1" + "0" * 400, "1e999", '"0.5"', "true", "null", "[1]"]


@pytest.mark.parametrize("score", SCORES, ids=lambda score: score[:9])
def test_scores_that_are_no_numbers(study: Client, score: str) -> None:
    (query,) = asked(study)
    agents = ", ".join(f'"{agent}": {score}' for agent in query["agents"])
    body = f'{{"id": "{query["id"]}", "scores": {{{agents}}}}}'
    problem(study.post(f"{S}/tell", content=body), 422, "invalid", "scores")
    rows = f'{{"results": [["t", "a", {score}]]}}'
    problem(study.post(f"{S}/add", content=rows), 422, "invalid", "results")
    assert study.get(S).json()["told"] == study.get(S).json()["added"] == 0


@pytest.mark.parametrize("score", [1e100, 5e-324, -0.0, 0, 7, 2**60])
def test_scores_that_are_numbers(study: Client, score: float) -> None:
    (query,) = asked(study)
    assert told(study, query, score).json() == {"state": "told", "new": True}
    scores = study.get(f"{S}/log?after=1").json()["entries"][0]["scores"]
    assert scores == dict.fromkeys(query["agents"], float(score))


BODIES = {
    "not JSON": (b"{", "body"),
    "not UTF-8": (b'{"id": "\xff"}', "body"),
    "half a surrogate pair": (b'{"id": "\\ud800", "scores": {}}', "body"),
    "a list": (b"[]", "body"),
    "deep": (b"[" * 10**6, "body"),
    "deep inside": (b'{"id": ' + b"[" * 10**6, "id"),
    "a part that is missing": (b'{"id": "q1"}', "scores"),
    "a part that is unknown": (b'{"id": "q1", "scores": {}, "why": 1}', "why"),
    "no scores": (b'{"id": "q1", "scores": {}}', "scores"),
    "scores of others": (b'{"id": "q1", "scores": {"z": 1}}', "scores"),
    "a token that is none": (
        b'{"id": "q1", "scores": {}, "lease_token": "\\u0000"}',
        "lease_token",
    ),
}


@pytest.mark.parametrize("what", BODIES)
def test_bodies_that_are_refused(study: Client, what: str) -> None:
    asked(study)
    body, field = BODIES[what]
    problem(study.post(f"{S}/tell", content=body), 422, "invalid", field)


PARTS: dict[str, list[Any]] = {
    "name": [None, "", " ", 7, "x" * 513, "a\0b"],
    "agents": [None, [], ["a"], ["a", "a"], ["a", 7], "ab", ["a", ""], {"a": 1}],
    "tasks": [None, [], ["t", "t"]],
    "preset": ["podiun", 7],
    "seed": [-1, 0.5, "x", 2**64],
    "budget": [0, -1, "x"],
    "costs": [7, {"z": 1}, {"t": -1}],
    "confidence": [0, 1, "x"],
    "top": [0, 4],
    "limit": [0, {"z": 1}],
    "noise": [-1],
    "forbidden": [[["t"]], [["t", "z"]]],
    "lease": [0, "x"],
    "retries": [-1],
    "surprise": [1],
}


@pytest.mark.parametrize(
    ("part", "value"),
    [(p, v) for p, vs in PARTS.items() for v in vs],
    ids=lambda part: repr(part)[:20],
)
def test_studies_that_cannot_be(client: Client, part: str, value: Any) -> None:
    body = {"name": "s", "agents": ["a", "b", "c"], "tasks": ["t"], part: value}
    if value is None:
        del body[part]
    problem(client.post("/api/v1/studies", json=body), 422, "invalid", part)
    assert client.get("/api/v1/studies").json() == {"studies": []}


def test_a_name_is_taken_once(study: Client) -> None:
    body = {"name": "s", "agents": ["x", "y"], "tasks": ["t"]}
    problem(study.post("/api/v1/studies", json=body), 409, "conflict")


NAMES = ["=1+1", "<script>alert(1)</script>", "../../x", "a/b", "CON", "🏅", "ä ö", "a?b#c"]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_all_kinds(client: Client, name: str) -> None:
    from urllib.parse import quote

    made = client.post(
        "/api/v1/studies", json={"name": name, "agents": [name, "b"], "tasks": ["t"]}
    )
    assert made.status_code == 200
    path = f"/studies/{quote(name, safe='')}"
    query = client.post(f"/api/v1{path}/ask").json()["queries"][0]
    assert set(query["agents"]) == {name, "b"}
    page = client.get(path)
    assert page.status_code == 200
    assert "<script>" not in page.text.lower()
    assert "<script>" not in client.get("/").text.lower()
    assert client.delete(f"/api/v1{path}").status_code == 200


def test_paths_that_are_not_there(study: Client) -> None:
    problem(study.get("/api/v1/nothing"), 404, "not_found")
    problem(study.get("/api/v1/studies/z"), 404, "unknown_study")
    problem(study.post("/api/v1/studies/z/ask"), 404, "unknown_study")
    problem(study.get("/api/v1/studies/%00"), 404, "unknown_study")
    problem(study.put(S), 405, "method_not_allowed")
    problem(study.get(f"{S}/tell"), 405, "method_not_allowed")


def test_bodies_that_are_too_large(study: Client) -> None:
    large = b'{"why": "' + b"x" * (9 << 20) + b'"}'
    problem(study.post(f"{S}/finish", content=large), 413, "too_large")
    problem(study.post(f"{S}/finish", content=iter([large])), 413, "too_large")


def test_requests_with_a_name(study: Client) -> None:
    named = {"Idempotency-Key": "one"}
    first = asked(study, 2, **named)
    assert asked(study, 2, **named) == first
    answer = study.post(f"{S}/ask", json={"count": 3}, headers=named)
    assert "of its own" in problem(answer, 409, "conflict")
    assert "of its own" in problem(
        study.post(f"{S}/skip", json={"id": "q1"}, headers=named), 409, "conflict"
    )
    for what, body in (("add", {"results": [["t", "a", 1.0]]}), ("extend", {"budget": 5})):
        key = {"Idempotency-Key": what}
        answers = [study.post(f"{S}/{what}", json=body, headers=key).json() for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
    status = study.get(S).json()
    assert (status["added"], status["budget"]) == (1, 5.0)
    for bad in ("x" * 201, "a b"):
        answer = study.post(f"{S}/ask", headers={"Idempotency-Key": bad})
        assert answer.status_code == 422


def test_the_description_of_all_endpoints(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    paths = described["paths"]
    assert {"get", "post"} == set(paths["/api/v1/studies"])
    assert {"get", "delete"} == set(paths["/api/v1/studies/{name}"])
    one = "/api/v1/studies/{name}/"
    found = {path.removeprefix(one) for path in paths if path.startswith(one)}
    reads = {"ranking", "status", "stopped", "next", "forecast", "waiting", "log", "events"}
    writes = {"ask", "tell", "renew", "release", "skip", "fail", "add", "extend"}
    assert found == reads | writes | {"charts/{chart}", "pause", "resume", "finish"}
    assert all("200" in one["responses"] for path in paths.values() for one in path.values())
    assert client.get("/api/v1/health").json()["status"] == "ok"


def test_an_empty_body_is_an_empty_object() -> None:
    assert read_body(b"", Ask) == Ask()
    assert json.loads(b"{}") == {}


def test_a_study_is_made_once_however_often_that_is_sent(study: Client) -> None:
    body = {"name": "new", "agents": ["a", "b"], "tasks": ["t"]}
    named = {"Idempotency-Key": "make"}
    for _ in range(2):
        assert study.post("/api/v1/studies", json=body, headers=named).status_code == 200
    other = {"Idempotency-Key": "other"}
    assert study.post("/api/v1/studies", json=body, headers=other).status_code == 200
    changed = {**body, "seed": 7}
    problem(study.post("/api/v1/studies", json=changed, headers=other), 409, "conflict")
    study.post("/api/v1/studies/new/ask")
    third = {"Idempotency-Key": "third"}
    problem(study.post("/api/v1/studies", json=body, headers=third), 409, "conflict")
    problem(study.post("/api/v1/studies", json=body), 409, "conflict")
