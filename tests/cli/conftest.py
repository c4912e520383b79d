"""Small data for the commands."""

from pathlib import Path

import pytest

SMALL = """task,agent,score
pong,dqn,18
pong,human,14
pong,random,-20
chess,dqn,0.1
chess,human,0.9
chess,random,0
go,dqn,0.2
go,human,0.8
go,random,0.2
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Write scores of three agents on three tasks: human beats dqn beats random."""
    path = tmp_path / "small.csv"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print as into a pipe: workers of pytest inherit the width of somebody's screen."""
    monkeypatch.delenv("COLUMNS", raising=False)
