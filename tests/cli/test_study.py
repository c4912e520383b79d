"""The commands on studies, one after the other, in all formats."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from commands import PODIUM, invoke, run
from podium import Study
from servers import serving


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PODIUM_STORE", raising=False)
    return f"sqlite:///{tmp_path}/podium.db"


def study(*args: str) -> Any:
    ran = invoke("study", *args)
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def answer(*args: str) -> Any:
    return json.loads(study(args[0], "--format", "json", *args[1:]))


def refused(*args: str, status: int = 1) -> str:
    ran = invoke("study", *args)
    assert ran.exit_code == status, ran.stdout
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    return " ".join(ran.stderr.split())


def create(name: str = "s", *more: str) -> Any:
    return answer("create", name, "--agents", "a,b", "--tasks", "t,u", *more)


def test_from_the_first_question_to_the_ranking() -> None:
    made = create("s", "--budget", "3", "--seed", "7")
    assert made["spec"]["budget"] == 3
    assert made["spec"]["seed"] == 7
    asked = answer("ask", "s", "--count", "2")
    assert asked["done"] is False
    first, second = asked["queries"]
    assert set(first) >= {"id", "lease_token", "task", "agents", "expires"}
    assert first["expires"].endswith("Z")
    assert answer("tell", "s", first["id"], "a=1", "b=0.5") == {
        "schema": "podium.study/1", "study": "s", "id": first["id"], "state": "told", "new": True,
    }  # fmt: skip
    assert answer("tell", "s", first["id"], "a=1", "b=0.5")["new"] is False
    assert answer("tell", "s", second["id"], "a=2")["state"] == "open"
    assert answer("tell", "s", second["id"], "b=0")["state"] == "told"
    found = answer("ranking", "s")
    assert found["schema"] == "podium.rank/1"
    assert found["data"] == {
        "kind": "scores", "agents": 2, "tasks": 2, "records": 4, "missing": 0,
    }  # fmt: skip
    (result,) = found["results"]
    assert result["method"] == "podium"
    assert [row["agent"] for row in result["ranking"]] == ["a", "b"]
    assert all(1 <= row["rank_low"] <= row["rank_high"] <= 2 for row in result["ranking"])
    assert 0.0 <= result["info"]["confidence"] <= 1.0
    (third,) = answer("ask", "s")["queries"]
    answer("tell", "s", third["id"], "a=1", "b=0")
    ended = answer("ask", "s")
    assert (ended["queries"], ended["done"]) == ([], True)
    assert ended["reason"] == "the budget of 3 is spent"


def test_the_command_line_and_python_see_one_study(store: str) -> None:
    create()
    shared = Study.open("s", store)
    query = shared.ask()
    assert query is not None
    study("tell", "s", query.id, "a=1", "b=0")
    assert shared.ranking().tiers == (("a",), ("b",))
    assert answer("ranking", "s")["results"][0]["ranking"] == shared.ranking().table()
    shared.store.close()


def test_a_contradiction_is_told() -> None:
    create()
    (query,) = answer("ask", "s")["queries"]
    study("tell", "s", query["id"], "a=1", "b=0")
    assert "the first answer stands" in refused("tell", "s", query["id"], "a=2", "b=0")


def test_fail_skip_and_renew() -> None:
    create("s", "--retries", "1", "--lease", "60")
    first, second, third = answer("ask", "s", "--count", "3")["queries"]
    assert answer("fail", "s", first["id"], "--why", "no luck")["again"] is True
    assert answer("fail", "s", first["id"])["again"] is False
    assert answer("skip", "s", second["id"], "--why", "no use")["skipped"] is True
    renewed = answer("renew", "s", third["id"], "--token", third["lease_token"])
    assert renewed["expires"] >= third["expires"]
    assert "not held" in refused("renew", "s", third["id"], "--token", "x")
    assert "never asked" in refused("skip", "s", "q99")
    entries = answer("log", "s")["entries"]
    assert [e["kind"] for e in entries] == ["asked"] * 3 + ["failed", "failed", "skipped"]
    assert entries[3]["why"] == "no luck"


def test_log_can_be_read_piece_by_piece() -> None:
    create()
    study("ask", "s", "--count", "3")
    part = answer("log", "s", "--after", "1", "--limit", "1")
    assert [entry["seq"] for entry in part["entries"]] == [2]
    assert part["next"] == 3
    assert answer("log", "s", "--after", "3")["entries"] == []


def test_results_that_nobody_asked_for(tmp_path: Path) -> None:
    create()
    (tmp_path / "old.csv").write_text("task,agent,score\nt,a,1\nt,b,0\nu,a,2\n")
    assert answer("add", "s", "old.csv")["added"] == 3
    assert answer("status", "s")["added"] > 0
    (tmp_path / "other.csv").write_text("task,agent,score\nt,nobody,1\n")
    assert "no agents 'nobody'" in refused("add", "s", "other.csv")


def test_extend_pause_resume_finish() -> None:
    create("s", "--budget", "2")
    spec = answer("extend", "s", "--agents", "c", "--budget", "3", "--costs", cost_file())["spec"]
    assert spec["agents"] == ["a", "b", "c"]
    assert spec["budget"] == 5
    assert spec["costs"] == {"t": 2.5}
    assert "nothing to add" in refused("extend", "s")
    assert answer("pause", "s")["state"] == "paused"
    assert answer("ask", "s")["queries"] == []
    assert answer("resume", "s")["state"] == "running"
    assert answer("finish", "s", "--why", "enough")["state"] == "stopped: enough"
    assert answer("ask", "s")["reason"] == "enough"


def cost_file() -> str:
    Path("costs.csv").write_text("task,cost\nt,2.5\n")
    return "costs.csv"


def test_a_study_moves_in_one_file(tmp_path: Path) -> None:
    create()
    (query,) = answer("ask", "s")["queries"]
    study("tell", "s", query["id"], "a=1", "b=0")
    text = study("export", "s")
    assert len(text.splitlines()) == 3
    assert study("export", "s", "-o", "s.jsonl") == ""
    assert Path("s.jsonl").read_text() == text
    other = f"sqlite:///{tmp_path}/other.db"
    assert answer("import", "s.jsonl", "--store", other, "--name", "t")["study"] == "t"
    assert (
        answer("ranking", "t", "--store", other)["results"][0]["ranking"]
        == (answer("ranking", "s")["results"][0]["ranking"])
    )
    Path("cut.jsonl").write_text("".join(text.splitlines(keepends=True)[:2]))
    assert "ends after entry 1" in refused("import", "cut.jsonl", "--name", "u")
    refused("export", "nobody", "-o", "nobody.jsonl")
    assert not Path("nobody.jsonl").exists()


def test_list_and_delete() -> None:
    create("one")
    create("two", "--budget", "5")
    listed = answer("list")["studies"]
    assert [(row["name"], row["budget"], row["state"]) for row in listed] == [
        ("one", None, "running"),
        ("two", 5.0, "running"),
    ]
    assert "give --yes" in refused("delete", "one", status=2)
    study("delete", "one", "--yes")
    assert [row["name"] for row in answer("list")["studies"]] == ["two"]
    assert "no study named 'one'" in refused("status", "one")


@pytest.mark.parametrize("form", ["table", "csv", "md"])
@pytest.mark.parametrize(
    "command",
    [["ask", "s"], ["status", "s"], ["ranking", "s"], ["log", "s"], ["list"], ["pause", "s"]],
)
def test_every_format_is_written(form: str, command: list[str]) -> None:
    create()
    study("ask", "s")
    text = study(*command, "--format", form)
    assert text.strip()
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows}) == 1


def test_what_people_read() -> None:
    create("my eval", "--budget", "9", "--confidence", "0.9", "--top", "1")
    asked = study("ask", "my eval", "--store", "sqlite:///podium.db")
    assert "q1: evaluate" in asked
    then = asked.partition("then: podium ")[2].split("\n")[0]
    assert "'my eval'" in then
    assert then.endswith("--store sqlite:///podium.db")
    status = study("status", "my eval")
    for said in ("2 agents, 2 tasks", "1 asked, 1 open, 1 of them held", "0 of 9", "0.9 is wanted"):
        assert said in status
    assert "Probability to be right: first" in study("ranking", "my eval")


def test_rosters_from_files(tmp_path: Path) -> None:
    (tmp_path / "agents.txt").write_text("a, the first\n\nb\n")
    (tmp_path / "old.csv").write_text("task,agent,score\nx,a,1\ny,b,0\n")
    spec = answer("create", "s", "--agents", "@agents.txt", "--tasks", "@old.csv", "--tasks", "z")
    assert spec["spec"]["agents"] == ["a, the first", "b"]
    assert spec["spec"]["tasks"] == ["x", "y", "z"]


def test_every_part_of_a_study_has_a_flag(tmp_path: Path) -> None:
    (tmp_path / "costs.json").write_text('[{"task": "t", "agent": "a", "cost": 3}]')
    given = {
        "--preset": "batch-elo", "--strategy": "uniform", "--budget": "9", "--seed": "3",
        "--confidence": "0.9", "--top": "1", "--limit": "t=5", "--noise": "0.5",
        "--forbidden": "u=b", "--lease": "60", "--retries": "4", "--costs": "costs.json",
    }  # fmt: skip
    flags = [part for pair in given.items() for part in pair]
    spec = create("s", *flags, "--limit", "u=6")["spec"]
    assert {key: spec[key] for key in spec if key not in ("name", "agents", "tasks")} == {
        "preset": "batch-elo", "strategy": "uniform", "budget": 9, "seed": 3, "confidence": 0.9,
        "top": 1, "limit": {"t": 5, "u": 6}, "noise": 0.5, "forbidden": [["u", "b"]],
        "lease": 60, "retries": 4, "costs": {"t": {"a": 3}},
    }  # fmt: skip


CONFIG = """
agents = ["a", "b=c"]
tasks = ["t", "u"]
budget = 50
seed = 3
limit = 4
forbidden = ["u=b=c"]
workers = 2
command = ["echo", "1"]

