"""`--count`, and many files at once."""

import json
from pathlib import Path

import pytest

from commands import invoke, run

ROWS = ["a,b,winner", "x,y,x", "y,x,x", "x,z,tie", "z,y,z", "y,z,y"]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


def test_counted_ranking_is_the_ranking(rows: Path) -> None:
    there, here = (
        json.loads(invoke("rank", str(rows), "--intervals", "none", "-f", "json", *more).stdout)
        for more in (["--count"], [])
    )
    assert there["results"][0]["method"] == here["results"][0]["method"]
    assert there["data"]["kind"] == "tally"
    assert [row["agent"] for row in there["results"][0]["ranking"]] == [
        row["agent"] for row in here["results"][0]["ranking"]
    ]
    assert "5 rows of rows.csv were counted where they are" in there["results"][0]["info"]["notes"]


def test_many_files(rows: Path, tmp_path: Path) -> None:
    (tmp_path / "rows2.csv").write_text("\n".join(ROWS) + "\n")
    text = invoke("rank", str(tmp_path / "rows*.csv"), "-m", "copeland").stdout
    assert "10 rows of 2 files" in text
    assert "4 wins, 0 ties, 0 losses" in invoke("compare", "x", "y", str(tmp_path / "*.csv")).stdout
    assert invoke("inspect", str(tmp_path / "*.csv")).exit_code == 0


def test_standard_input(rows: Path) -> None:
    ran = run("rank", "-", "--count", "-m", "copeland", stdin=rows.read_text())
    assert ran.returncode == 0
    assert "5 rows" in ran.stdout


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (["--by", "winner"], 2, "--count holds pairs alone"),
        (["--lower-is-better", "t"], 1, "is for scores"),
        (["-m", "borda"], 1, "borda: tally cannot be read as ballots"),
        (["--kind", "scores"], 1, "give for scores task, agent, score"),
    ],
)
def test_what_counts_do_not_hold(rows: Path, more: list[str], status: int, said: str) -> None:
    ran = invoke("rank", str(rows), "--count", *more)
    assert ran.exit_code == status
    assert said in " ".join(ran.stderr.split())
