"""Every example of the documentation prints what the page shows."""

from pathlib import Path

import pytest

import examples
from shared import ROOT


@pytest.mark.parametrize("page", examples.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_the_page_shows(page: Path) -> None:
    assert not "\n".join(examples.failures(page))


def test_wildcard_lines() -> None:
    assert examples.matches("a\n...\nz\n", "a\nb\nc\nz\n")
    assert not examples.matches("a\n...\nz\n", "a\nb\n")
    assert not examples.matches("a\n", "a\nb\n")


def test_long_commands_are_read_whole() -> None:
    assert list(examples.commands("$ a \\\n  b\nout\n$ c\n")) == [("a \\\n  b", "out\n"), ("c", "")]
