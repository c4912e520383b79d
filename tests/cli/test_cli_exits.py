"""Exit statuses, and what goes to which stream."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import PODIUM, run

FAULTY = """
import sys
from podium.cli import main, methods, _cards
def fail(name):
    raise {error}
_cards.chosen = fail
sys.argv = ["podium", "methods"]
main.main()
"""


def run_faulty(error: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", FAULTY.format(error=error)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | env,
    )


def test_done_is_0(small: Path) -> None:
    ran = run("rank", str(small))
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rank", "nowhere.csv"], "nowhere.csv"),
        (["rank", "{small}", "--method", "copland"], "did you mean 'copeland'?"),
        (["rank", "{small}", "--method", "approval:places=2"], "no option of approval"),
        (["rank", "{small}", "--method", "approval:k"], "'k' sets nothing"),
        (["rank", "{small}", "--method", "approval:k=many"], "a whole number"),
        (["rank", "{small}", "--task-weight", "pong"], "write TASK=NUMBER"),
        (["rank", "{small}", "--task-weight", "ping=2"], "'ping'"),
        (["rank", "{small}", "--lower-is-better", "ping"], "'ping'"),
        (["rank", "{small}", "--level", "2"], "level"),
        (["rank", "{small}", "--by", "colour"], "'colour'"),
        (["compare", "nowhere.csv"], "nowhere.csv"),
        (["inspect", "nowhere.csv"], "nowhere.csv"),
        (["convert", "{small}", "x.unknown"], "unknown"),
        (["methods", "copland"], "did you mean 'copeland'?"),
        (["data", "show", "agent75"], "did you mean 'agent57'?"),
        (["data", "export", "agent57", "-o", "/nowhere/x.csv"], "/nowhere/x.csv"),
        (["reproduce", "nothing"], "'nothing'"),
        (["reproduce", "active-figure5", "--engine", "spark"], "engine is 'spark'"),
        (["simulate", "online-elo", "--engine", "ray:port=1"], "give 'local', 'ray' or"),
    ],
)
def test_wrong_data_or_request_is_1(
    args: list[str], said: str, small: Path, tmp_path: Path
) -> None:
    ran = run(*(arg.format(small=small) for arg in args), cwd=tmp_path)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith("podium: ")
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["rnk"],
        ["rank"],
        ["rank", "x.csv", "--no-such-option"],
        ["rank", "x.csv", "--level", "high"],
        ["rank", "x.csv", "--replicates", "1.5"],
        ["rank", "x.csv", "--format", "xml"],
        ["rank", "x.csv", "--intervals", "always"],
        ["rank", "x.csv", "--all", "--method", "mean"],
        ["data", "remove"],
    ],
)
def test_wrong_usage_is_2(args: list[str]) -> None:
    ran = run(*args)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "Error: " in ran.stderr


def test_a_fault_of_podium_is_3() -> None:
    ran = run_faulty("ZeroDivisionError('by nothing')")
    assert ran.returncode == 3
    assert ran.stdout == ""
    assert "a fault of podium, not of your data: ZeroDivisionError: by nothing" in ran.stderr
    assert "PODIUM_DEBUG=1" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_fault_shows_its_traceback_on_demand() -> None:
    ran = run_faulty("ZeroDivisionError('by nothing')", PODIUM_DEBUG="1")
    assert ran.returncode == 3
    assert "Traceback" in ran.stderr


def test_too_little_memory_is_1() -> None:
    ran = run_faulty("MemoryError('80 GiB')")
    assert ran.returncode == 1
    assert "not enough memory" in ran.stderr


def test_interrupt_is_quiet() -> None:
    ran = run_faulty("KeyboardInterrupt")
    assert (ran.returncode, ran.stderr) == (130, "")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupt_from_the_keyboard_is_quiet() -> None:
    # Nothing comes on standard input, so the command waits until it is interrupted.
    with subprocess.Popen(
        [PODIUM, "rank", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_pipe_that_nobody_reads_is_quiet(form: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(
        [PODIUM, "methods", "--format", form], stdout=write, stderr=subprocess.PIPE
    ) as process:
        os.close(write)
        _, err = process.communicate(timeout=30)
    assert err == b""
    assert process.returncode == 141


def test_json_alone_is_on_standard_output(small: Path) -> None:
    ran = run("rank", str(small), "--format", "json")
    json.loads(ran.stdout)
    assert ran.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk of Linux")
@pytest.mark.parametrize("args", [["--help"], ["methods"], ["methods", "-f", "json"]])
def test_a_full_disk_is_1(args: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ran = subprocess.run(
            [PODIUM, *args], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert (ran.returncode, ran.stderr) == (1, b"podium: No space left on device\n")
