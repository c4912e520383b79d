"""The pages in a real browser: what they fetch, how soon they follow, and what they keep."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import podium
from servers import Server, serving

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

VIEWS = (
    "",
    "/next",
    "/budget",
    "/pairs",
    "/pair?a=a&b=b",
    "/agent?name=a",
    "/tasks",
    "/task?name=math/u",
    "/workers",
    "/quality",
    "/log",
    "/commands",
    "/scores",
)
SIZES = ((1440, 900), (390, 844))
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("store") / "s.db") as running:
        study = podium.connect(running.url).create(
            "s", agents=["a", "b", HOSTILE], tasks=["math/t", "math/u", "art/v"]
        )
        for _ in range(6):
            answer(study)
        study.ask()
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        try:
            opened = running.chromium.launch()
        except playwright.Error:
            found = shutil.which("chromium") or shutil.which("chromium-browser")
            if found is None:
                pytest.skip("no chromium: `playwright install chromium`, or your system's own")
            opened = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


class Watched:
    """A page, with what it complained of and what it fetched."""

    def __init__(self, browser: Any, server: Server, **how: Any) -> None:
        self.context = browser.new_context(base_url=server.url, **how)
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda said: self.troubles.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        self.page.on("request", lambda request: self.fetched.append(request.url))
        self._url = server.url

    def check(self) -> None:
        assert self.troubles == []
        assert [url for url in self.fetched if not url.startswith(self._url)] == []


@pytest.fixture
def watched(browser: Any, server: Server) -> Iterator[Watched]:
    opened = Watched(browser, server)
    yield opened
    opened.check()
    opened.context.close()


def answer(study: Any) -> None:
    query = study.ask()
    study.tell(query, {agent: float(len(agent)) for agent in query.agents})


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_loads_without_a_complaint(
    browser: Any, server: Server, size: tuple[int, int], scheme: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    seen = Watched(browser, server, viewport=viewport, color_scheme=scheme)
    for path in ("/", *(f"/studies/s{view}" for view in VIEWS)):
        seen.page.goto(path)
        assert seen.page.locator("h1").count() == 1
        beyond = seen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert beyond <= 0, f"{path} is wider than the screen"
    seen.check()
    seen.context.close()


def test_a_page_follows_its_study_within_a_second(watched: Watched, server: Server) -> None:
    study = podium.connect(server.url, study="s")
    page = watched.page
    last = study.log()[-1].seq
    with page.expect_response(lambda response: response.url.endswith(f"events?after={last}")):
        page.goto("/studies/s/log")
    page.locator("th").first.evaluate("one => { one.ownerDocument.title = 'not loaded anew'; }")
    answer(study)
    begun = time.monotonic()
    page.get_by_role("cell", name=str(last + 2), exact=True).wait_for(timeout=1_000)
    assert time.monotonic() - begun < 1.0
    assert page.title() == "not loaded anew"


def test_choices_are_in_the_address_and_go_back(watched: Watched) -> None:
    page = watched.page
    page.goto("/studies/s")
    page.get_by_label("By").select_option("borda")
    page.wait_for_url("**/studies/s?method=borda**")
    page.get_by_role("link", name="math", exact=True).click()
    page.wait_for_url("**tasks=math**")
    assert "on 2 tasks" in page.locator("caption").inner_text()
    page.go_back()
    page.wait_for_url(lambda url: "tasks" not in url)
    assert page.get_by_label("By").input_value() == "borda"
    assert "on 3 tasks" in page.locator("caption").inner_text()
    page.go_back()
    assert page.get_by_label("By").input_value() == ""
    page.go_forward()
    assert page.get_by_label("By").input_value() == "borda"


def test_a_file_that_is_dropped_is_ranked(watched: Watched) -> None:
    page = watched.page
    page.goto("/")
    text = "task,agent,score\\nt,x,1\\nt,y,2\\nt,z,3\\n"
    page.evaluate(
        f"""() => {{
            const files = new DataTransfer();
            files.items.add(new File(["{text}"], "mine.csv", {{type: "text/csv"}}));
            document.body.dispatchEvent(
                new DragEvent("drop", {{dataTransfer: files, bubbles: true, cancelable: true}}));
        }}"""
    )
    page.wait_for_url("**/rank")
    assert page.locator("h1").inner_text() == "mine.csv"
    assert page.locator("tbody th").first.inner_text() == "z"


def test_charts_are_drawn_under_the_strict_policy(watched: Watched) -> None:
    pytest.importorskip("vl_convert", reason="charts need the extra `plots`")
    page = watched.page
    page.goto("/studies/s/pairs")
    page.get_by_text("Margins, in tasks").click()
    page.locator("[data-chart] svg").first.wait_for(timeout=20_000)


def test_everything_is_reached_by_keyboard(watched: Watched) -> None:
    page = watched.page
    page.goto("/studies/s")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim().slice(0, 20)"))
        outline = page.evaluate(
            "() => { const s = getComputedStyle(document.activeElement);"
            " return document.activeElement === document.body || s.outlineStyle !== 'none'; }"
        )
        assert outline, "focus is seen"
    assert {"Ranking", "Next", "a", "b", "Pause", "JSON", "CSV"} <= reached


def test_forms_work_without_scripts(browser: Any, server: Server, tmp_path: Path) -> None:
    seen = Watched(browser, server, java_script_enabled=False)
    page = seen.page
    page.goto("/")
    page.get_by_label("Name").fill("by hand")
    page.get_by_label("Agents").fill("x\ny")
    page.get_by_label("Tasks").fill("t")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/studies/by%20hand")
    page.get_by_role("button", name="Pause").click()
    assert page.locator("#state").inner_text() == "paused"
    file = tmp_path / "mine.csv"
    file.write_text("task,agent,score\nt,x,1\nt,y,2\n")
    page.goto("/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Rank", exact=True).click()
    assert page.locator("h1").inner_text() == "mine.csv"
    seen.check()
    seen.context.close()
