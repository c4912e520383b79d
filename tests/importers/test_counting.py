"""podium.count: the counts of the rows that `read` reads, without holding the rows."""

import tracemalloc
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium import DataError, Matches, Profile, Tally
from podium.data.convert import convert
from podium.data.tally import DENSE_LIMIT
from podium.importers import delimited, grouping
from podium.importers.counting import steady
from podium.methods._registry import METHODS
from strategies import steady as settings

WORDS = ("a", "b", "tie", "both_bad")


def matches(size: int = 600, agents: int = 9, *, fractions: bool = False) -> pl.DataFrame:
    """Matches with weights, and with columns that counting has no use for."""
    rng = np.random.default_rng(0)
    names = np.array(
        [f'model "{number}"' if number % 2 else f"m,{number}" for number in range(agents)]
    )
    left = rng.integers(0, agents, size)
    right = (left + rng.integers(1, agents, size)) % agents
    winner = np.array(WORDS)[rng.integers(0, 4, size)].astype(object)
    named = rng.random(size) < 0.2
    winner[named] = names[left][named]
    columns = {"a": names[left], "b": names[right], "winner": winner.astype(str)}
    weight = (
        rng.choice([0.1, 0.2, 0.3], size) if fractions else rng.choice([1.0, 2.0, 0.5, 0.0], size)
    )
    return pl.DataFrame({**columns, "weight": weight, "time": np.arange(size)})


def same(one: Tally, other: Any) -> None:
    """Demand the same counts of the same agents, in whatever order."""
    tally = convert(other, Tally)
    ordered = tally.only(sorted(tally.agents))
    assert one.agents == ordered.agents
    assert one.wins.tolist() == ordered.wins.tolist()
    assert one.met.tolist() == ordered.met.tolist()


