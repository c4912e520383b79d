"""Run the examples of the documentation; write what they print back into the pages.

A page is Markdown. In a block marked `console` each line that starts with `$ `
is a command, and what follows it is what the command prints, where `...` stands
for any lines. A block marked `pycon` is a doctest. The blocks of a page run in order,
in one empty folder.

    python docs/examples.py        write the output of every command into the pages
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETTINGS = {"COLUMNS": "96", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}


def pages() -> list[Path]:
    """List the pages that hold examples."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if BLOCK.search(page.read_text(encoding="utf-8"))]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Take a console block apart into commands and the text behind each."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    for part in parts:
        command, _, printed = part.partition("\n")
        while command.endswith("\\"):
            more, _, printed = printed.partition("\n")
            command = f"{command}\n{more}"
        yield command, printed


def run(command: str, folder: Path) -> str:
    """Run a command as a reader would and give all that it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, **SETTINGS, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return "".join(f"{line}\n" for line in lines)


def matches(wanted: str, got: str) -> bool:
    """Compare what a page shows with what was printed; `...` alone on a line matches any lines."""
    parts = re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)
    return re.fullmatch(".*".join(map(re.escape, parts)), got, re.DOTALL) is not None


def failures(page: Path) -> list[str]:
    """Run all examples of a page and describe those that print something else."""
    wrong: list[str] = []
    names: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
                if block[1] == "console":
                    for command, wanted in commands(block[2]):
                        got = run(command, Path(folder))
                        if not matches(wanted, got):
                            wrong.append(
                                f"$ {command}\nthe page shows:\n{wanted}it printed:\n{got}"
                            )
                else:
                    wrong += session(block[2], names, page.name)
        finally:
            os.chdir(before)
    return wrong


def session(block: str, names: dict[str, object], page: str) -> list[str]:
    """Run a Python session; later sessions of a page know the names of earlier ones."""
    test = doctest.DocTestParser().get_doctest(block, names, page, None, None)
    lines: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(verbose=False, optionflags=flags).run(
        test, out=lines.append, clear_globs=False
    )
    names.update(test.globs)
    return ["".join(lines)] if lines else []


def refreshed(text: str) -> str:
    """Give the text of a page with the output of its commands made anew."""
    with tempfile.TemporaryDirectory() as folder:

        def again(block: re.Match[str]) -> str:
            if block[1] != "console":
                return block[0]
            parts = []
            for command, wanted in commands(block[2]):
                got = run(command, Path(folder))
                parts.append(f"$ {command}\n{wanted if matches(wanted, got) else got}")
            return f"```console\n{''.join(parts)}```"

        return BLOCK.sub(again, text)


if __name__ == "__main__":
    for each in pages():
        each.write_text(refreshed(each.read_text(encoding="utf-8")), encoding="utf-8")
