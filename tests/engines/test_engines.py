"""Counting pairs in engines that hold the rows themselves: the same counts as in memory.

`make test-engines` installs the engines and runs this file.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import podium
from podium import DataError, Tally
from podium.data.convert import convert

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("default"),  # what engines warn of is theirs
]

ENGINES = ("spark", "dask", "duckdb", "polars", "ibis")
Hold = Callable[[pl.DataFrame], Any]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """A real session of Spark, on this machine."""
    sql = pytest.importorskip("pyspark.sql", reason="run `make test-engines`")
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(params=ENGINES)
def hold(request: pytest.FixtureRequest, tmp_path: Path) -> Hold:
    """Give a function that puts rows into an engine."""
    path = str(tmp_path / "rows.parquet")

    def written(rows: pl.DataFrame) -> str:
        rows.write_parquet(path)
        return path

    if request.param == "spark":
        session = request.getfixturevalue("spark")
        return lambda rows: session.read.parquet(written(rows))
    if request.param == "dask":
        dask = pytest.importorskip("dask.dataframe", reason="run `make test-engines`")
        return lambda rows: dask.from_pandas(rows.to_pandas(), npartitions=3)
    if request.param == "duckdb":
        import duckdb

        return lambda rows: duckdb.read_parquet(written(rows))
    if request.param == "ibis":
        ibis = pytest.importorskip("ibis", reason="run `make test-engines`")
        return lambda rows: ibis.duckdb.connect().read_parquet(written(rows))
    return lambda rows: pl.scan_parquet(written(rows))


def matches(size: int = 5_000, agents: int = 12) -> pl.DataFrame:
    """Matches of random agents, as an arena writes them, with weights."""
    rng = np.random.default_rng(0)
    names = np.array([f"model-{number}" for number in range(agents)])
    left = rng.integers(0, agents, size)
    right = (left + rng.integers(1, agents, size)) % agents
    words = np.array(["model_a", "model_b", "tie", "tie (bothbad)"])
    return pl.DataFrame(
        {
            "model_a": names[left],
            "model_b": names[right],
            "winner": words[rng.integers(0, 4, size)],
            "weight": rng.choice([1.0, 2.0, 0.5], size),
            "judge": "crowd",
        }
    )


def same(one: Tally, other: Tally) -> None:
    """Demand the same counts of the same agents."""
    ordered = other.only(sorted(other.agents))
    assert one.agents == ordered.agents
    assert one.wins.tolist() == ordered.wins.tolist()
    assert one.met.tolist() == ordered.met.tolist()


def test_matches_with_weights(hold: Hold) -> None:
    rows = matches()
    counted = podium.count(hold(rows))
    same(counted, convert(podium.read(rows), Tally))
    assert counted.notes[0].startswith("5,000 rows of the ")
    assert "column 'judge' ignored" in counted.notes


def test_matches_without_weights(hold: Hold) -> None:
    rows = matches().drop("weight")
    same(podium.count(hold(rows)), convert(podium.read(rows), Tally))


def test_scores_of_matches(hold: Hold) -> None:
    rows = pl.DataFrame({"a": ["x", "y", "x"], "b": ["y", "z", "z"], "score": [1.0, 0.5, 0.0]})
    same(podium.count(hold(rows)), convert(podium.read(rows), Tally))


def test_ballots(hold: Hold) -> None:
    rows = pl.DataFrame(
        {"ballot": ["a > b = c", "b > a", "a > b = c"] * 20, "weight": [1, 2, 3] * 20}
    )
    same(podium.count(hold(rows)), convert(podium.read(rows), Tally))


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("winner", "draw", "column 'winner' holds 'draw'; the winner is"),
        ("model_b", "", "column 'model_b' holds nothing; give the name"),
        ("winner", None, "column 'winner' holds nothing; the winner is"),
        ("weight", -1.0, "column 'weight' holds -1.0; a weight is a finite number"),
        ("weight", None, "column 'weight' holds nothing; a weight is a finite number"),
        ("weight", float("inf"), "column 'weight' holds inf; a weight is a finite number"),
    ],
)
def test_bad_rows_are_refused_as_by_reading(hold: Hold, column: str, value: Any, said: str) -> None:
    rows = matches(200)
    wrong = pl.when(pl.int_range(pl.len()) == 77).then(pl.lit(value)).otherwise(pl.col(column))
    held = hold(rows.with_columns(wrong.alias(column)))
    with pytest.raises(DataError, match=said) as told:
        podium.count(held)
    assert "where model_a = 'model-" in str(told.value)
    left = podium.count(held, skip_bad_rows=True)
    same(left, convert(podium.read(rows.filter(pl.int_range(pl.len()) != 77)), Tally))
    assert any("1 bad row skipped" in note for note in left.notes)


def test_ranking_counts_instead_of_fetching(hold: Hold) -> None:
    rows = matches()
    here, there = podium.rank(rows), podium.rank(hold(rows))
    assert there.method == here.method
    assert there.tiers == here.tiers
    assert there.ratings == pytest.approx(here.ratings)
    assert any("counted where they are" in note for note in there.info["notes"])
