"""Pages: their shape, what hostile names do to them, their links, and their files."""

import csv
import io
import shlex
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import pytest
from litestar.testing import TestClient

from podium.server import make_app
from podium.server.views import VIEWS
from podium.store import open_store
from podium.study.study import Study

HOST = "http://127.0.0.1:8000"
VOID = {"meta", "link", "img", "input", "br", "hr", "line", "rect", "circle", "polyline"}
NAMES = (
    "<script>alert(1)</script>",
    "=1+1",
    '"><img src=x onerror=alert(1)>',
    "@sum",
    "a\u202eb",
    "{{ 7 * 7 }}",
    "-1",
    "x" * 512,
    "👩‍🚀",
)
TASKS = ("+cmd", "<i>math</i>/a", "math/b", "' onclick='x", "../../x")


class Page(HTMLParser):
    """A page taken apart, which demands that what is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for found, attributes in self.tags if found == tag]

    @property
    def said(self) -> str:
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def hostile() -> Iterator[TestClient[Any]]:
    """Give a client of a server whose study has hostile names and all kinds of trouble."""
    store = open_store("memory://")
    study = Study.create(NAMES[0], agents=NAMES, tasks=TASKS, store=store, lease=60, retries=0)
    rows = [(task, agent, float(at % 4)) for task in TASKS[:4] for at, agent in enumerate(NAMES)]
    study.add(rows)
    first, second, third = study.ask(3)
    study.tell(first, dict.fromkeys(first.agents, 1.0))
    with pytest.raises(Exception, match="first answer stands"):
        study.tell(first, dict.fromkeys(first.agents, 2.0))
    study.fail(second, "<b>broken</b>")
    study.skip(third, NAMES[2])
    study.ask(2)
    with TestClient(make_app(store), base_url=HOST) as client:
        yield client


def page_of(client: TestClient[Any], path: str, status: int = 200) -> Page:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("text/html")
    return Page(answer.text)


def paths() -> list[str]:
    """List a path for each view of the hostile study."""
    queries = {
        "agent": f"?name={quote(NAMES[2])}",
        "task": f"?name={quote(TASKS[1])}",
        "pair": f"?a={quote(NAMES[1])}&b={quote(NAMES[3])}",
    }
    study = f"/studies/{quote(NAMES[0], safe='')}"
    return [f"{study}/{view}{queries.get(view, '')}" for view in VIEWS]


@pytest.mark.parametrize("path", ["/", "/login", "/studies/none", *paths()])
def test_no_name_becomes_a_part_of_a_page(hostile: TestClient[Any], path: str) -> None:
    page = page_of(hostile, path, 404 if path.endswith("none") else 200)
    assert [one["src"] for one in page.all("script") if "src" in one] == [
        one.get("src") for one in page.all("script")
    ], "no script stands inside"
    assert len(page.all("script")) == 1
    assert len(page.all("img")) == 1, "the mark of podium and no other picture"
    assert not page.all("style")
    assert not page.all("i")
    for tag, attributes in page.tags:
        assert not {name for name in attributes if name.startswith("on") or name == "style"}, tag
    assert "49" not in page.said.split()
    assert "\u202e" not in page.said


@pytest.mark.parametrize("path", ["/", *paths()])
def test_pages_can_be_read_without_eyes(hostile: TestClient[Any], path: str) -> None:
    page = page_of(hostile, path)
    assert page.tags[0] == ("html", {"lang": "en"})
    assert len(page.all("h1")) == 1
    head = [tag for tag, _ in page.tags[: [tag for tag, _ in page.tags].index("body")]]
    assert head.count("title") == 1
    labelled = {one["for"] for one in page.all("label") if "for" in one}
    fields = page.all("input") + page.all("select") + page.all("textarea")
    assert len(fields) == len(page.all("label")), "each field has a label"
    assert {one["id"] for one in page.all("input") if "id" in one} == labelled
    assert all("scope" in one for one in page.all("th"))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)), "a name stands for one part"
    live = [attributes for _, attributes in page.tags if "data-live" in attributes]
    assert all("id" in attributes for attributes in live)


def test_every_link_leads_somewhere(hostile: TestClient[Any]) -> None:
    waiting, seen = ["/"], {"/"}
    while waiting:
        path = waiting.pop()
        answer = hostile.get(path)
        assert answer.status_code == 200, path
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        page = Page(answer.text)
        links = [one.get("href") for one in page.all("a") + page.all("link")]
        links += [one.get("src") for one in page.all("script") + page.all("img")]
        for link in filter(None, links):
            parts = urlsplit(urljoin(f"{HOST}{path}", link))
            assert parts.netloc == "127.0.0.1:8000", "nothing is fetched from elsewhere"
            found = parts.path + (f"?{parts.query}" if parts.query else "")
            if found not in seen and "/charts-" not in found:
                seen.add(found)
                waiting.append(found)
    assert len(seen) > len(VIEWS) + len(NAMES) * (len(NAMES) - 1)


@pytest.mark.parametrize("path", [path.partition("?") for path in paths()])
def test_each_view_as_csv_and_json(hostile: TestClient[Any], path: tuple[str, str, str]) -> None:
    start, mark, query = path
    answer = hostile.get(f"{start}.csv{mark}{query}")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows, "a header at least"
    assert {len(row) for row in rows} == {len(rows[0])}
    for cell in (cell for row in rows for cell in row):
        if cell.startswith(("=", "+", "-", "@", "\t", "\r")):
            float(cell)  # a number is no formula
    document = hostile.get(f"{start}.json{mark}{query}").json()
    assert document["study"] == NAMES[0]
    assert len(document["rows"]) == len(rows) - 1
    assert all(list(row) == rows[0] for row in document["rows"])


def test_the_ranking_says_what_the_study_says(hostile: TestClient[Any]) -> None:
    start = f"/studies/{quote(NAMES[0], safe='')}"
    document = hostile.get(f"/api/v1{start}/ranking").json()
    rows = hostile.get(f"{start}/ranking.json").json()["rows"]
    wanted = document["results"][0]["ranking"]
    assert [{key: row[key] for key in wanted[0]} for row in rows] == wanted
    assert sum(row["scores"] for row in rows) == 4 * len(NAMES) + 2
    cells = [one for one in page_of(hostile, start).all("rect") if one.get("class") == "at"]
    assert len(cells) == len(NAMES)


@pytest.mark.parametrize("query", ["method=borda", "tasks=math/*", "method=mean&tasks=math/b"])
def test_other_methods_and_some_tasks(hostile: TestClient[Any], query: str) -> None:
    start = f"/studies/{quote(NAMES[0], safe='')}"
    rows = hostile.get(f"{start}/ranking.json?{query}").json()["rows"]
    assert {row["agent"] for row in rows} == set(NAMES)
    if "math/b" in query:
        one = {row["agent"]: row["scores"] for row in rows}
        assert max(one.values()) <= 2
        assert hostile.get(f"{start}/task.json?name=math/b").json()["rows"][0]["mean"] == 3.0


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("?method=nonsense", 200, "no method named 'nonsense'"),
        ("?tasks=nonsense", 422, "no task is like 'nonsense'"),
        ("?level=2", 422, "level is '2'"),
        ("/log?before=x", 422, "before is 'x'"),
        ("/next?top=99", 422, "top is 99"),
        ("/agent?name=nobody", 404, "nobody"),
        ("/nothing", 404, "no view named"),
    ],
)
def test_addresses_that_ask_for_what_is_not_there(
    hostile: TestClient[Any], query: str, status: int, said: str
) -> None:
    page = page_of(hostile, f"/studies/{quote(NAMES[0], safe='')}{query}", status)
    assert said in page.said


def test_data_quality_tells_of_each_trouble(hostile: TestClient[Any]) -> None:
    start = f"/studies/{quote(NAMES[0], safe='')}"
    rows = hostile.get(f"{start}/quality.json").json()["rows"]
    found = {row["finding"]: row for row in rows}
    assert {"conflict", "failed", "skipped", "missing"} <= set(found)
    assert found["failed"]["what"] == "<b>broken</b>"
    assert found["missing"]["task"] == TASKS[4]


def test_zeros_and_repeats_that_look_like_faults(client: TestClient[Any]) -> None:
    body = {"name": "s", "agents": list("abcd"), "tasks": ["t", "u"]}
    client.post("/api/v1/studies", json=body)
    scores = {"a": [0.0], "b": [50.0, 51.0, 52.0], "c": [48.0, 48.0, 48.0], "d": [49.0]}
    rows = [["t", agent, value] for agent, values in scores.items() for value in values]
    client.post("/api/v1/studies/s/add", json={"results": rows})
    rows = client.get("/studies/s/quality.json").json()["rows"]
    found = {(row["finding"], row["task"], *row["agents"]) for row in rows}
    assert {("zero", "t", "a"), ("repeated", "t", "c")} <= found
    assert ("repeated", "t", "d") not in found


FORM = {"name": "made", "agents": "a\nb, c\n", "tasks": "t, u", "preset": "uniform-averaging"}


def test_a_study_is_made_paused_extended_and_finished_by_forms(client: TestClient[Any]) -> None:
    made = client.post("/", data={**FORM, "budget": "5"}, follow_redirects=False)
    assert (made.status_code, made.headers["location"]) == (303, "/studies/made")
    status = client.get("/api/v1/studies/made").json()
    assert (status["agents"], status["tasks"]) == (["a", "b, c"], ["t", "u"])
    for form, state in (
        ({"do": "pause"}, "paused"),
        ({"do": "resume"}, "running"),
        ({"do": "finish", "why": "enough"}, "stopped"),
        ({"do": "extend", "agents": "d", "tasks": "", "budget": "2.5"}, "running"),
    ):
        answer = client.post("/studies/made", data=form, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/studies/made")
        assert f'class="pill {state}"' in client.get("/studies/made").text
    status = client.get("/api/v1/studies/made").json()
    assert (status["agents"], status["budget"]) == (["a", "b, c", "d"], 7.5)


def test_forms_that_are_wrong_say_so_and_keep_what_was_typed(client: TestClient[Any]) -> None:
    answer = client.post("/", data={**FORM, "agents": "alone"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "at least 2" in page.said
    assert "alone" in page.said
    assert client.get("/api/v1/studies").json() == {"studies": []}
    client.post("/", data=FORM)
    assert client.post("/", data=FORM).status_code == 422
    assert client.post("/studies/made", data={"do": "extend", "budget": "x"}).status_code == 422
    assert client.post("/studies/made", data={"do": "explode"}).status_code == 400
    assert client.post("/studies/none", data={"do": "pause"}).status_code == 404


@pytest.mark.parametrize("path", ["/", "/studies/s", "/rank"])
def test_forms_of_other_sites_change_nothing(study: TestClient[Any], path: str) -> None:
    headers = {"origin": "https://elsewhere.example"}
    data = {**FORM, "do": "pause"}
    assert study.post(path, data=data, headers=headers).status_code == 403
    assert study.get("/api/v1/studies/s").json()["paused"] is False
    assert len(study.get("/api/v1/studies").json()["studies"]) == 1


def test_looking_changes_nothing(hostile: TestClient[Any]) -> None:
    log = f"/api/v1/studies/{quote(NAMES[0], safe='')}/log"
    before = hostile.get(log).json()
    for path in paths():
        hostile.get(path)
    assert hostile.get(log).json() == before


def test_a_file_is_ranked_by_all_methods(client: TestClient[Any]) -> None:
    text = "task,agent,score\n" + "".join(
        f"{task},{agent},{score}\n"
        for task in "tu"
        for score, agent in enumerate(("<i>x</i>", "=1", "c"))
    )
    answer = client.post("/rank", files={"file": ("<u>.csv", text.encode())})
    assert answer.status_code == 200
    page = Page(answer.text)
    assert "<i>x</i>" in page.said
    assert not page.all("i") + page.all("u")
    assert {"copeland", "borda", "elo"} <= set(page.said.split())
    every = client.post("/api/v1/rank?all=true&filename=a.csv", content=text.encode()).json()[
        "results"
    ]
    assert len(every) > 10
    bad = client.post("/rank", files={"file": ("x.exe", b"x")})
    assert bad.status_code == 422
    assert "one of the endings" in Page(bad.text).said


def test_charts_are_vega_lite(hostile: TestClient[Any]) -> None:
    charts = f"/api/v1/studies/{quote(NAMES[0], safe='')}/charts"
    for name in ("ranks", "places", "margins"):
        assert "vega-lite" in hostile.get(f"{charts}/{name}").json()["$schema"]
    assert hostile.get(f"{charts}/none").status_code == 422


def test_files_of_ours_are_kept_by_browsers(hostile: TestClient[Any]) -> None:
    page = page_of(hostile, "/")
    address = str(page.all("script")[0]["src"])
    assert "immutable" in hostile.get(address).headers["cache-control"]
    assert hostile.get("/").headers["cache-control"] == "no-store"


def test_the_path_of_a_study_grows_with_it(client: TestClient[Any]) -> None:
    body = {"name": "s", "agents": list("abc"), "tasks": ["t"], "seed": 1}
    client.post("/api/v1/studies", json=body)
    spent = []
    for _ in range(3):
        for query in client.post("/api/v1/studies/s/ask", json={"count": 2}).json()["queries"]:
            scores = {agent: float(ord(agent)) for agent in query["agents"]}
            told = {"id": query["id"], "scores": scores}
            client.post("/api/v1/studies/s/tell", json=told)
        rows = client.get("/studies/s/budget.json").json()["rows"]
        assert rows[-1]["certainty"] == client.get("/api/v1/studies/s").json()["certainty"]
        spent.append([row["spent"] for row in rows])
    assert [each[-1] for each in spent] == [2.0, 4.0, 6.0]
    assert spent[2] == sorted(set(spent[2]))


def test_the_list_waits_for_no_study_that_takes_long(
    client: TestClient[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"agents": ["a", "b"], "tasks": ["t"]}
    for name in ("quick", "slow"):
        client.post("/api/v1/studies", json={"name": name, **body})
    go_on, status = threading.Event(), Study.status

    def late(study: Study) -> dict[str, Any]:
        if study.name == "slow":
            go_on.wait(20)
        return status(study)

    monkeypatch.setattr(Study, "status", late)
    monkeypatch.setattr("podium.server.pages.PATIENCE", 0.2)
    for _ in range(6):  # more often than there are threads
        text = client.get("/").text
        assert text.count("being worked out") == 1
    assert client.get("/studies/quick").status_code == 200
    go_on.set()
    monkeypatch.setattr("podium.server.pages.PATIENCE", 10.0)
    assert "being worked out" not in client.get("/").text


def test_commands_are_such_as_podium_takes(hostile: TestClient[Any]) -> None:
    from typer.main import get_group

    from podium.cli.study import app

    start = f"/studies/{quote(NAMES[0], safe='')}"
    said = [row["command"] for row in hostile.get(f"{start}/commands.json").json()["rows"]]
    said += [
        hostile.get(f"{start}/{view}.json?level=0.9&top=2").json()["command"]
        for view in ("ranking", "next", "budget", "log", "workers")
    ]
    group: Any = get_group(app)
    for command in said:
        words = shlex.split(command)
        assert words[:2] == ["podium", "study"]
        assert words[3] == NAMES[0]
        group.commands[words[2]].make_context(words[2], words[3:])
