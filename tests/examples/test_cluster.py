"""The example of a cluster runs on this machine, where Ray is installed."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from podium import Study
from servers import serving
from shared import ROOT

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install ray"
)


@pytest.fixture(params=["sqlite", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of a place for studies that several processes share."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/cluster.db"
        return
    with serving(tmp_path / "cluster.db") as server:
        yield server.url


def test_workers_of_ray_share_a_study(store: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "examples" / "cluster" / "run.py"), "--store", store]
    ran = subprocess.run(
        [*command, "--workers", "2", "--budget", "40"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("40 answers by 2 workers: ")
    study = Study.open("cluster", f"sqlite:///{tmp_path}/cluster.db")
    told = [entry.query for entry in study.log() if entry.kind == "told"]
    assert len(told) == len(set(told)) == 40
    assert study.stopped == "the budget of 40 is spent"
    study.store.close()
