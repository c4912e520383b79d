"""Malformed files of tools: each gives one DataError that says where, what came and what is allowed."""

import contextlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import DataError
from podium.importers import read
from strategies import steady
from tool_files import (
    LOGS,
    annotation,
    battle,
    fastchess,
    grade,
    helm_instance,
    helm_stat,
    inspect_log,
    inspect_sample,
    judgment,
    lm_results,
    lm_sample,
    pgn,
    verdict,
    write_eval,
    write_helm,
    write_json,
    write_lines,
)


class Bad(NamedTuple):
    name: str
    content: Any
    says: tuple[str, ...]


def results(**parts: object) -> dict[str, Any]:
    return {**lm_results("m", {"t": {"acc,none": 0.5}}), **parts}


def log(**parts: object) -> dict[str, Any]:
    return {**inspect_log("m", [inspect_sample("s", "C")], 1.0), **parts}


def evaluated(**about: object) -> dict[str, Any]:
    return inspect_log("m", [inspect_sample("s", "C")], 1.0, about=about)


def counts(**more: object) -> dict[str, Any]:
    return fastchess({"a vs b": {"wins": 2, "losses": 1, "draws": 0, **more}}, "a", "b")  # type: ignore[dict-item] # some are wrong on purpose


LM_EVAL = [
    Bad("x.json", results(results={}), ("x.json", "no score of a model on a task")),
    Bad("x.json", results(results=[]), ("'results'", "is []", "an object is expected")),
    Bad("x.json", results(results={"t": 5}), ("'results', 't'", "is 5", "an object")),
    Bad("x.json", results(results={"t": {"acc,none": "N/A"}}), ("'t', 'acc,none'", "'N/A'", "finite number")),
    Bad("x.json", results(results={"t": {"acc,none": float("nan")}}), ("'acc,none'", "nan", "finite number")),
    Bad("x.json", results(results={"t": {"acc,none": True}}), ("'acc,none'", "True", "finite number")),
    Bad("x.json", results(model_name=7), ("'model_name'", "is 7", "text is expected")),
    Bad("x.json", results(model_name=" "), ("'model_name'", "is ' '", "text")),
    Bad("x.json", results(model_name=None, config={}), ("has no 'model_name'", "another tool or version")),
    Bad("x.json", results(higher_is_better={"t": {"acc": "yes"}}), ("'higher_is_better', 't', 'acc'", "'yes'", "true or false")),
    Bad("x.json", results(**{"n-samples": {"t": {"original": 3}}}), ("'n-samples', 't'", "no 'effective'")),
    Bad("x.json", results(**{"n-samples": {"t": {"original": -3, "effective": 1}}}), ("'original'", "is -3", "at least 0")),
    Bad("x.json", results(group_subtasks={"g": [[]]}), ("'g', entry 1", "is []", "text")),
    Bad("x.json", results(group_subtasks={"g": 1}), ("'group_subtasks', 'g'", "is 1", "a list")),
    Bad("x.json", results(n=1)["results"] | {"results": {}, "versions": {}}, ("no score",)),
]  # fmt: skip

INSPECT = [
    Bad("x.json", log(eval=[]), ("'eval'", "is []", "an object")),
    Bad("x.json", evaluated(model=None), ("'eval'", "has no 'model'")),
    Bad("x.json", evaluated(task=5), ("'eval', 'task'", "is 5", "text")),
    Bad("x.json", evaluated(dataset=None), ("has no 'dataset'",)),
    Bad("x.json", evaluated(config={"epochs": "two"}), ("'epochs'", "'two'", "whole number")),
    Bad("x.json", log(status=1), ("'status'", "is 1", "text")),
    Bad("x.json", log(samples=5), ("'samples'", "is 5", "a list")),
    Bad("x.json", log(samples=[5]), ("'samples', entry 1", "is 5", "an object")),
    Bad("x.json", log(samples=[{"epoch": 1}]), ("entry 1", "has no 'id'")),
    Bad("x.json", log(samples=[inspect_sample("s", "C") | {"id": []}]), ("'id'", "is []", "text or a whole number")),
    Bad("x.json", log(samples=[inspect_sample("s", "C") | {"epoch": 1.5}]), ("'epoch'", "is 1.5", "whole")),
    Bad("x.json", log(samples=[inspect_sample("s", "C") | {"scores": 1}]), ("'scores'", "is 1", "an object")),
    Bad("x.json", log(results={}), ("'results'", "has no 'scores'")),
    Bad("x.json", log(results={"scores": [{"name": "n", "scorer": "s"}]}), ("entry 1", "has no 'metrics'")),
    Bad("x.json", log(invalidated="no"), ("'invalidated'", "'no'", "true or false")),
    Bad("x.json", log(samples=[inspect_sample("s", float("inf"))], results=None), ("entry 1", "inf", "finite number")),
    Bad("x.eval", b"", ("x.eval cannot be read as an archive", "cut off")),
    Bad("x.eval", b"PK\x03\x04 and no more", ("x.eval cannot be read as an archive",)),
]  # fmt: skip

