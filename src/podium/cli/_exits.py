"""Exit statuses: 0 done, 1 data or request are wrong, 2 wrong usage, 3 a fault of podium."""

import contextlib
import os
import sys
from collections.abc import Iterator

import typer

from podium.errors import PodiumError
from podium.safe import visible

WRONG, FAULT = 1, 3  # 2 is for wrong usage, which typer tells
INTERRUPTED, NOBODY_READS = 130, 141  # as shells number a death by SIGINT and by SIGPIPE


@contextlib.contextmanager
def exit_statuses() -> Iterator[None]:
    """Turn what can go wrong without a fault of podium into a message and an exit status.

    Wrong usage is told by typer itself, and what is left by `tell_fault`.
    """
    try:
        yield
        sys.stdout.flush()
    except PodiumError as error:
        tell(str(error))
        raise typer.Exit(WRONG) from None
    except BrokenPipeError:
        silence_stdout()
        raise typer.Exit(NOBODY_READS) from None
    except OSError as error:
        tell_system(error)
        raise typer.Exit(WRONG) from None
    except MemoryError as error:
        tell(f"not enough memory for these data and options. {error}".strip())
        raise typer.Exit(WRONG) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def tell(message: str) -> None:
    """Write one message to standard error, harmless to terminals."""
    lines = [visible(line) for line in message.splitlines()] or [""]
    sys.stderr.write("podium: " + "\n".join(lines) + "\n")


def tell_system(error: OSError) -> None:
    """Say what the system refused."""
    said = error.strerror or str(error)
    tell(f"{error.filename}: {said}" if error.filename else said)


def tell_fault(error: Exception) -> None:
    """Say that podium failed, and how to report it."""
    if os.environ.get("PODIUM_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    tell(
        f"a fault of podium, not of your data: {type(error).__name__}: {error}\n"
        "Please report it with the command and with the traceback that it prints "
        "when PODIUM_DEBUG=1 is set."
    )


def silence_stdout() -> None:
    """Send what is still to be written nowhere: the reader of the pipe has gone."""
    with contextlib.suppress(OSError, ValueError):  # streams in tests have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