@pytest.fixture(params=["csv", "tsv", "csv.gz", "parquet", "jsonl"])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Give a function that writes rows in some format."""

    def write(rows: pl.DataFrame, name: str = "rows") -> str:
        path = tmp_path / f"{name}.{request.param}"
        if request.param == "parquet":
            rows.write_parquet(path)
        elif request.param == "jsonl":
            rows.write_ndjson(path)
        else:
            import gzip

            text = rows.write_csv(separator="\t" if request.param == "tsv" else ",").encode()
            path.write_bytes(gzip.compress(text) if request.param.endswith("gz") else text)
        return str(path)

    return write


def test_a_file(written: Any) -> None:
    rows = matches()
    tally = podium.count(written(rows))
    same(tally, podium.read(rows))
    assert tally.matches
    assert "column 'time' ignored" in tally.notes or "'time'" not in str(tally.notes)


def test_many_files_of_all_kinds(written: Any, tmp_path: Path) -> None:
    rows = matches()
    written(rows[:100], "p1")
    written(rows[100:350], "p2")
    last = tmp_path / "p3.json"
    rows[350:].write_json(last)
    same(podium.count(str(tmp_path / "p*")), podium.read(rows))
    paths = [Path(written(rows[:350], "q1")), str(last)]
    same(podium.count(paths), podium.read(rows))


def test_the_file_is_never_read_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = matches()
    rows.write_csv(tmp_path / "rows.csv")
    monkeypatch.setattr(delimited, "exact_table", None)
    monkeypatch.setattr(grouping, "exact_tables", None)
    same(podium.count(tmp_path / "rows.csv"), podium.read(rows))


def test_large_answers_come_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = matches().with_columns(task=pl.Series([f"t{number % 7}" for number in range(600)]))
    rows.write_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr(grouping, "PART", 17)
    same(podium.count(tmp_path / "rows.parquet"), podium.read(rows))
    weights = {"t3": 4.0, "t6": 0.0}
    weighted = podium.count(tmp_path / "rows.parquet", weights=weights)
    same(weighted, podium.read(rows, weights=weights))
    with pytest.raises(DataError, match="no task named 't9'"):
        podium.count(tmp_path / "rows.parquet", weights={"t9": 1})


@pytest.mark.parametrize("hold", ["lazy", "relation", "eager", "matches"])
def test_rows_that_are_somewhere_else(hold: str) -> None:
    rows = matches()
    held: dict[str, Any] = {
        "lazy": rows.lazy(),
        "relation": duckdb.sql("FROM rows"),
        "eager": rows,
        "matches": podium.read(rows),
    }
    same(podium.count(held[hold]), podium.read(rows))


def test_ballots(written: Any) -> None:
    rows = pl.DataFrame(
        {"ballot": ["x > y = z", "z > x", 'y > "odd > name"'] * 5, "weight": [1.0, 2.0, 0.5] * 5}
    )
    tally = podium.count(written(rows))
    same(tally, podium.read(rows))
    assert not tally.matches


def test_whole_counts_do_not_depend_on_the_order_of_rows(tmp_path: Path) -> None:
    rows = matches(fractions=True)
    rows.write_parquet(tmp_path / "rows.parquet")
    rows.reverse().write_parquet(tmp_path / "back.parquet")
    there, back = (podium.count(tmp_path / f"{name}.parquet") for name in ("rows", "back"))
    assert there.wins.tolist() == back.wins.tolist()
    assert there.met.tolist() == back.met.tolist()
    assert there.wins == pytest.approx(convert(podium.read(rows), Tally).only(there.agents).wins)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("winner", "draw"),
        ("winner", ""),
        ("winner", "m,9"),
        ("b", ""),
        ("b", "   "),
        ("a", "x" * 600),
        ("weight", "-1"),
        ("weight", "nan"),
        ("weight", ""),
        ("weight", "1,5"),
        ("weight", "1e999"),
    ],
)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_bad_rows_are_told_as_by_reading(
    column: str, value: str, form: str, tmp_path: Path
) -> None:
    rows = matches().cast({"weight": pl.String})
    wrong = pl.when(pl.int_range(pl.len()) == 432).then(pl.lit(value)).otherwise(pl.col(column))
    path = tmp_path / f"bad.{form}"
    bad = rows.with_columns(wrong.alias(column))
    (bad.write_csv if form == "csv" else bad.write_parquet)(path)
    with pytest.raises(DataError) as read:
        podium.read(path)
    with pytest.raises(DataError) as counted:
        podium.count(path)
    assert str(counted.value) == str(read.value)
    assert ("line 434" if form == "csv" else "row 433") in str(counted.value)
    left: Tally = podium.count(path, skip_bad_rows=True)
    kept = podium.read(path, skip_bad_rows=True)
    same(left, kept)
    (said,) = (note for note in kept.notes if "1 bad row skipped" in note)
    assert said in left.notes


def test_an_agent_cannot_meet_itself(tmp_path: Path) -> None:
    path = tmp_path / "self.csv"
    path.write_text("a,b,winner\nx,y,x\ny,y,tie\n")
    with pytest.raises(DataError, match=r"self.csv, line 3, column 'b' holds 'y'; an agent cannot"):
        podium.count(path)


def test_the_file_of_a_bad_row_is_named(tmp_path: Path) -> None:
    for number, winner in enumerate(["x", "y", "draw"]):
        pl.DataFrame({"a": ["x"], "b": ["y"], "winner": [winner]}).write_parquet(
            tmp_path / f"p{number}.parquet"
        )
    with pytest.raises(DataError, match=r"3 files \(p0.parquet, ...\), p2.parquet, row 1, column"):
        podium.count(tmp_path / "p*.parquet")
    with pytest.raises(
        DataError, match=r"where a = 'x', b = 'y', winner = 'draw', column 'winner'"
    ):
        podium.count(pl.scan_parquet(tmp_path / "p*.parquet"))


def test_ragged_lines_are_told_by_the_reader_that_knows_lines(tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text("a,b,winner\nx,y,x\nx,y\n")
    with pytest.raises(DataError, match="line 3, has 2 fields"):
        podium.count(path)


def test_identifiers_are_refused_or_overlooked_on_demand(tmp_path: Path) -> None:
    rows = pl.DataFrame({"a": ["x", "x"], "b": ["y", "y"], "winner": ["a", "a"], "seed": [1, 1]})
    with pytest.raises(DataError, match="'seed' may tell one match twice"):
        podium.count(rows.lazy())
    assert podium.count(rows.lazy(), repeats=True).wins.tolist() == [[0, 2], [0, 0]]
    assert podium.rank(rows.lazy(), "copeland").data["kind"] == "matches"  # read, and counted once


def test_what_has_no_pairs(tmp_path: Path) -> None:
    scores = pl.DataFrame({"task": ["t"], "agent": ["x"], "score": [1]})
    for source in (scores.lazy(), scores, podium.read(scores), "agent57"):
        with pytest.raises(DataError, match="scores; pairs are counted of matches and ballots"):
            podium.count(source)
    with pytest.raises(DataError, match="no file fits"):
        podium.count(str(tmp_path / "*.parquet"))
    with pytest.raises(DataError, match="there is no file"):
        podium.count(tmp_path / "nothing.parquet")
    with pytest.raises(DataError, match="a list of 0 sources came"):
        podium.count([])
    with pytest.raises(DataError, match="int came"):
        podium.count(3)
    scores.write_parquet(tmp_path / "s.parquet")
    with pytest.raises(DataError, match="memory_limit is 'little'"):
        podium.count(tmp_path / "s.parquet", memory_limit="little")
    text = pl.DataFrame({"a": ["x"], "b": ["y"], "winner": ["x"], "weight": ["1"]})
    with pytest.raises(DataError, match="make it numbers first"):
        podium.count(text.lazy())


def test_names_that_differ_in_blanks_are_found_across_files(tmp_path: Path) -> None:
    (tmp_path / "p1.csv").write_text("a,b,winner\nx,y,a\n")
    (tmp_path / "p2.csv").write_text("a,b,winner\nx,y ,a\n")
    with pytest.raises(DataError, match="differ only in blanks"):
        podium.count([tmp_path / "p1.csv", tmp_path / "p2.csv"])


def test_ranking_counts_what_lives_elsewhere() -> None:
    rows = matches()
    there = podium.rank(rows.lazy(), "copeland")
    assert there.data["kind"] == "tally"
    assert there.tiers == podium.rank(rows, "copeland").tiers
    assert "600 rows of the frame were counted where they are" in there.info["notes"]
    assert podium.rank(rows.lazy()).method == podium.rank(rows).method
    assert podium.rank(rows.lazy(), "borda").data["kind"] == "matches"  # borda reads ballots
    belonging = rows.with_columns(cluster=pl.lit("one")).lazy()
    assert podium.rank(belonging, "copeland").data["kind"] == "tally"
    held = podium.rank(belonging, "copeland", intervals="auto")
    assert held.data["kind"] == "matches"  # counts would lose the clusters


def test_many_files_are_counted_by_all_that_loads_data(tmp_path: Path) -> None:
    rows = matches()
    rows[:200].write_csv(tmp_path / "p1.csv")
    rows[200:].write_csv(tmp_path / "p2.csv")
    many = str(tmp_path / "p*.csv")
    ranking = podium.rank(many, "copeland")
    assert ranking.tiers == podium.rank(rows, "copeland").tiers
    assert podium.compare(many, ["copeland"]).data["kind"] == "tally"
    assert any("counted" in note for note in podium.inspect(many).notes)
    a, b = ranking.order[:2]
    duel = podium.compare_two(many, a, b)
    assert duel.wins == podium.compare_two(podium.read(rows), a, b).wins
    assert any("counted" in note for note in duel.notes)


@given(
    st.lists(
        st.tuples(
            st.sampled_from("xyz"), st.sampled_from("xyz"), st.sampled_from(["a", "b", "tie", "x"])
        ),
        min_size=1,
        max_size=30,
    )
)
@settings(60)
def test_counting_is_reading_and_counting(rows: list[tuple[str, str, str]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b", "winner"], orient="row")

    def outcome(way: Any) -> Any:
        try:
            tally = convert(way(), Tally)
        except DataError as error:
            return str(error).rpartition("; ")[2]
        tally = tally.only(sorted(tally.agents))
        return tally.agents, tally.wins.tolist(), tally.met.tolist()

    assert outcome(lambda: podium.count(frame.lazy())) == outcome(lambda: podium.read(frame))


def test_many_agents_are_counted_as_a_list_of_pairs(tmp_path: Path) -> None:
    # As many as on the largest public boards of games for seven: no agents x agents array.
    agents, games = 52_958, 31_049
    rng = np.random.default_rng(0)
    who = np.argsort(rng.random((games, 40)), axis=1)[:, :7] + rng.integers(
        0, agents - 40, (games, 1)
    )
    ballots = [" > ".join(f"p{code}" for code in row) for row in who.tolist()]
    pl.DataFrame({"ballot": ballots}).write_csv(tmp_path / "games.csv")
    tracemalloc.start()
    tally = podium.count(tmp_path / "games.csv")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(tally.agents) > DENSE_LIMIT
    assert tally.dense is None
    assert tally.pairs.met.sum() == games * 21
    assert peak < 500e6
    same_pairs = convert(podium.read(tmp_path / "games.csv"), Tally)
    assert tally.record.won.sum() == same_pairs.record.won.sum()


def test_sums_are_rounded_only_where_they_are_fractions() -> None:
    values = np.array([0.0, 3.0, 0.1 + 0.2, 1e15 + 1, 123456.1 + 0.2])
    assert steady(values).tolist() == [0.0, 3.0, 0.3, 1e15 + 1, 123456.3]


def test_counting_a_profile_and_a_tally() -> None:
    profile = Profile.from_ballots([(2, "ba"), (1, "ab")])
    assert podium.count(profile).wins.tolist() == [[0, 1], [2, 0]]
    assert podium.count(podium.count(profile)).wins.tolist() == [[0, 1], [2, 0]]
    records = Matches.from_records([("b", "a", 1.0, 1.0, "s", 0), ("b", "a", 1.0, 1.0, "t", 0)])
    assert podium.count(records, weights={"t": 3}).wins.tolist() == [[0, 0], [4, 0]]


CELL = st.sampled_from(["x", "y", "z", 'a "b"', "c, d", ""])
BAD = st.tuples(CELL, CELL, st.sampled_from(["a", "b", "tie", "x", "no"]), st.sampled_from("123-"))


@given(
    st.lists(BAD, min_size=1, max_size=12),
    st.sampled_from(["plain", "header", "parquet"]),
    st.booleans(),
    st.sampled_from([2, 1 << 17]),
)
@settings(60)
def test_several_bad_rows_are_told_as_by_reading(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, ...]],
    form: str,
    skip: bool,
    part: int,
) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b", "winner", "weight"], orient="row")
    path = tmp_path_factory.getbasetemp() / f"many.{'parquet' if form == 'parquet' else 'csv'}"
    if form == "parquet":
        frame.write_parquet(path)
    else:  # quotes in the header are Python's to read
        frame.write_csv(path, quote_style="necessary" if form == "plain" else "non_numeric")

    def outcome(way: Any) -> Any:
        try:
            found = way(path, skip_bad_rows=skip)
        except DataError as error:
            return str(error)
        tally = convert(found, Tally)
        tally = tally.only(sorted(tally.agents))
        skipped = [note for note in found.notes if "skipped" in note]
        return tally.agents, tally.wins.tolist(), tally.met.tolist(), skipped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "PART", part)
        counted, read = outcome(podium.count), outcome(podium.read)
    # Parts are checked one after another, so the first to be told of may be another row.
    if form != "header" or part > len(rows):
        assert counted == read
    elif isinstance(read, tuple):
        assert counted[:3] == read[:3]
        assert [note.split()[0] for note in counted[3]] == [note.split()[0] for note in read[3]]
    else:
        assert isinstance(counted, str)


@pytest.mark.parametrize("start", ["a,b,winner", '"a",b,winner'])
def test_ragged_lines_can_be_skipped_wherever_they_stand(
    start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ragged.csv"
    lines = [start, "x,y", "x,y,x", "x,y,x,x", "", "x,y,draw", "x,y,tie", "x"]
    path.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(delimited, "PART", 2)
    monkeypatch.setattr(delimited, "exact_table", None)
    tally = podium.count(path, skip_bad_rows=True)
    assert tally.wins.tolist() == [[0, 1], [0, 0]]
    assert tally.met.tolist() == [[0, 2], [2, 0]]
    assert tally.notes == (
        "2 rows of ragged.csv were counted where they are",
        "4 bad rows skipped, the first at line 2, with another number of fields",
    )
    path.write_text(f"{start}\nx,y\nx,y,draw\n")
    with pytest.raises(
        DataError, match=r"ragged.csv holds no matches: 2 bad rows skipped, the fir"
    ):
        podium.count(path, skip_bad_rows=True)
    path.write_text(f"{start}\n")
    with pytest.raises(DataError, match=r"ragged.csv holds no rows"):
        podium.count(path)


def test_weights_of_another_kind_are_bad_rows(tmp_path: Path) -> None:
    rows = matches(3).with_columns(weight=pl.date(2026, 1, 31))
    rows.write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(DataError, match=r"row 1, column 'weight' holds '2026-01-31'; a weight"):
        podium.count(tmp_path / "rows.parquet")


def test_files_of_other_types_are_not_bent_to_those_of_the_first(tmp_path: Path) -> None:
    rows = pl.DataFrame({"a": ["x", "x"], "b": ["y", "y"], "winner": ["a", "b"]})
    rows.with_columns(weight=pl.lit(1)).write_parquet(tmp_path / "p1.parquet")
    rows.with_columns(weight=pl.lit(0.5)).write_parquet(tmp_path / "p2.parquet")
    rows.with_columns(weight=pl.lit("0.25")).write_parquet(tmp_path / "p3.parquet")
    rows.select("winner", "b", "a").write_parquet(tmp_path / "p4.parquet")
    tally = podium.count(str(tmp_path / "p*.parquet"))
    assert tally.wins.tolist() == [[0, 2.75], [2.75, 0]]


def test_memory_that_does_not_suffice_is_said(tmp_path: Path) -> None:
    size = 400_000
    ballots = pl.DataFrame({"ballot": [f"{n} > {n + 1} > {n + 2}" for n in range(size)]})
    ballots.write_parquet(tmp_path / "rows.parquet")
    with pytest.raises(DataError, match=r"rows.parquet cannot be counted: Out of Memory"):
        podium.count(tmp_path / "rows.parquet", memory_limit="1MB")


def outcomes(agents: int) -> pl.DataFrame:
    """Games of many agents: each ties with the next, and meets three others."""
    rng = np.random.default_rng(0)
    left = np.tile(np.arange(agents), 4)
    step = np.concatenate([np.ones(agents, int), rng.integers(2, agents, 3 * agents)])
    right = (left + step) % agents
    winner = np.where(step == 1, "tie", np.where(rng.random(len(left)) < 0.5, "a", "b"))
    names = np.array([f"p{code:05}" for code in range(agents)])
    return pl.DataFrame({"a": names[left], "b": names[right], "winner": winner})


@pytest.mark.parametrize(
    ("form", "method"),
    [
        ("matches", "copeland"),
        ("matches", "borda"),
        ("matches", "elo"),
        ("matches", "sco"),
        ("ballots", "copeland"),
    ],
)
def test_no_array_of_agents_by_agents_is_made_for_many(
    form: str, method: str, tmp_path: Path
) -> None:
    podium.rank(matches(50), "copeland")  # loads the methods
    if method not in METHODS.cards:
        pytest.skip(f"{method} is not among the methods")
    agents, path = 6_001, tmp_path / "rows.parquet"
    rows = outcomes(agents)
    if form == "ballots":
        form_of = {"a": "{0} > {1}", "b": "{1} > {0}", "tie": "{0} = {1}"}
        texts = [form_of[winner].format(a, b) for a, b, winner in rows.iter_rows()]
        rows = pl.DataFrame({"ballot": texts})
    rows.write_parquet(path)
    tracemalloc.start()
    source = podium.read(path) if method == "borda" else podium.count(path)
    ranking = podium.rank(source, method)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(ranking.ratings) == agents
    assert peak < agents * agents  # not even one byte a pair of agents
