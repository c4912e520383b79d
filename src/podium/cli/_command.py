"""Evaluate by a command of the user's, which prints a score last; no shell reads it."""

import contextlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from podium.errors import DataError, StudyError

PLACE = re.compile(r"\{(task|agent|agents)\}")

TAIL = 1 << 16
"""Bytes at the end of what a command prints that are looked at."""

LINES = 8
"""Last lines of standard error that say why a command failed."""

SIGNS = re.compile(r"[\s=:,;()\[\]|]+")
"""What may stand around a score."""

GRACE = 3.0
"""Seconds that a command has to end by itself before it is killed."""


class Commands:
    """Runs a command for each agent, or for all agents of a query if it takes them.

    Args:
        words: The command. `{task}`, `{agent}` and `{agents}`, a JSON list, are
            filled in; the environment has PODIUM_TASK, PODIUM_AGENT and
            PODIUM_AGENTS as well.
        timeout: Seconds that one command may take.
        log: A file to which all that commands print is added.
    """

    def __init__(
        self, words: Sequence[str], timeout: float | None = None, log: Path | None = None
    ) -> None:
        self._words, self._timeout, self._log = list(words), timeout, log
        places = {place for word in self._words for place in PLACE.findall(word)}
        if {"agent", "agents"} <= places:
            msg = "the command holds {agent} and {agents}; one agent a call or all at once?"
            raise DataError(msg)
        self._together = "agents" in places
        _check_program(self._words[0])
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False

    def __call__(self, task: str, agents: Sequence[str]) -> Mapping[str, float]:
        """Evaluate agents on a task."""
        if self._together:
            return last_object(self._printed(task, agents))
        return {agent: last_number(self._printed(task, [agent])) for agent in agents}

    def close(self) -> None:
        """End all commands that are running."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        _end(running)

    def _printed(self, task: str, agents: Sequence[str]) -> str:
        """Run the command, and give the end of what it printed."""
        every = json.dumps(list(agents), ensure_ascii=False)
        values = {"task": task, "agents": every, "agent": agents[0]}
        words = [PLACE.sub(lambda place: values[place[1]], word) for word in self._words]
        names = {f"PODIUM_{name.upper()}": value for name, value in values.items()}
        if self._together:
            del names["PODIUM_AGENT"]
        begun = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status = self._run(words, {**os.environ, **names}, out, err)
            printed, complaints = _tail(out), _tail(err)
        self._write(task, agents, words, time.monotonic() - begun, status, printed, complaints)
        if status is None:
            msg = f"it took longer than {self._timeout:g} seconds, and was ended"
            raise StudyError(msg)
        if status:
            ended = f"signal {-status}" if status < 0 else f"exit status {status}"
            raise StudyError("\n".join([ended, *complaints.strip().splitlines()[-LINES:]]))
        return printed

    def _run(
        self, words: Sequence[str], names: Mapping[str, str], out: IO[bytes], err: IO[bytes]
    ) -> int | None:
        """Run a command to its end; gives its exit status, or None if it took too long."""
        try:
            process = subprocess.Popen(  # noqa: S603, running the user's command is the purpose
                words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=names,
                start_new_session=True,  # a group of its own, so that all of it can be ended
            )
        except (OSError, ValueError) as error:
            msg = f"{words[0]} cannot be run: {error}"
            raise StudyError(msg) from None
        with self._lock:
            self._running.add(process)
            late = self._closed
        try:
            if late:
                _end([process])
            return process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            _end([process])
            return None
        finally:
            with self._lock:
                self._running.discard(process)

    def _write(
        self,
        task: str,
        agents: Sequence[str],
        words: Sequence[str],
        seconds: float,
        status: int | None,
        out: str,
        err: str,
    ) -> None:
        """Add a line to the log."""
        if self._log is None:
            return
        text = json.dumps(
            {
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
                "task": task,
                "agents": list(agents),
                "command": list(words),
                "seconds": round(seconds, 3),
                "status": "timeout" if status is None else status,
                "stdout": out,
                "stderr": err,
            }
        )
        with self._lock, self._log.open("a", encoding="utf-8") as file:
            file.write(text + "\n")


def _check_program(word: str) -> None:
    if not PLACE.search(word) and shutil.which(word) is None:
        msg = f"there is no program {word!r}; give the command that evaluates behind --"
        raise DataError(msg)


def _end(processes: Sequence["subprocess.Popen[bytes]"]) -> None:
    """End commands and all that they have started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, sign)
        until = time.monotonic() + GRACE
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until - time.monotonic()))


def _tail(file: IO[bytes]) -> str:
    """Read the end of a file."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - TAIL))
    return file.read().decode("utf-8", errors="replace")


def last_number(text: str) -> float:
    r"""Give the last number in what a command printed.

    >>> last_number("10 games\nscore: 71%\n")
    71.0
    """
    for word in reversed(SIGNS.split(text)):
        try:
            found = float(word.rstrip(".%"))
        except ValueError:
            continue
        if math.isfinite(found):
            return found
        msg = f"it printed {word}, and a score is a finite number"
        raise StudyError(msg)
    raise StudyError(_nothing("a score", text))


def last_object(text: str) -> dict[str, Any]:
    r"""Give the JSON object that ends what a command printed.

    >>> last_object('done {x}\n{"a": 0.5,\n "b": 1}\n')
    {'a': 0.5, 'b': 1}
    """
    text = text.rstrip()
    start = text.rfind("{")
    while start >= 0:
        with contextlib.suppress(ValueError):
            found = json.loads(text[start:])
            if isinstance(found, dict):
                return found
        start = text.rfind("{", 0, start)
    raise StudyError(_nothing("a JSON object of scores", text))


def _nothing(wanted: str, text: str) -> str:
    lines = text.strip().splitlines()
    ended = f"its last line is {lines[-1][:200]!r}" if lines else "it printed nothing"
    return f"it did not print {wanted} last; {ended}"
