"""What is read from which columns, and what is said about it."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers import delimited, files, jsontext, read, read_by
from podium.importers.files import find_file
from podium.importers.options import Options
from podium.importers.tables import Table
from shared import shared


def _scores(path: Path, text: str | bytes, **how: object) -> Scores:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    scores = read(path, **how)  # type: ignore[arg-type] # the options differ by case
    assert isinstance(scores, Scores)
    return scores


def _matches(path: Path, text: str, **how: object) -> Matches:
    path.write_text(text)
    matches = read(path, **how)  # type: ignore[arg-type] # the options differ by case
    assert isinstance(matches, Matches)
    return matches


def _profile(path: Path, text: str, **how: object) -> Profile:
    path.write_text(text)
    profile = read(path, **how)  # type: ignore[arg-type] # the options differ by case
    assert isinstance(profile, Profile)
    return profile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.csv"


def test_tidy_and_wide_forms_give_the_same(path: Path) -> None:
    tidy = _scores(path, "task,agent,score\ns,a,1\ns,b,2.5\nt,a,-3e2\n")
    wide = _scores(path, "task,a,b\ns,1,2.5\nt,-3e2,\n")
    for scores in (tidy, wide):
        assert scores.agents == ("a", "b")
        assert scores.tasks == ("s", "t")
        np.testing.assert_array_equal(scores.means, [[1, 2.5], [-300, np.nan]])
    assert wide.notes == ("1 score missing",)


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbftask,agent,score\nt,a,1\nt,b,2\n",
        b"task,agent,score\r\nt,a,1\r\nt,b,2\r\n",
        b"task,agent,score\rt,a,1\rt,b,2\r",
        b"task,agent,score\n\n\nt,a,1\n   \nt,b,2",
        b"Task, AGENT ,Score\nt,a,1\nt,b,2\n",
        b'"task","agent","score"\n"t","a","1"\n"t","b","2"\n',
        b"score,task,agent\n1,t,a\n 2 ,t,b\n",
    ],
)
def test_harmless_differences_of_files(path: Path, text: bytes) -> None:
    scores = _scores(path, text)
    assert (scores.agents, scores.means.tolist()) == (("a", "b"), [[1.0, 2.0]])


def test_blank_scores_are_missing_and_never_zero(path: Path) -> None:
    scores = _scores(path, "task,agent,score\nt,a,1\nt,b,\nt,c,  \n")
    assert scores.agents == ("a", "b", "c")
    assert (scores.missing, scores.notes) == (2, ("2 scores missing",))


def test_rows_without_an_identifier_are_samples(path: Path) -> None:
    scores = _scores(path, "task,agent,score\nt,a,1\nt,a,1\nt,a,4\n")
    assert (scores.counts.tolist(), scores.means.tolist()) == ([[3]], [[2.0]])
    assert (scores.sample, scores.notes) == (None, ())


def test_rows_that_share_an_identifier_count_once(path: Path) -> None:
    text = "task,agent,seed,score\nt,a,1,5\nt,a,1,5\nt,a,2,5\nt,b,1,5\nt,a,,5\nt,a,,5\n"
    scores = _scores(path, text)
    assert scores.counts.tolist() == [[4, 1]]
    assert scores.sample is not None
    assert len(set(scores.sample.tolist())) == 4  # seeds 1 and 2, and two rows without a seed
    assert scores.notes == (
        "1 row repeated another (task, agent and identifier, value); counted once",
    )


@pytest.mark.parametrize(("rule", "value"), [("mean", 3.0), ("first", 1.0), ("last", 5.0)])
def test_contradictions_follow_a_rule_that_is_named(path: Path, rule: str, value: float) -> None:
    text = "task,agent,instance,score\nt,b,7,9\nt,a,7,1\nt,a,7,1\nt,a,7,5\n"
    scores = _scores(path, text, on_conflict=rule)
    assert scores.value.tolist() == [9.0, value]
    assert any(f"took the {rule}" in note for note in scores.notes)


def test_several_identifiers_count_together(path: Path) -> None:
    scores = _scores(path, "task,agent,seed,instance,score\nt,a,1,x,1\nt,a,1,y,2\nt,a,2,x,3\n")
    assert scores.counts.tolist() == [[3]]


def test_weights_directions_and_ignored_columns(path: Path) -> None:
    text = "task,agent,score,weight,lower_is_better,model\ns,a,1,2,TRUE,m\nt,a,1,0,false,m\n"
    scores = _scores(path, text)
    assert scores.weights.tolist() == [2.0, 0.0]
    assert scores.lower_is_better.tolist() == [True, False]
    assert scores.notes == ("column 'model' ignored",)
    again = _scores(path, text, weights={"t": 3.0}, lower_is_better=["t"])
    assert again.weights.tolist() == [2.0, 3.0]
    assert again.lower_is_better.tolist() == [True, True]


def test_columns_of_other_names(path: Path) -> None:
    text = "game,model,return,score\npong,dqn,18,0\n"
    scores = _scores(path, text, columns={"task": "game", "agent": "model", "score": "return"})
    assert (scores.tasks, scores.agents, scores.value.tolist()) == (("pong",), ("dqn",), [18.0])
    assert scores.notes == ("column 'score' ignored",)


def test_summaries_keep_what_is_published(path: Path) -> None:
    text = "task,agent,mean,std\nt,a,1,0.5\nt,b,2,\nu,a,,\nu,b,3,0\n"
    scores = _scores(path, text)
    assert scores.stds is not None
    np.testing.assert_array_equal(scores.stds, [[0.5, np.nan], [np.nan, 0]])
    np.testing.assert_array_equal(scores.means, [[1, 2], [np.nan, 3]])


def test_bad_rows_can_be_skipped_and_are_counted(path: Path) -> None:
    text = "task,agent,score\nt,a,1\nt,b,oops\nt\nt,c,nan\nt,d,2\n"
    scores = _scores(path, text, skip_bad_rows=True)
    assert scores.agents == ("a", "d")
    assert scores.notes == (
        "1 bad row skipped, the first at line 4, with another number of fields",
        "2 bad rows skipped, the first at line 3, 'score': 'oops'",
    )


@pytest.mark.parametrize(
    ("header", "winners"),
    [
        ("a,b,winner", "a b tie x y both_bad"),
        ("model_a,model_b,winner", "model_a model_b tie x y bothbad"),
        ("agent_a,agent_b,winner", "agent_a agent_b tie x y tie"),
        ("a,b,score", "1 0 0.5 1.0 0e0 .5"),
    ],
)
def test_winners_in_all_spellings(path: Path, header: str, winners: str) -> None:
    rows = "".join(f"x,y,{word}\n" for word in winners.split())
    matches = _matches(
        path, f"{header}\n{rows}y,z,{'1' if 'score' in header else 'tie (bothbad)'}\n"
    )
    assert matches.score.tolist()[:6] == [1, 0, 0.5, 1, 0, 0.5]
    assert matches.agents == ("x", "y", "z")


def test_agents_named_like_words_are_read_where_there_is_one_meaning(path: Path) -> None:
    text = "a,b,winner\na,b,a\na,b,b\ntie,x,a\nx,y,tie\nb,x,x\nx,a,b\n"
    matches = _matches(path, text)
    assert matches.score.tolist() == [1, 0, 1, 0.5, 0, 0]


def test_matches_with_all_they_may_have(path: Path) -> None:
    text = "a,b,score,weight,task,time,cluster\nx,y,1,2,chess,2026-01-02,j\ny,x,0,0,go,2026-01-03T00:00:01,j\n"
    matches = _matches(path, text, weights={"go": 3.0})
    assert matches.weight.tolist() == [2.0, 0.0]
    assert matches.tasks == ("chess", "go")
    assert matches.time is not None
    assert np.diff(matches.time).tolist() == [86_401.0]
    assert matches.cluster is not None
    assert matches.cluster.tolist() == [0, 0]


def test_matches_with_an_identifier_count_once_and_swapped_sides_are_another(path: Path) -> None:
    text = "a,b,winner,instance\nx,y,a,1\nx,y,x,1\ny,x,b,1\nx,y,b,2\n"
    matches = _matches(path, text)
    assert matches.score.tolist() == [1, 0, 0]
    assert _matches(path, text + "x,y,tie,2\n", on_conflict="last").score.tolist() == [1, 0, 0.5]


def test_ballots_with_ties_quotes_weights_and_agents_that_stood(path: Path) -> None:
    text = 'ballot,weight,task,agents\na > b = c,2,t,d = a\n"""x > y"" > a",0.5,u,\n'
    profile = _profile(path, text)
    assert profile.agents == ("d", "a", "b", "c", "x > y")
    assert list(profile.ballots()) == [(2.0, (("a",), ("b", "c"))), (0.5, (("x > y",), ("a",)))]
    assert profile.sources == ("t", "u")
    assert len(_profile(path, "ballot\na > b\na >\n", skip_bad_rows=True)) == 1


