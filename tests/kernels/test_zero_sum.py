"""Equilibria of zero-sum games: against exact fractions, and at all sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exact_games import entropy_still_to_gain, face
from podium.arrays import Floats
from podium.kernels.entropy import most_even
from podium.kernels.equilibrium import equilibrium
from podium.kernels.interior import middle
from podium.kernels.working_sets import AT_ONCE, middle_of
from podium.kernels.zero_sum import Solution, symmetric, zero_sum
from strategies import steady


def drawn(rng: np.random.Generator) -> Floats:
    """Draw a game of at most six strategies a player, with payoffs from -3 to 3."""
    shape = rng.integers(1, 7, 2)
    return rng.integers(-3, 4, shape).astype(np.float64)


def check_exactly(game: Floats, copies: tuple[Floats, Floats] | None = None) -> None:
    """Compare all that is said of a game with fractions; no tolerance but on entropy."""
    first, second = copies or (np.ones(len(game)), np.ones(game.shape[1]))
    found = zero_sum(game, first, second)
    one, two = face(-game.T), face(game)
    assert one.value == -two.value
    assert found.value == pytest.approx(float(two.value), abs=1e-12)
    assert found.gap <= 1e-12
    assert found.even
    spans = [*one.ranges, *two.ranges]
    assert found.unique == all(low == high for low, high in spans)
    used = [*found.used_first.tolist(), *found.used_second.tolist()]
    assert used == [high > 0 for _, high in spans]
    assert entropy_still_to_gain(one, found.first, first) <= 1e-10
    assert entropy_still_to_gain(two, found.second, second) <= 1e-10


@pytest.mark.parametrize("draws", [300, pytest.param(2_000, marks=pytest.mark.slow)])
def test_random_games_of_whole_payoffs_have_no_wrong_answer(draws: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(draws):
        check_exactly(drawn(rng))


def test_copies_count_as_often_as_is_said() -> None:
    rng = np.random.default_rng(6)
    for _ in range(150):
        game = drawn(rng)
        copies = rng.integers(1, 4, len(game)), rng.integers(1, 4, game.shape[1])
        check_exactly(game, (copies[0].astype(float), copies[1].astype(float)))
        # As if they stood there themselves.
        found = zero_sum(game, copies[0].astype(float), copies[1].astype(float))
        full = zero_sum(np.repeat(np.repeat(game, copies[0], axis=0), copies[1], axis=1))
        summed = np.add.reduceat(full.first, np.cumsum(copies[0]) - copies[0])
        assert found.first == pytest.approx(summed, abs=1e-9)
        assert found.value == pytest.approx(full.value, abs=1e-12)


@steady(150)
@given(st.integers(0, 2**32 - 1))
def test_symmetric_games_agree_with_the_solver_by_linear_programmes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 10))
    upper = np.triu(rng.integers(-2, 3, (size, size)), 1)
    game = (upper - upper.T).astype(np.float64)
    slow, quick, both = equilibrium(game), symmetric(game), zero_sum(game)
    assert quick.first == pytest.approx(slow.strategy, abs=1e-9)
    assert both.first == pytest.approx(slow.strategy, abs=1e-9)
    assert both.second == pytest.approx(slow.strategy, abs=1e-9)
    assert quick.used_first.tolist() == slow.support.tolist()
    assert quick.unique == slow.unique
    assert quick.even


@steady(60)
@given(st.integers(0, 2**32 - 1))
def test_order_scale_and_shift_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = drawn(rng)
    rows, columns = rng.permutation(len(game)), rng.permutation(game.shape[1])
    found = zero_sum(game)
    for factor, shift in ((1.0, 0.0), (1e-9, 0.0), (1e9, 5e9), (0.1, 100.0)):
        other = zero_sum(factor * game[np.ix_(rows, columns)] + shift)
        assert other.first == pytest.approx(found.first[rows], abs=1e-8)
        assert other.second == pytest.approx(found.second[columns], abs=1e-8)
        assert other.unique == found.unique


@pytest.mark.parametrize("noise", [1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12, 1e-15])
def test_nearly_tied_payoffs_still_give_an_equilibrium(noise: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        shape = rng.integers(3, 30, 2)
        game = rng.integers(-2, 3, shape) + noise * rng.normal(size=shape)
        upper = np.triu(rng.integers(-1, 2, (shape[0],) * 2) + noise * rng.normal(), 1)
        for found in (zero_sum(game), symmetric(upper - upper.T)):
            assert found.gap <= 1e-9
            assert found.first.sum() == pytest.approx(1.0, abs=1e-12)
            assert found.first.min() >= 0
            if noise >= 1e-3:
                assert found.even


def certified(game: Floats, found: Solution) -> bool:
    won, given_away = game @ found.second, found.first @ game
    return bool(won.max() - given_away.min() <= 1e-9) and found.even


@pytest.mark.parametrize("kind", ["even", "whole", "transitive"])
def test_large_games_are_solved_in_parts_as_they_are_whole(kind: str) -> None:
    rng = np.random.default_rng(8)
    shape = 12, AT_ONCE + 200
    game = {
        "even": rng.random(shape),
        "whole": rng.integers(-1, 2, shape).astype(np.float64),
        "transitive": rng.normal(size=(shape[0], 1)) - rng.normal(size=shape[1]),
    }[kind]
    found = zero_sum(game)
    assert certified(game, found)
    whole, parts = middle(game / 9), middle_of(game / 9)
    assert (parts.second > parts.second_loss).tolist() == (
        whole.second > whole.second_loss
    ).tolist()


def test_large_symmetric_games_are_solved_in_parts() -> None:
    rng = np.random.default_rng(9)
    size = AT_ONCE + 100
    strength, noise = rng.normal(size=size), rng.normal(size=(size, size))
    game = 3 * (strength[:, None] - strength) + noise - noise.T
    found = symmetric(game)
    assert certified(game, found)
    assert (game @ found.first).max() <= 1e-9


def test_a_game_that_is_all_the_same_is_played_evenly() -> None:
    found = zero_sum(np.full((2, 3), 7.0), second=np.array([1.0, 2.0, 1.0]))
    assert found.first.tolist() == [0.5, 0.5]
    assert found.second.tolist() == [0.25, 0.5, 0.25]
    assert (found.value, found.gap, found.unique) == (7.0, 0.0, False)


def test_weights_pull_the_most_even_point() -> None:
    answer = most_even(np.full(3, 1 / 3), np.zeros((0, 3)), np.zeros((0, 3)), np.array([1, 2, 5]))
    assert answer == pytest.approx([1 / 8, 2 / 8, 5 / 8], abs=1e-12)
