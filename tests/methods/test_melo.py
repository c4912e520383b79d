"""mElo: golden predictions and updates of the paper, and matches that come later."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._registry import METHODS
from podium.methods.elo import elo
from podium.methods.hodge import hodge
from podium.methods.melo import melo, play
from shared import shared
from strategies import shuffled, steady, tallies


def chances(ratings: Ratings, agents: str = "abc") -> np.ndarray:
    pairs = ratings.info["chances"]
    return np.array([[0.5 if i == j else pairs[i, j] for j in agents] for i in agents])


def test_golden_low_rank_predictions() -> None:
    golden = json.loads(shared("golden/melo.json").read_text())
    table = np.array(golden["P_empirical"])
    wins = 100 * table
    np.fill_diagonal(wins, 0.0)
    tally = Tally.from_matrix(wins, "abc")
    want = golden["lowrank_k1_clip_0p01"]
    assert chances(melo(tally, pairs=1, clip=0.01)) == pytest.approx(
        np.array(want), abs=golden["tol"]
    )
    # Without the plane it cannot say that a beats b, b beats c and c beats a.
    plain = chances(melo(tally, pairs=0))
    assert not (plain[0, 1] > 0.5 and plain[1, 2] > 0.5 and plain[2, 0] > 0.5)


def test_golden_updates() -> None:
    golden = json.loads(shared("golden/melo.json").read_text())
    rates = tuple(golden["online_eta"])
    for step in golden["online"]:
        before = step["before"]
        ratings, points = np.array(before["r"]), np.array(before["c"])
        left, right = np.array([before["i"]]), np.array([before["j"]])
        play.plain(left, right, np.array([before["p"]]), np.ones(1), rates, ratings, points)
        assert ratings == pytest.approx(step["r"], abs=golden["tol"])
        assert points == pytest.approx(np.array(step["c"]), abs=golden["tol"])


def matches_of(count: int, seed: int = 0) -> Matches:
    """Draw rock, paper, scissors with chance."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 3, count)
    right = (left + rng.integers(1, 3, count)) % 3
    wins = np.where((right - left) % 3 == 1, 0.9, 0.1)
    score = (rng.random(count) < wins).astype(float)
    return Matches.from_columns(["abc"[i] for i in left], ["abc"[i] for i in right], score)


def test_online_learns_a_cycle_that_elo_cannot() -> None:
    matches = matches_of(4_000)
    learnt = chances(melo(matches, online=True, turn_rate=0.1))
    assert learnt[0, 1] > 0.75
    assert learnt[1, 2] > 0.75
    assert learnt[2, 0] > 0.75
    elo = chances(melo(matches, online=True, pairs=0))
    assert np.abs(elo - 0.5).max() < 0.25


@steady(20)
@given(st.integers(0, 100), st.integers(0, 3))
def test_going_on_later_is_as_never_having_stopped(cut: int, pairs: int) -> None:
    matches = matches_of(100)
    options = {"online": True, "pairs": pairs, "rate": 0.3}
    whole = melo(matches, online=True, pairs=pairs, rate=0.3)
    early = melo(matches.taken(range(cut)), online=True, pairs=pairs, rate=0.3)
    resume = METHODS["melo"].resume
    assert resume is not None
    later = resume(matches.taken(range(cut, 100)), early, options)
    assert later.values.tolist() == whole.values.tolist()
    assert later.info["vectors"] == whole.info["vectors"]


def test_it_goes_on_from_an_offline_fit_and_takes_in_new_agents() -> None:
    tally = Tally.from_matrix([[0, 9, 1], [1, 0, 9], [9, 1, 0]], "abc")
    resume = METHODS["melo"].resume
    assert resume is not None
    more = Matches.from_records([("a", "new", 1.0)], agents=["a", "b", "c", "new"])
    later = resume(more, melo(tally), {})
    assert later.values[0] > 0 > later.values[3]
    assert later.info["vectors"]["b"] == melo(tally).info["vectors"]["b"]


def test_compiled_and_plain_are_the_same() -> None:
    matches = matches_of(300)
    columns = matches.left, matches.right, matches.score, matches.weight
    start = np.random.default_rng(1).normal(size=(3, 4))
    results = []
    for run in (play, play.plain):
        ratings, points = np.zeros(3), start.copy()
        run(*columns, (0.2, 0.1), ratings, points)
        results.append(np.column_stack([ratings, points]))
    assert results[0] == pytest.approx(results[1], abs=1e-12)


def test_offline_rates_as_hodge_does() -> None:
    tally = Tally.from_matrix([[0, 6, 9], [4, 0, 5], [1, 5, 0]], "abc")
    ours, theirs = melo(tally), hodge(tally)
    assert ours.values.tolist() == theirs.values.tolist()
    assert ours.info["cyclic_share"] == theirs.info["cyclic_share"]
    assert ours.info["vectors"] == theirs.info["vectors"]


def test_very_many_agents_get_no_table_of_chances() -> None:
    names = [f"a{i}" for i in range(1_001)]
    found = melo(Matches.from_records([("a0", "a1", 1.0)], agents=names), online=True)
    assert found.info["chances"] is None
    assert found.values[0] > found.values[2] > found.values[1]