def test_arena_rows_as_json(tmp_path: Path) -> None:
    path = tmp_path / "battles.json"
    path.write_text(
        '[{"model_a": "x", "model_b": "y", "winner": "tie (bothbad)", "turn": 1, "anony": true}]'
    )
    matches = read(path)
    assert isinstance(matches, Matches)
    assert matches.score.tolist() == [0.5]
    assert matches.notes == ("column 'turn' ignored",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "x.json",
            '[{"task": "t", "agent": "a", "score": 1}, {"task": "t", "agent": "b", "score": null}]',
        ),
        ("x.json", '{"task": ["t", "t"], "agent": ["a", "b"], "score": ["1", ""]}'),
        (
            "x.jsonl",
            '{"task": "t", "agent": "a", "score": 1.0}\n{"task": "t", "agent": "b", "score": null}\n',
        ),
        ("x.ndjson", '{"task": "t", "a": 1, "b": null}'),
        ("x.tsv", "task\ta\tb\nt\t1\t\n"),
    ],
)
def test_other_formats(tmp_path: Path, name: str, text: str) -> None:
    scores = _scores(tmp_path / name, text)
    assert scores.agents == ("a", "b")
    assert (scores.value.tolist(), scores.missing) == ([1.0], 1)
    packed = _scores(tmp_path / f"{name}.gz", gzip.compress(text.encode()))
    assert packed.agents == scores.agents


