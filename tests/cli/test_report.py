"""`podium report`: where it writes, in which form, of data and of studies."""

from pathlib import Path

import pytest

from commands import invoke
from podium import Study
from shared import shared

HTML, MD, TEX = "<!doctype html>", "# rainbow", "\\section{rainbow}"


@pytest.fixture(autouse=True)
def _empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def report(*args: str) -> str:
    ran = invoke("report", *args)
    assert (ran.exit_code, ran.stderr) == (0, "")
    return str(ran.stdout)


QUICK = ("-m", "copeland", "-m", "borda")


@pytest.mark.parametrize(
    ("args", "file", "start"),
    [
        ((), "report.html", HTML),
        (("-f", "md"), "report.md", MD),
        (("-o", "here.html"), "here.html", HTML),
        (("-o", "here.md"), "here.md", MD),
        (("-o", "tables.tex"), "tables.tex", TEX),
        (("-o", "odd.txt", "-f", "tex"), "odd.txt", TEX),
    ],
)
def test_the_form_follows_what_is_asked_or_the_name(
    args: tuple[str, ...], file: str, start: str
) -> None:
    said = report("rainbow", *QUICK, *args)
    assert said.endswith(f"Report: {file}\n")
    assert "rainbow leads by copeland" in said
    assert start in Path(file).read_text(encoding="utf-8")[:200]


def test_standard_output_gets_the_report_alone() -> None:
    assert report("rainbow", *QUICK, "-f", "md", "-o", "-").startswith("# rainbow\n")


def test_the_same_seed_gives_the_same_report() -> None:
    one = report("rainbow", *QUICK, "-o", "-", "--seed", "3")
    assert report("rainbow", *QUICK, "-o", "-", "--seed", "3") == one


def test_the_first_method_is_the_main_one() -> None:
    text = report("rainbow", "-m", "borda", "-m", "mean", "-f", "md", "-o", "-")
    assert "**Ranking by borda**" in text
    assert "| agent | average | borda | mean |" in text


def a_study(name: str, file: str = "s.db") -> None:
    study = Study.create(
        name, agents=["a", "b"], tasks=["t"], store=f"sqlite:///{file}", budget=4, seed=0
    )
    while (query := study.ask()) is not None:
        study.tell(query, {"a": 1.0, "b": 0.0})
    study.store.close()


def test_a_study_is_found_by_its_name() -> None:
    a_study("trial")
    text = report("trial", "--store", "sqlite:///s.db", "-f", "md", "-o", "-")
    assert text.startswith("# Study trial\n")
    assert "It stopped" in text


def test_a_file_wins_over_a_study_of_its_name() -> None:
    a_study("both.csv", "podium.db")
    Path("both.csv").write_text("task,agent,score\nt,x,1\nt,y,0\n")
    assert report("both.csv", *QUICK, "-f", "md", "-o", "-").startswith("# both.csv\n")


def test_bundled_data_win_over_a_study_of_their_name() -> None:
    a_study("rainbow", "podium.db")
    assert report("rainbow", *QUICK, "-f", "md", "-o", "-").startswith("# rainbow\n")


def test_what_is_neither_is_told() -> None:
    ran = invoke("report", "nothing")
    assert ran.exit_code == 1
    assert "nothing" in ran.stderr
    ran = invoke("report", "nothing", "--store", "sqlite:///none.db")
    assert ran.exit_code == 1
    assert not Path("none.db").exists()


def test_names_of_data_cannot_write_into_the_page() -> None:
    name = "<script>alert(1)</script>"
    Path("x.csv").write_text(f'task,agent,score\nt,"{name}",1\nt,b,0\ns,"{name}",2\ns,b,1\n')
    report("x.csv")
    text = Path("report.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_large_leaderboard_of_published_scores_is_reported() -> None:
    path = shared("data/llm/bbh.csv")  # 27 tasks x 107 models, see the README there
    said = report(str(path), "-o", "bbh.html", "--intervals", "none")
    assert "leads by copeland" in said
    text = Path("bbh.html").read_text(encoding="utf-8")
    assert "Not ranked by" in text
    assert "may take long on 107 agents" in text
