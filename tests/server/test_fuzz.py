"""Requests made from the OpenAPI description, right and wrong: none is a fault of the server."""

import subprocess
import sys
from pathlib import Path

import pytest

import podium
from servers import serving

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def fuzz(store: Path, phases: str, examples: int) -> None:
    with serving(store) as server:
        podium.connect(server.url).create("0", agents=["a", "b"], tasks=["t"])
        ran = subprocess.run(
            [
                *(str(Path(sys.executable).with_name("schemathesis")), "run"),
                f"{server.url}/api/v1/openapi.json",
                *("--exclude-path-regex", "events", "--phases", phases, "--checks", CHECKS),
                *("--max-examples", str(examples), "--seed", "1", "--no-color"),
                *("--request-timeout", "120"),  # what is asked first may have to be compiled
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=1200,
            cwd=store.parent,
        )
        assert ran.returncode == 0, ran.stdout[-4000:]
        assert server.process is not None
        assert server.process.poll() is None


def test_a_few_requests_of_all_kinds(tmp_path: Path) -> None:
    fuzz(tmp_path / "s.db", "fuzzing", 4)


@pytest.mark.slow
def test_ten_thousand_requests(tmp_path: Path) -> None:
    fuzz(tmp_path / "s.db", "coverage,fuzzing", 400)
