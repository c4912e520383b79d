"""Mean, median and interquartile mean: slow twins, scaling and missing cells."""

import statistics

import numpy as np
import pytest
from hypothesis import given

from podium.data.scores import Scores
from podium.errors import DataError
from podium.methods.iqm import iqm
from podium.methods.mean import mean
from podium.methods.median import median
from strategies import score_tables, steady

NAN = float("nan")


@steady(100)
@given(score_tables(complete=True))
def test_mean_and_median_of_tasks_written_out_by_weight(scores: Scores) -> None:
    # Weights are multiples of a half, so that a task can be written down twice its weight times.
    times = (2 * scores.weights).astype(int)
    for column, agent in enumerate(scores.agents):
        values = np.repeat(scores.means[:, column], times).tolist()
        code = scores.agents.index(agent)
        assert mean(scores).values[code] == pytest.approx(statistics.mean(values))
        assert median(scores).values[code] == pytest.approx(statistics.median(values))


@steady(50)
@given(score_tables(complete=True))
def test_iqm_of_one_run_a_task_is_a_trimmed_mean(scores: Scores) -> None:
    single = Scores.from_matrix(scores.means, scores.tasks, scores.agents)
    for column in range(len(single.agents)):
        runs = sorted(single.means[:, column].tolist())
        cut = len(runs) // 4
        kept = statistics.mean(runs[cut : len(runs) - cut])
        assert iqm(single).values[column] == pytest.approx(kept)


def test_iqm_of_weights_that_are_not_whole_cuts_a_quarter_exactly() -> None:
    scores = Scores.from_matrix([[0], [0], [8]], ["t", "u", "v"], ["a"])
    assert iqm(scores).values == pytest.approx([8 / 3])
    halves = scores.with_task_weights([0.5, 0.5, 0.5])
    # A quarter of 1.5 is 0.375, so 0.125 is left of the 0.5 at either end.
    assert iqm(halves).values == pytest.approx([0.125 * 8 / 0.75])


def test_a_task_with_more_runs_does_not_count_more() -> None:
    records = [("t", "a", 0.0)] * 3 + [("u", "a", 6.0)]
    assert mean(Scores.from_records(records)).values.tolist() == [3.0]
    assert median(Scores.from_records(records)).values.tolist() == [3.0]
    # Of 6 (three runs of 1, one of 3) the outer quarters are 1 (rounded down) each.
    assert iqm(Scores.from_records(records)).values.tolist() == [3.0]


def test_scaling_by_task() -> None:
    scores = Scores.from_matrix([[0.0, 5.0, 10.0], [3.0, 3.0, 3.0]], ["t", "u"], ["a", "b", "c"])
    assert mean(scores, scaling="minmax").values.tolist() == [0.0, 0.25, 0.5]
    human = mean(scores, scaling="reference", low="a", high="b")
    assert human.values.tolist() == [0.0, 0.5, 1.0]
    with pytest.raises(DataError, match="needs low=, the agent whose score becomes 0"):
        mean(scores, scaling="reference")
    with pytest.raises(DataError, match="no agent named 'd'"):
        mean(scores, scaling="reference", low="a", high="d")


def test_low_scores_can_be_good() -> None:
    scores = Scores.from_matrix([[1, 2]], ["t"], ["a", "b"], lower_is_better=["t"])
    for method in (mean, median, iqm):
        assert method(scores).tiers.tolist() == [0, 1]
        assert method(scores, scaling="minmax").values.tolist() == [1.0, 0.0]


def test_missing_cells() -> None:
    scores = Scores.from_matrix([[1.0, 2.0], [9.0, NAN]], ["t", "u"], ["a", "b"])
    for method in (mean, median):
        assert method(scores).values.tolist() == [5.0, 2.0]
        assert method(scores, missing="common").values.tolist() == [1.0, 2.0]
        with pytest.raises(DataError, match="scores are missing on 'u'"):
            method(scores, missing="error")
    with pytest.raises(DataError, match="no task has a score of every agent"):
        mean(Scores.from_matrix([[NAN, 2.0], [9.0, NAN]], ["t", "u"], ["a", "b"]), missing="common")
    with pytest.raises(DataError, match="for 'b'; leave these agents out"):
        mean(Scores.from_matrix([[1.0, NAN]], ["t"], ["a", "b"]))
