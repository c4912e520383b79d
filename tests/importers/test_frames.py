"""Frames of pandas, polars, pyarrow and others, and Parquet files."""

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers import read

RECORDS: dict[str, list[Any]] = {
    "task": ["s", "s", "t"],
    "agent": ["a", "b", "a"],
    "score": [1.0, 2.5, None],
    "seed": [1, 2, 3],
}


def _relation(columns: dict[str, list[Any]]) -> Any:
    return duckdb.connect().from_arrow(pa.table(columns))


MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": _relation,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_tidy_frames(maker: str) -> None:
    scores = read(MAKERS[maker](RECORDS))
    assert isinstance(scores, Scores)
    np.testing.assert_array_equal(scores.means, [[1, 2.5], [np.nan, np.nan]])
    assert scores.notes == ("1 score missing",)
    assert scores.sample is not None
    assert scores.sample.tolist() == [0, 1]


@pytest.mark.parametrize("maker", MAKERS)
def test_wide_frames(maker: str) -> None:
    scores = read(MAKERS[maker]({"task": [7, 8], "x": [1, 2], "y": [0.5, None]}))
    assert isinstance(scores, Scores)
    assert (scores.tasks, scores.agents) == (("7", "8"), ("x", "y"))
    np.testing.assert_array_equal(scores.means, [[1, 0.5], [2, np.nan]])


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"task": ["t", "t"], "agent": ["a", "b"], "score": [1.0, float("inf")]}, "row 2, column 'score' holds inf"),
        ({"task": ["t", "t"], "agent": ["a", None], "score": [1.0, 2.0]}, "row 2, column 'agent' holds nothing"),
        ({"task": ["t"], "agent": [1.5], "score": [1.0]}, "row 1, column 'agent' holds 1.5"),
        ({"task": ["t"], "agent": ["a"], "score": ["n/a"]}, "row 1, column 'score' holds 'n/a'"),
        ({"task": ["t"], "agent": ["a"], "score": [True]}, "row 1, column 'score' holds True"),
        ({"task": ["t"], "agent": ["a"], "score": [[1.0]]}, "row 1, column 'score' holds [1.0]"),
        ({"task": ["t"], "agent": ["a"], "value": [1.0]}, "'task', 'agent', 'value'"),
        ({"a": ["x"], "b": ["x"], "winner": ["a"]}, "meet itself"),
    ],
)  # fmt: skip
def test_malformed_frames(maker: str, columns: dict[str, list[Any]], says: str) -> None:
    with pytest.raises(DataError) as caught:
        read(MAKERS[maker](columns))
    assert says in str(caught.value)


@pytest.mark.parametrize("maker", ["polars", "pyarrow", "duckdb"])
def test_nan_is_no_score_where_null_means_missing(maker: str) -> None:
    columns = {"task": ["t", "t"], "agent": ["a", "b"], "score": [1.0, float("nan")]}
    with pytest.raises(DataError, match="row 2, column 'score' holds nan"):
        read(MAKERS[maker](columns))


def test_nan_is_missing_in_pandas() -> None:
    frame = pd.DataFrame({"task": ["t", "t"], "agent": ["a", "b"], "score": [1.0, np.nan]})
    scores = read(frame)
    assert isinstance(scores, Scores)
    assert scores.missing == 1


def test_kinds_of_columns() -> None:
    frame = pl.DataFrame(
        {
            "task": pl.Series(["t", "t"], dtype=pl.Categorical),
            "agent": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])),
            "score": pl.Series([decimal.Decimal("1.5"), decimal.Decimal("2.5")]),
        }
    )
    assert read(frame).means.tolist() == [[1.5, 2.5]]  # type: ignore[union-attr] # these are scores
    pandas = pd.DataFrame({"task": ["t"], "agent": ["a"], "score": [1]}).astype("category")
    assert read(pandas).agents == ("a",)
    nullable = pd.DataFrame({"task": ["t"], "agent": ["a"], "score": pd.array([1], dtype="Int64")})
    assert read(nullable).agents == ("a",)


