"""Logs of Inspect."""

import importlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from podium.data.scores import Scores
from podium.errors import DataError, MissingExtra
from podium.importers import read
from podium.importers.tools import inspect_logs
from tool_files import LOGS, inspect_log, inspect_sample, write_eval, write_json

SAMPLES = [inspect_sample("s1", "C"), inspect_sample("s2", "I")]


def scores(source: Path, **how: Any) -> Scores:
    found = read(source, **how)
    assert isinstance(found, Scores)
    return found


def test_genuine_archives() -> None:
    found = scores(LOGS / "inspect")
    assert found.agents == ("mockllm/ada", "mockllm/bob")
    assert found.tasks == ("sums", "words")
    assert found.means.tolist() == [[0.75, 0.5], [pytest.approx(1 / 3), 0.0]]
    assert found.counts.tolist() == [[4, 4], [6, 6]]
    assert found.notes == (
        "scores are 'includes/accuracy' on 'words' (not 'exact/mean', 'length/mean')",
    )


def test_genuine_archive_by_itself() -> None:
    path = next((LOGS / "inspect").glob("*sums_f3*.eval"))
    assert scores(path).means.tolist() == [[0.5]]


def test_one_of_several_values_of_a_scorer() -> None:
    found = scores(LOGS / "inspect", metric=["length", "match"])
    assert found.means.tolist() == [[0.75, 0.5], [2.0, pytest.approx(8 / 6)]]
    found = scores(LOGS / "inspect", metric=["exact/mean", "accuracy"])
    assert found.means.tolist() == [[0.75, 0.5], [pytest.approx(1 / 3), 0.0]]


def test_a_metric_that_no_scorer_has() -> None:
    with pytest.raises(DataError, match="'sums' has no metric 'f1'; choose from 'match/accuracy'"):
        read(LOGS / "inspect", metric="f1")


def test_a_genuine_killed_run_has_no_header_and_is_read() -> None:
    found = scores(LOGS / "inspect_killed")
    assert found.means.tolist() == [[0.75]]
    assert found.counts.tolist() == [[4]]
    told = "incomplete: 'mockllm/eve' on 'sums' has 4 of 6 samples, status 'started'"
    assert found.notes == (told,)


@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_other_packings(tmp_path: Path, method: int, *, killed: bool) -> None:
    log = inspect_log("ada", SAMPLES, 0.5)
    found = scores(write_eval(tmp_path / "x.eval", log, method=method, killed=killed))
    assert found.value.tolist() == [1.0, 0.0]


def test_samples_without_a_summary_are_read_one_by_one(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "whole.eval", inspect_log("ada", SAMPLES, 0.5), killed=True)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "x.eval", "w") as new:
        for name in old.namelist():
            if name != "_journal/summaries/2.json":
                new.writestr(name, old.read(name))
    assert scores(tmp_path / "x.eval").value.tolist() == [1.0, 0.0]


def test_json_and_archives_are_the_same(tmp_path: Path) -> None:
    log = inspect_log("ada", SAMPLES, 0.5)
    packed = scores(write_eval(tmp_path / "x.eval", log))
    plain = scores(write_json(tmp_path / "x.json", log))
    assert packed.value.tolist() == plain.value.tolist() == [1.0, 0.0]
    assert packed.roster == plain.roster


def test_without_the_extra_the_user_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_logs, "_zip_module", lambda: zipfile)
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        pytest.skip("this Python reads Zstandard by itself")
    with pytest.raises(
        MissingExtra, match=r"install podium\[inspect\], or .* `inspect log convert`"
    ):
        read(LOGS / "inspect")


def test_a_missing_extra_falls_back_to_plain_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    assert inspect_logs._zip_module() is zipfile


