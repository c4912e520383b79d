"""Malformed files: each gives one DataError that says where, what came and what is allowed."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from podium.errors import DataError
from podium.importers import read


class Bad(NamedTuple):
    name: str
    content: bytes | str
    says: tuple[str, ...]
    how: Mapping[str, Any] = MappingProxyType({})


def _soc(body: str, *, voters: int = 3, orders: int = 2, kind: str = "soc", names: int = 3) -> str:
    head = f"# FILE NAME: x.{kind}\n# TITLE: x\n# DATA TYPE: {kind}\n# NUMBER ALTERNATIVES: 3\n"
    head += f"# NUMBER VOTERS: {voters}\n# NUMBER UNIQUE ORDERS: {orders}\n"
    return head + "".join(f"# ALTERNATIVE NAME {i + 1}: {'ABC'[i]}\n" for i in range(names)) + body


T = "task,agent,score\n"
M = "a,b,winner\n"
W = "task,x,y\n"

BYTES = [
    Bad("x.csv", b"", ("is empty",)),
    Bad("x.csv", b" \n\r\n", ("is empty",)),
    Bad("x.csv", b"\xef\xbb\xbf", ("is empty",)),
    Bad("x.jsonl", b"", ("is empty",)),
    Bad("x.json", b"\n", ("is empty",)),
    Bad("x.soc", b"", ("is empty",)),
    Bad("x.csv", b"task,agent,score\nt,a,1\nt,\0b,1\n", ("line 3", "NUL")),
    Bad("x.csv", "task,agent,score\nt,a,1\n".encode("utf-16"), ("UTF-16",)),
    Bad("x.csv", "task,agent,score\nt,a,1\n".encode("utf-32"), ("UTF-32",)),
    Bad("x.csv", b"task,agent,score\nt,a,1\nt,caf\xe9,1\n", ("line 3", "0xe9", "UTF-8")),
    Bad("x.soc", b"# TITLE: caf\xe9\n", ("line 1", "0xe9")),
    Bad("x.csv", gzip.compress(b"task,agent,score\nt,a,1\n"), ("gzip",)),
    Bad("x.csv", b"PK\x03\x04rest", ("ZIP",)),
    Bad("x.csv", b"PAR1rest", ("Parquet",)),
    Bad("x.csv.gz", b"task,agent,score\nt,a,1\n", ("is not packed with gzip",)),
    Bad(
        "x.csv.gz", gzip.compress(b"task,agent,score\nt,a,1\n" * 50)[:-12], ("cut off or damaged",)
    ),
    Bad("x.csv.gz", b"\x1f\x8bnothing of that kind", ("cut off or damaged",)),
    Bad("x.parquet.gz", gzip.compress(b"x"), (".gz",)),
    Bad("x.parquet", b"PAR1 and no more", ("cannot be read as Parquet",)),
    Bad("x.parquet", b"", ("cannot be read as Parquet",)),
    Bad("x.npz", b"no archive", ("cannot be read as .npz",)),
    Bad("x.txt", b"task,agent,score\n", ("'.txt'", "'.csv'")),
    Bad("x", b"task,agent,score\n", ("''", "'.csv'")),
    Bad("x.xlsx", b"PK", ("save the sheet as CSV",)),
    Bad("x.csv.zip", b"PK", ("unpack it",)),
    Bad("x.wmd", b"#", ("matching data",)),
    Bad("x.cat", b"#", ("categories",)),
]

SHAPE = [
    Bad("x.csv", "task,agent,score\n", ("header and no rows",)),
    Bad("x.csv", "\x0c", ("only blanks",)),
    Bad("x.soc", "\x1d", ("line 1", "# KEY: value")),
    Bad("x.csv", "task;agent;score\nt;a;1\n", ("line 1", "semicolons", "commas")),
    Bad("x.csv", "task\tagent\tscore\nt\ta\t1\n", ("line 1", "tabs", ".tsv")),
    Bad("x.tsv", "task,agent,score\nt,a,1\n", ("line 1", "commas", "tabs")),
    Bad("x.csv", "task,agent,score,score\nt,a,1,2\n", ("line 1", "'score'", "twice")),
    Bad("x.csv", "Task,task,agent,score\nt,s,a,1\n", ("'Task', 'task'", "rename")),
    Bad("x.csv", "pong,dqn,18.9\npong,a3c,7\n", ("'18.9'", "header missing")),
    Bad("x.csv", "game,model,value\np,d,1\n", ("'game', 'model', 'value'", "task, agent, score")),
    Bad("x.csv", "task,agent,value\np,d,1\n", ("'value'", "'agent'")),
    Bad("x.csv", "task,model,score\np,d,1\n", ("'score'",)),
    Bad("x.csv", "task,x,weight\np,1,2\n", ("'weight'", "wide form")),
    Bad("x.csv", "task\np\n", ("'task' alone",)),
    Bad("x.csv", "task,x,\np,1,2\n", ("column ''", "agent")),
    Bad("x.csv", "task,agent,score,mean,std\nt,a,1,2,3\n", ("scores", "summaries", "kind=")),
    Bad("x.csv", "a,b,winner,score\nx,y,a,1\n", ("(a, b, winner)", "(a, b, score)")),
    Bad("x.csv", T + "t,a,1\nt,b\n", ("line 3", "2 fields", "3")),
    Bad("x.csv", T + "t,a,1\nt,b,1,zz\n", ("line 3", "4 fields", "'zz'")),
    Bad("x.csv", T + "t,a,1\n\n\nt,b\n", ("line 5", "2 fields")),
    Bad("x.csv", T + 't,"a\nb",1\nt,c\n', ("line 4", "2 fields")),
    Bad("x.csv", T + "t,a,1\n" + 't,"b,2\nt,c,3\n', ("line 3", "quote", "never closes")),
    Bad("x.csv", T + 't,"a"b,1\n', ("line 2", "double the quotes")),
    Bad("x.csv", T + "t,a,1\n", ("'task', 'agent', 'score'", "ballot"), {"kind": "ballots"}),
    Bad("x.csv", T + "t,a,1\n", ("payoff_1",), {"kind": "game"}),
    Bad("x.csv", T + "t,a,1\n", ("no column 'model'",), {"columns": {"agent": "model"}}),
]

SCORE_CELLS = [
    Bad("x.csv", T + f"t,a,1\nt,b,{cell}\n", ("line 3", "'score'", shown, "finite number"))
    for cell, shown in [
        ("nan", "'nan'"), ("NaN", "'NaN'"), ("inf", "'inf'"), ("-Infinity", "'-Infinity'"), ("1e400", "'1e400'"),
        ("1_000", "'1_000'"), ('"1,5"', "'1,5'"), ('"1,000.5"', "'1,000.5'"), ("0x1F", "'0x1F'"), ("true", "'true'"),
        ("50%", "'50%'"), ("$3", "'$3'"), ("1.2.3", "'1.2.3'"), ("--1", "'--1'"), ("NA", "'NA'"), ("null", "'null'"),
        ("1e", "'1e'"), ("٣", "'٣'"), ("1 2", "'1 2'"), (".", "'.'"), ("x" * 200, "(200 in all)"),
    ]
]  # fmt: skip

SCORES = [
    Bad("x.csv", T + "t,a,1\n,b,1\n", ("line 3", "'task'", "nothing")),
    Bad("x.csv", T + "t,a,1\nt,,1\n", ("line 3", "'agent'", "nothing")),
    Bad("x.csv", T + "t,a,1\nt,  ,1\n", ("line 3", "'agent'", "'  '")),
    Bad("x.csv", T + f"t,{'a' * 600},1\n", ("line 2", "'agent'", "512")),
    Bad("x.csv", T + "t,a,1\nt,a ,1\n", ("'a' and 'a '", "blanks")),
    Bad("x.csv", T + "t,a,\nt,b,\n", ("no score",)),
    Bad("x.csv", W + "t,1,2\nu,1,oops\n", ("line 3", "'y'", "'oops'")),
    Bad("x.csv", W + ",1,2\n", ("line 2", "'task'")),
    Bad("x.csv", "task,x,x \nt,1,2\n", ("'x' and 'x '",)),
    Bad("x.csv", "task,agent,score,weight\nt,a,1,2\nt,b,1,3\n", ("line 3", "'weight'", "'3'", "line 2")),
    Bad("x.csv", "task,agent,score,weight\nt,a,1,-2\n", ("line 2", "'weight'", "'-2'", "at least 0")),
    Bad("x.csv", "task,agent,score,weight\nt,a,1,nan\n", ("line 2", "'weight'", "'nan'")),
    Bad("x.csv", "task,agent,score,weight\nt,a,1,\n", ("line 2", "'weight'", "nothing")),
    Bad("x.csv", "task,agent,score,seed\nt,a,1,7\nt,a,2,7\n", ("line 3, column 'score' holds 2", "line 2 holds 1", "on_conflict")),
    Bad("x.csv", "task,agent,score,lower_is_better\nt,a,1,maybe\n", ("line 2", "'maybe'", "true or false")),
    Bad("x.csv", "task,agent,score,lower_is_better\nt,a,1,1\nt,b,1,0\n", ("line 3", "direction")),
    Bad("x.csv", "task,agent,mean,std\nt,a,1,-1\n", ("line 2", "'std'", "'-1'", "at least 0")),
    Bad("x.csv", "task,agent,mean,std\nt,a,nan,1\n", ("line 2", "'mean'", "'nan'")),
    Bad("x.csv", "task,agent,mean,std\nt,a,,1\n", ("line 2", "'mean'", "needs its mean")),
    Bad("x.csv", "task,agent,mean,std\nt,a,1,1\nt,a,2,1\n", ("line 3, column 'mean' holds 2", "line 2 holds 1")),
    Bad("x.csv", T + "t,a,x\nt,b,y\n", ("no rows of scores", "2 bad rows", "line 2"), {"skip_bad_rows": True}),
]  # fmt: skip

MATCHES = [
    Bad("x.csv", M + "x,y,a\nx,y,x wins\n", ("line 3", "'winner'", "'x wins'", "'tie'")),
    Bad("x.csv", M + "x,y,A\n", ("line 2", "'A'")),
    Bad("x.csv", M + "x,y,\n", ("line 2", "'winner'", "nothing")),
    Bad("x.csv", M + "x,y,z\nz,x,a\n", ("line 2", "'z'", "one of the two agents")),
    Bad("x.csv", M + "b,x,b\n", ("line 2", "'b'", "also the name of an agent")),
    Bad("x.csv", M + "tie,x,tie\n", ("line 2", "'tie'", "also the name of an agent")),
    Bad("x.csv", M + "x,x,a\n", ("line 2", "'b'", "meet itself")),
    Bad("x.csv", M + ",x,a\n", ("line 2", "'a'", "nothing")),
    Bad("x.csv", "a,b,score\nx,y,0.7\n", ("line 2", "'score'", "'0.7'", "1, 0.5 or 0")),
    Bad("x.csv", "a,b,score\nx,y,\n", ("line 2", "'score'", "nothing")),
    Bad("x.csv", "a,b,score\nx,y,2-1\n", ("line 2", "'score'", "'2-1'")),
    Bad("x.csv", "model_a,model_b,winner\nx,y,modelb\n", ("line 2", "'modelb'", "'model_b'", "'both_bad'")),
    Bad("x.csv", "model_a,model_b,winner\nx,y,a\n", ("line 2", "'a'")),
    Bad("x.csv", "a,b,winner,weight\nx,y,a,-1\n", ("line 2", "'weight'", "'-1'")),
    Bad("x.csv", "a,b,winner,time\nx,y,a,yesterday\n", ("line 2", "'time'", "'yesterday'")),
    Bad("x.csv", "a,b,winner,time\nx,y,a,5\nx,y,a,2020-01-01\n", ("line 2", "'time'", "'5'")),
    Bad("x.csv", "a,b,winner,task\nx,y,a,\n", ("line 2", "'task'", "nothing")),
    Bad("x.csv", "a,b,winner,instance\nx,y,a,1\nx,y,b,1\n", ("line 3", "line 2", "on_conflict")),
    Bad("x.csv", "a,b,winner,instance\nx,y,a,1\nx,y,b,1\nx,y,b,1\nx,y,tie,1\nx,z,a,1\nx,z,tie,1\n", ("no mean",), {"on_conflict": "mean"}),
    Bad("x.csv", M + "x,y,a\n", ("matches", "lower_is_better"), {"lower_is_better": ["t"]}),
]  # fmt: skip

BALLOTS = [
    Bad("x.csv", "ballot\na > b > a\n", ("line 2", "'ballot'", "twice")),
    Bad("x.csv", "ballot\na > > b\n", ("line 2", "'a > > b'", "empty")),
    Bad("x.csv", "ballot\na > b >\n", ("line 2", "empty")),
    Bad("x.csv", "ballot\na = \n", ("line 2", "empty")),
    Bad("x.csv", "ballot,weight\n,2\n", ("line 2", "'ballot'", "nothing")),
    Bad("x.csv", 'ballot\n"a, b, c"\n', ("line 2", "'a, b, c'")),
    Bad("x.csv", "ballot\na < b\n", ("line 2", "'a < b'")),
    Bad("x.csv", 'ballot\n"""a"" b > c"\n', ("line 2",)),
    Bad("x.csv", "ballot,weight\na > b,0\n", ("line 2", "'weight'", "'0'", "above 0")),
    Bad("x.csv", "ballot,weight\na > b,-1\n", ("line 2", "'weight'", "'-1'")),
    Bad("x.csv", "ballot,weight\na > b,inf\n", ("line 2", "'weight'", "'inf'")),
    Bad("x.csv", "ballot,task\na > b,\n", ("line 2", "'task'")),
    Bad("x.csv", "ballot,agents\na > b,x >\n", ("line 2", "'agents'")),
]

