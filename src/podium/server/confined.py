"""The command `podium` with little memory and little time: BYTES SECONDS ARGS..."""

import os
import resource
import runpy
import sys

TOO_MUCH = 4
"""Exit status where memory did not suffice."""


def main() -> None:
    """Give up what is beyond the bounds, then run the command."""
    memory, seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)  # those who ask and tell go first
    sys.argv = ["podium", *sys.argv[3:]]
    try:
        runpy.run_module("podium.cli.main", run_name="__main__")
    except MemoryError:
        os._exit(TOO_MUCH)


if __name__ == "__main__":
    main()
