"""Folders and files of tools: which tool wrote them, and what commands make of them."""

import json
from pathlib import Path
from typing import Any

import pytest

import podium
from commands import invoke
from podium.errors import DataError
from podium.importers import read, read_by
from podium.importers.tools import logs, rows
from tool_files import (
    LOGS,
    annotation,
    fastchess,
    inspect_log,
    inspect_sample,
    lm_results,
    pgn,
    write_json,
    write_lines,
)

LOG = inspect_log("ada", [inspect_sample("s1", "C")], 1.0)
RESULTS = lm_results("acme/ada", {"t": {"acc,none": 0.5}})


@pytest.mark.parametrize("name", [*logs.DOCUMENTS, *logs.NAMES.values(), *logs.ENDINGS.values()])
def test_modules_of_logs_have_their_parts(name: str) -> None:
    tool = logs._tool(name)
    assert isinstance(tool.NAME, str)
    assert isinstance(tool.METRICS, bool)
    assert callable(tool.read_logs)


@pytest.mark.parametrize("name", rows.TOOLS)
def test_modules_of_rows_have_their_parts(name: str) -> None:
    tool = logs._tool(name)
    assert isinstance(tool.NAME, str)
    assert isinstance(tool.METRICS, bool)
    assert not tool.fits(("task", "agent", "score"))
    assert not tool.fits(("model_a", "model_b", "winner"))
    assert not tool.fits(())


def test_every_module_is_known() -> None:
    folder = Path(logs.__file__).parent
    shared = {"__init__", "logs", "nodes", "rows", "runs"}
    found = {path.stem for path in folder.glob("*.py")} - shared
    known = {*rows.TOOLS, *logs.DOCUMENTS, *logs.NAMES.values(), *logs.ENDINGS.values()}
    assert found == known | {"livebench"}


def test_archives_and_json_of_inspect_are_read_together(tmp_path: Path) -> None:
    source = next((LOGS / "inspect").glob("*sums_CA*.eval"))
    (tmp_path / "one.eval").write_bytes(source.read_bytes())
    write_json(tmp_path / "deep" / "two.json", LOG)
    assert read(tmp_path).agents == ("mockllm/ada", "ada")


def test_hidden_files_and_others_are_left_alone(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", LOG)
    write_json(tmp_path / ".hidden" / "y.json", lm_results("m", {}))
    (tmp_path / "notes.txt").write_text("\0")
    write_json(tmp_path / "eval-set.json", {"tasks": []})
    write_lines(tmp_path / "some.jsonl", ["text"])
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "some.csv").write_text("a,b\n1,2\n")
    told = "left out 4 files that hold other things: 'empty.jsonl', 'eval-set.json', 'some.csv' and"
    assert read(tmp_path).notes[0].startswith(told)


def test_two_tools_in_a_folder_are_an_error(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", LOG)
    write_json(tmp_path / "b.json", RESULTS)
    told = r"logs of Inspect \(a\.json\) and of lm-evaluation-harness \(b\.json\); give"
    with pytest.raises(DataError, match=told):
        read(tmp_path)


def test_the_same_games_told_twice_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(pgn("ann", "bob", "1-0"))
    counts = {"ann vs bob": {"wins": 1, "losses": 0, "draws": 0}}
    write_json(tmp_path / "config.json", fastchess(counts, "ann", "bob"))
    with pytest.raises(DataError, match=r"logs of PGN \(games\.pgn\) and of fastchess \(config"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("names", "told"), [((), "holds no such file"), (("x.csv", "y.json"), "'x.csv', 'y.json'")]
)
def test_a_folder_without_logs(tmp_path: Path, names: tuple[str, ...], told: str) -> None:
    for name in names:
        (tmp_path / name).write_text("[1]")
    with pytest.raises(DataError, match="is a folder without logs that podium knows") as error:
        read(tmp_path)
    assert told in str(error.value)
    assert "lm-evaluation-harness, Inspect, HELM" in str(error.value)


def test_a_folder_of_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST", 2)
    for name in "abc":
        (tmp_path / name).write_text("")
    with pytest.raises(DataError, match="folder of more than 2 files"):
        read(tmp_path)


def test_rows_of_several_files_say_where_they_stand(tmp_path: Path) -> None:
    write_json(tmp_path / "ann" / "annotations.json", [annotation("ann", 2)])
    write_json(
        tmp_path / "bob" / "annotations.json", [annotation("bob", 1), annotation("bob", 9, 2)]
    )
    with pytest.raises(
        DataError, match=r"bob/annotations\.json, row 2, column 'preference' holds 9"
    ):
        read(tmp_path)


def test_a_metric_for_rows_with_one_score_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("task,agent,score\nt,ann,1\n")
    with pytest.raises(DataError, match="one score for each row; metric chooses"):
        read(path, metric="acc")
    (tmp_path / "x.soc").write_text("# not reached")
    write_json(tmp_path / "game.json", {"payoff_1": [[1]]})
    with pytest.raises(DataError, match="metric chooses"):
        read(tmp_path / "game.json", metric="acc")
    write_json(tmp_path / "annotations.json", [annotation("ann", 2)])
    with pytest.raises(DataError, match="metric chooses"):
        read(tmp_path / "annotations.json", metric="acc")


def test_options_that_say_more(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", RESULTS)
    found = read(tmp_path, lower_is_better=["t"], weights={"t": 2.0})
    assert isinstance(found, podium.Scores)
    assert found.lower_is_better.tolist() == [True]
    assert found.weights.tolist() == [2.0]
    with pytest.raises(DataError, match="for matches"):
        read(tmp_path, kind="matches")


def test_logs_cannot_be_told_apart_by_a_column_that_they_have_not(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", RESULTS)
    with pytest.raises(DataError, match="no column named 'language'"):
        read_by(tmp_path, "language")
    assert list(read_by(tmp_path / "x.json", "task", metric="acc")) == ["t"]


def test_counting_takes_folders(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(pgn("ann", "bob", "1-0") + pgn("bob", "ann", "*"))
    tally = podium.count(tmp_path)
    assert tally.agents == ("ann", "bob")
    assert tally.wins.tolist() == [[0, 1], [0, 0]]


def document(*args: str) -> Any:
    ran = invoke(*args, "--format", "json")
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


def test_commands_take_folders(tmp_path: Path) -> None:
    source = str(LOGS / "lm_eval")
    ranked = document("rank", source, "--method", "mean", "--intervals", "none")
    assert ranked["data"]["tasks"] == 4
    assert ranked["results"][0]["ranking"][0]["agent"] == "acme/ada"
    assert document("inspect", source)["data"]["agents"] == 2
    assert document("compare", source)["data"]["agents"] == 2
    out = tmp_path / "x.csv"
    document("convert", source, str(out))
    assert read(out).agents == ("acme/ada", "acme/bob")


def test_commands_take_a_metric() -> None:
    source = str(LOGS / "lm_eval")
    wanted = ["--metric", "acc_norm", "--metric", "exact_match,strict-match"]
    wanted += ["--metric", "word_perplexity"]
    ranked = document("rank", source, "--method", "mean", "--intervals", "none", *wanted)
    rated = {row["agent"]: row["rating"] for row in ranked["results"][0]["ranking"]}
    assert rated["acme/bob"] == pytest.approx((0.25 + 0.25 + 2 / 3 - 568.5119) / 4, abs=1e-4)
    failed = invoke("rank", source, "--metric", "acc_norm")
    assert failed.exit_code == 1
    assert "'toy_letters' has no metric 'acc_norm'" in failed.stderr
