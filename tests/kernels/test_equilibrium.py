"""Equilibria of symmetric games: against all vertices in exact fractions."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels.entropy import most_even
from podium.kernels.equilibrium import equilibrium, ranges
from podium.kernels.lotteries import levels
from shared import shared
from strategies import steady


@st.composite
def games(draw: st.DrawFn, largest: int = 4, span: int = 3) -> Floats:
    """Small whole payoffs, so that ties and choices are common."""
    size = draw(st.integers(1, largest))
    game = np.zeros((size, size))
    for i, j in itertools.combinations(range(size), 2):
        game[i, j] = draw(st.integers(-span, span))
        game[j, i] = -game[i, j]
    return game


def solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve rows of coefficients and right side by elimination; None unless there is one answer."""
    size = len(rows)
    table = [row.copy() for row in rows]
    for column in range(size):
        pivot = next((r for r in range(column, size) if table[r][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        head = table[column][column]
        table[column] = [value / head for value in table[column]]
        for row in range(size):
            if row != column and table[row][column]:
                factor = table[row][column]
                pairs = zip(table[row], table[column], strict=True)
                table[row] = [value - factor * other for value, other in pairs]
    return [row[-1] for row in table]


def slow_vertices(game: Floats) -> list[tuple[Fraction, ...]]:
    """Find all corners of the set of optimal strategies, trying every set of tight conditions."""
    size = len(game)
    payoffs = [[Fraction(int(value)) for value in row] for row in game]
    units = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    total = [Fraction(1)] * (size + 1)
    corners = set()
    for tight in itertools.combinations([*payoffs, *units], size - 1):
        answer = solve([total, *([*row, Fraction(0)] for row in tight)])
        if answer is None or min(answer) < 0:
            continue
        wins = [sum(a * p for a, p in zip(row, answer, strict=True)) for row in payoffs]
        if max(wins) <= 0:
            corners.add(tuple(answer))
    return sorted(corners)


@steady(200)
@given(game=games())
def test_all_corners_in_fractions_say_the_same(game: Floats) -> None:
    corners = np.array(slow_vertices(game), dtype=np.float64)
    found = equilibrium(game)
    assert found.proven
    assert found.gain <= 1e-12
    assert found.unique == (len(corners) == 1)
    assert found.support.tolist() == (corners.max(axis=0) > 0).tolist()
    assert found.strategy.sum() == pytest.approx(1.0, abs=1e-12)
    span = ranges(game, found)
    assert span is not None
    assert span[:, 0] == pytest.approx(corners.min(axis=0), abs=1e-9)
    assert span[:, 1] == pytest.approx(corners.max(axis=0), abs=1e-9)
    # Entropy is concave: it is highest where it falls towards every corner.
    used = found.support
    slope = -np.log(found.strategy[used])
    towards = (corners[:, used] - found.strategy[used]) @ slope
    assert towards.max() <= 1e-9


@steady(100)
@given(game=games(largest=12, span=2), seed=st.integers(0, 99))
def test_codes_of_agents_do_not_matter(game: Floats, seed: int) -> None:
    mixed = np.random.default_rng(seed).permutation(len(game))
    one, other = equilibrium(game), equilibrium(game[np.ix_(mixed, mixed)])
    assert other.strategy == pytest.approx(one.strategy[mixed], abs=1e-9)
    assert other.unique == one.unique
    first = [set(mixed[level.agents].tolist()) for level in levels(game[np.ix_(mixed, mixed)])]
    assert first == [set(level.agents.tolist()) for level in levels(game)]


@steady(100)
@given(game=games(largest=12, span=2))
def test_agents_in_use_draw_and_the_rest_do_not_win(game: Floats) -> None:
    found = equilibrium(game)
    assert found.proven
    outcome = game @ found.strategy
    assert np.abs(outcome[found.support]).max() <= 1e-11
    assert outcome.max() <= 1e-11
    assert (found.strategy[~found.support] == 0).all()


@pytest.mark.parametrize("size", [20, 60])
def test_large_random_games_are_certified(size: int) -> None:
    rng = np.random.default_rng(size)
    draws = rng.normal(size=(size, size))
    for game in (draws - draws.T, np.round(draws - draws.T)):
        found = equilibrium(game)
        assert found.proven
        assert found.gain <= 1e-13


@pytest.mark.parametrize("noise", [1e-3, 1e-6, 1e-8, 1e-10, 1e-13])
def test_nearly_tied_payoffs_still_give_an_equilibrium(noise: float) -> None:
    rng = np.random.default_rng(3)
    for size in range(3, 18):
        draws = rng.integers(-2, 3, (size, size)) + noise * rng.normal(size=(size, size))
        upper = np.triu(draws, 1)
        found = equilibrium(upper - upper.T)
        assert found.gain <= 1e-6
        assert found.strategy.sum() == pytest.approx(1.0)
        assert found.strategy.min() >= 0


def test_figure_12_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, Figure 12: 0.8333 and twice 0.0833.
    golden = json.loads(shared("golden/s003_maximal_lotteries.json").read_text())
    game = np.array(golden["fig12"], dtype=np.float64)
    found = equilibrium(game)
    assert found.unique
    assert found.strategy[[0, 2, 5]].tolist() == [1 / 12, 1 / 12, 10 / 12]
    assert np.flatnonzero(found.support).tolist() == golden["published"]["fig12_support"]


def test_whole_payoffs_give_exact_fractions() -> None:
    game = np.array([[0.0, 1, -3], [-1, 0, 7], [3, -7, 0]])
    assert equilibrium(game).strategy.tolist() == [7 / 11, 3 / 11, 1 / 11]


def test_every_scale_gives_the_same() -> None:
    game = np.array([[0.0, 1, -3], [-1, 0, 7], [3, -7, 0]])
    for scale in (1e-12, 0.1, 1e12):
        assert equilibrium(game * scale).strategy == pytest.approx([7 / 11, 3 / 11, 1 / 11])


def test_limits_that_bind_are_not_dropped() -> None:
    # Agents 0 to 2 tie; agent 3 wins 3 from the first, and loses 1 to each of the others: an even
    # third would lose to it, so the first may be drawn with 1/4 at most.
    game = np.array([[0.0, 0, 0, -3], [0, 0, 0, 1], [0, 0, 0, 1], [3, -1, -1, 0]])
    found = equilibrium(game)
    assert found.strategy == pytest.approx([1 / 4, 3 / 8, 3 / 8, 0], abs=1e-12)
    assert not found.unique
    span = ranges(game, found)
    assert span is not None
    assert span.tolist() == [[0, 0.25], [0, 1], [0, 1], [0, 0]]


def test_limit_that_only_touches_the_most_even_point() -> None:
    # The even split of the first three is just allowed: 2 - 1 - 1 = 0.
    answer = most_even(np.array([0.1, 0.5, 0.4]), np.zeros((0, 3)), np.array([[2.0, -1, -1]]))
    assert answer == pytest.approx([1 / 3] * 3, abs=1e-12)


def test_start_at_a_bound_is_refused() -> None:
    assert most_even(np.array([0.5, 0.5, 0.0]), np.zeros((0, 3)), np.zeros((0, 3))) is None


def test_ranges_of_very_many_agents_are_left_out() -> None:
    game = np.zeros((201, 201))
    assert ranges(game, equilibrium(game)) is None


def test_no_agents() -> None:
    assert equilibrium(np.zeros((0, 0))).unique
    assert not levels(np.zeros((0, 0)))