def test_whole_numbers_of_json_are_names(tmp_path: Path) -> None:
    scores = _scores(
        tmp_path / "x.json",
        '[{"task": 1, "agent": "a", "score": 1}, {"task": 2, "agent": "a", "score": 1}]',
    )
    assert scores.tasks == ("1", "2")


def test_each_part_of_a_column_apart(path: Path) -> None:
    path.write_text("field,task,agent,score\nx,s,a,1\ny,t,a,1\ny,t,b,2\nx,s,c,3\n")
    parts = read_by(path, "field", weights={"t": 2.0}, lower_is_better=["s"])
    assert {name: part.agents for name, part in parts.items()} == {"x": ("a", "c"), "y": ("a", "b")}
    assert [part.notes for part in parts.values()] == [(), ()]
    assert [part.tasks for part in read_by(path, "task").values()] == [("s",), ("t",)]
    with pytest.raises(DataError, match="no column named 'fields'"):
        read_by(path, "fields")
    with pytest.raises(DataError, match="no task named 'z'"):
        read_by(path, "field", weights={"z": 2.0})
    path.write_text("field,task,agent,score\n,s,a,1\n")
    with pytest.raises(DataError, match=r"line 2, column 'field' is empty"):
        read_by(path, "field")
    path.write_text("field,task,agent,score\nx,s,a,1\ny,t,a,oops\n")
    with pytest.raises(DataError, match="line 3, column 'score' holds 'oops'"):
        read_by(path, "field")


def test_bundled_data_go_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = pytest.importorskip("podium.bundled")
    for card in bundled.SETS:
        assert read(card.name).agents == read(card.path).agents
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent57").mkdir()
    with pytest.raises(DataError, match="folder"):
        read("agent57")


