"""What `podium study run` does: workers that evaluate by a command or a Python function."""

import contextlib
import importlib
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from podium.cli._command import Commands
from podium.cli._exits import INTERRUPTED, tell
from podium.cli._live import Display, Showing
from podium.cli._places import place
from podium.cli._study_answers import write_ranking
from podium.cli._study_parts import configured
from podium.cli.options import Format
from podium.errors import DataError
from podium.study.run import Evaluate, Progress, run
from podium.study.spec import number, whole
from podium.words import check_choice, counted

ENDINGS = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a run as Ctrl-C does, so that no command stays behind."""


def run_study(
    name: str, told: Mapping[str, Any], file: str | None, url: str | None, form: Format
) -> None:
    """Evaluate what a study asks until it stops, and write the ranking."""
    given = configured(file, {**told, "store": url})
    how = _how(given)
    with contextlib.ExitStack() as stack:
        evaluate = _evaluator(given, how, stack.callback)
        study = stack.enter_context(place(given.get("store"))).open(name)
        display = Display(study, Showing(check_choice("progress", _progress(given), list(Showing))))
        try:
            with _interrupts(), display:
                ranking = run(study, evaluate, progress=display.note, **how)
        except KeyboardInterrupt:
            tell(f"{_in_short(display.progress)}; what was open is handed back. To go on:")
            sys.stderr.write(f"  {_again()}\n")
            raise typer.Exit(INTERRUPTED) from None
    if display.progress.failed:
        tell(f"{_in_short(display.progress)}; the last failure: {display.why}")
    write_ranking(form, ranking)


def _progress(given: Mapping[str, Any]) -> str:
    return str(given.get("progress", Showing.auto))


def _how(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check how to run."""
    how: dict[str, Any] = {"workers": whole("workers", given.get("workers", 1), low=1)}
    if "timeout" in given:
        how["timeout"] = number("timeout", given["timeout"], above=0.0)
    if "failures" in given:
        how["failures"] = whole("failures", given["failures"], low=1)
    return how


def _evaluator(
    given: Mapping[str, Any], how: dict[str, Any], later: Callable[..., Any]
) -> Evaluate:
    """Give what evaluates: a command or a function, one of both.

    Args:
        given: What flags and file say.
        how: How to run; a command looks after its time itself.
        later: Takes what is to be called in the end.
    """
    words = given.get("command") or []
    words = shlex.split(words) if isinstance(words, str) else [str(word) for word in words]
    if bool(words) == bool(given.get("python")):
        msg = "give a command behind --, or --python MODULE:FUNCTION, and not both"
        raise DataError(msg)
    log = Path(given["log"]) if "log" in given else None
    if not words:
        if log is not None:
            msg = "--log keeps what commands print; a Python function writes its own"
            raise DataError(msg)
        return function_of(given["python"])
    commands = Commands(words, how.pop("timeout", None), log)
    later(commands.close)
    return commands


def function_of(text: str) -> Evaluate:
    """Find the function that `MODULE:FUNCTION` names; modules of this folder come first."""
    module, colon, path = text.partition(":")
    if not colon or not module or not path:
        msg = f"--python {text!r} names no function; write MODULE:FUNCTION"
        raise DataError(msg)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109, an entry of the path is text
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        msg = f"--python {text!r}: {error}"
        raise DataError(msg) from error
    if not callable(found):
        msg = f"--python {text!r} is a {type(found).__name__}; name a function of task and agents"
        raise DataError(msg)
    return found  # type: ignore[no-any-return]


@contextlib.contextmanager
def _interrupts() -> Iterator[None]:
    """Let other signals that end a process interrupt as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = {sign: signal.signal(sign, interrupt) for sign in ENDINGS}
    try:
        yield
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


def _in_short(progress: Progress) -> str:
    failed = f", {counted(progress.failed, 'failure')}" if progress.failed else ""
    return f"{counted(progress.told, 'answer')}{failed}"


def _again(arguments: Sequence[str] | None = None) -> str:
    """Give the command that goes on where this one was stopped: the same."""
    return shlex.join(["podium", *(sys.argv[1:] if arguments is None else arguments)])
