"""podium.compare_two: two agents, paired by what both did."""

import itertools
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
from podium import DataError, Matches, Profile, Scores, Tally, compare_two
from strategies import steady

TABLE = Scores.from_matrix([[2, 1], [5, 3], [4, 3], [6, 6], [1, 2]], "stuvw", "ab")
"""Differences 1, 2, 1, 0, -1."""


def test_numbers_worked_by_hand() -> None:
    duel = compare_two(TABLE, "a", "b")
    assert duel.difference == pytest.approx(0.6)
    assert (duel.wins, duel.ties, duel.losses) == (3, 1, 1)
    assert duel.win_share == pytest.approx(3.5 / 5)
    # Signs of 2, 1, 1, 1 give |sum| >= 3 in 8 of 16 ways: +-(2+1+1+1), +-(2+1+1-1) three times.
    assert duel.p_value == pytest.approx(8 / 16)
    assert duel.test == "sign flips, all of them"
    # Three wins of four: 2 * (4 + 1) / 16.
    assert duel.sign_test == pytest.approx(0.625)
    assert (duel.unit, duel.units) == ("task", 5)
    assert duel.better is None
    wanted = stats.ttest_rel([2, 5, 4, 6, 1], [1, 3, 3, 6, 2]).confidence_interval(0.95)
    assert duel.interval == pytest.approx((wanted.low, wanted.high))
    share = stats.binomtest(35, 50).proportion_ci(0.95, method="wilson")
    assert duel.win_share_interval[0] < share.low  # of 5 tasks, not of 50


def test_the_other_way_round_is_the_mirror_image() -> None:
    duel, mirror = compare_two(TABLE, "a", "b"), compare_two(TABLE, "b", "a")
    assert duel.interval is not None
    assert mirror.interval is not None
    assert mirror.difference == -duel.difference
    assert mirror.interval == pytest.approx((-duel.interval[1], -duel.interval[0]))
    assert (mirror.p_value, mirror.sign_test) == (duel.p_value, duel.sign_test)
    assert (mirror.wins, mirror.losses) == (duel.losses, duel.wins)
    assert mirror.win_share == pytest.approx(1 - duel.win_share)


def paired_answers() -> pd.DataFrame:
    """220 questions: both right on 130, a alone on 24, b alone on 8, neither on 58."""
    both = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [130, 24, 8, 58], axis=0)
    rows = [
        {"task": "quiz", "agent": agent, "score": score, "sample": str(number)}
        for number, scores in enumerate(both.tolist())
        for agent, score in zip("ab", scores, strict=True)
    ]
    return pd.DataFrame(rows)


def test_pairing_by_sample_finds_what_an_unpaired_test_does_not() -> None:
    frame = paired_answers()
    duel = compare_two(frame, "a", "b")
    assert (duel.unit, duel.units) == ("sample", 220)
    assert (duel.wins, duel.ties, duel.losses) == (24, 188, 8)
    # McNemar's exact test; the unpaired z-test of evaluation harnesses says 0.11.
    assert duel.p_value == pytest.approx(stats.binomtest(24, 32).pvalue)
    assert duel.p_value == pytest.approx(duel.sign_test)
    shares = np.array([154, 138]) / 220
    z = (shares[0] - shares[1]) / np.sqrt((shares * (1 - shares) / 219).sum())
    assert duel.p_value < 0.01
    assert 2 * stats.norm.sf(z) > 0.1
    assert duel.better == "a"
    a, b = (frame[frame.agent == agent].score.to_numpy() for agent in "ab")
    wanted = stats.ttest_rel(a, b).confidence_interval(0.95)
    assert duel.interval == pytest.approx((wanted.low, wanted.high))


