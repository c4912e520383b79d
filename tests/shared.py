"""Where tests find published numbers and real data that podium does not carry."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = Path(os.environ.get("PODIUM_SHARED", ROOT.parent / "shared"))


def shared(name: str) -> Path:
    """Return a file or folder of the shared data, or skip the test where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not in {SHARED}; set PODIUM_SHARED to the folder that holds it")
    return path
