"""Rules of the house that no linter checks: small pieces, and nothing of one machine."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared import ROOT

SOURCES = sorted((ROOT / "src").rglob("*.py"))
LONGEST_FILE = 500
LONGEST_FUNCTION = 50

MACHINE = re.compile(
    r"""(?<![\w.}~*/-])/(?:home|root|Users|mnt|opt|tmp|work)/\w  # a folder of one machine
    | (?:index-url|find-links)                                 # where one machine installs from
    | https?://(?:localhost|[\d.]+):\d+/\S*simple""",
    re.VERBOSE,
)
KINDS_OF_NEWS = {"added", "changed", "fixed", "removed"}


def tracked() -> Iterator[Path]:
    """Go through the files of the repository, also those not committed yet."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("this is no checkout, so nobody knows which files belong to it")
    yield from (path for name in listing.stdout.splitlines() if (path := ROOT / name).is_file())


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Go through all functions of a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines on which a function has code: no docstring, comment or blank line."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    nodes = (node for part in body for node in ast.walk(part))
    spans = [(n.lineno, n.end_lineno) for n in nodes if isinstance(n, ast.expr | ast.stmt)]
    return len({line for first, last in spans for line in range(first, (last or first) + 1)})


def test_files_are_short() -> None:
    lines = {path.name: len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE} == {}


def test_functions_are_short() -> None:
    counts = {
        f"{path.name}:{function.name}": code_lines(function)
        for path in SOURCES
        for function in functions(ast.parse(path.read_text()))
    }
    assert {name: count for name, count in counts.items() if count > LONGEST_FUNCTION} == {}


def test_nothing_names_folders_or_hosts_of_one_machine() -> None:
    found = []
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in MACHINE.finditer(text)]
    # This file holds the words that it looks for.
    assert [where for where in found if not where.startswith("tests/test_house.py")] == []


@pytest.mark.parametrize("text", ["see /home/me/data", '"/tmp/x.csv"', "--index-url http://a/"])
def test_the_pattern_finds_what_it_should(text: str) -> None:
    assert MACHINE.search(text)


def test_there_is_a_licence() -> None:
    assert "Apache License" in (ROOT / "LICENSE").read_text()


def test_news_are_fragments_of_known_kinds() -> None:
    fragments = [path for path in (ROOT / "news").iterdir() if path.suffix == ".md"]
    changes = [path for path in fragments if len(path.suffixes) == 2]
    assert changes
    for path in changes:
        assert path.suffixes[0][1:] in KINDS_OF_NEWS, path.name
        assert path.read_text().strip(), path.name