[costs]
t = 2
"""


def test_a_file_holds_the_same_keys_as_the_flags(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(CONFIG)
    spec = answer("create", "s", "--config", "study.toml", "--seed", "4")["spec"]
    assert spec["agents"] == ["a", "b=c"]
    assert spec["seed"] == 4, "a flag goes before the file"
    assert spec["budget"] == 50
    assert spec["costs"] == {"t": 2}
    assert spec["forbidden"] == [["u", "b=c"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agents = [", "is no TOML"),
        ("agent = ['a']", "no key named 'agent' (did you mean 'agents'?)"),
        ("agents = ['a', 1]\ntasks = ['t']", "agents hold 1"),
        ("agents = ['a', 'b']\ntasks = ['t']\nbudget = 'x'", "budget is 'x'"),
    ],
)
def test_wrong_files_are_told(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "study.toml").write_text(text)
    assert said in refused("create", "s", "--config", "study.toml")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("create", "s", "--tasks", "t"), "no agents were given"),
        (("create", "s", "--agents", "a", "--tasks", "t"), "at least 2"),
        (("create", "s", "--agents", "a,b", "--tasks", "t", "--preset", "podum"), "'podium'"),
        (("create", "s", "--agents", "a,b", "--tasks", "@none.txt"), "none.txt: No such file"),
        (("create", "s", "--agents", "a,b", "--tasks", "t", "--limit", "x"), "'x' is no number"),
        (("create", "s", "--agents", "a,b", "--tasks", "t", "--forbidden", "t"), "TASK=AGENT"),
        (("create", "s", "--agents", "a,b", "--tasks", "t", "--store", "x://"), "names no store"),
        (("ask", "s"), "no studies at sqlite:///podium.db"),
        (("list", "--store", "sqlite:///none.db"), "no studies at sqlite:///none.db"),
        (("import", "none.jsonl"), "none.jsonl: No such file"),
    ],
)
def test_wrong_requests_are_told_in_one_message(args: tuple[str, ...], said: str) -> None:
    assert said in refused(*args)


@pytest.mark.parametrize("score", ["a", "a=x", "=1"])
def test_scores_that_are_none(score: str) -> None:
    create()
    study("ask", "s")
    assert score in refused("tell", "s", "q1", score)
    assert "scored twice" in refused("tell", "s", "q1", "a=1", "a=2")


def test_looking_for_studies_makes_no_file(tmp_path: Path) -> None:
    refused("list")
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_store(tmp_path: Path) -> None:
    elsewhere = {"PODIUM_STORE": f"sqlite:///{tmp_path}/elsewhere.db"}
    assert (
        run("study", "create", "s", "--agents", "a,b", "--tasks", "t", env=elsewhere).returncode
        == 0
    )
    assert (tmp_path / "elsewhere.db").exists()
    assert "s " in run("study", "list", env=elsewhere).stdout
    completing = {
        "_PODIUM_COMPLETE": "complete_bash",
        "COMP_WORDS": "podium study ask ",
        "COMP_CWORD": "3",
    }
    assert run(env={**elsewhere, **completing}).stdout.split() == ["s"]


def test_studies_may_be_on_a_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with serving(tmp_path / "served.db") as server:
        monkeypatch.setenv("PODIUM_STORE", server.url)
        assert create()["store"] == server.url
        (query,) = answer("ask", "s")["queries"]
        study("tell", "s", query["id"], "a=1", "b=0")
        assert "the first answer stands" in refused("tell", "s", query["id"], "a=2", "b=0")
        assert answer("status", "s")["told"] == 1
        kinds = [entry["kind"] for entry in answer("log", "s")["entries"]]
        assert kinds == ["asked", "told", "conflict"]
        answer("extend", "s", "--budget", "4")
        assert answer("run", "s", "--", "echo", "1")["results"][0]["info"]["told"] == 4
        assert [row["name"] for row in answer("list")["studies"]] == ["s"]
        assert "give the URL of the store itself" in refused("export", "s")
        study("delete", "s", "--yes")
        assert answer("list")["studies"] == []
    assert not (tmp_path / "podium.db").exists()


def test_help_names_the_program() -> None:
    assert Path(PODIUM).name == "podium"
    assert "-- CMD {task} {agent}" in study("run", "--help")


def test_what_is_next_and_what_is_to_come() -> None:
    create("s", "--budget", "1")
    told = answer("next", "s")["next"]
    assert set(told) == {"task", "agents", "cost", "why"}
    assert told["why"] in study("next", "s")
    (query,) = answer("ask", "s")["queries"]
    assert (query["task"], query["agents"]) == (told["task"], told["agents"])
    assert answer("next", "s")["next"] is None
    assert "nothing: all that may be asked is out with workers" in study("next", "s")
    found = answer("forecast", "s", "--confidence", "0.8", "--top", "1")
    assert set(found) == {"schema", "answers", "low", "high"}
    assert "answers" in study("forecast", "s")
    assert "confidence" in refused("forecast", "s", "--confidence", "1.5")
