"""The machine's own clock, which nobody can set and all processes of the machine share."""

import functools
import time
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")


def now() -> float:
    """Seconds since the machine was started, with the time that it slept where that is known."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


@functools.cache
def boot() -> str:
    """Name the start of the machine from which `now` counts, where the system names it."""
    return BOOT.read_text().strip() if BOOT.exists() else "unnamed"