def test_without_identifiers_samples_are_not_paired_and_that_is_told() -> None:
    frame = paired_answers().drop(columns="sample")
    duel = compare_two(frame, "a", "b")
    assert "not paired" in duel.notes[0]
    assert duel.test == "results dealt anew, 2,000 times"
    a, b = (frame[frame.agent == agent].score.to_numpy() for agent in "ab")
    wanted = stats.ttest_ind(a, b, equal_var=False)
    assert duel.p_value == pytest.approx(wanted.pvalue, abs=0.03)
    interval = wanted.confidence_interval(0.95)
    assert duel.interval == pytest.approx((interval.low, interval.high))
    above = stats.mannwhitneyu(a, b).statistic / (len(a) * len(b))
    assert duel.win_share == pytest.approx(above)


def sampled(tasks: int, samples: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    cells = itertools.product(range(tasks), range(samples), "ab")
    rows = [(f"t{t}", agent, s, rng.normal(t + (agent == "a"))) for t, s, agent in cells]
    return pd.DataFrame(rows, columns=["task", "agent", "seed", "score"])


def test_by_task_and_by_sample_within_tasks() -> None:
    frame = sampled(tasks=4, samples=5)
    wide = frame.pivot_table(index=["task", "seed"], columns="agent", values="score")
    difference = wide["a"] - wide["b"]
    by_task = compare_two(frame, "a", "b")
    means = difference.groupby("task").mean()
    assert by_task.unit == "task"
    assert by_task.difference == pytest.approx(means.mean())
    wanted = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    assert by_task.interval == pytest.approx((wanted.low, wanted.high))
    assert "4 tasks cannot tell" in " ".join(by_task.notes)
    assert "resample=sample" in " ".join(by_task.notes)
    by_sample = compare_two(frame, "a", "b", resample="sample")
    assert by_sample.units == 20
    # Variance within tasks: each a fourth of the mean, five samples each.
    parts = difference.groupby("task").var() / 5 / 16
    freedom = parts.sum() ** 2 / (parts**2 / 4).sum()
    half = stats.t.ppf(0.975, freedom) * np.sqrt(parts.sum())
    centre = by_sample.difference
    assert by_sample.interval == pytest.approx((centre - half, centre + half))
    assert by_sample.win_share == pytest.approx((difference > 0).mean())


def test_task_weights_are_honoured() -> None:
    plain = compare_two(TABLE, "a", "b", weights={"w": 0, "v": 0})
    assert plain.interval == pytest.approx(compare_two(TABLE.only(tasks="stu"), "a", "b").interval)
    weighted = compare_two(TABLE, "a", "b", weights={"t": 4})
    assert weighted.difference == pytest.approx((1 + 8 + 1 + 0 - 1) / 8)
    assert weighted.win_share == pytest.approx((1 + 4 + 1 + 0.5) / 8)
    with pytest.raises(DataError, match="share no task of weight above 0"):
        compare_two(TABLE, "a", "b", weights=dict.fromkeys("stuvw", 0.0))


def test_only_shared_tasks_and_samples_count_and_that_is_told() -> None:
    table = np.array([[2, 1], [np.nan, 3], [4, np.nan], [5, 4]])
    holes = Scores.from_matrix(table, "stuv", "ab")
    duel = compare_two(holes, "a", "b")
    assert duel.units == 2
    assert duel.notes[0] == "2 tasks not shared by the two agents left out: 't', 'u'"
    frame = paired_answers().iloc[:-1]
    told = compare_two(frame, "a", "b")
    assert told.units == 219
    assert "1 sample of only one of the two agents left out" in told.notes
    apart = Scores.from_matrix([[2, np.nan], [np.nan, 3]], "st", "ab")
    with pytest.raises(DataError, match="'a' and 'b' share no task"):
        compare_two(apart, "a", "b")


def test_lower_is_better() -> None:
    flipped = Scores.from_matrix(
        [[2, 1], [5, 3], [4, 3], [6, 6], [1, 2]], "stuvw", "ab", lower_is_better=set("stuvw")
    )
    assert compare_two(flipped, "a", "b").difference == pytest.approx(-0.6)


def test_what_shows_no_spread_has_no_interval() -> None:
    equal = Scores.from_matrix([[2, 1], [3, 2], [1, 0]], "stu", "ab")
    for duel in (compare_two(equal, "a", "b"), compare_two(equal.only(tasks="s"), "a", "b")):
        assert duel.interval is None
        assert "no interval" in " ".join(duel.notes)
    assert compare_two(equal.only(tasks="s"), "a", "b").p_value == 1


def test_a_task_that_rules_the_mean_is_named() -> None:
    scores = Scores.from_matrix([[2, 1], [5000, 3], [4, 5]], "stu", "ab")
    assert (
        "task 't' alone makes up 100% of all differences" in compare_two(scores, "a", "b").notes[-1]
    )


MEETINGS = [("a", "b", 1.0)] * 7 + [("b", "a", 1.0)] * 2 + [("a", "b", 0.5)] * 3 + [("a", "c", 0.0)]


def test_matches() -> None:
    duel = compare_two(Matches.from_records(MEETINGS), "a", "b")
    assert (duel.unit, duel.units) == ("match", 12)
    assert (duel.wins, duel.ties, duel.losses) == (7, 3, 2)
    assert duel.p_value == pytest.approx(stats.binomtest(7, 9).pvalue)
    assert duel.win_share == pytest.approx(8.5 / 12)
    assert duel.difference == pytest.approx(5 / 12)
    p, n, z = 8.5 / 12, 12, stats.norm.ppf(0.975)
    half = z * np.sqrt(p * (1 - p) / n + z**2 / 4 / n**2) / (1 + z**2 / n)
    centre = (p + z**2 / 2 / n) / (1 + z**2 / n)
    assert duel.win_share_interval == pytest.approx((centre - half, centre + half))
    assert duel.interval == pytest.approx((2 * (centre - half) - 1, 2 * (centre + half) - 1))


def test_ballots_and_counts_say_the_same_as_matches() -> None:
    matches = compare_two(Matches.from_records(MEETINGS), "a", "b")
    ballots = [(7, "ab"), (2, "bca"), (3, [["a", "b"], "c"]), (5, ["c", "a"])]
    profile = compare_two(Profile.from_ballots(ballots), "a", "b")
    counts = Tally.from_matrix([[0, 7], [2, 0]], "ab", met=[[0, 12], [12, 0]])
    tally = compare_two(counts, "a", "b")
    for other in (profile, tally):
        assert other.p_value == matches.p_value
        assert other.win_share_interval == matches.win_share_interval
        assert (other.wins, other.ties, other.losses) == (7, 3, 2)
    assert (profile.unit, tally.unit) == ("ballot", "match")


def clustered(outcomes: list[tuple[float, float]]) -> Matches:
    """Pairs of games of a and b, given by the scores of a."""
    roster = podium.Matches.from_records([("a", "b", 1.0)]).roster
    scores = np.array(outcomes).ravel()
    side = np.zeros(len(scores), dtype=int)
    return Matches.from_codes(
        roster, side, 1 - side, scores, cluster=np.repeat(np.arange(len(outcomes)), 2)
    )


def test_matches_that_belong_together_count_once() -> None:
    double = [(1.0, 1.0)] * 6 + [(0.0, 0.0)]
    duel = compare_two(clustered(double), "a", "b")
    assert (duel.unit, duel.units) == ("cluster", 7)
    assert duel.p_value == pytest.approx(stats.binomtest(6, 7).pvalue)
    alone = compare_two(
        Matches.from_records([("a", "b", 1.0)] * 12 + [("a", "b", 0.0)] * 2), "a", "b"
    )
    assert alone.p_value < 0.05 < duel.p_value
    wide, narrow = duel.win_share_interval, alone.win_share_interval
    assert wide[0] < narrow[0]
    assert narrow[1] < wide[1]
    assert "14 matches belong to 7 clusters" in duel.notes[0]


def test_pairs_of_games_with_sides_swapped_narrow_the_interval() -> None:
    # Who moves first always wins, but for one pair of games: 41 of 80 points, hardly by chance 50.
    swapped = compare_two(clustered([(1.0, 0.0)] * 39 + [(1.0, 1.0)]), "a", "b")
    apart = compare_two(
        Matches.from_records([("a", "b", 1.0)] * 41 + [("a", "b", 0.0)] * 39), "a", "b"
    )
    assert swapped.win_share == apart.win_share
    assert swapped.win_share_interval[1] < apart.win_share_interval[1]


def test_weighted_matches_and_tasks() -> None:
    records = [
        ("a", "b", 1.0, 2.0, "s", 0),
        ("a", "b", 0.0, 1.0, "t", 0),
        ("b", "a", 0.0, 1.0, "t", 0),
    ]
    matches = Matches.from_records(records)
    duel = compare_two(matches, "a", "b")
    assert (duel.wins, duel.ties, duel.losses) == (3, 0, 1)
    assert duel.win_share == pytest.approx(0.75)
    # +-2 +-1 +-1: |sum| >= 2 in 6 of 8 ways.
    assert duel.p_value == pytest.approx(6 / 8)
    by_task = compare_two(matches, "a", "b", resample="task")
    assert (by_task.unit, by_task.units) == ("task", 2)
    assert compare_two(matches, "a", "b", weights={"t": 0}).wins == 2
    with pytest.raises(DataError, match="name no tasks"):
        compare_two(Matches.from_records(MEETINGS), "a", "b", resample="task")


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.sampled_from([0, 0.5, 1])),
        min_size=1,
        max_size=12,
    )
)
@steady(40)
def test_listing_order_does_not_matter(records: list[tuple[str, str, float]]) -> None:
    rows = [row for row in records if row[0] != row[1]]
    met = [row for row in rows if {*row[:2]} == {"a", "b"}]
    if not met:
        return
    there = compare_two(Matches.from_records(rows), "a", "b")
    back = compare_two(Matches.from_records(rows[::-1]), "a", "b")
    assert there.table() == back.table()
    alone = compare_two(Matches.from_records(met), "a", "b")
    assert (alone.p_value, alone.win_share) == (there.p_value, there.win_share)


