"""Kernels that are asked every round, against the methods for whole data sets and other twins."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from podium.arrays import Floats, Ints
from podium.kernels import kemeny_rounds, lottery_rounds, matrix_games
from podium.kernels.elo import elo_step
from podium.kernels.elo_sweeps import sweep_strengths
from podium.kernels.graphs import edges_of
from podium.kernels.kemeny import kemeny
from podium.kernels.kemeny_search import improved
from podium.kernels.locking import lock_together
from podium.kernels.lotteries import levels
from podium.kernels.records import sort_by_rating
from podium.kernels.regret import match_regrets
from podium.kernels.sco_steps import drawn_step, match_slope
from podium.kernels.tournaments import copeland_scores, lock_sorted, sort_pairs

SEEDS = st.integers(0, 2**32 - 1)


def wins_of(seed: int, most: int = 6, largest: int = 4) -> Floats:
    """Draw small counts, with ties and pairs that never met."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, most + 1))
    wins = rng.integers(0, largest + 1, (size, size)).astype(np.float64)
    np.fill_diagonal(wins, 0.0)
    return wins


def odd_wins(seed: int, most: int = 6) -> Floats:
    """Draw counts whose margins are odd and all different: every rule has one answer."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, most + 1))
    upper = np.triu_indices(size, 1)
    margins = np.zeros((size, size))
    margins[upper] = (2 * rng.permutation(len(upper[0])) + 1) * rng.choice([-1, 1], len(upper[0]))
    margins -= margins.T
    return np.maximum(margins, 0.0)


@given(SEEDS)
def test_copeland_scores_and_whether_they_settle_the_order(seed: int) -> None:
    wins = wins_of(seed)
    margins, ratings = wins - wins.T, np.empty(len(wins))
    settled = copeland_scores.plain(wins, ratings)
    expected = (margins > 0).sum(axis=1) + 0.5 * ((margins == 0).sum(axis=1) - 1)
    assert ratings.tolist() == expected.tolist()
    tied = (margins == 0).sum() > len(wins)
    cyclic = any(
        margins[a, b] > 0 and margins[b, c] > 0 and margins[c, a] > 0
        for a, b, c in itertools.permutations(range(len(wins)), 3)
    )
    assert settled == (not tied and not cyclic)


@given(SEEDS)
def test_locked_pairs_are_those_of_ranked_pairs(seed: int) -> None:
    wins = odd_wins(seed)
    size = len(wins)
    pairs = np.array([i * size + j for i in range(size) for j in range(i + 1, size)])
    np.random.default_rng(seed).shuffle(pairs)
    reach, ratings = np.zeros((size, size), dtype=np.bool_), np.empty(size)
    sort_pairs.plain(wins, pairs)
    lock_sorted.plain(wins, pairs, reach, ratings)
    expected = lock_together(edges_of(wins - wins.T), size).reach.matrix()
    assert reach.tolist() == expected.tolist()
    assert ratings.tolist() == expected.sum(axis=1).tolist()


@given(SEEDS)
def test_small_kemeny_is_kemeny(seed: int) -> None:
    wins = wins_of(seed)
    order = np.arange(len(wins))
    unique = kemeny_rounds.kemeny_order.plain(wins, kemeny_rounds.table(len(wins)), order)
    expected = kemeny(wins, 60.0)
    assert kemeny_rounds.agreement.plain(wins, order) == pytest.approx(expected.value)
    assert unique == expected.unique


@given(SEEDS)
def test_insertion_ends_where_no_single_move_helps(seed: int) -> None:
    wins, rng = wins_of(seed, most=8), np.random.default_rng(seed)
    order = rng.permutation(len(wins))
    kemeny_rounds.insert_better.plain(wins, order)
    again = improved(order, wins - wins.T)
    value = kemeny_rounds.agreement.plain(wins, order)
    assert kemeny_rounds.agreement.plain(wins, again) == pytest.approx(value)


@given(SEEDS)
def test_equilibria_have_the_value_of_the_linear_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 6, 2).tolist()
    payoffs = rng.integers(-3, 4, (rows, columns)) * rng.choice([1.0, 1e-6, 1e6])
    first, second = np.empty(rows), np.empty(columns)
    room = matrix_games.room(rows, columns)
    value = matrix_games.solve_game.plain(payoffs, rows, columns, room, first, second)
    scale = np.abs(payoffs).max() or 1.0
    for strategy in (first, second):
        assert strategy.min() >= 0.0
        assert strategy.sum() == pytest.approx(1.0)
    assert (first @ payoffs).min() / scale == pytest.approx(value / scale, abs=1e-9)
    assert (payoffs @ second).max() / scale == pytest.approx(value / scale, abs=1e-9)
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-payoffs.T / scale, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    assert -found.fun == pytest.approx(value / scale, abs=1e-7)


@given(SEEDS)
def test_lotteries_are_those_of_whole_data_sets(seed: int) -> None:
    wins = odd_wins(seed)
    ratings, policy = np.empty(len(wins)), np.empty(len(wins))
    lottery_rounds.lottery_ratings.plain(wins, lottery_rounds.levels(len(wins)), ratings, policy)
    found = levels(wins - wins.T)
    expected = np.empty(len(wins))
    for below, level in enumerate(reversed(found)):
        expected[level.agents] = below + level.chances
    assert ratings == pytest.approx(expected, abs=1e-9)
    assert policy[found[0].agents] == pytest.approx(found[0].chances, abs=1e-9)
    assert policy.sum() == pytest.approx(1.0)


@given(SEEDS)
def test_lotteries_with_ties_lose_to_nobody(seed: int) -> None:
    wins = wins_of(seed)
    ratings, policy = np.empty(len(wins)), np.empty(len(wins))
    lottery_rounds.lottery_ratings.plain(wins, lottery_rounds.levels(len(wins)), ratings, policy)
    assert ((wins - wins.T) @ policy).max() <= 1e-9
    assert policy.sum() == pytest.approx(1.0)


@given(SEEDS)
def test_sweeps_come_to_the_maximum_of_the_likelihood(seed: int) -> None:
    wins, prior = wins_of(seed), 0.1
    size = len(wins)
    strengths, scratch = np.ones(size), np.empty(size)
    for _ in range(3_000):
        if sweep_strengths.plain(wins, prior, strengths, scratch) < 1e-13:
            break
    # At the maximum each agent has won as much as the model expects of it.
    padded = wins + prior * (1 - np.eye(size))
    chance = strengths[:, None] / (strengths[:, None] + strengths)
    expected = ((padded + padded.T) * chance * (1 - np.eye(size))).sum(axis=1)
    assert padded.sum(axis=1) == pytest.approx(expected, rel=1e-6)
    assert strengths.mean() == pytest.approx(1.0)


def test_an_elo_step_by_hand() -> None:
    ratings = np.array([400.0, 0.0])
    elo_step.plain(ratings, 1, 0, 1.0, 11.0)
    # The weaker was expected to score 1/11.
    assert ratings.tolist() == pytest.approx([390.0, 10.0])


@given(st.floats(-30, 30), st.floats(0.5, 4))
def test_the_slope_is_that_of_the_sigmoid(gap: float, temperature: float) -> None:
    def loss(by: float) -> float:
        return 1 / (1 + math.exp((gap + by) / temperature))

    slope = match_slope.plain(np.array([gap, 0.0]), 0, 1, temperature)
    assert slope == pytest.approx((loss(-1e-5) - loss(1e-5)) / 2e-5, abs=1e-7)


def test_a_drawn_step_follows_the_mean_slope_of_all_matches() -> None:
    wins, stream = np.array([[0.0, 3, 1], [1, 0, 2], [0, 0.5, 0]]), np.ones(1, dtype=np.uint64)
    start, total = np.array([50.0, 51.0, 49.5]), np.zeros(3)
    for winner, loser in itertools.permutations(range(3), 2):
        slope = wins[winner, loser] / wins.sum() * match_slope.plain(start, winner, loser, 1.0)
        total[winner] += slope
        total[loser] -= slope
    ratings = start.copy()
    drawn_step.plain(wins, 20_000, 1e-4, 1.0, 100.0, np.empty(3), np.empty(3), ratings, stream)
    assert (ratings - start) / 2.0 == pytest.approx(total, abs=0.005)


def test_drawn_steps_stay_between_the_bounds() -> None:
    wins, ratings = np.array([[0.0, 1], [0, 0]]), np.array([99.9, 0.1])
    stream, room = np.ones(1, dtype=np.uint64), (np.empty(2), np.empty(2))
    for _ in range(5):
        drawn_step.plain(wins, 32, 1e3, 40.0, 100.0, *room, ratings, stream)
    assert ratings.tolist() == [100.0, 0.0]


def test_regrets_make_a_policy() -> None:
    policy, total = np.empty(3), np.ones(3)
    match_regrets.plain(np.array([3.0, -5.0, 1.0]), policy, total)
    assert policy.tolist() == [0.75, 0.0, 0.25]
    assert total.tolist() == [1.75, 1.0, 1.25]
    match_regrets.plain(np.array([-3.0, -5.0, 0.0]), policy, total)
    assert policy == pytest.approx([1 / 3] * 3)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7), st.data())
def test_sorting_by_rating(values: list[int], data: st.DataObject) -> None:
    ratings = np.array(values, dtype=np.float64)
    order: Ints = np.array(data.draw(st.permutations(range(len(values)))))
    before = order.tolist()
    changed = sort_by_rating.plain(ratings, order)
    assert order.tolist() == sorted(range(len(values)), key=lambda agent: -values[agent])
    assert changed == (before != order.tolist())
