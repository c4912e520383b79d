"""Which state of podium's own sources decides what a simulation gives."""

import hashlib
from functools import cache
from pathlib import Path

PARTS = ("bundled", "kernels", "learners", "metrics", "simulation", "strategies", "study", "worlds")
"""Folders that a simulation depends on."""


@cache
def digest() -> str:
    """Digest the sources that simulations depend on, to tell results of one state from another's.

    >>> len(digest())
    16
    """
    found = hashlib.blake2b(digest_size=8)
    package = Path(__file__).parent.parent
    for part in PARTS:
        for file in sorted((package / part).glob("*.*")):
            found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()
