"""Games: PGN files and the counts of fastchess."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.data.matches import Matches
from podium.errors import DataError
from podium.importers import read
from podium.importers.tools import pgn as reader
from strategies import steady
from tool_files import fastchess, pgn, write_json


def matches(source: Path, **how: Any) -> Matches:
    found = read(source, **how)
    assert isinstance(found, Matches)
    return found


def from_text(path: Path, text: str, **how: Any) -> Matches:
    path.write_text(text)
    return matches(path, **how)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.pgn"


GAMES = (
    pgn("ann", "bob", "1-0")
    + pgn("bob", "ann", "1/2-1/2")
    + pgn("ann", "cid", "0-1", "2")
    + pgn("cid", "ann", "*", "2")
)


def test_results_are_those_of_white(path: Path) -> None:
    found = from_text(path, GAMES)
    assert found.agents == ("ann", "bob", "cid")
    assert found.left.tolist() == [0, 1, 0]
    assert found.right.tolist() == [1, 0, 2]
    assert found.score.tolist() == [1.0, 0.5, 0.0]


def test_an_unfinished_game_is_no_draw(path: Path) -> None:
    assert from_text(path, GAMES).notes == ("1 unfinished game (*) left out",)


def test_games_of_one_round_with_sides_swapped_are_a_pair(path: Path) -> None:
    found = from_text(path, GAMES)
    assert found.cluster is not None
    assert found.cluster.tolist() == [0, 0, 1]


@pytest.mark.parametrize("round_", ["?", "-", ""])
def test_games_of_no_known_round_are_no_pair(path: Path, round_: str) -> None:
    text = pgn("ann", "bob", "1-0", round_) + pgn("bob", "ann", "1-0", round_)
    assert from_text(path, text).cluster is None


def test_games_of_a_round_between_others_are_no_pair(path: Path) -> None:
    assert from_text(path, pgn("ann", "bob", "1-0") + pgn("cid", "dot", "1-0")).cluster is None


@pytest.mark.parametrize(
    "comment",
    [
        '{a comment\n[White "nobody"]\n}',
        '{a [Event "x"] b}',
        "{open\n\nand closed}",
        "; [ a remark {",
        "{[%clk 0:01:00]} e5\n{[%eval 0.3]",
        "{; no remark } e5 {\n[%clk 1]\n}",
    ],
)
def test_comments_hold_no_tags(path: Path, comment: str) -> None:
    text = pgn("ann", "bob", "1-0", moves=f"1. e4 {comment} e5") + pgn("bob", "ann", "1-0", "2")
    found = from_text(path, text)
    assert found.agents == ("ann", "bob")
    assert found.score.tolist() == [1.0, 1.0]


def test_a_comment_that_never_ends_swallows_no_game(path: Path) -> None:
    text = pgn("ann", "bob", "1-0", moves="1. e4 {oops") + pgn("bob", "ann", "1-0", "2")
    assert len(from_text(path, text).score) == 2


def test_quotes_in_names(path: Path) -> None:
    found = from_text(path, pgn('A \\"x\\" \\\\ B', 'C "y" D', "1-0"))
    assert found.agents == ('A "x" \\ B', 'C "y" D')


def test_several_tags_on_a_line_and_no_blank_lines(path: Path) -> None:
    game = '[Event "x"] [White "ann"][Black "bob"]\n[Result "1-0"]\n1. e4 1-0\n'
    assert from_text(path, game * 2).score.tolist() == [1.0, 1.0]


def test_games_without_moves(path: Path) -> None:
    game = '[White "ann"]\n[Black "bob"]\n[Result "1-0"]\n'
    assert from_text(path, f"{game}\n{game}").score.tolist() == [1.0, 1.0]


def test_line_ends_and_marks_of_other_systems(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + GAMES.replace("\n", "\r\n").encode())
    assert len(matches(path).score) == 3


def test_packed_games(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(gzip.compress(GAMES.encode()))
    assert len(matches(path).score) == 3


def test_a_file_in_many_blocks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = from_text(path, GAMES * 20)
    monkeypatch.setattr("podium.importers.files._BLOCK", 7)
    assert matches(path).score.tolist() == whole.score.tolist()


def test_endless_lines_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "LONGEST_LINE", 100)
    with pytest.raises(DataError, match="line 1, has more than 100 bytes"):
        from_text(path, "x" * 1000)


def test_a_folder_of_games(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.pgn").write_text(GAMES)
    found = matches(tmp_path)
    assert found.cluster is not None
    assert found.cluster.tolist() == [0, 0, 1, 2, 2, 3]
    (tmp_path / "two.pgn").write_text(pgn("ann", "bob", "2-0"))
    with pytest.raises(DataError, match=r"two\.pgn, line 1, column 'Result' holds '2-0'"):
        read(tmp_path)


def test_bad_games_are_skipped_on_demand(path: Path) -> None:
    found = from_text(path, GAMES + pgn("ann", "?", "1-0"), skip_bad_rows=True)
    assert len(found.score) == 3
    assert "1 bad row skipped, the first at line 41, 'Black': '?'" in found.notes


@given(st.lists(st.sampled_from(["1-0", "0-1", "1/2-1/2"]), min_size=1, max_size=9))
@steady(20)
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, results: list[str]
) -> None:
    path = tmp_path_factory.mktemp("games") / "x.pgn"
    found = from_text(path, "".join(pgn("ann", "bob", result) for result in results))
    assert found.score.tolist() == [reader.RESULTS[result] for result in results]


COUNTS = {
    "wins": 5, "losses": 3, "draws": 4,
    "penta_WW": 1, "penta_WD": 1, "penta_WL": 1, "penta_DD": 1, "penta_LD": 0, "penta_LL": 1,
}  # fmt: skip
"""Pairs hold 4 wins, 3 losses and 3 draws; a win and a draw had no second game."""


def test_counts_of_fastchess(tmp_path: Path) -> None:
    content = fastchess({"ann vs bob": COUNTS}, "ann", "bob")
    found = matches(write_json(tmp_path / "config.json", content))
    assert found.agents == ("ann", "bob")
    outcomes = found.score.tolist()
    assert [outcomes.count(worth) for worth in (1.0, 0.0, 0.5)] == [5, 3, 4]


def test_pairs_of_fastchess_share_a_cluster(tmp_path: Path) -> None:
    content = fastchess({"ann vs bob": COUNTS}, "ann", "bob")
    found = matches(write_json(tmp_path / "config.json", content))
    assert found.cluster is not None
    pairs: dict[int, list[float]] = {}
    for cluster, score in zip(found.cluster.tolist(), found.score.tolist(), strict=True):
        pairs.setdefault(cluster, []).append(score)
    assert sorted(map(sorted, pairs.values())) == [
        [0.0, 0.0], [0.0, 1.0], [0.5], [0.5, 0.5], [0.5, 1.0], [1.0], [1.0, 1.0],
    ]  # fmt: skip


def test_counts_without_pairs(tmp_path: Path) -> None:
    counts = {"ann vs bob": {"wins": 2, "losses": 1, "draws": 1}}
    found = matches(write_json(tmp_path / "c.json", fastchess(counts, "ann", "bob")))
    assert found.cluster is not None
    assert found.cluster.tolist() == [0, 1, 2, 3]


def test_engines_whose_names_hold_the_separator(tmp_path: Path) -> None:
    counts = {"a vs b vs c": {"wins": 1, "losses": 0, "draws": 0}}
    path = write_json(tmp_path / "c.json", fastchess(counts, "a vs b", "c"))
    assert matches(path).agents == ("a vs b", "c")
    write_json(path, fastchess(counts, "a vs b", "c", "a", "b vs c"))
    with pytest.raises(DataError, match="should name two of the engines"):
        read(path)


def test_losing_everything_does_not_hang(tmp_path: Path) -> None:
    counts = {"ann vs bob": {"wins": 0, "losses": 8, "draws": 0, "penta_LL": 4}}
    found = matches(write_json(tmp_path / "c.json", fastchess(counts, "ann", "bob")))
    with pytest.raises(DataError, match="prior"):
        podium.rank(found, "elo")
    assert podium.rank(found, "elo", prior=1.0).tiers == (("bob",), ("ann",))
