"""Errors of rankings: the paper's definitions by hand, and a slow twin."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.errors import DataError
from podium.metrics import ranking
from podium.metrics.curves import estimate, mean_until, values_at

ORDERS = st.integers(2, 7).flatmap(lambda m: st.permutations(list(range(m))))


def pairs_wrong(order: list[int], truth: list[int]) -> int:
    """Kendall's distance between orders of the same agents, pair by pair."""
    return sum(
        (order.index(a) < order.index(b)) != (truth.index(a) < truth.index(b))
        for a, b in itertools.combinations(truth, 2)
    )


def error_by_hand(order: list[int], truth: list[int], k: int) -> float:
    """GRE as definitions 3.1 and 3.2 of Lanctot et al. (2026) say it."""
    m = len(truth)
    identification = 1 - len(set(order[:k]) & set(truth[:k])) / k
    among = [agent for agent in order if agent in truth[:k]]
    kendall = pairs_wrong(among, truth[:k]) / (k * (k - 1) / 2) if k > 1 else 0.0
    alpha = (m - k) / (m - 1)
    return alpha * identification + (1 - alpha) * kendall


# Figure 1 of Lanctot et al. (2026): five task rankings at distances 4, 1, 4, 1 and 5 of the truth
# are not printed in the text; this ranking of equation (1) is, and is 4 pairs from 0, 1, 2, 3.
EQUATION_1 = [3, 0, 2, 1]


def test_kendall_distance_of_the_ranking_of_equation_1() -> None:
    places = ranking.places_of(EQUATION_1, [0, 1, 2, 3])
    # 3 stands above 0, 1 and 2; 2 stands above 1.
    assert ranking.kendall_distance(places) == 4
    assert ranking.normalized_kendall(places) == pytest.approx(4 / 6)


def test_first_two_of_equation_1() -> None:
    places = ranking.places_of(EQUATION_1, [0, 1, 2, 3])
    # {3, 0} against {0, 1}: one of two is right; 0 stands above 1, as it should.
    assert ranking.identification_error(places, 2) == 0.5
    assert ranking.normalized_kendall(places, 2) == 0.0
    # alpha = (4 - 2) / (4 - 1)
    assert ranking.ranking_error(places, 2) == pytest.approx(2 / 3 * 0.5)


def test_all_weight_is_identification_for_one_and_order_for_all() -> None:
    places = ranking.places_of([1, 0, 2], [0, 1, 2])
    assert ranking.ranking_error(places, 1) == ranking.identification_error(places, 1) == 1.0
    assert ranking.ranking_error(places, 3) == ranking.normalized_kendall(places)


def test_kemeny_score_of_the_appendix() -> None:
    # Appendix B.1: the score of a2 > a0 > a1 is N(a2, a0) + N(a2, a1) + N(a0, a1).
    tally = np.array([[0.0, 7, 2], [3, 0, 4], [8, 6, 0]])
    assert ranking.kemeny_score(ranking.places_of([2, 0, 1], [0, 1, 2]), tally) == 8 + 6 + 7
    assert ranking.kemeny_score_distance(ranking.places_of([2, 0, 1], [0, 1, 2]), tally) == 8


@given(ORDERS, st.data())
def test_errors_are_those_of_the_definitions(order: list[int], data: st.DataObject) -> None:
    truth = data.draw(st.permutations(order))
    places = ranking.places_of(order, truth)
    assert ranking.kendall_distance(places) == pairs_wrong(order, truth)
    for k in range(1, len(order) + 1):
        assert ranking.ranking_error(places, k) == pytest.approx(error_by_hand(order, truth, k))


@given(ORDERS, st.data())
def test_errors_are_0_for_the_truth_and_at_most_1(order: list[int], data: st.DataObject) -> None:
    truth = data.draw(st.permutations(order))
    k = data.draw(st.integers(1, len(order)))
    assert ranking.ranking_error(ranking.places_of(truth, truth), k) == 0.0
    assert 0.0 <= ranking.ranking_error(ranking.places_of(order, truth), k) <= 1.0
    there = ranking.kendall_distance(ranking.places_of(order, truth))
    assert there == ranking.kendall_distance(ranking.places_of(truth, order))


@given(ORDERS, st.data())
def test_names_do_not_matter(order: list[int], data: st.DataObject) -> None:
    truth = data.draw(st.permutations(order))
    names = np.array(data.draw(st.permutations(order)))
    renamed = ranking.places_of(names[order], names[truth])
    assert renamed.tolist() == ranking.places_of(order, truth).tolist()


def test_tables_of_rankings_give_an_error_each() -> None:
    orders = np.array(list(itertools.permutations(range(4))))
    places = ranking.places_of(orders, [2, 0, 3, 1])
    each = [ranking.ranking_error(row, 2) for row in places]
    assert ranking.ranking_error(places, 2).tolist() == each


def test_agents_who_are_not_judged_are_left_out() -> None:
    assert ranking.places_of([4, 1, 3, 0, 2], truth=[0, 1, 2]).tolist() == [1, 0, 2]


def test_k_beyond_the_agents_is_refused() -> None:
    with pytest.raises(DataError, match="k is 4; give a number from 1 to 3"):
        ranking.ranking_error([0, 1, 2], 4)


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.data())
def test_means_over_rounds_are_plain_means(changes: list[bool], data: st.DataObject) -> None:
    changes[0] = True
    since = np.flatnonzero(changes) + 1
    values = np.array([data.draw(st.floats(0, 1)) for _ in since])
    each = values_at(values, since, np.arange(1, len(changes) + 1))
    at = data.draw(st.integers(1, len(changes)))
    assert mean_until(values, since, at) == pytest.approx(each[:at].mean())


def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    held = [abs(mean) <= half for mean, half in (estimate(rng.normal(size=5)) for _ in range(4000))]
    assert np.mean(held) == pytest.approx(0.95, abs=0.012)


def test_one_seed_has_no_interval() -> None:
    assert np.isnan(estimate(np.array([1.0])).half_width)
