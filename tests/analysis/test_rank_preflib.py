"""Every method ranks every PrefLib file, or says which of its stated limits stands against it."""

import csv
from pathlib import Path

import pytest

import podium
from podium.methods._registry import METHODS
from shared import SHARED

FOLDER = SHARED / "data" / "preflib"
LARGEST = 600
"""Files with more alternatives than this take minutes by some method."""

LIMITS = {
    "sco-exact": "too many for a proof",
    "elo": "has no finite ratings",
    "hodge": "nothing compares these groups",
    "melo": "nothing compares these groups",
    "uniform": "never met anybody",
}
"""What methods may say instead of ranking ballots, and nothing else."""


def files() -> list[tuple[Path, int]]:
    """List the files with their numbers of alternatives."""
    index = FOLDER / "index.csv"
    if not index.exists():
        return []
    with index.open(encoding="utf-8") as rows:
        return [(FOLDER / row["file"], int(row["alternatives"])) for row in csv.DictReader(rows)]


def refused(path: Path) -> dict[str, str]:
    """Rank a file by every method; give what refused it, and why."""
    profile = podium.read(path)
    methods = [
        (card.name, {"limit": 1.0} if "limit" in card.options else {})
        for card in METHODS
        if card.can_read(podium.Profile)
    ]
    beside = podium.compare(profile, methods)
    for label, ranking in beside.rankings.items():
        assert sorted(ranking.order) == sorted(profile.agents), label
    return {label.partition(":")[0]: why for label, why in beside.errors.items()}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.name, marks=[pytest.mark.slow] if many > LARGEST else [])
        for path, many in files()
    ],
)
def test_every_method_ranks_the_file_or_names_its_limit(path: Path) -> None:
    for name, why in refused(path).items():
        assert LIMITS.get(name, "no limit known") in why


def test_the_files_are_there_or_told_to_be_missing() -> None:
    if not files():
        pytest.skip(
            f"no PrefLib files in {FOLDER}; set PODIUM_SHARED to the folder that holds them"
        )
    assert len(files()) == 60
