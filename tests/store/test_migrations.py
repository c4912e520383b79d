"""Files of earlier versions: they are brought up to date once, whoever comes first."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from podium import Study
from podium.store import open_store

FILES = Path(__file__).parent / "files"

OPENED = """
import sys
from podium import Study
print(Study.open("old", sys.argv[1]).ranking().order)
"""


@pytest.mark.parametrize("file", sorted(FILES.iterdir()), ids=lambda file: file.stem)
def test_a_file_of_an_earlier_version_is_a_study_still(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)
    study = Study.open("old", f"sqlite:///{copy}")
    status = study.status()
    assert (status["told"], status["added"], status["open"], status["given_up"]) == (1, 1, 2, 1)
    assert [entry.kind for entry in study.log()] == [*["asked"] * 4, "told", "failed", "added"]
    query = study.ask()
    assert query is not None
    assert study.tell(query, dict.fromkeys(query.agents, 1.0)).new
    study.store.close()


def test_many_processes_that_open_an_old_file_at_once_bring_it_up_to_date_once(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(min(FILES.iterdir()), copy)
    url = f"sqlite:///{copy}"
    command = [sys.executable, "-c", OPENED, url]
    ran = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    outcomes = [process.communicate(timeout=120) for process in ran]
    assert [process.returncode for process in ran] == [0] * 8, outcomes
    assert len({out for out, _ in outcomes}) == 1
    store = open_store(url)
    assert len(store.read("old")) == 7
    store.close()