@pytest.mark.parametrize(
    ("data", "a", "b", "more", "said"),
    [
        (TABLE, "a", "c", {}, "no agent named 'c'"),
        (TABLE, "a", "a", {}, "asked for twice"),
        (TABLE, "a", "b", {"level": 95}, "level is 95"),
        (TABLE, "a", "b", {"resample": "match"}, "choose from 'task', 'sample'"),
        (TABLE, "a", "b", {"resample": "task+sample"}, "choose from 'task', 'sample'"),
        (Matches.from_records(MEETINGS), "b", "c", {}, "'b' and 'c' never met"),
        (Profile.from_ballots([(1, "ab")]), "a", "b", {"resample": "task"}, "choose from 'ballot'"),
        (podium.Game.from_payoffs([np.eye(2), -np.eye(2)]), "a", "b", {}, "payoffs are given"),
    ],
)
def test_what_cannot_be_compared(data: Any, a: str, b: str, more: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        compare_two(data, a, b, **more)


def test_written_forms() -> None:
    duel = compare_two(paired_answers(), "a", "b")
    answer = json.loads(json.dumps(duel.to_dict(), allow_nan=False))
    assert answer["schema"] == "podium.compare/1"
    assert answer["p_value"] == duel.p_value
    assert answer["data"]["agents"] == 2
    assert answer["better"] == "a"
    assert str(duel).splitlines()[0] == "a is better than b (p = 0.007)."
    assert "24 wins, 188 ties, 8 losses" in str(duel)
    (row,) = duel.table()
    assert row["difference_low"] == duel.to_dict()["interval"][0]
    odd = Matches.from_records([("<i>", "b", 1.0)])
    assert "<i>" not in compare_two(odd, "<i>", "b")._repr_html_()
    with pytest.raises(AttributeError):
        duel.level = 0.5  # type: ignore[misc] # a duel is frozen, which is what is tested
