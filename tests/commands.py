"""Running podium as users do: in a process of its own, or quickly inside this one."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

PODIUM = str(Path(sys.executable).with_name("podium"))


def run(
    *args: str, stdin: str | None = None, **settings: Any
) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"} | settings.pop("env", {})
    return subprocess.run(
        [PODIUM, *args],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env=environment,
        **settings,
    )


def invoke(*args: str) -> Any:
    """Run the command inside this process: faster, and with the same exit statuses."""
    from podium.cli.main import app

    return CliRunner().invoke(app, list(args), prog_name="podium")


def modules_after(code: str) -> set[str]:
    """Run some code in a fresh interpreter and name the modules that it loaded."""
    code += "\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    return set(ran.stderr.split())
