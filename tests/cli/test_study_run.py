"""`podium study run`: commands, functions, workers, and what happens when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from commands import PODIUM, invoke, run
from podium import DataError, Study, StudyError
from podium.cli._command import Commands, last_number, last_object
from podium.cli._live import Display, Showing
from podium.cli._study_run import function_of
from podium.study.run import Progress

AGENTS, TASKS = ["ann", "bob b", "cy=c"], ["t", "u u"]

SCORE = """
import os, sys
task, agent = sys.argv[1:]
assert (task, agent) == (os.environ["PODIUM_TASK"], os.environ["PODIUM_AGENT"])
assert os.environ["PODIUM_AGENTS"].startswith('["')
print("of", task, 99)
print("score:", {"ann": 3, "bob b": 2, "cy=c": 1}[agent])
"""

TOGETHER = """
import json, sys
print("working {hard}")
print(json.dumps({agent: -len(agent) for agent in json.loads(sys.argv[2])}, indent=1))
"""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Begin a study in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PODIUM_STORE", raising=False)
    url = f"sqlite:///{tmp_path}/podium.db"
    Study.create("s", agents=AGENTS, tasks=TASKS, store=url, budget=12).store.close()
    (tmp_path / "score.py").write_text(SCORE)
    (tmp_path / "together.py").write_text(TOGETHER)
    return url


def ranked(ran: Any) -> list[str]:
    assert ran.exit_code == 0, ran.stderr
    (result,) = json.loads(ran.stdout)["results"]
    assert result["info"]["told"] == 12
    return [row["agent"] for row in result["ranking"]]


@pytest.mark.parametrize("workers", ["1", "3"])
def test_a_command_is_run_for_each_agent(workers: str) -> None:
    command = (sys.executable, "score.py", "{task}", "{agent}")
    ran = invoke("study", "run", "s", "--workers", workers, "-f", "json", "--", *command)
    assert ranked(ran) == ["ann", "bob b", "cy=c"]
    assert ran.stderr == ""


def test_a_command_is_run_for_all_agents_at_once() -> None:
    command = (sys.executable, "together.py", "{task}", "{agents}")
    assert ranked(invoke("study", "run", "s", "-f", "json", "--", *command))[0] == "ann"


def test_a_function_evaluates(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Table:\n"
        "    @staticmethod\n"
        "    def score(task, agents):\n"
        "        return {agent: len(agent) for agent in agents}\n"
    )
    ran = invoke("study", "run", "s", "--python", "mine:Table.score", "-f", "json")
    assert ranked(ran)[-1] == "ann"


def test_no_shell_reads_the_command() -> None:
    command = ("echo", "$HOME; {task} `id` 1")
    assert len(ranked(invoke("study", "run", "s", "-f", "json", "--", *command))) == 3


def test_a_file_says_how_to_run(tmp_path: Path) -> None:
    command = [sys.executable, "score.py", "{task}", "{agent}"]
    text = f"workers = 2\ntimeout = 30\nlog = 'all.jsonl'\nbudget = 12\ncommand = {json.dumps(command)}\n"
    (tmp_path / "run.toml").write_text(text)
    assert ranked(invoke("study", "run", "s", "--config", "run.toml", "-f", "json"))[0] == "ann"
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert len(lines) == 24
    assert all(line["status"] == 0 and "score:" in line["stdout"] for line in lines)


def test_failures_say_what_the_command_said(store: str) -> None:
    script = "import sys; print('line 1', file=sys.stderr); sys.exit('the model is away')"
    ran = invoke("study", "run", "s", "--", sys.executable, "-c", script)
    assert ran.exit_code == 1
    assert "10 evaluations failed in a row" in ran.stderr
    assert "the model is away" in ran.stderr
    study = Study.open("s", store)
    whys = [entry.data["why"] for entry in study.log() if entry.kind == "failed"]
    assert whys == ["exit status 1\nline 1\nthe model is away"] * 10
    study.store.close()


def test_some_failures_are_told_in_the_end(tmp_path: Path) -> None:
    script = (
        "import pathlib, sys\n"
        "first = pathlib.Path('begun')\n"
        "first.exists() or sys.exit(first.touch() or 'not yet')\n"
        "print(1)"
    )
    ran = invoke("study", "run", "s", "-f", "json", "--", sys.executable, "-c", script)
    ranked(ran)
    assert "12 answers, 1 failure; the last failure: exit status 1" in ran.stderr


CHILD = "import subprocess, sys; subprocess.run(['sleep', '{}']); print(1)"


def running(seconds: str) -> list[int]:
    """List the processes of a command of this test, whose argument is a number of its own."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True)
    rows = (row.split(maxsplit=1) for row in listed.stdout.splitlines())
    return [int(pid) for pid, args in rows if args == f"sleep {seconds}"]


def wait_for(seconds: str) -> None:
    for _ in range(300):
        if running(seconds):
            return
        time.sleep(0.1)
    pytest.fail("the command was never run")


