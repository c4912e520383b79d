"""Runs of HELM."""

from pathlib import Path
from typing import Any

import pytest

from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers import read
from podium.importers.tools.helm import UNDIRECTED
from tool_files import helm_instance, helm_stat, write_helm, write_json


def scores(source: Path, **how: Any) -> Scores:
    found = read(source, **how)
    assert isinstance(found, Scores)
    return found


STATS = [
    helm_stat("exact_match", 0.5),
    helm_stat("exact_match", 0.9, "valid"),
    helm_stat("exact_match", 0.25, perturbation={"name": "typos"}),
    helm_stat("exact_match", 0.75, sub_split="a"),
    helm_stat("f1_score", 0.625),
]
"""One metric on two splits, with a perturbation and a part of a split, and another metric."""


def instances(*values: float) -> list[dict[str, Any]]:
    plain = [
        helm_instance(f"id{n}", [helm_stat("exact_match", value), helm_stat("f1_score", 0.0)])
        for n, value in enumerate(values)
    ]
    typos = helm_stat("exact_match", 0.0, perturbation={"name": "typos"})
    changed = helm_instance("id0", [typos], perturbation={"name": "typos"})
    inside = helm_instance("id0", [helm_stat("exact_match", 0.9, "valid")])
    return [*plain, changed, inside]


def test_the_test_split_without_perturbation_counts(tmp_path: Path) -> None:
    suite = tmp_path / "runs" / "v1"
    write_helm(suite, "mmlu:subject=law", "acme/ada", STATS, instances(1, 0))
    write_helm(suite, "mmlu:subject=law", "acme/bob", STATS, instances(0, 1))
    write_helm(suite, "boolq", "acme/bob", STATS)
    found = scores(tmp_path)
    assert found.tasks == ("boolq", "mmlu:subject=law")
    assert found.agents == ("acme/bob", "acme/ada")
    assert found.counts.tolist() == [[1, 0], [2, 2]]
    assert found.means[1].tolist() == [0.5, 0.5]
    assert found.means[0, 0] == 0.5
    assert found.notes[0] == UNDIRECTED
    assert found.notes[1].startswith("scores are 'exact_match' on 'boolq' (not 'f1_score'); ")


def test_a_run_by_itself(tmp_path: Path) -> None:
    run = write_helm(tmp_path, "boolq", "ada", STATS, instances(1, 0, 0, 1))
    assert scores(run).value.tolist() == [1, 0, 0, 1]


def test_the_deployment_names_the_agent(tmp_path: Path) -> None:
    adapter = {"model": "ada", "model_deployment": "cloud/ada"}
    write_helm(tmp_path, "boolq", "ada", STATS, adapter_spec=adapter)
    assert scores(tmp_path).agents == ("cloud/ada",)


def test_an_old_run_without_deployments(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", STATS, adapter_spec={"model": "ada"})
    assert scores(tmp_path).agents == ("ada",)


def test_another_metric(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", STATS)
    assert scores(tmp_path, metric="f1_score").value.tolist() == [0.625]


def test_without_a_main_metric_the_user_chooses(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", STATS, metric_specs=[])
    with pytest.raises(DataError, match="score of 'boolq' may be 'exact_match', 'f1_score'"):
        read(tmp_path)


def test_a_single_other_split_counts(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", [helm_stat("exact_match", 0.9, "valid")])
    assert scores(tmp_path).value.tolist() == [0.9]


def test_several_other_splits_are_a_choice(tmp_path: Path) -> None:
    stats = [helm_stat("exact_match", value, split) for split, value in (("dev", 1), ("valid", 0))]
    write_helm(tmp_path, "boolq", "ada", stats)
    with pytest.raises(DataError, match=r"'exact_match \(dev\)', 'exact_match \(valid\)'"):
        read(tmp_path)
    assert scores(tmp_path, metric="exact_match (valid)").value.tolist() == [0]


def test_the_schema_says_metric_split_and_direction(tmp_path: Path) -> None:
    about = {"main_name": "f1_score", "main_split": "valid"}
    content = {
        "metrics": [{"name": "f1_score", "lower_is_better": True}, {"name": "exact_match"}],
        "run_groups": [{"name": "boolq", "environment": about}, {"name": "other"}],
    }
    write_json(tmp_path / "schema.json", content)
    stats = [helm_stat("f1_score", 0.1), helm_stat("f1_score", 0.2, "valid"), *STATS]
    write_helm(tmp_path, "boolq", "ada", stats)
    found = scores(tmp_path)
    assert found.value.tolist() == [0.2]
    assert found.lower_is_better.tolist() == [True]
    assert UNDIRECTED not in found.notes


@pytest.mark.parametrize(("releases", "value"), [(["r1"], 0.625), (["r1", "r2"], 0.5)])
def test_the_schema_of_the_only_release(tmp_path: Path, releases: list[str], value: float) -> None:
    groups = [
        {"name": "all", "environment": {"main_name": "none", "main_split": "none"}},
        {"name": "boolq", "environment": {"main_name": "f1_score"}},
    ]
    for release in releases:
        write_json(tmp_path / "releases" / release / "schema.json", {"run_groups": groups})
    write_helm(tmp_path / "runs" / "v1", "boolq", "ada", STATS, groups=["all", "boolq"])
    assert scores(tmp_path).value.tolist() == [value]


def test_a_value_that_was_not_written_is_missing(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", [helm_stat("exact_match", None)])
    write_helm(tmp_path, "boolq", "bob", [helm_stat("exact_match", 0.5)])
    assert scores(tmp_path).missing == 1


def test_a_sum_without_a_mean(tmp_path: Path) -> None:
    stat = {"name": {"name": "exact_match", "split": "test"}, "count": 4, "sum": 3}
    write_helm(tmp_path, "boolq", "ada", [stat])
    assert scores(tmp_path).value.tolist() == [0.75]


def test_statistics_alone_name_no_model(tmp_path: Path) -> None:
    run = write_helm(tmp_path, "boolq", "ada", STATS, instances(1, 0))
    with pytest.raises(DataError, match="do not name their model; give the folder with run_spec"):
        read(run / "per_instance_stats.json")


def test_trials_are_samples(tmp_path: Path) -> None:
    stat = [helm_stat("exact_match", 1.0)]
    many = [helm_instance("id0", stat), helm_instance("id0", stat, trial=1)]
    write_helm(tmp_path, "boolq", "ada", [helm_stat("exact_match", 1.0)], many)
    assert scores(tmp_path).counts.tolist() == [[2]]


def test_an_incomplete_run_is_told(tmp_path: Path) -> None:
    write_helm(tmp_path, "boolq", "ada", STATS)
    run = write_helm(tmp_path, "boolq", "bob", STATS)
    (run / "stats.json").unlink()
    (run / "scenario.json").unlink()
    found = scores(tmp_path)
    assert found.agents == ("ada", "bob")
    assert "incomplete: 'bob' on 'boolq' has no scenario.json nor stats.json" in found.notes
    assert found.notes[-1] == "1 score missing"


def test_the_same_run_in_two_suites(tmp_path: Path) -> None:
    for suite, value in (("v1", 0.5), ("v2", 0.5)):
        write_helm(tmp_path / suite, "boolq", "ada", [helm_stat("exact_match", value)])
    assert scores(tmp_path).counts.tolist() == [[1]]
    write_helm(tmp_path / "v2", "boolq", "ada", [helm_stat("exact_match", 0.75)])
    with pytest.raises(DataError, match=r"v2/.* holds 0\.75 where v1/.* holds 0\.5"):
        read(tmp_path)
