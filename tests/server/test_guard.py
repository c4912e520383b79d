"""Who is let in: tokens, cookies, names of the server, pages of others."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from litestar.testing import TestClient

from podium.errors import DataError
from podium.server import make_app, serve
from podium.server.guard import COOKIE, check_token, session
from podium.store import open_store

TOKEN = "correct-horse-battery-staple"
BODY = {"name": "s", "agents": ["a", "b"], "tasks": ["t"]}
Client = TestClient[Any]


@pytest.fixture
def client() -> Iterator[Client]:
    app = make_app(open_store("memory://"), token=TOKEN, hosts=())
    with TestClient(app, base_url="http://podium.example") as opened:
        yield opened


@pytest.fixture
def local() -> Iterator[Client]:
    with TestClient(make_app(open_store("memory://")), base_url="http://127.0.0.1:8000") as opened:
        yield opened


WRONG = ["", "Bearer", "Bearer x", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer ü"]


@pytest.mark.parametrize("sent", WRONG)
def test_without_the_token_nothing_is_answered(client: Client, sent: str) -> None:
    headers = {b"Authorization": sent.encode("latin-1")} if sent else {}
    for path in ("/api/v1/studies", "/api/v1/openapi.json", "/api/v1/nothing"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "unauthorized"
        assert TOKEN not in answer.text
    assert client.post("/api/v1/studies", json=BODY, headers=headers).status_code == 401
    assert client.get("/api/v1/studies?token=" + TOKEN, headers=headers).status_code == 401


def test_with_the_token_everything_is(client: Client) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert client.post("/api/v1/studies", json=BODY, headers=headers).status_code == 200
    assert client.get("/api/v1/studies", headers=headers).status_code == 200
    assert client.get("/api/v1/health").status_code == 200


def test_people_log_in_and_get_a_cookie(client: Client) -> None:
    page = client.get("/", follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, "/login")
    assert "<form" in client.get("/login").text
    assert client.get("/static/podium.css").status_code == 200
    wrong = client.post("/login", data={"token": "x" * 20}, follow_redirects=False)
    assert wrong.status_code == 403
    assert "set-cookie" not in wrong.headers
    right = client.post("/login", data={"token": TOKEN}, follow_redirects=False)
    assert (right.status_code, right.headers["location"]) == (303, "/")
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert TOKEN not in cookie
    assert client.get("/").status_code == 200
    assert client.get("/api/v1/studies").status_code == 200


def test_a_cookie_cannot_be_made_up(client: Client) -> None:
    for value in ("", "x", TOKEN, session("another-token-of-others"), '"', "a" * 5000):
        headers = {"Cookie": f"{COOKIE}={value}"}
        assert client.get("/api/v1/studies", headers=headers).status_code == 401


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://podium.example:81"])
def test_pages_of_others_change_nothing(client: Client, origin: str) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Origin": origin}
    refused = client.post("/api/v1/studies", json=BODY, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["error"]["code"] == "forbidden"
    assert client.get("/api/v1/studies", headers=headers).json() == {"studies": []}
    own = {**headers, "Origin": "http://podium.example"}
    assert client.post("/api/v1/studies", json=BODY, headers=own).status_code == 200
    assert client.delete("/api/v1/studies/s", headers=headers).status_code == 403
    cross = {"Authorization": f"Bearer {TOKEN}", "Sec-Fetch-Site": "cross-site"}
    assert client.delete("/api/v1/studies/s", headers=cross).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8000", "[::2]:8000", ":8000"]
)
def test_other_names_of_this_machine_are_refused(local: Client, host: str) -> None:
    for path in ("/", "/api/v1/studies", "/static/podium.css"):
        assert local.get(path, headers={"Host": host}).status_code == 403
    assert local.post("/api/v1/studies", json=BODY, headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:9", "LOCALHOST", "127.0.0.1", "[::1]:8000"])
def test_own_names_of_this_machine_are_welcome(local: Client, host: str) -> None:
    assert local.get("/api/v1/studies", headers={"Host": host}).status_code == 200


def test_no_reading_changes_anything(local: Client) -> None:
    assert local.post("/api/v1/studies", json=BODY).status_code == 200
    before = local.get("/api/v1/studies/s/log").json()
    for verb in ("ask", "tell", "add", "pause", "finish", "extend", "skip", "fail", "renew"):
        assert local.get(f"/api/v1/studies/s/{verb}").status_code == 405
    for page in ("/", "/studies/s", "/api/v1/studies/s", "/api/v1/studies/s/ranking"):
        assert local.get(page).status_code == 200
    assert local.get("/api/v1/studies/s/log").json() == before


@pytest.mark.parametrize("path", ["/", "/api/v1/studies", "/api/v1/nothing", "/static/podium.css"])
def test_every_answer_has_the_headers_that_protect(local: Client, path: str) -> None:
    headers = local.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_pages_have_no_script_inside(local: Client) -> None:
    local.post("/api/v1/studies", json=BODY)
    for page in ("/", "/studies/s", "/login"):
        text = local.get(page).text
        assert re.findall(r"<script(?! src=\"/static/[^\"]*\" defer></script>)", text) == []
        assert " style=" not in text
        assert " onclick=" not in text


@pytest.mark.parametrize(
    "token", ["", "short", "x" * 15, "with a blank in the middle", "ümlaut" * 4]
)
def test_tokens_that_are_too_weak(token: str) -> None:
    with pytest.raises(DataError, match="16 or more"):
        check_token(token)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "podium.example"])
def test_no_address_beyond_this_machine_without_a_token(host: str) -> None:
    with pytest.raises(DataError, match="no token is set"):
        serve("memory://", host=host, port=0)
