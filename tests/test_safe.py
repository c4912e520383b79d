"""Hostile names change neither terminals, spreadsheets, Markdown nor JSON."""

import csv
import io
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import invoke
from podium.safe import FORMULA_STARTS, HIDDEN, for_markdown, for_sheet, visible

HOSTILE = {
    "escape": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07",
    "c1": "\x9b2J",
    "markup": "[red]name[/red]",
    "bidi": "a\u202etxt.exe",
    "isolate": "a\u2067b",
    "zero-width": "a\u200bb",
    "break": "a\u2028b",
    "emoji-code": ":smile:",
    "formula": "=HYPERLINK(1)",
    "plus": "+1",
    "minus": "-1+1",
    "at": "@SUM(1)",
    "pipe": "a|b",
    "html": "<script>x</script>",
    "wide": "模型一号",
    "accents": "e\u0301clair",
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Write scores of agents with every hostile name."""
    path = tmp_path / "hostile.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "agent", "score"])
        writer.writerows(["t", name, place] for place, name in enumerate(HOSTILE.values()))
    return path


@given(st.text())
def test_visible_text_is_harmless(text: str) -> None:
    assert not {unicodedata.category(letter) for letter in visible(text)} & HIDDEN


@given(st.text(st.characters(categories=["L", "N", "P", "S", "M", "Zs"])))
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_no_cell_of_a_sheet_is_a_formula(text: str) -> None:
    assert not for_sheet(text).startswith(FORMULA_STARTS)


@given(st.text())
def test_no_cell_of_markdown_ends_early(text: str) -> None:
    bare = for_markdown(text).replace("\\\\", "")
    assert "|" not in bare.replace("\\|", "")


@pytest.mark.parametrize("command", ["rank", "compare", "inspect"])
@pytest.mark.parametrize("form", ["table", "csv", "md", "json"])
def test_no_command_writes_what_a_terminal_obeys(command: str, form: str, hostile: Path) -> None:
    written = invoke(command, str(hostile), "--format", form)
    assert written.exit_code == 0, written.stderr
    for text in written.stdout.splitlines():
        assert visible(text) == text


def test_names_stand_in_the_table_as_they_are_or_escaped(hostile: Path) -> None:
    table = invoke("rank", str(hostile)).stdout
    for name in HOSTILE.values():
        assert visible(name) in table


def test_bars_stand_below_each_other_behind_wide_names(hostile: Path) -> None:
    from rich.cells import cell_len

    lines = invoke("rank", str(hostile), "--intervals", "none").stdout.splitlines()
    rows = [text for text in lines if text.lstrip()[:1].isdigit() and text.endswith(".0")]
    assert len({cell_len(text) for text in rows}) <= 1


def test_json_gives_names_exactly(hostile: Path) -> None:
    answer = json.loads(invoke("rank", str(hostile), "--format", "json").stdout)
    agents = {row["agent"] for row in answer["results"][0]["ranking"]}
    assert agents == set(HOSTILE.values())


def test_csv_quotes_formulas(hostile: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke("rank", str(hostile), "-f", "csv").stdout)))
    agents = {row["agent"] for row in rows}
    assert {"'=HYPERLINK(1)", "'+1", "'-1+1", "'@SUM(1)"} < agents
    assert all(float(row["rating"]) >= 0 for row in rows)


def test_messages_are_harmless() -> None:
    ran = invoke("rank", "\x1b[31mnowhere.csv")
    assert ran.exit_code == 1
    assert "\x1b" not in ran.stderr
