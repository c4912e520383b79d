"""The random stream: one sequence in both forms, and the distributions it claims."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtri

from podium.arrays import Floats
from podium.kernels import stream

DRAWS = 20_000
SEEDS = st.integers(0, stream.LARGEST_SEED)
COUNTS = st.integers(0, 2**40)


def at(seed: int, purpose: int = stream.ASKS, count: int = 0) -> stream.Stream:
    word = np.zeros(1, dtype=np.uint64)
    stream.start.plain(word, seed, purpose, count)
    return word


def uniforms(word: stream.Stream, size: int = DRAWS) -> Floats:
    return np.array([stream.uniform.plain(word) for _ in range(size)])


@settings(deadline=None)  # the first example loads the compiler
@given(SEEDS, COUNTS)
def test_plain_and_compiled_draw_the_same(seed: int, count: int) -> None:
    plain, compiled = at(seed, stream.SCORES, count), np.zeros(1, dtype=np.uint64)
    stream.start(compiled, seed, stream.SCORES, count)
    assert plain[0] == compiled[0]
    for _ in range(3):
        assert stream.uniform.plain(plain) == stream.uniform(compiled)
        assert stream.normal.plain(plain) == stream.normal(compiled)
        assert stream.below.plain(plain, 7) == stream.below(compiled, 7)
    ones, twos = np.arange(5), np.arange(5)
    stream.shuffle.plain(plain, ones)
    stream.shuffle(compiled, twos)
    assert ones.tolist() == twos.tolist()
    weights = np.array([0.0, 1.0, 2.5, 0.0])
    assert stream.pick.plain(plain, weights) == stream.pick(compiled, weights)


def test_splitmix_gives_the_published_sequence() -> None:
    # Steele, Lea and Flood's generator from state 0, as the Java and C references print it.
    word = np.zeros(1, dtype=np.uint64)
    drawn = [stream.uniform.plain(word) for _ in range(3)]
    known = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert drawn == [(value >> 11) * 2.0**-53 for value in known]


@given(SEEDS, st.integers(0, 1000))
def test_a_round_does_not_depend_on_what_was_drawn_before(seed: int, count: int) -> None:
    word = at(seed)
    uniforms(word, 5)
    stream.start.plain(word, seed, stream.ASKS, count)
    assert word[0] == at(seed, stream.ASKS, count)[0]


def test_seeds_purposes_and_rounds_start_apart() -> None:
    starts = {
        int(at(seed, purpose, count)[0])
        for seed in range(20)
        for purpose in range(5)
        for count in range(50)
    }
    assert len(starts) == 20 * 5 * 50


def test_uniform_numbers_are_even_within_and_across_rounds() -> None:
    within = uniforms(at(1))
    across = np.array([uniforms(at(1, count=count), 1)[0] for count in range(DRAWS)])
    for values in (within, across):
        counts = np.histogram(values, bins=20, range=(0, 1))[0]
        # Chi-squared with 19 degrees of freedom exceeds 45.3 once in 1,500 times.
        assert ((counts - DRAWS / 20) ** 2 / (DRAWS / 20)).sum() < 45.3
        assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 4 / DRAWS**0.5


@given(st.floats(1e-300, 1 - 1e-16))
def test_quantiles_of_the_normal_distribution(share: float) -> None:
    assert stream.normal_quantile.plain(share) == pytest.approx(ndtri(share), rel=1e-12, abs=1e-15)


def test_normal_numbers_have_the_moments() -> None:
    word = at(2)
    values = np.array([stream.normal.plain(word) for _ in range(DRAWS)])
    assert values.mean() == pytest.approx(0.0, abs=4 / DRAWS**0.5)
    assert values.std() == pytest.approx(1.0, abs=4 / DRAWS**0.5)
    assert (np.abs(values) > 1.959964).mean() == pytest.approx(0.05, abs=0.006)


def test_every_order_comes_up() -> None:
    word, counts = at(3), dict[tuple[int, ...], int]()
    for _ in range(6_000):
        order = np.arange(3)
        stream.shuffle.plain(word, order)
        key = tuple(order.tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 6
    assert all(abs(count - 1_000) < 130 for count in counts.values())


def test_picks_follow_the_weights() -> None:
    word, weights = at(4), np.array([0.0, 3.0, 1.0, 0.0])
    picked = np.bincount([stream.pick.plain(word, weights) for _ in range(4_000)], minlength=4)
    assert picked[[0, 3]].tolist() == [0, 0]
    assert picked[1] == pytest.approx(3_000, abs=120)


def test_permutations_hold_each_item_once() -> None:
    one = stream.permutation(5, stream.LABELS, 0, 10)
    assert sorted(one.tolist()) == list(range(10))
    assert one.tolist() == stream.permutation(5, stream.LABELS, 0, 10).tolist()
    assert one.tolist() != stream.permutation(6, stream.LABELS, 0, 10).tolist()