@pytest.mark.parametrize(
    ("value", "worth"),
    [
        ("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), (True, 1.0), (False, 0.0),
        (0.25, 0.25), (7, 7.0), ("0.25", 0.25), ("yes", 1.0), ("No", 0.0),
    ],
)  # fmt: skip
def test_values_of_samples(tmp_path: Path, value: object, worth: float) -> None:
    log = inspect_log("ada", [inspect_sample("s1", value)], worth)
    assert scores(write_json(tmp_path / "x.json", log)).value.tolist() == [worth]


def test_a_failed_sample_is_missing_and_told(tmp_path: Path) -> None:
    samples = [*SAMPLES, inspect_sample("s3", "C", error="broke")]
    found = scores(write_json(tmp_path / "x.json", inspect_log("ada", samples, 0.5)))
    assert found.value.tolist() == [1.0, 0.0]
    assert found.notes == (
        "incomplete: 'ada' on 'sums' has 2 of 3 samples, 1 failed",
        "1 score missing",
    )


def test_an_unscored_sample_is_missing(tmp_path: Path) -> None:
    samples = [*SAMPLES, inspect_sample("s3", float("nan"))]
    found = scores(write_json(tmp_path / "x.json", inspect_log("ada", samples, 0.5)))
    assert found.value.tolist() == [1.0, 0.0]
    assert found.notes == ("1 score missing",)


def test_a_run_that_ended_in_error_without_a_sample_keeps_its_agent(tmp_path: Path) -> None:
    failed = inspect_log("bob", [], None, status="error", results=None)
    failed["eval"]["dataset"]["samples"] = 2
    write_json(tmp_path / "one.json", inspect_log("ada", SAMPLES, 0.5))
    write_json(tmp_path / "two.json", failed)
    found = scores(tmp_path)
    assert found.agents == ("ada", "bob")
    assert found.missing == 1
    assert found.notes[0] == "incomplete: 'bob' on 'sums' has 0 of 2 samples, status 'error'"


def test_a_limit_is_told(tmp_path: Path) -> None:
    about = {"dataset": {"samples": 10, "sample_ids": ["s1", "s2"]}}
    found = scores(write_json(tmp_path / "x.json", inspect_log("ada", SAMPLES, 0.5, about=about)))
    assert found.notes == ("incomplete: 'ada' on 'sums' has 2 of 10 samples",)


def test_the_headline_is_the_score(tmp_path: Path) -> None:
    log = inspect_log("ada", [], 0.5)
    log["results"]["scores"][0]["metrics"]["f1"] = {"name": "f1", "value": 0.7}
    log["results"]["completed_samples"] = 0
    log["results"]["headline"] = {"scorer": "match", "score": "match", "metric": "f1"}
    assert scores(write_json(tmp_path / "x.json", log)).value.tolist() == [0.7]


def test_a_metric_that_is_no_mean_is_read_as_reported(tmp_path: Path) -> None:
    log = inspect_log("ada", SAMPLES, 0.5)
    log["results"]["scores"][0]["metrics"] = {"f1": {"name": "f1", "value": 0.7}}
    found = scores(write_json(tmp_path / "x.json", log))
    assert found.value.tolist() == [0.7]
    assert "read as reported, which is no mean of samples: 'match/f1' on 'sums'" in found.notes


def test_epochs_put_together_in_several_ways(tmp_path: Path) -> None:
    samples = [inspect_sample("s1", "C"), inspect_sample("s1", "I", epoch=2)]
    log = inspect_log("ada", samples, 0.5)
    (score,) = log["results"]["scores"]
    best = {**score, "reducer": "max", "metrics": {"accuracy": {"value": 1.0}}}
    log["results"]["scores"] = [{**score, "reducer": "mean"}, best]
    path = write_json(tmp_path / "x.json", log)
    assert scores(path).value.tolist() == [1.0, 0.0]
    assert scores(path, metric="match/accuracy (max)").value.tolist() == [1.0]
    with pytest.raises(DataError, match=r"may be 'match/accuracy \(mean\)', 'match/accuracy \(max"):
        read(path, metric="accuracy")


def test_the_newest_complete_run_counts(tmp_path: Path) -> None:
    failed = inspect_log("ada", SAMPLES[:1], 1.0, status="error")
    failed["eval"]["created"] = "2026-03-01T00:00:00+00:00"
    write_json(tmp_path / "a.json", failed)
    write_json(tmp_path / "b.json", inspect_log("ada", SAMPLES, 0.5))
    found = scores(tmp_path)
    assert found.value.tolist() == [1.0, 0.0]
    assert found.notes == ("left out 1 run: a newer or more complete one counts",)


def test_an_invalidated_log_is_left_out(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", inspect_log("ada", SAMPLES, 0.5, invalidated=True))
    write_json(tmp_path / "b.json", inspect_log("bob", SAMPLES, 0.5))
    found = scores(tmp_path)
    assert found.agents == ("bob",)
    assert found.notes == ("left out, as the log says that it is not valid: a.json",)


def test_other_arguments_make_another_task(tmp_path: Path) -> None:
    for level in (1, 2):
        log = inspect_log("ada", SAMPLES, 0.5, about={"task_args_passed": {"level": level}})
        write_json(tmp_path / f"{level}.json", log)
    assert scores(tmp_path).tasks == ("sums (level=1)", "sums (level=2)")


def test_a_sample_told_twice_counts_once(tmp_path: Path) -> None:
    log = inspect_log("ada", [*SAMPLES, *SAMPLES], 0.5)
    found = scores(write_json(tmp_path / "x.json", log))
    assert found.value.tolist() == [1.0, 0.0]
    log = inspect_log("ada", [*SAMPLES, inspect_sample("s1", "I")], 1 / 3)
    with pytest.raises(DataError, match=r"entry 3, .* holds 0 where .*entry 1 holds 1"):
        read(write_json(tmp_path / "x.json", log))


def test_a_text_that_is_no_grade_is_told_where_nothing_is_reported(tmp_path: Path) -> None:
    log = inspect_log("ada", [inspect_sample("s1", "maybe")], None, results=None)
    with pytest.raises(DataError, match=r"x\.json, .*entry 1, column 'score' holds 'maybe'"):
        read(write_json(tmp_path / "x.json", log))


def test_a_log_without_its_samples_is_read_as_reported(tmp_path: Path) -> None:
    log = inspect_log("ada", [], 0.5)
    del log["samples"]
    log["results"]["completed_samples"] = 4
    found = scores(write_json(tmp_path / "x.json", json.loads(json.dumps(log))))
    assert found.value.tolist() == [0.5]
    assert found.notes == ()


def test_a_killed_run_of_a_scorer_from_a_package(tmp_path: Path) -> None:
    scorers = [{"name": "mine/match", "metrics": [{"name": "inspect_ai/accuracy"}]}]
    log = inspect_log("ada", SAMPLES, None, about={"scorers": scorers})
    found = scores(write_eval(tmp_path / "x.eval", log, killed=True))
    assert found.value.tolist() == [1.0, 0.0]
