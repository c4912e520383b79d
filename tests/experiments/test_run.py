"""Running experiments: names and groups, files, missing parts, the same answer each time."""

import csv
from pathlib import Path

import pytest

from podium.errors import DataError, MissingExtra
from podium.experiments import EXPERIMENTS, VERDICTS, run, voting_clones
from podium.experiments._registry import Finding, Picture, Result, Setting, chosen
from podium.experiments._report import markdown, write_result
from podium.experiments.voting_prediction import over_splits, races, voting_prediction
from shared import SHARED, shared

VOTING = {one.name for one in EXPERIMENTS if one.group == "voting"}


def test_a_group_and_no_name_at_all_select_every_experiment_of_it() -> None:
    assert {one.name for one in chosen(["voting"])} == VOTING
    assert {one.name for one in chosen([])} == set(EXPERIMENTS.cards)
    assert [one.name for one in chosen(["voting-clones", "voting-clones"])] == ["voting-clones"]


def test_an_unknown_name_is_an_error_that_helps() -> None:
    with pytest.raises(DataError, match="did you mean 'voting-clones'"):
        run(["voting-clone"])


@pytest.mark.parametrize(("seeds", "jobs"), [(0, 1), (1, 0)])
def test_numbers_of_seeds_and_jobs_are_checked(seeds: int, jobs: int) -> None:
    with pytest.raises(DataError, match="of at least 1"):
        run(["voting-clones"], seeds=seeds, jobs=jobs)


@pytest.mark.parametrize("name", sorted(VOTING - {"voting-prediction"}))
def test_every_experiment_runs_without_the_shared_data(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_SHARED", "nowhere")
    (result,) = run([name])
    assert result.findings
    assert result.title
    assert result.remakes
    for finding in result.findings:
        assert finding.verdict in VERDICTS
        assert finding.verdict == "equal" or finding.why


def test_without_the_shared_data_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_SHARED", "nowhere")
    for name in ("voting-prompts", "voting-prediction"):
        (result,) = run([name])
        assert {finding.verdict for finding in result.findings} == {"no data"}
        assert all("PODIUM_SHARED" in finding.why for finding in result.findings)


def test_files_are_written(tmp_path: Path) -> None:
    (result,) = run(["voting-clones"], output=tmp_path / "new")
    page = (tmp_path / "new" / "voting-clones.md").read_text(encoding="utf-8")
    assert "voting-clones-figure-2.svg" in page
    assert (tmp_path / "new" / "voting-clones-figure-2.svg").read_text().startswith("<svg")
    with (tmp_path / "new" / "voting-clones.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == [finding.verdict for finding in result.findings]


def test_without_altair_the_rest_is_still_written(tmp_path: Path) -> None:
    def draw() -> None:
        msg = "pictures need altair"
        raise MissingExtra(msg)

    result = Result(findings=(), pictures=(Picture("p", "a picture", draw),), name="x", title="X")
    written = write_result(result, tmp_path)
    assert "pictures need altair" in written.notes[0]
    assert "pictures need altair" in (tmp_path / "x.md").read_text()
    assert not list(tmp_path.glob("*.svg"))


def test_a_report_survives_any_text() -> None:
    finding = Finding("Table 1", "a|b", "1", "2", "differs", "line\nbreak", interval=(1.0, 2.5))
    page = markdown(Result(findings=(finding,), title="T"), {})
    assert "a\\|b" in page
    assert "line break (1 to 2.5)" in page


def test_more_copies_move_elo_further_from_the_truth() -> None:
    gaps = [voting_clones.gap(copies) for copies in (1, 5, 25)]
    assert gaps == sorted(gaps, reverse=True)


def test_prediction_is_the_same_at_any_number_of_jobs() -> None:
    profile = races(shared("data/matches/formula1_results.csv.gz"))
    few = profile.only(profile.agents[:60])
    alone, together = (over_splits(few, 3, jobs=jobs) for jobs in (1, 2))
    assert {name: values.tolist() for name, values in alone.items()} == {
        name: values.tolist() for name, values in together.items()
    }


@pytest.mark.slow
def test_prediction_on_races(monkeypatch: pytest.MonkeyPatch) -> None:
    shared("data/matches/formula1_results.csv.gz")
    monkeypatch.setenv("PODIUM_SHARED", str(SHARED))
    result = voting_prediction(Setting(seeds=3))
    assert {finding.verdict for finding in result.findings} == {"no data"}
    (table,) = result.tables.values()
    assert {row["method"] for row in table} > {"elo", "copeland", "approval k=3"}