PREFLIB = [
    Bad("x.soc", "3\n1,A\n2,B\n3,C\n3,3,1\n3,1,2,3\n", ("line 1", "'3'", "before 2022")),
    Bad("x.soc", "1: 1,2,3\n# TITLE: x\n", ("line 1", "'1: 1,2,3'")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,3\n", voters=4), ("NUMBER VOTERS is 4", "3")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,3\n", orders=3), ("NUMBER UNIQUE ORDERS is 3", "2")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 1,2,3\n"), ("one order on two lines",)),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,3\n", names=2), ("NUMBER ALTERNATIVES is 3", "1, 2")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,4\n"), ("line 11", "alternative 4")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,0\n"), ("line 11", "alternative 0")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,2\n"), ("line 11", "alternative 2 twice")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1\n"), ("line 11", "2 of 3", ".soi")),
    Bad("x.soc", _soc("2: 1,2,3\n1: {2,1},3\n"), ("line 11", "a tie", ".toc")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,x\n"), ("line 11", "'1: 2,1,x'")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,,1\n"), ("line 11", "'1: 2,,1'")),
    Bad("x.toc", _soc("2: 1,2,3\n1: {},1,2\n", kind="toc"), ("line 11", "{}")),
    Bad("x.toc", _soc("2: 1,2,3\n1: {1,2,3\n", kind="toc"), ("line 11", "{1,2,3")),
    Bad("x.soc", _soc("2: 1,2,3\n-1: 2,1,3\n"), ("line 11", "'-1: 2,1,3'")),
    Bad("x.soc", _soc("3: 1,2,3\n0: 2,1,3\n"), ("line 11", "0 voters")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,3\n", kind="soi"), ("'soi'", "'.soc'")),
    Bad("x.soc", _soc("2: 1,2,3\n1: 2,1,3\n", kind="cat"), ("categories",)),
    Bad("x.soc", _soc("").replace("NUMBER VOTERS: 3", "NUMBER VOTERS: 0").replace("ORDERS: 2", "ORDERS: 0"), ("no ballot",)),
    Bad("x.soc", _soc("3: 1,2,3\n", orders=1).replace("NAME 2: B", "NAME 2: A"), ("NAME 2", "'A'")),
    Bad("x.soc", _soc("3: 1,2,3\n", orders=1).replace("NAME 2: B", "NAME 2:"), ("NAME 2", "nothing")),
    Bad("x.soc", _soc("3: 1,2,3\n", orders=1).replace("VOTERS: 3", "VOTERS: many"), ("NUMBER VOTERS", "'many'")),
    Bad("x.soc", _soc("3: 1,2,3\n", orders=1) + "# NUMBER VOTERS: 3\n", ("'NUMBER VOTERS' twice",)),
    Bad("x.soc", _soc("3: 1,2,3\n", orders=1), ("scores",), {"kind": "scores"}),
]  # fmt: skip

