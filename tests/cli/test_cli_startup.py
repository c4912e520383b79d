"""What starting podium costs: no heavy library before it is needed."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from commands import PODIUM, modules_after

HEAVY = {"numpy", "numba", "scipy", "altair", "duckdb", "litestar", "pandas", "polars", "joblib"}
HELP = "import sys; sys.argv = ['podium', {args}]\nfrom podium.cli.main import main\ntry: main()\nexcept SystemExit: pass"


def test_import_loads_no_heavy_library() -> None:
    assert not HEAVY & modules_after("import podium")


@pytest.mark.parametrize(
    "args",
    ["'--help'", "'--version'", "'rank', '--help'", "'data', '--help'", "'study', 'run', '--help'"],
)
def test_help_loads_neither_heavy_libraries_nor_rich(args: str) -> None:
    assert not (HEAVY | {"rich", "pydantic"}) & modules_after(HELP.format(args=args))


def test_ranking_a_small_file_loads_little(small: Path) -> None:
    loaded = modules_after(HELP.format(args=f"'rank', {str(small)!r}"))
    assert "numpy" in loaded
    assert not (HEAVY - {"numpy", "duckdb"} | {"pydantic"}) & loaded


def test_ranking_to_json_does_not_load_rich(small: Path) -> None:
    loaded = modules_after(HELP.format(args=f"'rank', {str(small)!r}, '--format', 'json'"))
    assert "rich" not in loaded


def cpu_seconds(*command: str) -> float:
    """Measure the processor time of a command, the best of five."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(5))


def test_cost_of_starting(small: Path) -> None:
    # Times of machines differ; an interpreter that does nothing is the unit.
    bare = cpu_seconds(sys.executable, "-c", "pass")
    assert cpu_seconds(PODIUM, "--help") < 15 * bare
    assert cpu_seconds(PODIUM, "rank", str(small)) < 40 * bare