ROWS = [
    Bad("x.json", [battle("a", "b", "model_a", anony="yes")], ("row 1, column 'anony'", "'yes'", "true or false")),
    Bad("x.json", [battle("a", "b", "model_a", anony=False)], ("no battle with anony true",)),
    Bad("x.json", [battle("a", "a", "model_a")], ("row 1", "'model_b'", "cannot meet itself")),
    Bad("x.json", [battle("a", "b", "model_a", tstamp="soon")], ("row 1", "'time'", "'soon'")),
    Bad("x.json", [annotation("a", 3)], ("row 1, column 'preference' holds 3", "from 1", "to 2")),
    Bad("x.json", [annotation("a", "first")], ("'preference'", "'first'", "from 1")),
    Bad("x.json", [annotation("a", None)], ("no score",)),
    Bad("x.json", [annotation("", 1)], ("row 1, column 'agent'", "nothing")),
    Bad("x.jsonl", [judgment("a", "high")], ("line 1, column 'score'", "'high'", "finite number")),
    Bad("x.jsonl", [judgment("a", 1), judgment("a", 1, "q2", task=None)], ("line 2, column 'task'", "nothing")),
    Bad("x.jsonl", [verdict("model_1", "model_3")], ("line 1, column 'g2_winner'", "'model_3'", "'error'")),
    Bad("x.jsonl", [verdict("error", "error")], ("no judgment that did not fail",)),
    Bad("x.jsonl", [grade("a", "good")], ("line 1, column 'score'", "'good'")),
    Bad("x.jsonl", [grade("a", -1)], ("no score",)),
    Bad("x.csv", ",win_rate,n_total\nann,50%,805\n", ("line 2, column 'score'", "'50%'", "finite number")),
    Bad("table_2026_01_31.csv", "model,t\nann,high\n", ("line 2, 't', column 'score'", "'high'")),
    Bad("table_2026_01_31.csv", "model,t\n,5\n", ("line 2, 't', column 'agent'", "nothing")),
]  # fmt: skip

GAMES = [
    Bad("x.pgn", "", ("x.pgn is empty",)),
    Bad("x.pgn", "1. e4 e5 1-0\n", ("holds no game", "[White")),
    Bad("x.pgn", pgn("ann", "bob", "*"), ("no finished game", "1 game")),
    Bad("x.pgn", pgn("ann", "bob", "1-0") + pgn("ann", "bob", "2-0"), ("line 11, column 'Result'", "'2-0'", "'1/2-1/2'")),
    Bad("x.pgn", '[White "ann"]\n[Result "1-0"]\n', ("line 1, column 'Black'", "nothing")),
    Bad("x.pgn", '[White "?"]\n[Black "bob"]\n[Result "1-0"]\n', ("'White'", "'?'", "name of a player")),
    Bad("x.pgn", '[White "ann"]\n[Black "bob"]\n', ("'Result'", "nothing")),
    Bad("x.pgn", pgn("ann", "ann", "1-0"), ("line 1", "cannot meet itself")),
    Bad("x.pgn", '[White "ann"]\n[Black bob]\n', ("line 2", "'[Black bob]'", "is written as")),
    Bad("x.pgn", b'[White "caf\xe9"]\n', ("line 1", "0xe9", "UTF-8")),
    Bad("x.pgn", '[White "ann"]\n'.encode("utf-16"), ("UTF-16",)),
    Bad("x.pgn.gz", b"\x1f\x8bnothing of that kind", ("cut off or damaged",)),
    Bad("x.json", counts(wins=-1), ("'a vs b', 'wins'", "is -1", "whole number")),
    Bad("x.json", counts(wins=None), ("'a vs b'", "has no 'wins'")),
    Bad("x.json", counts(wins=10**12), ("'a vs b'", "at most 10,000,000")),
    Bad("x.json", counts(penta_WW=2), ("'a vs b'", "fewer wins than its pairs", "2 are penta_WW")),
    Bad("x.json", fastchess({"a": {}}, "a", "b"), ("'stats', 'a'", "two of the engines 'a', 'b'")),
    Bad("x.json", fastchess({}, "a", "b"), ("no game that has ended",)),
    Bad("x.json", {"engines": 1, "stats": {"a vs b": {}}}, ("'engines'", "is 1", "a list")),
]  # fmt: skip