def test_matches_and_ballots() -> None:
    days = [dt.date(2026, 1, 1), dt.date(2026, 1, 2)]
    columns = {"a": ["x", "y"], "b": ["y", "z"], "winner": ["a", "tie"], "time": days}
    for maker in ("pandas", "polars", "pyarrow", "duckdb"):
        matches = read(MAKERS[maker](columns))
        assert isinstance(matches, Matches)
        assert matches.score.tolist() == [1.0, 0.5]
        assert matches.time is not None
        assert np.diff(matches.time).tolist() == [86_400.0]
    profile = read(pl.DataFrame({"ballot": ["a > b"], "weight": [2]}))
    assert isinstance(profile, Profile)
    assert list(profile.ballots()) == [(2.0, (("a",), ("b",)))]


def test_a_named_index_of_pandas_is_a_column() -> None:
    frame = pd.DataFrame({"task": ["s", "t"], "agent": ["a", "a"], "score": [1, 2]})
    wide = read(frame.pivot_table(index="task", columns="agent", values="score"))
    assert (wide.tasks, wide.agents) == (("s", "t"), ("a",))
    unnamed = pd.DataFrame({"a": [1.0]}, index=["t"])
    with pytest.raises(DataError, match="has columns 'a'"):
        read(unnamed)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (pd.DataFrame(), "has no rows"),
        (pl.DataFrame({"task": [], "agent": [], "score": []}), "has no rows"),
        (pd.DataFrame({1: ["t"], "agent": ["a"]}), "named 1"),
        (pd.DataFrame([[1, 2]], columns=["task", "task"]), "two columns of one name"),
        (7, "int came"),
        (None, "NoneType came"),
        ([("t", "a", 1.0)], "list came"),
        (np.zeros(3), "ndarray came"),
        (Scores.from_records([("t", "a", 1.0)]), "Scores came, which is data already"),
        (pl.DataFrame({"task": ["t"]})["task"], "Series came"),
    ],
    ids=str,
)
def test_what_is_no_frame_of_rows_is_an_error(source: object, says: str) -> None:
    with pytest.raises(DataError) as caught:
        read(source)
    assert says in str(caught.value)


def test_parquet_files(tmp_path: Path) -> None:
    path = tmp_path / "it's [1]*.parquet"
    pl.DataFrame(RECORDS).write_parquet(path)
    scores = read(path)
    assert isinstance(scores, Scores)
    np.testing.assert_array_equal(scores.means, [[1, 2.5], [np.nan, np.nan]])
    frame = pl.DataFrame({**RECORDS, "rowid": [3, 1, 2]})
    frame.write_parquet(path)
    assert read(path).tasks == ("s", "t")
    pl.DataFrame({"task": [1, 2], "a": [1.0, 2.0], "b": ["3", "4"]}).write_parquet(path)
    assert read(path).means.tolist() == [[1, 3], [2, 4]]  # type: ignore[union-attr] # these are scores


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"task": ["t"], "agent": [None], "score": [1.0]}, "row 1, column 'agent' holds nothing"),
        ({"task": ["t"], "agent": [[1]], "score": [1.0]}, "row 1, column 'agent' holds [1]"),
        ({"task": ["t"], "agent": ["a"], "score": [[1.0]]}, "row 1, column 'score' holds [1.0]"),
        ({"task": ["t"], "agent": ["a"], "score": [float("nan")]}, "row 1, column 'score' holds nan"),
        ({"task": ["t"], "agent": ["a"], "score": [True]}, "row 1, column 'score' holds True"),
        ({"task": [1.5], "agent": ["a"], "score": [1.0]}, "row 1, column 'task' holds 1.5"),
        ({"task": [], "agent": [], "score": []}, "holds no rows"),
        ({"agent": ["a"]}, "has columns 'agent'"),
    ],
)  # fmt: skip
def test_malformed_parquet_files(columns: dict[str, list[Any]], says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame(columns).write_parquet(path)
    with pytest.raises(DataError) as caught:
        read(path)
    assert "x.parquet" in str(caught.value)
    assert says in str(caught.value)
