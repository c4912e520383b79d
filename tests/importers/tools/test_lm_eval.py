"""Results of lm-evaluation-harness."""

from pathlib import Path
from typing import Any

import pytest

from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers import read
from tool_files import LOGS, lm_results, lm_sample, write_json, write_lines

TIME = "2026-01-31T12-00-00.000001"
LATER = "2026-02-01T12-00-00.000001"


def scores(source: Path, **how: Any) -> Scores:
    found = read(source, **how)
    assert isinstance(found, Scores)
    return found


def said(found: Scores) -> str:
    return "\n".join(found.notes)


def write_run(folder: Path, content: dict[str, Any], time: str = TIME) -> Path:
    name = content["model_name"].replace("/", "__")
    return write_json(folder / name / f"results_{time}.json", content)


def test_genuine_results() -> None:
    found = scores(LOGS / "lm_eval")
    expected = {
        "toy_sums": (1.0, 0.75),
        "toy_sums_b": (1.0, 0.75),
        "toy_letters": (2 / 3, 2 / 3),
        "toy_text": (-153.0797, -568.5119),
    }
    assert found.agents == ("acme/ada", "acme/bob")
    assert found.tasks == tuple(expected)
    for row, wanted in zip(found.means.tolist(), expected.values(), strict=True):
        assert row == pytest.approx(wanted, abs=5e-5)
    assert found.counts.tolist() == [[4, 4], [1, 1], [6, 6], [1, 1]]
    assert found.lower_is_better.tolist() == [False, False, False, True]


def test_genuine_results_say_what_was_left_out() -> None:
    assert scores(LOGS / "lm_eval").notes == (
        "groups left out, as their tasks count: toy_group",
        (
            "scores are 'acc,none' on 'toy_sums' (not 'acc_norm,none'); "
            "'acc,none' on 'toy_sums_b' (not 'acc_norm,none'); "
            "'exact_match,strict-match' on 'toy_letters' (not 'exact_match,flexible-extract'); "
            "and 1 more"
        ),
        "read as reported, which is no mean of samples: 'word_perplexity,none' on 'toy_text'",
    )


def test_other_metrics_by_choice() -> None:
    wanted = ["acc_norm", "exact_match,flexible-extract", "bits_per_byte"]
    found = scores(LOGS / "lm_eval", metric=wanted)
    means = dict(zip(found.tasks, found.means.tolist(), strict=True))
    assert means["toy_sums"] == [1.0, 0.25]
    assert means["toy_letters"] == pytest.approx([1.0, 2 / 3])
    assert means["toy_text"] == pytest.approx([-1.5693, -1.9786], abs=5e-5)
    assert "scores are" not in said(found)


def test_a_metric_that_tasks_lack_is_an_error() -> None:
    with pytest.raises(DataError, match="'toy_letters' has no metric 'acc'; choose from 'exact_"):
        read(LOGS / "lm_eval", metric="acc")


def test_a_metric_with_several_filters_is_ambiguous() -> None:
    wanted = ["acc", "exact_match", "word_perplexity"]
    with pytest.raises(DataError, match="may be 'exact_match,strict-match', 'exact_match,flex"):
        read(LOGS / "lm_eval", metric=wanted)


def test_one_file_is_read_with_the_samples_beside_it() -> None:
    (path,) = (LOGS / "lm_eval" / "acme__bob").glob("results_*.json")
    found = scores(path)
    assert found.agents == ("acme/bob",)
    assert found.counts.tolist() == [[4], [1], [6], [1]]


def test_the_agent_is_the_model_and_not_the_back_end(tmp_path: Path) -> None:
    content = lm_results("acme/ada", {"t": {"acc,none": 0.5}})
    content["config"]["model"] = "vllm"
    assert scores(write_json(tmp_path / "x.json", content)).agents == ("acme/ada",)


def test_older_versions_name_the_model_among_the_arguments(tmp_path: Path) -> None:
    content = lm_results("acme/ada", {"t": {"acc,none": 0.5}})
    content["config"]["model_args"] = "dtype=auto,pretrained=acme/old,revision=main"
    del content["model_name"]
    assert scores(write_json(tmp_path / "x.json", content)).agents == ("acme/old",)


def test_only_keys_with_a_comma_are_metrics(tmp_path: Path) -> None:
    block = {"new_key": 7, "acc,none": 0.5, "acc_stderr,none": "N/A"}
    found = scores(write_json(tmp_path / "x.json", lm_results("m", {"t": block})))
    assert found.means.tolist() == [[0.5]]
    assert found.notes == ()