def test_refusals_say_what_to_do() -> None:
    with pytest.raises(DataError, match="give matches"):
        melo(Tally.from_matrix([[0, 1], [1, 0]], "ab"), online=True)
    with pytest.raises(DataError, match="give lower ones"):
        melo(matches_of(200), online=True, rate=900.0, turn_rate=900.0)


def drawn(seed: int, size: int = 5) -> Tally:
    """Count some 8 meetings a pair, with ties and weights that are no whole numbers."""
    rng = np.random.default_rng(seed)
    wins = rng.gamma(4.0, 1.0, (size, size)) * (1 - np.eye(size))
    ties = np.triu(rng.gamma(1.0, 1.0, (size, size)), 1)
    return Tally.from_matrix(wins, "abcdefgh"[:size], met=wins + wins.T + ties + ties.T)


def test_golden_fit_by_likelihood() -> None:
    golden = json.loads(shared("golden/melo.json").read_text())
    wins = np.array(golden["P_empirical"]) * (1 - np.eye(3))
    found = melo(Tally.from_matrix(wins, "abc"), fit="likelihood", penalty=1e-4)
    want = np.array(golden["mle_k1_l2_1e4"])
    assert chances(found) == pytest.approx(want, abs=golden["tol"])


@pytest.mark.parametrize("weight", [1e-3, 1.0, 1e5])
def test_without_planes_and_penalty_it_is_elo(weight: float) -> None:
    # a beat all, and c and d never met.
    wins = weight * np.array([[0, 4, 2, 1.5], [1, 0, 0, 3], [1, 2, 0, 0], [0, 1, 0, 0]])
    tally = Tally.from_matrix(wins, "abcd")
    found = melo(tally, pairs=0, fit="likelihood", penalty=0.0)
    assert found.values * 400 / np.log(10) == pytest.approx(elo(tally).values, abs=1e-5)
    assert found.info["unique"] is True
    assert "1 pair never met" in found.info["notes"][0]


def test_with_as_many_planes_as_there_can_be_it_gives_the_shares_back() -> None:
    tally = drawn(0)
    ours = melo(tally, pairs=2, fit="likelihood", penalty=0.0)
    plain = melo(tally, pairs=2, clip=1e-9)
    assert chances(ours, "abcde") == pytest.approx(chances(plain, "abcde"), abs=1e-7)
    assert ours.values == pytest.approx(plain.values, abs=1e-6)
    assert ours.info["cyclic_share"] == pytest.approx(plain.info["cyclic_share"], abs=1e-6)


def test_many_meetings_tell_more_than_few() -> None:
    # One plane cannot hold both circles; the one of few meetings gives way.
    wins = np.zeros((6, 6))
    for first, often in ((0, 1.0), (3, 100.0)):
        for one, two in ((0, 1), (1, 2), (2, 0)):
            wins[first + one, first + two], wins[first + two, first + one] = 8 * often, 2 * often
    wins[0, 3] = wins[3, 0] = 1.0
    found = chances(melo(Tally.from_matrix(wins, "abcdef"), fit="likelihood"), "abcdef")
    assert found[3, 4] == pytest.approx(0.8, abs=0.01)
    assert found[4, 5] == pytest.approx(0.8, abs=0.01)


def test_a_penalty_keeps_all_finite_though_one_side_always_won() -> None:
    wins = [[0, 5, 0, 5], [0, 0, 5, 5], [5, 0, 0, 5], [0, 0, 0, 0]]
    tally = Tally.from_matrix(wins, "abcd")
    loose, tight = (melo(tally, fit="likelihood", penalty=by) for by in (1e-3, 1.0))
    for found in (loose, tight):
        assert np.isfinite(found.values).all()
        assert 0.5 < chances(found, "abcd")[0, 1] < 1
        assert found.info["residual"] <= 1e-7
        assert found.tiers.tolist() == [0, 0, 0, 1]
    assert chances(loose, "abcd")[0, 1] > chances(tight, "abcd")[0, 1]
    assert loose.info["loss"] < tight.info["loss"]
    with pytest.raises(DataError, match="give a penalty above 0"):
        melo(tally, fit="likelihood", penalty=0.0)
    with pytest.raises(DataError, match="give a penalty above 0"):
        melo(tally, fit="likelihood", penalty=0.0, pairs=0)


@steady(40)
@given(tallies(agents=(1, 3)), st.integers(0, 2**32 - 1), st.sampled_from([1e-3, 0.01, 1.0]))
def test_the_order_of_agents_changes_no_fit(tally: Tally, seed: int, penalty: float) -> None:
    other = shuffled(tally, np.random.default_rng(seed), str)
    try:
        one = melo(tally, fit="likelihood", penalty=penalty)
    except DataError:
        return
    two = melo(other, fit="likelihood", penalty=penalty)
    place = [other.agents.index(agent) for agent in tally.agents]
    assert one.tiers.tolist() == two.tiers[place].tolist()
    assert one.values == pytest.approx(two.values[place], abs=1e-6)
    assert chances(one, "".join(tally.agents)) == pytest.approx(
        chances(two, "".join(tally.agents)), abs=1e-6
    )
