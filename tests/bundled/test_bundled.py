"""The bundled data are the published numbers, cell for cell, and say where they are from."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.bundled import HOME, SETS, Card
from podium.data.convert import KINDS
from podium.errors import DataError
from podium.importers import read
from shared import shared

COPIES = {
    "agent57": "data/atari/agent57_h4.csv",
    "rainbow": "data/atari/rainbow_table5_human_starts.csv",
    "rainbow-plus": "data/atari/rainbow_table5_plus_human_random.csv",
    "deviation-atari": "data/atari/deviation_ratings_table3.csv",
    "agentbench": "data/agentbench/agentbench_v1_table3.csv",
}
FIGURES = {
    "agent57": (8, 57, 456),
    "rainbow": (8, 54, 432),
    "rainbow-plus": (10, 54, 540),
    "deviation-atari": (20, 53, 1060),
    "agentbench": (25, 8, 200),
}


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def test_every_file_has_a_card() -> None:
    assert {f"{card.name}.csv" for card in SETS} == {path.name for path in HOME.glob("*.csv")}


@pytest.mark.parametrize("card", list(SETS), ids=lambda card: card.name)
def test_each_set_says_what_it_is_and_can_be_read(card: Card) -> None:
    data = read(card.path)
    assert card.title
    assert card.source
    assert card.licence
    assert KINDS[type(data)] == {"summaries": "scores"}.get(card.kind, card.kind)
    assert data.agents


def test_an_unknown_name_is_an_error_that_helps() -> None:
    with pytest.raises(DataError, match="did you mean 'rainbow'"):
        SETS["rainbov"]


@pytest.mark.parametrize("name", COPIES)
def test_scores_are_the_originals_cell_for_cell(name: str) -> None:
    assert list(rows(SETS[name].path)) == list(rows(shared(COPIES[name])))


@pytest.mark.parametrize("name", FIGURES)
def test_scores_are_read_whole(name: str) -> None:
    scores: Any = read(SETS[name].path)
    assert (len(scores.agents), len(scores.tasks), len(scores.value)) == FIGURES[name]
    assert scores.missing == 0


def test_arena_is_the_original_cell_for_cell() -> None:
    kept = {(r["a"], r["b"], r["winner"]): r["weight"] for r in rows(SETS["arena-33k"].path)}
    pairs = list(rows(shared("data/arena/chatbot_arena_33k_pairs.csv")))
    counts = {"a": "est_wins_a", "b": "est_wins_b", "tie": "est_ties"}
    expected = {
        (r["agent_a"], r["agent_b"], winner): r[column]
        for r in pairs
        for winner, column in counts.items()
    }
    assert kept == expected
    assert sum(map(int, kept.values())) == 33_000  # data/README.md: the counts add up to this


def test_arena_marks_what_is_estimated() -> None:
    pairs = rows(shared("data/arena/chatbot_arena_33k_pairs.csv"))
    known = {(r["agent_a"], r["agent_b"]): (r["status"], r["published_wins_a"]) for r in pairs}
    for row in rows(SETS["arena-33k"].path):
        status, wins_a = known[row["a"], row["b"]]
        exact = status == "exact" or (row["winner"] == "a" and wins_a != "")
        margin = status == "margin_exact"
        assert row["status"] == ("exact" if exact else "margin-exact" if margin else "estimated")


def test_reading_arena_notes_the_column_that_is_left_out() -> None:
    matches: Any = read(SETS["arena-33k"].path)
    assert any("status" in note for note in matches.notes)
    assert float(matches.weight.sum()) == 33_000


def test_pentathlon_is_the_papers_profile() -> None:
    # Lanctot et al. (2025), appendix, "Voting Methods used in the Applications"
    profile: Any = read(SETS["pentathlon"].path)
    assert [(w, "".join(a for (a,) in order)) for w, order in profile.ballots()] == [
        (1.0, "ABC"),
        (1.0, "ACB"),
        (2.0, "CAB"),
        (1.0, "BCA"),
    ]
