"""Online Elo: steps made by hand, order by time, and going on where it stopped."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.errors import DataError
from podium.methods._registry import METHODS
from podium.methods.online_elo import online_elo, play
from strategies import match_lists, steady


def by_hand(records: list[Any], k: float = 32.0) -> dict[str, float]:
    """Move two ratings after each match: equation 1 of Lanctot et al. (2026) with K."""
    ratings: dict[str, float] = {}
    for left, right, score, *more in records:
        weight = more[0] if more else 1.0
        one, two = ratings.get(left, 0.0), ratings.get(right, 0.0)
        step = k * weight * (score - 1 / (1 + 10 ** ((two - one) / 400)))
        ratings[left], ratings[right] = one + step, two - step
    return ratings


def rated(data: Any, **options: Any) -> dict[str, float]:
    return podium.rank(data, "online-elo", **options).ratings


RECORDS = [("a", "b", 1.0), ("b", "c", 0.5, 2.0), ("c", "a", 0.0), ("b", "a", 1.0, 0.25)]


def test_the_first_match_moves_half_of_k() -> None:
    assert rated(Matches.from_records([("a", "b", 1)])) == {"a": 16.0, "b": -16.0}
    assert rated(Matches.from_records([("a", "b", 0.5)])) == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize("k", [8.0, 32.0])
def test_every_step_is_made(k: float) -> None:
    assert rated(Matches.from_records(RECORDS), k=k) == pytest.approx(by_hand(RECORDS, k))


@given(match_lists())
@steady(60)
def test_points_go_from_one_to_the_other(data: Matches) -> None:
    assert online_elo(data).values.sum() == pytest.approx(0, abs=1e-9)


def test_time_orders_matches_however_they_are_listed() -> None:
    rows = [
        ("a", "b", 1.0, 1.0, "t", 3),
        ("a", "b", 0.0, 1.0, "t", 1),
        ("b", "a", 1.0, 1.0, "t", 2),
    ]
    data = Matches.from_records(rows)
    inorder = [rows[1], rows[2], rows[0]]
    assert rated(data) == pytest.approx(by_hand(inorder))
    assert rated(data, order="listed") == pytest.approx(by_hand(rows))
    assert rated(data) != rated(data, order="listed")
    notes = podium.rank(data, "online-elo").info["notes"][0]
    assert "in the order of their times" in notes


def test_matches_of_one_time_stay_as_listed_and_are_counted() -> None:
    rows = [(left, right, s, 1.0, "t", 5) for left, right, s, *_ in RECORDS]
    ranking = podium.rank(Matches.from_records(rows), "online-elo")
    assert ranking.ratings == pytest.approx(by_hand([row[:3] for row in rows]))
    assert "3 of them at the time of the one before" in ranking.info["notes"][0]


def test_without_times_the_listing_is_the_order() -> None:
    notes = podium.rank(Matches.from_records(RECORDS), "online-elo").info["notes"][0]
    assert "they have no times" in notes


def test_compiled_and_plain_steps_are_the_same() -> None:
    rng = np.random.default_rng(0)
    left = rng.integers(0, 9, 500)
    right = (left + rng.integers(1, 9, 500)) % 9
    score, weight = rng.choice([0, 0.5, 1], 500), rng.random(500)
    plain, fast = np.zeros(9), np.zeros(9)
    play.plain(left, right, score, weight, 32.0, plain)
    play(left, right, score, weight, 32.0, fast)
    assert fast == pytest.approx(plain, rel=1e-12)


def test_a_step_without_end_is_refused() -> None:
    data = Matches.from_records([("a", "b", 1, 1e308), ("b", "a", 1, 1e308), ("a", "b", 1, 1e308)])
    with pytest.raises(DataError, match="online-elo:k is 1e"):
        online_elo(data, k=1e6)
    with pytest.raises(DataError, match="online-elo:k is -1"):
        online_elo(data, k=-1.0)


@given(match_lists(rows=(0, 20)), st.integers(0, 20))
@steady(60)
def test_stopping_and_going_on_is_never_having_stopped(data: Matches, cut: int) -> None:
    rows = np.arange(len(data.left))
    first, later = data.taken(rows[:cut]), data.taken(rows[cut:])
    so_far = online_elo(first)
    resume = METHODS["online-elo"].resume
    assert resume is not None
    assert resume(later, so_far, {}).values.tolist() == online_elo(data).values.tolist()


def test_one_cannot_go_back_in_time() -> None:
    resume = METHODS["online-elo"].resume
    assert resume is not None
    so_far: Ratings = online_elo(Matches.from_records([("a", "b", 1, 1, "t", 10)]))
    early = Matches.from_records([("a", "b", 1, 1, "t", 9)])
    with pytest.raises(DataError, match=r"of time 9, and ratings so far go until 10.*rank all"):
        resume(early, so_far, {})
    assert resume(early, so_far, {"order": "listed"}).values[0] > so_far.values[0]
    nothing = early.taken([])
    assert resume(nothing, so_far, {}).info["until"] == 10


def test_intervals_repeat_matches_where_they_stand() -> None:
    ranking = podium.rank(
        Matches.from_records(RECORDS * 5), "online-elo", intervals="bootstrap", replicates=50
    )
    assert set(ranking.rank_intervals) == {"a", "b", "c"}
