"""What tasks do to a ranking, and which neighbours are in doubt, by hand and by slow twins."""

import itertools

import numpy as np
import pytest

from podium import rank
from podium.analysis.doubts import doubts
from podium.analysis.influence import LARGEST, influence
from podium.data.scores import Scores
from podium.data.tally import Tally

RNG = np.random.default_rng(5)


def order(first: float, second: float) -> float:
    return float(np.sign(first - second))


def slow(scores: Scores, task: str, method: str) -> tuple[float, float]:
    """Go through all pairs: how far a task is from the ranking, and what it moves."""
    ranks = rank(scores, method).ranks
    rest = [other for other in scores.tasks if other != task]
    without = rank(scores.only(tasks=rest), method).ranks
    means = dict(zip(scores.agents, scores.means[scores.tasks.index(task)], strict=True))
    apart, moved = [], []
    for one, other in itertools.combinations(scores.agents, 2):
        above = order(ranks[other], ranks[one])
        moved.append(abs(order(without[other], without[one]) - above) / 2)
        if not np.isnan(means[one] + means[other]):
            apart.append(abs(order(means[one], means[other]) - above) / 2)
    return float(np.mean(apart)), float(np.mean(moved))


@pytest.mark.parametrize("method", ["copeland", "borda", "mean"])
@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_influence_is_that_of_the_slow_twin(method: str, holes: float) -> None:
    table = RNG.integers(0, 5, (6, 7)).astype(float)
    table[RNG.random(table.shape) < holes] = np.nan
    table[:, 0] = 2.0  # of two agents at least all tasks have scores
    table[:, 1] = 3.0
    scores = Scores.from_matrix(table, "stuvwx", "abcdefg")
    found = influence(scores, rank(scores, method))
    assert not isinstance(found, str)
    assert {one.task for one in found} == set("stuvwx")
    for one in found:
        assert (one.distance, one.moved) == pytest.approx(slow(scores, one.task, method), abs=1e-6)
    assert [one.moved for one in found] == sorted((one.moved for one in found), reverse=True)


def test_a_task_that_decides_who_leads_is_found() -> None:
    scores = Scores.from_matrix([[2, 1], [2, 1], [1, 2]], "stu", "ab")
    found = influence(scores, rank(scores, "copeland"))
    assert not isinstance(found, str)
    leaders = {one.task: one.leaders for one in found}
    assert leaders == {"s": ("a", "b"), "t": ("a", "b"), "u": ("a",)}


def test_like_tasks_find_each_other_and_doubles_agree_wholly() -> None:
    table = np.array([[1, 2, 3, 4], [4, 1, 3, 2], [10, 20, 30, 40], [2, 4, 1, 3]], float)
    scores = Scores.from_matrix(table, "stuv", "abcd")
    found = influence(scores, rank(scores, "borda"))
    assert not isinstance(found, str)
    alike = {one.task: (one.alike, one.likeness) for one in found}
    assert alike["s"] == ("u", 1.0)
    assert alike["u"] == ("s", 1.0)


def test_listing_order_changes_nothing() -> None:
    scores = Scores.from_matrix(RNG.integers(0, 3, (5, 6)), "stuvw", "abcdef")
    turned = scores.only(agents="fbdace", tasks="wsvut")
    one, other = (influence(each, rank(each, "borda")) for each in (scores, turned))
    assert one == other


def test_tasks_without_weight_are_no_tasks() -> None:
    scores = Scores.from_matrix([[1, 2], [2, 1], [1, 2]], "stu", "ab").with_weights({"s": 0.0})
    found = influence(scores, rank(scores, "copeland"))
    assert {one.task for one in found if not isinstance(one, str)} == {"t", "u"}


def test_too_few_and_too_many_are_said() -> None:
    one = Scores.from_matrix([[1, 2]], "s", "ab")
    assert influence(one, rank(one, "copeland")) == "there are fewer than two tasks"
    agents = [f"a{n}" for n in range(1 + int((2 * LARGEST / 2) ** 0.5) + 1)]
    many = Scores.from_matrix(np.zeros((2, len(agents))), "st", agents)
    assert "up to 20,000,000" in str(influence(many, rank(many, "plurality")))


def test_doubts_put_a_pair_against_its_own_record_first() -> None:
    wins = np.array([[0, 3, 9, 9], [5, 0, 5, 9], [0, 5, 0, 9], [0, 0, 0, 0]], float)
    found = doubts(Tally.from_matrix(wins, "abcd"), "abcd")
    assert [(one.above, one.below) for one in found] == [("a", "b"), ("b", "c"), ("c", "d")]
    # 9 heads of 9: 2 * 2**-9
    assert found[-1].p_value == pytest.approx(2 / 512)
    assert (found[0].wins, found[0].ties, found[0].losses, found[0].place) == (3, 0, 5, 1)


def test_a_pair_that_never_met_is_in_doubt_before_one_that_is_even() -> None:
    met = np.array([[0, 0, 9], [0, 0, 10], [1, 10, 0]], float)
    wins = np.array([[0, 0, 9], [0, 0, 5], [0, 5, 0]], float)
    found = doubts(Tally.of_arrays(("a", "b", "c"), wins, met), "abc")
    assert (found[0].above, found[0].below, found[0].p_value) == ("a", "b", 1.0)
