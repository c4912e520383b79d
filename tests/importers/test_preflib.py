"""PrefLib files, genuine ones and small ones."""

import csv
from pathlib import Path

import pytest

from podium.data.profile import Profile
from podium.errors import DataError
from podium.importers import read, write
from shared import shared

SMALL = """# FILE NAME: x.toi
# TITLE: Three fruits
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 6
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: apple: red
# ALTERNATIVE NAME 2: pear
# ALTERNATIVE NAME 3: plum
3: 3, {1, 2}
2:2
1: {3},1
"""


def _read(path: Path) -> Profile:
    profile = read(path)
    assert isinstance(profile, Profile)
    return profile


def test_a_small_file(tmp_path: Path) -> None:
    path = tmp_path / "x.toi"
    path.write_text(SMALL)
    profile = _read(path)
    assert profile.agents == ("apple: red", "pear", "plum")
    assert list(profile.ballots()) == [
        (3.0, (("plum",), ("apple: red", "pear"))),
        (2.0, (("pear",),)),
        (1.0, (("plum",), ("apple: red",))),
    ]
    assert profile.notes == ("PrefLib: Three fruits",)


def test_bad_lines_can_be_skipped(tmp_path: Path) -> None:
    path = tmp_path / "x.toi"
    path.write_text(SMALL + "7: 4\n")
    profile = read(path, skip_bad_rows=True)
    assert isinstance(profile, Profile)
    assert len(profile) == 3
    assert profile.notes[1].startswith("1 bad row skipped, the first: x.toi, line 13, names")


def test_equal_orders_are_added_up(tmp_path: Path) -> None:
    votes = [(1.0, ["a", "b"]), (2.0, ["b", "a"]), (3.0, ["b", "a"])]
    path = write(Profile.from_ballots(votes), tmp_path / "x.soc")
    assert path.read_text().splitlines()[-2:] == ["5: 2,1", "1: 1,2"]
    assert list(_read(path).ballots()) == [(5.0, (("b",), ("a",))), (1.0, (("a",), ("b",)))]


def test_a_name_over_two_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not fit on a line"):
        write(Profile.from_ballots([(1.0, ["a\nb", "c"])]), tmp_path / "x.soc")


def test_sixty_genuine_files_are_read_and_written_back(tmp_path: Path) -> None:
    folder = shared("data/preflib")
    with (folder / "index.csv").open() as stream:
        index = list(csv.DictReader(stream))
    assert len(index) == 60
    for row in index:
        profile = _read(folder / row["file"])
        assert len(profile.agents) == int(row["alternatives"])
        assert profile.weights.sum() == int(row["votes"])
        assert len(profile) == int(row["unique_orders"])
        path = write(profile, tmp_path / row["file"])
        assert _read(path) == profile
        assert _canonical(path) == _canonical(folder / row["file"])


def _canonical(path: Path) -> list[str]:
    """The lines that the ballots alone decide, without optional blanks."""
    lines = [line.strip() for line in path.read_text().splitlines()]
    stated = ("# TITLE", "# DATA TYPE", "# NUMBER", "# ALTERNATIVE")
    head = [line for line in lines if line.startswith(stated)]
    return head + [line.replace(" ", "") for line in lines if not line.startswith("#")]