def test_groups_alone_are_read(tmp_path: Path) -> None:
    below = {"group": ["a", "b"]}
    content = lm_results("m", {"group": {"acc,none": 0.5}}, group_subtasks=below)
    assert scores(write_json(tmp_path / "x.json", content)).tasks == ("group",)


def test_tasks_that_are_listed_as_groups_of_nothing_are_tasks(tmp_path: Path) -> None:
    content = lm_results("m", {"t": {"acc,none": 0.5}}, group_subtasks={"t": []})
    assert scores(write_json(tmp_path / "x.json", content)).tasks == ("t",)


def test_headings_without_a_metric_are_no_tasks(tmp_path: Path) -> None:
    content = lm_results("m", {"leaderboard": {" ": " "}, "t": {"acc,none": 0.5}})
    assert scores(write_json(tmp_path / "x.json", content)).tasks == ("t",)


def test_samples_alone_name_no_model(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", [lm_sample(0, "h", acc=1.0)])
    with pytest.raises(DataError, match=r"x\.jsonl: samples of .* give the folder with results_"):
        read(path)


def test_nested_groups_are_left_out(tmp_path: Path) -> None:
    block = {"acc,none": 0.5}
    below = {"all": ["part"], "part": ["t"]}
    content = lm_results("m", {"all": block, "part": block, "t": block}, group_subtasks=below)
    assert scores(write_json(tmp_path / "x.json", content)).tasks == ("t",)


def test_a_limit_is_told(tmp_path: Path) -> None:
    counts = {"t": {"original": 100, "effective": 10}}
    content = lm_results("m", {"t": {"acc,none": 0.5}}, **{"n-samples": counts})
    found = scores(write_json(tmp_path / "x.json", content))
    assert found.notes == ("incomplete: 'm' on 't' ran 10 of 100 samples",)


def test_the_newest_run_counts(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.9}}, date=2000.0), LATER)
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}, "u": {"acc,none": 0.4}}))
    found = scores(tmp_path)
    assert dict(zip(found.tasks, found.means[:, 0].tolist(), strict=True)) == {"t": 0.9, "u": 0.4}
    assert found.notes == ("left out 1 run: a newer or more complete one counts",)


def test_a_complete_run_counts_before_a_newer_one_with_a_limit(tmp_path: Path) -> None:
    counts = {"t": {"original": 100, "effective": 10}}
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}}))
    more = {"date": 2000.0, "n-samples": counts}
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.9}}, **more), LATER)
    assert scores(tmp_path).means.tolist() == [[0.5]]


def test_a_copy_counts_once_and_a_contradiction_is_an_error(tmp_path: Path) -> None:
    content = lm_results("m", {"t": {"acc,none": 0.5}})
    write_run(tmp_path / "one", content)
    write_run(tmp_path / "two", content)
    found = scores(tmp_path)
    assert found.counts.tolist() == [[1]]
    assert "1 row repeated another" in said(found)
    write_run(tmp_path / "two", lm_results("m", {"t": {"acc,none": 0.75}}))
    with pytest.raises(DataError, match=r"two/m/results.*holds 0\.75 where one/m.* holds 0\.5"):
        read(tmp_path)
    assert scores(tmp_path, on_conflict="mean").means.tolist() == [[0.625]]


def test_runs_that_cannot_be_compared_are_told(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}}))
    write_run(tmp_path, lm_results("n", {"t": {"acc,none": 0.5}}, **{"n-shot": {"t": 5}}))
    told = "runs differ in version or number of examples: 't' (version 1.0, 0-shot, version 1.0, 5"
    assert said(scores(tmp_path)).startswith(told)


def test_each_document_counts_once_a_filter(tmp_path: Path) -> None:
    block = {"exact_match,strict": 0.5, "exact_match,loose": 1.0}
    write_run(tmp_path, lm_results("m", {"t": block}))
    lines = [
        lm_sample(number, f"h{number}", name, exact_match=float(name == "loose" or number))
        for name in ("strict", "loose")
        for number in (0, 1)
    ]
    write_lines(tmp_path / "m" / f"samples_t_{TIME}.jsonl", lines)
    found = scores(tmp_path)
    assert found.value.tolist() == [0.0, 1.0]
    assert scores(tmp_path, metric="exact_match,loose").value.tolist() == [1.0, 1.0]