def write(path: Path, content: Any) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content)
    elif path.suffix == ".jsonl":
        write_lines(path, content)
    else:
        write_json(path, content)


@pytest.mark.parametrize(
    "bad", [*LM_EVAL, *INSPECT, *ROWS, *GAMES], ids=lambda bad: f"{bad.name}: {bad.says[-1]}"
)
def test_each_is_one_error_with_its_place(tmp_path: Path, bad: Bad) -> None:
    write(tmp_path / bad.name, bad.content)
    with pytest.raises(DataError) as error:
        read(tmp_path / bad.name)
    message = str(error.value)
    assert all(part in message for part in (bad.name, *bad.says)), message
    assert "\n" not in message


def test_bad_samples_of_the_harness(tmp_path: Path) -> None:
    time = "2026-01-31T12-00-00"
    write_json(tmp_path / f"results_{time}.json", results())
    path = write_lines(tmp_path / f"samples_t_{time}.jsonl", [lm_sample(0, "h", acc=0.5), {"a": 1}])
    with pytest.raises(DataError, match=rf"samples_t_{time}\.jsonl, line 2, has no 'doc_id'"):
        read(tmp_path)
    path.write_text('{"doc_id": 0, "doc')
    with pytest.raises(DataError, match=rf"samples_t_{time}\.jsonl, line 1, character"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("run_spec.json", {}, "has no 'adapter_spec'"),
        ("run_spec.json", {"adapter_spec": {"model": "x"}}, "has no 'name'"),
        ("run_spec.json", {"name": "x", "adapter_spec": {}}, "has no 'model'"),
        ("run_spec.json", [], "an object is expected"),
        ("stats.json", {}, "a list is expected"),
        ("stats.json", [{}], "entry 1, has no 'name'"),
        ("stats.json", [{"name": {"name": "x"}}], "has no 'count'"),
        ("stats.json", [helm_stat("exact_match", 0) | {"mean": "high"}], "'high'"),
        ("per_instance_stats.json", {}, "a list is expected"),
        ("per_instance_stats.json", [{"instance_id": "i"}], "has no 'train_trial_index'"),
        ("per_instance_stats.json", [{"instance_id": 1, "train_trial_index": 0}], "text is expected"),
        ("../schema.json", {"metrics": [{"name": "x", "lower_is_better": 1}]}, "true or false"),
    ],
)  # fmt: skip
def test_bad_runs_of_helm(tmp_path: Path, file: str, content: object, says: str) -> None:
    run = write_helm(tmp_path, "boolq", "ada", [helm_stat("exact_match", 1)])
    write_json(run / file, content)
    with pytest.raises(DataError) as error:
        read(tmp_path)
    assert Path(file).name in str(error.value)
    assert says in str(error.value)


def test_a_damaged_entry_of_an_archive(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "x.eval", log(), method=zipfile.ZIP_STORED)
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"status": "success"', b'"status": "SUCCESS"', 1))
    with pytest.raises(DataError, match=r"x\.eval, header\.json, cannot be read: Bad CRC"):
        read(path)


def test_an_archive_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other.txt", "x")
    with pytest.raises(DataError, match=r"x\.eval, _journal/start\.json, cannot be read"):
        read(path)


