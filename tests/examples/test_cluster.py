"""The example of a cluster runs on this machine, where Ray is installed."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from podium import Study
from shared import ROOT

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install ray"
)


def test_workers_of_ray_share_a_study(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/cluster.db"
    command = [sys.executable, str(ROOT / "examples" / "cluster" / "run.py"), "--store", store]
    ran = subprocess.run(
        [*command, "--workers", "2", "--budget", "40"],
        cwd=tmp_path,
        env={**os.environ, "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("40 answers by 2 workers: ")
    study = Study.open("cluster", store)
    told = [entry.query for entry in study.log() if entry.kind == "told"]
    assert len(told) == len(set(told)) == 40
    assert study.stopped == "the budget of 40 is spent"
    study.store.close()