FIELD = st.one_of(
    st.text(st.sampled_from('ab ,"\n\r\t;é€'), max_size=4),
    st.sampled_from(["1", '"x"', '""', "1e5"]),
)
LINES = st.lists(st.lists(FIELD, min_size=1, max_size=3).map(",".join), max_size=4).map("\n".join)
QUOTED = st.text(st.sampled_from('ab ,"\n\r\t'), max_size=6).map(
    lambda text: '"' + text.replace('"', '""') + '"'
)
TIDY = st.lists(st.lists(QUOTED | st.sampled_from(["a b", "1"]), min_size=2, max_size=2))
NOISE = st.text(st.sampled_from('ab1.e+-, "\n\r\t'), max_size=30)


def _told(table: Table) -> object:
    """What readers get to see of a table."""
    told = []
    for column in table.columns.values():
        codes, names = column.names()
        values, blank, wrong = column.numbers()
        told.append((codes.tolist(), names, values.tolist(), blank.tolist(), wrong.tolist()))
    return repr(
        (list(table.columns), table.size, told, [table.place(row) for row in range(table.size)])
    )


@settings(max_examples=50, deadline=None)
@given(
    text=st.one_of(LINES, NOISE, TIDY.map(lambda rows: "\n".join(map(",".join, rows)))),
    end=st.sampled_from(["\n", "\r\n"]),
    block=st.sampled_from([12, 13, 1 << 22]),
)
def test_duckdb_and_python_read_alike(
    tmp_path_factory: pytest.TempPathFactory, text: str, end: str, block: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "alike.csv"
    path.write_bytes(f"x,y{end}a,1{end}{text}".encode())
    answers = []
    for large in (1 << 40, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(delimited, "LARGE", large)
            patch.setattr(files, "_BLOCK", block)
            try:
                answers.append(_told(delimited.read_table(find_file(path), Options())))
            except DataError as error:
                answers.append(str(error))
    assert answers[0] == answers[1]


JSON_ROW = st.dictionaries(
    st.sampled_from(["task", "agent", "score", "a:b"]),
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["x", "{", ":", '"'])
    ),
    max_size=4,
)


@given(
    rows=st.lists(JSON_ROW, min_size=1, max_size=5),
    between=st.sampled_from(["\n", "\n\n", " ", ","]),
)
def test_fast_and_strict_json_lines_read_alike(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]], between: str
) -> None:
    import json

    path = tmp_path_factory.getbasetemp() / "alike.jsonl"
    path.write_text(between.join(map(json.dumps, rows)) + "\n")
    answers = []
    for large in (1 << 40, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jsontext, "LARGE", large)
            try:
                answers.append(_told(jsontext.read_table(find_file(path), Options())))
            except DataError as error:
                answers.append(str(error))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("name", "agents", "tasks", "how"),
    [
        ("atari/agent57_h4.csv", 8, 57, {}),
        ("atari/rainbow_table5_human_starts.csv", 8, 54, {}),
        ("atari/deviation_ratings_table3.csv", 20, 53, {}),
        ("agentbench/agentbench_v1_table3.csv", 25, 8, {}),
        ("llm/livebench_2024_08_17.csv", 65, 18, {}),
        ("llm/mmlu_open_llm.csv.gz", 98, 57, {}),
        ("llm/alpaca_eval2_instances.csv.gz", 58, 5, {}),
        ("llm/helm_core_mean_win_rate.csv", 67, 8, {"columns": {"task": "group", "score": "mean_win_rate"}}),
        ("matches/international_football.csv.gz", 337, 0, {"columns": {"score": "result", "time": "date"}}),
    ],
)  # fmt: skip
def test_published_tables(name: str, agents: int, tasks: int, how: dict[str, object]) -> None:
    data = read(shared(f"data/{name}"), **how)  # type: ignore[arg-type] # the options differ by case
    assert (len(data.agents), len(data.tasks)) == (agents, tasks)


def test_columns_that_do_not_fit_are_listed_with_those_expected() -> None:
    with pytest.raises(
        DataError, match=r"'group', 'agent', 'mean_win_rate'; give task, agent, score"
    ):
        read(shared("data/llm/helm_core_mean_win_rate.csv"))
