"""Tables of databases, by URL."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from podium.errors import DataError, MissingExtra
from podium.importers import read


@pytest.fixture
def lite(tmp_path: Path) -> Path:
    path = tmp_path / "my scores.db"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute('CREATE TABLE "it\'s ""all""" (task, agent, score)')
        base.execute("CREATE TABLE bad (task, agent, score)")
        base.execute("CREATE TABLE none (task, agent, score)")
        rows = [("t", "a", 1), ("t", "b", 2.5), ("t", "c", None)]
        base.executemany('INSERT INTO "it\'s ""all""" VALUES (?, ?, ?)', rows)
        base.executemany("INSERT INTO bad VALUES (?, ?, ?)", [("t", "a", 1), ("t", b"\0", 1)])
    return path


def test_sqlite(lite: Path) -> None:
    scores = read(f"sqlite:///{lite}?table=it's%20%22all%22")
    assert (scores.agents, scores.missing) == (("a", "b", "c"), 1)  # type: ignore[union-attr] # these are scores


def test_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE m (a VARCHAR, b VARCHAR, score DECIMAL(2, 1), time DATE)")
        base.execute(
            "INSERT INTO m VALUES ('x', 'y', 0.5, '2026-01-01'), ('y', 'x', 1, '2026-01-02')"
        )
    matches = read(f"duckdb:///{path}?table=m")
    assert matches.score.tolist() == [0.5, 1.0]  # type: ignore[union-attr] # these are matches
    with pytest.raises(DataError, match="no table named 'n'"):
        read(f"duckdb:///{path}?table=n")
    path.write_text("no database")
    with pytest.raises(DataError, match="cannot be opened as a DuckDB file"):
        read(f"duckdb:///{path}?table=m")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite:///{}", "names no table"),
        ("sqlite:///{}?table=goods", "no table named 'goods'"),
        ("sqlite:///{}?table=bad", "table 'bad', row 2, column 'agent' holds b'\\x00'"),
        ("sqlite:///{}?table=none", "holds no rows"),
        ("sqlite:///none.db?table=x", "there is no file"),
        ("sqlite://{}?table=x", "there is no file"),
        ("mysql://host/base?table=x", "mysql:// is no source"),
        ("https://example.org/x.csv", "https:// is no source"),
    ],
)
def test_wrong_urls(lite: Path, url: str, says: str) -> None:
    with pytest.raises(DataError) as caught:
        read(url.format(lite))
    assert says in str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_text("task,agent,score\n" * 100)
    with pytest.raises(DataError, match="cannot be read as an SQLite file"):
        read(f"sqlite:///{path}?table=x")


def test_postgresql_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"install podium\[postgres\]") as caught:
        read("postgresql://me:secret@host/base?table=x")
    assert "secret" not in str(caught.value)


def test_postgresql_that_does_not_answer() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(DataError, match="cannot be read") as caught:
        read("postgresql://me:secret@127.0.0.1:1/base?table=x")
    assert "secret" not in str(caught.value)
