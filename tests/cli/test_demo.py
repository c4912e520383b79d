"""`podium demo`: from nothing to a report, as often as wanted."""

import json
import re
from pathlib import Path

import pytest

from commands import invoke, run
from podium import Study
from podium.cli import _demo


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Compare with one study that soon has enough, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_demo, "REPEATS", 1)
    monkeypatch.setattr(_demo, "PATIENCE", 30)
    monkeypatch.setattr(_demo, "BUDGET", 40)


@pytest.mark.slow
def test_demo_works_in_an_empty_folder(tmp_path: Path) -> None:
    ran = run("demo", cwd=tmp_path, env={"HOME": str(tmp_path)})
    assert (ran.returncode, ran.stderr) == (0, "")
    for said in ("It stopped after", "Asked uniformly at random", "Over 3 seeds", "Next:"):
        assert said in ran.stdout


@pytest.mark.usefixtures("_quick")
def test_demo_says_what_it_found(tmp_path: Path) -> None:
    ran = invoke("demo", "--format", "json")
    assert (ran.exit_code, ran.stderr) == (0, "")
    found = json.loads(ran.stdout)
    assert found["schema"] == "podium.demo/1"
    assert found["data"]["agents"] == 8
    assert found["truth"][:3] == ["r2d2_bandit", "muzero", "r2d2"]
    (result,) = found["results"]
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in result["ranking"])
    assert found["queries"] == {"podium": [result["info"]["told"]], "uniform": [30]}
    study = Study.open("agent57", found["store"])
    assert study.ranking().table() == result["ranking"]
    assert study.stopped == found["stopped"]
    study.store.close()


@pytest.mark.usefixtures("_quick")
def test_demo_can_be_shown_again(tmp_path: Path) -> None:
    first = invoke("demo", "--output", "here").stdout
    assert "more than 30 queries" in first
    assert "It stopped after" in first
    assert invoke("demo", "--output", "here").stdout == first
    assert Path("here/report.html").exists()


@pytest.mark.usefixtures("_quick")
def test_the_report_needs_nothing_else(tmp_path: Path) -> None:
    invoke("demo")
    text = Path("podium-demo/report.html").read_text()
    assert "<script" not in text
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text)
    assert text.count("<svg") >= 5
    assert "How certain the first 3 were, by queries" in text
    assert "r2d2_bandit" in text