def test_documents_are_joined_by_their_hash(tmp_path: Path) -> None:
    for model, order in (("m", "xy"), ("n", "yx")):
        write_run(tmp_path, lm_results(model, {"t": {"acc,none": 0.5}}))
        lines = [lm_sample(n, mark, acc=float(mark == "x")) for n, mark in enumerate(order)]
        write_lines(tmp_path / model / f"samples_t_{TIME}.jsonl", lines)
    found = scores(tmp_path)
    assert found.sample is not None
    by_agent = {agent: found.sample[found.agent == n].tolist() for n, agent in enumerate("mn")}
    assert by_agent["m"] == by_agent["n"][::-1]


def test_equal_documents_both_count(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}}))
    lines = [lm_sample(0, "same", acc=1.0), lm_sample(1, "same", acc=0.0)]
    write_lines(tmp_path / "m" / f"samples_t_{TIME}.jsonl", lines)
    assert scores(tmp_path).value.tolist() == [1.0, 0.0]


def test_a_document_written_twice_counts_once(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}}))
    lines = [lm_sample(n, f"h{n}", acc=float(n)) for n in (0, 1, 0, 1)]
    write_lines(tmp_path / "m" / f"samples_t_{TIME}.jsonl", lines)
    found = scores(tmp_path)
    assert found.value.tolist() == [0.0, 1.0]
    assert "2 rows repeated another" in said(found)


def test_samples_count_only_where_all_models_have_them(tmp_path: Path) -> None:
    for model in "mn":
        write_run(tmp_path, lm_results(model, {"t": {"acc,none": 0.5}}))
    lines = [lm_sample(n, f"h{n}", acc=float(n)) for n in (0, 1)]
    write_lines(tmp_path / "m" / f"samples_t_{TIME}.jsonl", lines)
    found = scores(tmp_path)
    assert found.counts.tolist() == [[1, 1]]
    assert "read as reported" in said(found)


def test_samples_with_another_mean_do_not_count(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"f1,none": 0.7}}))
    lines = [lm_sample(n, f"h{n}", f1=float(n)) for n in (0, 1)]
    write_lines(tmp_path / "m" / f"samples_t_{TIME}.jsonl", lines)
    assert scores(tmp_path).value.tolist() == [0.7]


def test_a_result_file_of_the_users_naming(tmp_path: Path) -> None:
    write_json(tmp_path / f"mine_{TIME}.json", lm_results("m", {"t": {"acc,none": 0.5}}))
    lines = [lm_sample(n, f"h{n}", acc=float(n)) for n in (0, 1)]
    write_lines(tmp_path / f"samples_t_{TIME}.jsonl", lines)
    assert scores(tmp_path).value.tolist() == [0.0, 1.0]


def test_models_with_different_tasks_leave_cells_missing(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5}}))
    write_run(tmp_path, lm_results("n", {"u": {"acc,none": 0.5}}))
    assert scores(tmp_path).missing == 2


def test_a_model_without_the_metric_is_missing(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5, "f1,none": 0.4}}))
    write_run(tmp_path, lm_results("n", {"t": {"acc,none": 0.5}}))
    found = scores(tmp_path, metric="f1")
    assert found.agents == ("m", "n")
    assert found.missing == 1
    assert found.notes == ("1 score missing",)


def test_models_whose_first_metrics_differ_need_a_choice(tmp_path: Path) -> None:
    write_run(tmp_path, lm_results("m", {"t": {"acc,none": 0.5, "f1,none": 0.4}}))
    write_run(tmp_path, lm_results("n", {"t": {"f1,none": 0.5, "acc,none": 0.6}}))
    with pytest.raises(DataError, match="score of 't' may be 'acc,none', 'f1,none'; choose with"):
        read(tmp_path)
    assert scores(tmp_path, metric="acc").means.tolist() == [[0.5, 0.6]]


def test_what_one_file_says_of_the_direction_holds_for_all(tmp_path: Path) -> None:
    block = {"t": {"ppl,none": 3.0}}
    write_run(tmp_path, lm_results("m", block))
    write_run(tmp_path, lm_results("n", block, higher_is_better={"t": {"ppl": False}}))
    write_run(tmp_path, lm_results("o", {"t": {"acc,none": 0.5}}))
    assert scores(tmp_path, metric="ppl").lower_is_better.tolist() == [True]


def test_files_that_contradict_each_other_in_the_direction(tmp_path: Path) -> None:
    for model, higher in (("m", True), ("n", False)):
        directions = {"t": {"ppl": higher}}
        content = lm_results(model, {"t": {"ppl,none": 3.0}}, higher_is_better=directions)
        write_run(tmp_path, content)
    with pytest.raises(DataError, match="gave its task another direction"):
        read(tmp_path)