def tool_folders(folder: Path) -> dict[str, Path]:
    """Write a small file of each tool, and say which of the files may be harmed."""
    lm = next((LOGS / "lm_eval" / "acme__bob").glob("results_*.json")).name
    time = lm.removeprefix("results_").removesuffix(".json")
    samples = [lm_sample(n, f"h{n}", acc=float(n)) for n in (0, 1)]
    instances = [helm_instance("i", [helm_stat("exact_match", 1)])]
    run = write_helm(folder / "helm", "boolq", "ada", [helm_stat("exact_match", 1)], instances)
    table = folder / "table" / "table_2026_01_31.csv"
    table.parent.mkdir()
    table.write_text("model,sums,poems\nann,10,90\nbob,30.5,60\n")
    games = folder / "pgn" / "games.pgn"
    games.parent.mkdir()
    games.write_text(pgn("ann", "bob", "1-0") + pgn("bob", "ann", "1/2-1/2"))
    killed = next((LOGS / "inspect_killed").glob("*.eval"))
    zstd = folder / "zstd" / "x.eval"
    zstd.parent.mkdir()
    zstd.write_bytes(killed.read_bytes())
    eval_ = folder / "eval" / "x.eval"
    eval_.parent.mkdir()
    write_json(folder / "samples" / lm, results())
    return {
        "helm spec": run / "run_spec.json",
        "helm stats": run / "stats.json",
        "helm instances": run / "per_instance_stats.json",
        "table": table,
        "pgn": games,
        "zstd": zstd,
        "eval": write_eval(eval_, log()),
        "inspect": write_json(folder / "inspect" / "x.json", log()),
        "lm results": write_json(folder / "lm" / lm, results()),
        "lm samples": write_lines(folder / "samples" / f"samples_t_{time}.jsonl", samples),
        "fastchess": write_json(folder / "fastchess" / "config.json", counts(penta_WL=1)),
        "arena": write_json(folder / "arena" / "x.json", [battle("a", "b", "model_a")]),
        "pairs": write_lines(folder / "pairs" / "x.jsonl", [verdict("tie", "tie")] * 2),
        "alpaca": write_json(folder / "alpaca" / "x.json", [annotation("a", 2)]),
        "judgments": write_lines(folder / "live" / "x.jsonl", [judgment("a", 1), judgment("b", 0)]),
    }


KINDS = (
    "helm spec", "helm stats", "helm instances", "table", "pgn", "zstd", "eval", "inspect",
    "lm results", "lm samples", "fastchess", "arena", "pairs", "alpaca", "judgments",
)  # fmt: skip


def folder_of(path: Path, kind: str) -> Path:
    return path.parent.parent if kind.startswith("helm") else path.parent


def only_data_errors(sources: tuple[Path, ...]) -> None:
    """Read sources, which may fail in one way only."""
    for source in sources:
        with contextlib.suppress(DataError):
            read(source)


Harm = Callable[[bytes, st.DataObject], bytes]


def cut(content: bytes, data: st.DataObject) -> bytes:
    return content[: data.draw(st.integers(0, len(content) - 1))]


def flipped(content: bytes, data: st.DataObject) -> bytes:
    at = data.draw(st.integers(0, len(content) - 1))
    return content[:at] + bytes([data.draw(st.integers(0, 255))]) + content[at + 1 :]


def without(content: bytes, data: st.DataObject) -> bytes:
    first = data.draw(st.integers(0, len(content) - 1))
    return content[:first] + content[first + data.draw(st.integers(1, 40)) :]


@pytest.mark.parametrize("harm", [cut, flipped, without])
@pytest.mark.parametrize("kind", KINDS)
def test_harmed_files_give_nothing_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, kind: str, harm: Harm
) -> None:
    base = tmp_path_factory.mktemp("logs")
    path = tool_folders(base)[kind]
    content = path.read_bytes()
    read(folder_of(path, kind))  # unharmed, it can be read

    @given(st.data())
    @steady(25)
    def tried(data: st.DataObject) -> None:
        path.write_bytes(harm(content, data))
        sources = (folder_of(path, kind),)
        only_data_errors(sources if kind == "lm samples" else (*sources, path))

    tried()


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the ways to all parts of a document."""
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [way, *(more for name, part in parts for more in places(part, (*way, name)))]


def changed(value: Any, way: tuple[Any, ...], other: Any) -> Any:
    """Put another value at a place."""
    if not way:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(copy[way[0]], way[1:], other)
    return copy


@pytest.mark.parametrize("kind", ["helm spec", "helm stats", "helm instances", "inspect", "lm results", "fastchess", "arena", "alpaca"])  # fmt: skip
def test_any_value_anywhere_gives_nothing_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    path = tool_folders(tmp_path_factory.mktemp("logs"))[kind]
    content = json.loads(path.read_text())
    ways = places(content)

    @given(st.sampled_from(ways), VALUES)
    @steady(150)
    def tried(way: tuple[Any, ...], value: Any) -> None:
        write_json(path, changed(content, way, value))
        only_data_errors((folder_of(path, kind),))

    tried()
