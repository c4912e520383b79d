"""SQLite: what survives kills, damage and a full disk."""

import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from podium.errors import StoreError, StudyError
from podium.store import Event, open_store
from podium.store._files import file_system
from podium.store._migrations import scripts
from podium.store.sqlite import SqliteStore

WRITER = """
import sys
from podium.store import Event, open_store
store = open_store(sys.argv[1])
for n in range(int(sys.argv[2]), 10**9):
    store.append("s", [Event("note", "", {"n": n})])
    print(n, flush=True)
"""


def numbers(store: SqliteStore) -> list[int]:
    return [entry.data["n"] for entry in store.read("s")]


def test_what_was_acknowledged_survives_kills(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/s.db"
    store = open_store(url)
    store.create("s", {})
    acknowledged = -1
    for _ in range(4):
        command = [sys.executable, "-c", WRITER, url, str(acknowledged + 1)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for _ in range(20):
            acknowledged = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        rest = writer.communicate()[0].split()
        acknowledged = int(rest[-1]) if rest else acknowledged
        with SqliteStore(tmp_path / "s.db") as again:
            found = numbers(again)
        assert found[: acknowledged + 1] == [*range(acknowledged + 1)]
        acknowledged = len(found) - 1  # one may have been written without a word
    store.close()


def test_threads_share_commits(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.db") as store:
        store.create("s", {})

        def work(worker: int) -> None:
            for n in range(50):
                store.append("s", [Event("note", "", {"n": 50 * worker + n})])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert sorted(numbers(store)) == [*range(400)]


def test_a_piece_of_work_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.db") as store:
        store.create("s", {})

        def work(n: int) -> bool:
            try:
                store.append("s" if n % 2 else "missing", [Event("note", "", {"n": n})])
            except StudyError:
                return False
            return True

        with ThreadPoolExecutor(16) as pool:
            done = list(pool.map(work, range(64)))
        assert done == [n % 2 == 1 for n in range(64)]
        assert sorted(numbers(store)) == [n for n in range(64) if n % 2]


def damaged(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    place = rng.randrange(len(content))
    content[place] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


@pytest.mark.parametrize("seed", range(60))
def test_no_flipped_bit_changes_what_is_read(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with SqliteStore(path) as store:
        store.create("s", {"seed": 7})
        for n in range(120):
            store.append("s", [Event("told", f"q{n}", {"n": n, "scores": {"a": n / 7}})])
        whole = list(store.read("s"))
    damaged(path, random.Random(seed))
    try:
        with SqliteStore(path) as store:
            spec, entries = store.load("s"), list(store.read("s"))
    except (StoreError, StudyError):
        return
    assert spec == {"seed": 7}
    assert entries == whole


def test_a_full_disk_is_told_and_survived(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.db") as store:
        store.create("s", {})
        store.append("s", [Event("note", "", {"n": 0})])
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
        large = [Event("note", "", {"n": 1, "text": "x" * 500_000})]
        try:
            with pytest.raises(StoreError, match="disk"):
                store.append("s", large)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, before)
        kept = len(store.read("s"))
        store.append("s", [Event("note", "", {"n": 2})])
        assert len(store.read("s")) == kept + 1


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "s.db").close()
    with apsw.Connection(str(tmp_path / "s.db")) as connection:
        connection.pragma("user_version", len(scripts("sqlite")) + 1)
    with pytest.raises(StoreError, match="later version of podium"):
        SqliteStore(tmp_path / "s.db")


def test_other_files_and_missing_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but long enough to look at")
    with pytest.raises(StoreError, match="no SQLite database"):
        SqliteStore(tmp_path / "notes.txt")
    with pytest.raises(StoreError, match="there is no folder"):
        SqliteStore(tmp_path / "missing" / "s.db")


def test_network_file_systems_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert file_system(Path("/proc")) == "proc"
    monkeypatch.setattr("podium.store._files.file_system", lambda _: "nfs4")
    with pytest.raises(StoreError, match=r"network file system \(nfs4\).*PostgreSQL"):
        SqliteStore(tmp_path / "s.db")


def test_leases_start_anew_with_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(store: SqliteStore, decide: Callable[..., list[tuple[str, dict[str, str]]]]) -> int:
        return len(store.lease("s", 1, 60.0, after=0, most=5, decide=decide))  # type: ignore[arg-type]

    with SqliteStore(tmp_path / "s.db") as store:
        store.create("s", {})
        assert asked(store, lambda *_: [("q1", {})]) == 1
    for name in ("podium.store.sqlite.boot", "podium.store.sqlite.now"):
        monkeypatch.setattr(name, (lambda: "another") if name.endswith("boot") else time.monotonic)
    with SqliteStore(tmp_path / "s.db") as store:
        (waiting,) = store.waiting("s")
        assert waiting.left == pytest.approx(60.0, abs=5.0)
        assert asked(store, lambda *_: []) == 0


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    store.close()
    with pytest.raises(StoreError, match="closed; open it again"):
        store.create("s", {})