JSON = [
    Bad("x.json", "{", ("character 2",)),
    Bad("x.json", "3", ("holds 3", "list of rows")),
    Bad("x.json", "[]", ("holds []",)),
    Bad("x.json", "[1, 2]", ("row 1", "is 1")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": 1}, 5]', ("row 2", "is 5")),
    Bad("x.json", '{"task": ["t"], "agent": ["a", "b"], "score": [1]}', ("lengths", "'agent': 2")),
    Bad("x.json", '{"task": "t"}', ("'task'", "'t'")),
    Bad("x.json", '[{"task": "t", "task": "u", "agent": "a", "score": 1}]', ("'task' twice",)),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": NaN}]', ("row 1", "'score'", "nan")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": 1e999}]', ("row 1", "'score'", "inf")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": true}]', ("row 1", "'score'", "True")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": [1]}]', ("row 1", "'score'", "[1]")),
    Bad("x.json", '[{"task": "t", "agent": {"n": "a"}, "score": 1}]', ("row 1", "'agent'", "{'n': 'a'}")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": 1}, {"task": "t", "agent": "b"}]', ("row 2", "'score'", "not even null")),
    Bad("x.json", '[{"task": 1, "agent": "a", "score": 1}, {"task": "1", "agent": "b", "score": 1}]', ("row 1", "'task'", "holds 1")),
    Bad("x.json", '[{"task": 1.5, "agent": "a", "score": 1}]', ("row 1", "'task'", "1.5")),
    Bad("x.json", '[{"task": "t", "agent": "\\ud800", "score": 1}]', ("row 1", "'agent'")),
    Bad("x.json", '[{"task": "t", "agent": "a", "score": ' + "9" * 5000 + "}]", ("x.json",)),
    Bad("x.json", "[" * 100_000, ("nested",)),
    Bad("x.json", '{"payoff_1": [[1, 2]], "payoff_3": [[1, 2]]}', ("'payoff_3'", "payoff_1, ...")),
    Bad("x.json", '{"payoff_1": [[1, 2], [3]], "payoff_2": [[1, 2], [3, 4]]}', ("'payoff_1'", "one shape")),
    Bad("x.json", '{"payoff_1": [["x"]], "payoff_2": [[1]]}', ("'payoff_1'",)),
    Bad("x.json", '{"payoff_1": [[1, 2]], "payoff_2": [[1, 2]], "strategies_1": ["a"]}', ("strategies_1",)),
    Bad("x.json", '{"payoff_1": [[1]], "payoff_2": [[1]], "strategies_1": ["a"], "strategies_2": [3]}', ("'strategies_2'", "[3]")),
    Bad("x.json", '{"payoff_1": [[1]], "payoff_2": [[1]], "strategies_1": ["a"], "strategies_2": ["a", "b"]}', ("x.json", "shape")),
    Bad("x.json", '{"payoff_1": [[NaN]], "payoff_2": [[1]]}', ("x.json", "finite")),
    Bad("x.jsonl", '{"task": "t", "agent": "a", "score": 1}\n{"task": "t",\n', ("line 2", "character")),
    Bad("x.jsonl", '{"task": "t", "agent": "a", "score": 1}\n\n[1]\n', ("line 3", "[1]")),
    Bad("x.jsonl", '{"task": "t", "agent": "a", "score": 1} {"task": "t"}\n', ("line 1", "Extra data")),
    Bad("x.jsonl", '{"task": "t", "agent": "a", "score": 1}\n{"task": "t", "agent": "b", "score": "x"}\n', ("line 2", "'score'", "'x'")),
    Bad("x.jsonl", '{"task": "t", "agent": "a", "score": 1}\n{"agent": "b", "agent": "c"}\n', ("line 2", "'agent' twice")),
    Bad("x.jsonl", "{}\n", ("no rows",)),
]  # fmt: skip

