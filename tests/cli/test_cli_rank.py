"""`podium rank` and `podium compare`: what they print in each form."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import podium
from commands import invoke, run
from podium.analysis.beside import Row, disagreement

ROW = ["rank", "agent", "rating", "rating_low", "rating_high", "rank_low", "rank_high"]
GROUPED = """task,agent,score,field
pong,dqn,18,games
pong,human,14,games
chess,dqn,0.1,boards
chess,human,0.9,boards
go,human,0.8,boards
go,novice,0.1,boards
"""


def answer(*args: str) -> Any:
    ran = invoke(*args, "--format", "json")
    assert ran.exit_code == 0, ran.stderr
    return json.loads(ran.stdout, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


@pytest.fixture
def grouped(tmp_path: Path) -> Path:
    path = tmp_path / "grouped.csv"
    path.write_text(GROUPED, encoding="utf-8")
    return path


def test_json_has_the_promised_shape(small: Path) -> None:
    found = answer("rank", str(small))
    assert list(found) == ["schema", "data", "results"]
    assert found["schema"] == "podium.rank/1"
    data = {"kind": "scores", "agents": 3, "tasks": 3, "records": 9, "missing": 0}
    assert found["data"] == data
    (result,) = found["results"]
    assert list(result) == ["method", "options", "seconds", "ranking", "info"]
    assert result["method"] == "copeland"
    assert [list(row) for row in result["ranking"]] == [ROW] * 3
    assert [row["agent"] for row in result["ranking"]] == ["human", "dqn", "random"]
    assert result["info"]["condorcet_winner"] == "human"


def test_json_is_that_of_the_library(small: Path) -> None:
    found = answer("rank", str(small), "--method", "borda", "--intervals", "none")
    expected = podium.rank(podium.read(small), "borda").to_dict()
    del found["results"][0]["seconds"], expected["results"][0]["seconds"]
    assert found == expected


def test_intervals_are_automatic_and_can_be_left_out(small: Path) -> None:
    made = answer("rank", str(small))["results"][0]
    assert made["info"]["intervals"]["kind"] == "bootstrap"
    assert all(row["rank_low"] is not None for row in made["ranking"])
    none = answer("rank", str(small), "--intervals", "none")["results"][0]
    assert "intervals" not in none["info"]
    assert all(row["rank_low"] is None for row in none["ranking"])


def test_bootstrap_options_reach_the_library(small: Path) -> None:
    asked = ("--replicates", "50", "--level", "0.8", "--resample", "task", "--seed", "3")
    info = answer("rank", str(small), "--intervals", "bootstrap", *asked)["results"][0]["info"]
    known = {key: info["intervals"][key] for key in ("replicates", "level", "unit")}
    assert known == {"replicates": 50, "level": 0.8, "unit": "task"}


def test_options_of_a_method(small: Path) -> None:
    (result,) = answer("rank", str(small), "--method", "approval:k=1")["results"]
    assert result["options"] == {"k": 1}
    assert {row["agent"]: row["rating"] for row in result["ranking"]} == {
        "human": 2.0,
        "dqn": 1.0,
        "random": 0.0,
    }


def test_several_methods(small: Path) -> None:
    found = answer("rank", str(small), "-m", "approval:k=1", "-m", "approval:k=2", "-m", "mean")
    assert [result["method"] for result in found["results"]] == ["approval", "approval", "mean"]


def test_a_method_that_fails_stands_in_its_place(small: Path) -> None:
    found = answer("rank", str(small), "-m", "mean:scaling=reference,low=nobody", "-m", "borda")
    failed, ranked = sorted(found["results"], key=len)
    assert set(failed) == {"method", "error"}
    assert failed["method"].startswith("mean")
    assert ranked["method"] == "borda"


def test_it_is_an_error_when_every_method_fails(small: Path) -> None:
    wrong = "mean:scaling=reference,low=nobody"
    for methods in ([wrong], [wrong, wrong.replace("mean", "median")]):
        ran = invoke("rank", str(small), *(arg for name in methods for arg in ("-m", name)))
        assert ran.exit_code == 1
        assert ran.stdout == ""


def test_all_methods(small: Path) -> None:
    found = answer("rank", str(small), "--all", "--intervals", "none")
    methods = [result["method"] for result in found["results"]]
    assert {"mean", "borda", "copeland"} < set(methods)
    assert answer("compare", str(small))["results"][0]["method"] == methods[0]


def test_task_weights_count(small: Path) -> None:
    heavy = answer("rank", str(small), "-m", "plurality", "--task-weight", "pong=5")["results"][0]
    assert heavy["ranking"][0]["agent"] == "dqn"


def test_lower_may_be_better(small: Path) -> None:
    lower = ("--lower-is-better", "chess", "--lower-is-better", "go")
    flipped = answer("rank", str(small), "-m", "copeland", *lower)["results"][0]
    assert flipped["ranking"][0]["agent"] == "dqn"


def test_data_on_standard_input(small: Path) -> None:
    ran = run("rank", "-", "--format", "json", stdin=small.read_text(encoding="utf-8"))
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["data"]["agents"] == 3


def test_bundled_data_by_name() -> None:
    assert answer("rank", "agent57", "--intervals", "none")["data"]["tasks"] == 57


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("game,model,points\npong,a,1\npong,b,2\n", encoding="utf-8")
    named = ("task=game", "agent=model", "score=points")
    found = answer("rank", str(path), *(arg for name in named for arg in ("--column", name)))
    assert found["results"][0]["ranking"][0]["agent"] == "b"


def test_by_a_column(grouped: Path) -> None:
    found = answer("rank", str(grouped), "--by", "field", "--method", "borda")
    assert found["by"] == "field"
    assert found["data"]["tasks"] == 3
    assert [result["group"] for result in found["results"]] == ["games", "boards"]
    average = {row["agent"]: (row["rank"], row["average_rank"]) for row in found["average"]}
    assert average == {"dqn": (1, 1.5), "human": (1, 1.5), "novice": (3, 2.0)}


def test_by_a_column_as_table_and_csv(grouped: Path) -> None:
    table = invoke("rank", str(grouped), "--by", "field").stdout
    assert "Rank for each field" in table
    assert "games" in table
    assert "averaged over the others" in table
    text = invoke("rank", str(grouped), "--by", "field", "-f", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["field"] for row in rows} == {"average", "games", "boards"}


@pytest.mark.parametrize("more", [["--all"], ["-m", "mean", "-m", "borda"]])
def test_by_a_column_takes_one_method(more: list[str], grouped: Path) -> None:
    assert invoke("rank", str(grouped), "--by", "field", *more).exit_code == 2


def test_csv_holds_every_digit(small: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke("rank", str(small), "-f", "csv").stdout)))
    assert list(rows[0]) == ["method", *ROW]
    assert [row["agent"] for row in rows] == ["human", "dqn", "random"]
    assert float(rows[0]["rating"]) == 2.0


def test_markdown_is_a_table(small: Path) -> None:
    lines = invoke("rank", str(small), "-f", "md").stdout.splitlines()
    assert lines[0] == f"| method | {' | '.join(ROW)} |"
    assert len(lines) == 5
    assert len({text.count("|") for text in lines}) == 1


def test_table_says_what_there_is_to_know(small: Path) -> None:
    table = invoke("rank", str(small), "--method", "copeland").stdout
    for said in (
        "3 agents, 3 tasks, 9 scores",
        "Condorcet winner: human beats every other agent by majority.",
        "could be",
        "200 draws of tasks",
    ):
        assert said in table


def test_ties_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "tied.csv"
    path.write_text("task,agent,score\nt,a,2\nt,b,2\nt,c,1\n", encoding="utf-8")
    lines = invoke("rank", str(path), "--intervals", "none").stdout.splitlines()
    ranks = [text.split()[:2] for text in lines if text.split()[1:2] in (["a"], ["b"], ["c"])]
    assert ranks == [["1=", "a"], ["1=", "b"], ["3", "c"]]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
@pytest.mark.parametrize("command", ["rank", "compare"])
def test_tables_fit_the_screen(command: str, width: int) -> None:
    from rich.cells import cell_len

    text = run(command, "agent57", env={"COLUMNS": str(width)}).stdout
    assert max(cell_len(row) for row in text.splitlines()) <= width
    if width >= 40:
        assert "r2d2_retrace" in text


def test_piped_tables_are_neither_cut_nor_coloured() -> None:
    text = run("compare", "agent57", env={"FORCE_COLOR": ""}).stdout
    assert "\x1b" not in text
    header = next(row for row in text.splitlines() if row.startswith("agent "))
    assert {"borda", "copeland", "uniform"} <= set(header.split())


def test_compare_sorts_by_average_rank(small: Path) -> None:
    text = invoke("compare", str(small), "-f", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    averages = [float(row["average_rank"]) for row in rows]
    assert averages == sorted(averages)
    assert rows[0]["agent"] == "human"


def test_disagreement_is_told() -> None:
    rows = [Row("a", (1, 1, 1)), Row("b", (2, 2, 5)), Row("c", (3, 3, 2)), Row("d", (4, 4, 3))]
    assert list(disagreement(rows)) == [
        "* far from where most see the agent",
        "Most disputed: b (rank 2 to 5).",
        "All agree on the rank of a.",
    ]
    assert list(disagreement(rows[:1])) == ["All agree on every rank."]


def test_bad_rows_are_refused_or_skipped(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("task,agent,score\nt,a,2\nt,b,nan\nt,c,1\n", encoding="utf-8")
    refused = invoke("rank", str(path))
    assert refused.exit_code == 1
    for said in ("bad.csv", "line 3", "'score'", "'nan'"):
        assert said in refused.stderr
    skipped = invoke("rank", str(path), "--skip-bad-rows")
    assert skipped.exit_code == 0
    assert "Note: 1 bad row skipped" in skipped.stdout


def test_an_encoding_without_the_letters_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("task,agent,score\nt,模型,2\nt,b,1\n", encoding="utf-8")
    ran = run("rank", str(path), env={"PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert "\\u6a21" in ran.stdout
