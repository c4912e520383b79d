"""Majority sets against their definitions, tried on all subsets of a few agents."""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels.majority import (
    condorcet,
    cyclic_triples,
    dominance_tiers,
    head_to_head,
    schwartz_set,
    shortest_cycle,
    uncovered_set,
)
from strategies import steady


@st.composite
def margins(draw: st.DrawFn, largest: int = 6, low: int = -2, high: int = 2) -> Floats:
    size = draw(st.integers(1, largest))
    table = np.zeros((size, size))
    for i, j in combinations(range(size), 2):
        table[i, j] = draw(st.integers(low, high))
    return np.asarray(table - table.T)


def subsets(size: int) -> Iterator[set[int]]:
    for number in range(1, size + 1):
        yield from map(set, combinations(range(size), number))


def smallest(size: int, holds: Callable[[set[int]], bool]) -> list[set[int]]:
    """All sets that hold and contain no smaller set that holds."""
    found: list[set[int]] = []
    for some in subsets(size):
        if holds(some) and not any(part < some for part in found):
            found.append(some)
    return found


def rest(size: int, some: set[int]) -> set[int]:
    return set(range(size)) - some


def marked(flags: np.ndarray) -> set[int]:
    return set(np.flatnonzero(flags).tolist())


@given(margins())
@steady(300)
def test_condorcet_is_its_definition(table: Floats) -> None:
    size = len(table)
    found = condorcet(*head_to_head(table))
    rivals = [[table[i, j] for j in range(size) if j != i] for i in range(size)]
    winners = [i for i in range(size) if size > 1 and all(x > 0 for x in rivals[i])]
    losers = [i for i in range(size) if size > 1 and all(x < 0 for x in rivals[i])]
    assert found.winner == (winners[0] if winners else None)
    assert found.loser == (losers[0] if losers else None)
    assert found.weak_winners.tolist() == [i for i in range(size) if min(rivals[i], default=0) >= 0]
    assert found.weak_losers.tolist() == [i for i in range(size) if max(rivals[i], default=0) <= 0]


@given(margins())
@steady(300)
def test_smith_set_is_the_smallest_that_beats_the_rest(table: Floats) -> None:
    size = len(table)

    def dominates(some: set[int]) -> bool:
        return all(table[i, j] > 0 for i in some for j in rest(size, some))

    assert [marked(dominance_tiers(*head_to_head(table)) == 0)] == smallest(size, dominates)


@given(margins())
@steady(200)
def test_every_tier_beats_all_tiers_below(table: Floats) -> None:
    tiers = dominance_tiers(*head_to_head(table))
    assert set(tiers.tolist()) == set(range(int(tiers.max()) + 1))
    for tier in range(int(tiers.max()) + 1):
        inside, below = np.flatnonzero(tiers == tier), np.flatnonzero(tiers > tier)
        assert (table[np.ix_(inside, below)] > 0).all()
        again = dominance_tiers(*head_to_head(table[np.ix_(inside, inside)]))
        assert not again.any()


@given(margins())
@steady(300)
def test_schwartz_set_is_the_union_of_the_smallest_unbeaten_sets(table: Floats) -> None:
    size = len(table)

    def unbeaten(some: set[int]) -> bool:
        return not any(table[j, i] > 0 for i in some for j in rest(size, some))

    assert marked(schwartz_set(table > 0)) == set().union(*smallest(size, unbeaten))


@given(margins())
@steady(300)
def test_uncovered_set_is_its_definition(table: Floats) -> None:
    beats = table > 0
    every = range(len(table))

    def covers(i: int, j: int) -> bool:
        return bool(beats[i, j]) and all(beats[k, j] for k in every if beats[k, i])

    assert marked(uncovered_set(beats)) == {
        j for j in every if not any(covers(i, j) for i in every)
    }


@given(margins())
@steady(200)
def test_sets_lie_within_the_smith_set_and_can_be_sought_there(table: Floats) -> None:
    smith = np.flatnonzero(dominance_tiers(*head_to_head(table)) == 0)
    beats = table > 0
    for find in (schwartz_set, uncovered_set):
        within = smith[find(beats[np.ix_(smith, smith)])]
        assert set(within.tolist()) == marked(find(beats))


@given(margins())
@steady(200)
def test_cyclic_triples_are_counted_one_by_one(table: Floats) -> None:
    triples = [
        some
        for some in combinations(range(len(table)), 3)
        if any(
            table[a, b] > 0 and table[b, c] > 0 and table[c, a] > 0
            for a, b, c in permutations(some)
        )
    ]
    assert cyclic_triples(table > 0) == len(triples)


def test_both_ways_of_counting_triples_agree() -> None:
    rng = np.random.default_rng(3)
    upper = np.triu(rng.integers(0, 2, (40, 40)) * 2 - 1, 1)
    beats = (upper - upper.T) > 0
    one_tied = beats.copy()
    one_tied[0, 1] = one_tied[1, 0] = False
    first, second = (0, 1) if beats[0, 1] else (1, 0)
    lost = int((beats[second] & beats[:, first]).sum())
    assert cyclic_triples(beats) - cyclic_triples(one_tied) == lost


def cycles(table: Floats) -> Iterator[tuple[int, ...]]:
    for number in range(3, len(table) + 1):
        for some in permutations(range(len(table)), number):
            if all(table[i, j] > 0 for i, j in zip(some, (*some[1:], some[0]), strict=True)):
                yield some


def narrowest(table: Floats, cycle: tuple[int, ...]) -> float:
    return min(float(table[i, j]) for i, j in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


@given(margins(largest=5, low=-3, high=3))
@steady(150)
def test_shortest_cycle_has_the_widest_narrowest_win(table: Floats) -> None:
    every = list(cycles(table))
    found = tuple(shortest_cycle(table).tolist())
    if not every:
        assert found == ()
        return
    length = min(map(len, every))
    short = [cycle for cycle in every if len(cycle) == length]
    best = max(narrowest(table, cycle) for cycle in short)
    assert found in short
    assert narrowest(table, found) == best
    assert found == min(cycle for cycle in short if narrowest(table, cycle) == best)


def test_a_long_cycle_without_chords_is_found() -> None:
    table = np.zeros((9, 9))
    for i in range(9):
        table[i, (i + 1) % 9] = 1.0
    assert shortest_cycle(table - table.T).tolist() == list(range(9))


@pytest.mark.parametrize("size", [0, 1])
def test_nobody_to_beat(size: int) -> None:
    table = np.zeros((size, size))
    found = condorcet(*head_to_head(table))
    assert (found.winner, found.loser) == (None, None)
    assert len(dominance_tiers(*head_to_head(table))) == size
    assert schwartz_set(table > 0).all()
    assert uncovered_set(table > 0).all()
    assert cyclic_triples(table > 0) == 0
    assert not shortest_cycle(table).size


def test_thousands_of_agents_take_no_time() -> None:
    rng = np.random.default_rng(0)
    upper = np.triu(rng.integers(-3, 4, (2_000, 2_000)), 1).astype(float)
    table = upper - upper.T
    table[0, 1:], table[1:, 0] = 1.0, -1.0
    won, lost = head_to_head(table)
    assert condorcet(won, lost).winner == 0
    assert np.flatnonzero(dominance_tiers(won, lost) == 0).tolist() == [0]
    assert np.flatnonzero(schwartz_set(table > 0)).tolist() == [0]