REQUESTS = [
    (T + "t,a,1\n", "kind is 'bollots'; choose from 'scores'", {"kind": "bollots"}),
    (T + "t,a,1\n", "columns names 'player'; choose from", {"columns": {"player": "agent"}}),
    (T + "t,a,1\n", "on_conflict is 'max'; choose from 'error'", {"on_conflict": "max"}),
    (T + "t,a,1\n", "lower_is_better names 's'; the tasks are 't'", {"lower_is_better": ["s"]}),
    (T + "t,a,1\n", "lower_is_better is 't'; give a list", {"lower_is_better": "t"}),
    (T + "t,a,1\n", "no task named 's'; choose from 't'", {"weights": {"s": 2.0}}),
    (T + "t,a,1\n", "weight of task 't' is -1", {"weights": {"t": -1}}),
    (M + "x,y,a\n", "have no tasks; weights are for tasks", {"weights": {"t": 1.0}}),
]

ALL = [*BYTES, *SHAPE, *SCORE_CELLS, *SCORES, *MATCHES, *BALLOTS, *PREFLIB, *JSON]


@pytest.mark.parametrize("bad", ALL, ids=lambda bad: f"{bad.name}-{bad.says[-1][:30]}")
def test_one_error_says_where_and_what(bad: Bad, tmp_path: Path) -> None:
    path = tmp_path / bad.name
    path.write_bytes(bad.content if isinstance(bad.content, bytes) else bad.content.encode())
    with pytest.raises(DataError) as caught:
        read(path, **bad.how)
    message = str(caught.value)
    assert bad.name in message
    assert [part for part in bad.says if part not in message] == []
    assert "\n" not in message
    assert len(message) < 1200