def test_what_takes_too_long_is_ended_with_its_children(store: str) -> None:
    seconds = "61.0625"
    ran = invoke(
        "study", "run", "s", "--timeout", "0.5", "--failures", "1", "--",
        sys.executable, "-c", CHILD.format(seconds),
    )  # fmt: skip
    assert ran.exit_code == 1
    assert "it took longer than 0.5 seconds, and was ended" in ran.stderr
    assert not running(seconds)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_hands_back_and_says_how_to_go_on(sign: signal.Signals, store: str) -> None:
    seconds = {signal.SIGINT: "62.03125", signal.SIGTERM: "63.03125"}[sign]
    words = ["study", "run", "s", "--workers", "2", "--", "sleep", seconds]
    process = subprocess.Popen([PODIUM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(seconds)
    process.send_signal(sign)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == b""
    assert f"podium study run s --workers 2 -- sleep {seconds}" in err.decode()
    assert not running(seconds)
    study = Study.open("s", store)
    assert {entry.kind for entry in study.log()} == {"asked"}
    assert study.status()["held"] == 0
    study.store.close()


def test_a_run_that_was_killed_goes_on(store: str) -> None:
    seconds = "64.03125"
    process = subprocess.Popen([PODIUM, "study", "run", "s", "--", "sleep", seconds])
    wait_for(seconds)
    process.kill()
    process.wait()
    for pid in running(seconds):
        os.kill(pid, signal.SIGKILL)
    study = Study.open("s", store)
    (held,) = study.waiting()
    study.tell(held.id, dict.fromkeys(held.data["agents"], 1.0))
    study.store.close()
    command = (sys.executable, "score.py", "{task}", "{agent}")
    ranked(invoke("study", "run", "s", "-f", "json", "--", *command))


def test_plain_progress() -> None:
    study = Study.create("p", agents=AGENTS, tasks=TASKS, store="memory://", budget=3, top=1)
    display = Display(study, Showing.plain)
    display.note(Progress(1, 2, 3, "no luck\nat all"))
    display._seen = (study.status(), study.ranking())
    text = "; ".join(display.lines())
    for said in (
        "1 told",
        "3 running",
        "2 failed",
        "spent 0 of 3",
        "stop now? not yet: the first is",
    ):
        assert said in text
    assert text.endswith("last failure: no luck")


def test_a_live_display_is_drawn_on_a_terminal() -> None:
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [PODIUM, "study", "run", "s", "-f", "json", "--", "sh", "-c", "sleep 0.15; echo 1"],
        stdout=subprocess.PIPE, stderr=follower, env={**os.environ, "TERM": "xterm", "COLUMNS": "90"},
    )  # fmt: skip
    os.close(follower)
    drawn = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        drawn += part
    os.close(leader)
    out, _ = process.communicate(timeout=30)
    json.loads(out)
    for said in ("stop now?", "coverage", "leader", "spent", "of 12"):
        assert said in drawn.decode()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "give a command behind --, or --python MODULE:FUNCTION"),
        (("--python", "a:b", "--", "echo"), "and not both"),
        (("--python", "a"), "write MODULE:FUNCTION"),
        (("--python", "no_such_module:f"), "no_such_module"),
        (("--python", "json:nothing"), "nothing"),
        (("--python", "sys:path"), "is a list"),
        (("--python", "json:loads", "--log", "x"), "--log keeps what commands print"),
        (("--workers", "0", "--", "echo"), "workers is 0"),
        (("--timeout", "0", "--", "echo"), "timeout is 0"),
        (("--progress", "loud", "--", "echo"), "progress is 'loud'"),
        (("--", "no-such-program"), "there is no program 'no-such-program'"),
        (("--", "echo", "{agent}", "{agents}"), "one agent a call or all at once?"),
    ],
)
def test_wrong_requests_are_told(args: tuple[str, ...], said: str) -> None:
    ran = invoke("study", "run", "s", *args)
    assert ran.exit_code == 1
    assert said in " ".join(ran.stderr.split())
    assert ran.stdout == ""


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1.0), ("a 2 b 3\n\n", 3.0), ("x=-0.5.", -0.5), ("3/4: (7e-1)", 0.7), ("9 %\n80%", 80.0)],
)
def test_the_last_number_is_the_score(text: str, number: float) -> None:
    assert last_number(text) == number


@pytest.mark.parametrize(
    ("text", "said"), [("", "printed nothing"), ("done", "'done'"), ("0.5 then nan", "finite")]
)
def test_what_is_no_score(text: str, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        last_number(text)


@pytest.mark.parametrize("text", ["", "{", '{"a": 1} and more', "[1]"])
def test_what_is_no_object(text: str) -> None:
    with pytest.raises(StudyError, match="JSON object of scores"):
        last_object(text)


def test_much_output_takes_little_memory() -> None:
    script = "import sys; sys.stdout.write('x' * 10_000_000); print('\\n0.5')"
    assert Commands([sys.executable, "-c", script])("t", ["a"]) == {"a": 0.5}


def test_functions_are_found_by_name() -> None:
    import operator

    assert function_of("operator:add") is operator.add
    with pytest.raises(DataError, match="names no function"):
        function_of("operator")


def test_the_command_itself_in_a_process_of_its_own() -> None:
    ran = run("study", "run", "s", "--", "echo", "1")
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "it stopped: the budget of 12 is spent" in ran.stdout