@pytest.mark.parametrize(("content", "says", "how"), REQUESTS, ids=lambda part: str(part)[:30])
def test_a_wrong_request_says_what_is_allowed(
    content: str, says: str, how: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        read(path, **how)
    assert says in str(caught.value)


def test_there_are_many_cases() -> None:
    assert len(ALL) >= 60


def test_a_folder_a_missing_file_and_a_strange_path(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(T + "t,a,1\n")
    for path, says in [
        (tmp_path, "is a folder"),
        (tmp_path / "score.csv", "did you mean 'scores.csv'"),
        (tmp_path / "none" / "x.csv", "there is no file"),
        ("a\0b.csv", "there is no file"),
        ("x" * 5000 + ".csv", "no usable path"),
        ("no-such-data", "no-such-data"),
    ]:
        with pytest.raises(DataError, match=says):
            read(path)


def test_a_large_file_gives_the_same_messages(tmp_path: Path) -> None:
    good = T + "".join(f"task {i % 100},agent {i % 977},{i % 31}.5\n" for i in range(120_000))
    path = tmp_path / "big.csv"
    for tail, says in [
        ("t,a,nan\n", "big.csv, line 120002, column 'score' holds 'nan'"),
        ("t,,1\n", "big.csv, line 120002, column 'agent' holds nothing"),
        ("t,a\n", "big.csv, line 120002, has 2 fields"),
        ('t,"a,1\n', "big.csv, line 120002: a quote opens"),
        ('t,"a\nb",1\nt,c,x\n', "big.csv, line 120004, column 'score' holds 'x'"),
        ("t,a\0,1\n", "big.csv, line 120002, holds a NUL"),
    ]:
        path.write_text(good + tail)
        with pytest.raises(DataError) as caught:
            read(path)
        assert says in str(caught.value)
    path.write_bytes(good.encode() + b"t,caf\xe9,1\n")
    with pytest.raises(DataError, match="line 120002, holds byte 0xe9"):
        read(path)


def test_large_json_lines_give_the_same_messages(tmp_path: Path) -> None:
    good = "".join(
        json.dumps({"task": f"t{i % 10}", "agent": f"a{i % 99}", "score": i % 7}) + "\n"
        for i in range(50_000)
    )
    path = tmp_path / "big.jsonl"
    for tail, says in [
        ('{"task": "t", "agent": "a", "score": NaN}\n', "line 50001, column 'score' holds nan"),
        (
            '{"task": "t", "agent": "a", "agent": "b", "score": 1}\n',
            "line 50001: an object names 'agent'",
        ),
        (
            '{"task": "t", "agent": "a"}\n',
            "line 50001, column 'score' holds nothing, not even null",
        ),
        ('{"task": "t", "agent": "a", "score": 1} {"task": "t"}\n', "line 50001, character"),
        ('\n\n{"task": "t", "agent": "a", "score": "x"}\n', "line 50003, column 'score' holds 'x'"),
        ("[1]\n", "line 50001, holds [1]"),
    ]:
        path.write_text(good + tail)
        with pytest.raises(DataError) as caught:
            read(path)
        assert says in str(caught.value)
