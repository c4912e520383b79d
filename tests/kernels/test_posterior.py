"""Draws of the truth piece by piece: normal numbers in a gap, the chain, the best orders."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest, norm, truncnorm

from podium.arrays import Array, Floats
from podium.kernels import posterior, posterior_chain
from podium.kernels import stream as chance
from podium.kernels.posterior import Sums
from podium.kernels.posterior_chain import Chain, Known
from podium.kernels.records import Sizes

SEEDS = st.integers(0, 2**32 - 1)


def stream(seed: int) -> chance.Stream:
    made = np.zeros(1, dtype=np.uint64)
    chance.start.plain(made, seed, chance.BELIEVES, 0)
    return made


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 0.5), (-math.inf, -3.0), (2.0, math.inf), (7.0, 7.5), (-9.0, -8.9)]
)
def test_draws_between_two_numbers_follow_the_normal_law(low: float, high: float) -> None:
    source = stream(3)
    ends = posterior_chain.shares.plain(low, high)
    drawn = [posterior_chain.draw_between.plain(low, high, *ends, source) for _ in range(2_000)]
    assert low <= min(drawn) <= max(drawn) <= high
    assert kstest(drawn, truncnorm(low, high).cdf).pvalue > 0.001


@pytest.mark.parametrize(("low", "high"), [(50.0, 51.0), (-51.0, -50.0), (45.0, math.inf)])
def test_draws_far_out_lie_at_the_near_end(low: float, high: float) -> None:
    ends = posterior_chain.shares.plain(low, high)
    drawn = posterior_chain.draw_between.plain(low, high, *ends, stream(0))
    assert drawn == (low if low > 0 else high)


def cells(seed: int, tasks: int = 3, agents: int = 3, unseen: float = 0.2) -> Known:
    """Make up what is known, each noise being one of two."""
    rng = np.random.default_rng(seed)
    shape = (tasks, agents)
    chances = np.ones((*shape, 2))
    chances[..., 0] = rng.uniform(0.2, 0.8, shape)
    return Known(
        plays=(rng.random(shape) > unseen) * rng.integers(1, 4, shape),
        means=rng.normal(0.0, 10.0, shape),
        centre=rng.normal(0.0, 3.0, tasks),
        width=rng.uniform(6.0, 9.0, tasks),
        noises=rng.uniform(3.0, 12.0, (tasks, 2)) ** 2,
        chances=chances,
        ties=np.zeros((tasks, agents, agents)),
        mean=np.zeros(shape),
        variance=np.zeros(shape),
    )


def drawn(known: Known, draws: int, *, seed: int = 0, compiled: bool = True) -> tuple[Sums, Array]:
    tasks, agents = known.plays.shape
    chain, sums = posterior_chain.no_chain(Sizes(agents, tasks)), posterior.no_sums(agents)
    margins = np.zeros((draws, agents, agents), dtype=np.int32)
    run = posterior.draw_truths.compiled if compiled else posterior.draw_truths.plain
    named = np.ones(agents, dtype=np.bool_)
    room, never = posterior.room_for(agents), posterior.Limits(1, draws)
    run(draws, seed, 7, known, chain, room, named, sums, margins, never)
    return sums, margins


def by_weights(known: Known, draws: int, seed: int) -> Floats:
    """Slow twin: effects and utilities from their prior, weighed by what the scores say of the order.

    Gives the mean margin of each pair. How likely each order of the seen agents is,
    given their scores alone, is counted from independent draws of the means.
    """
    rng = np.random.default_rng(seed)
    tasks, agents = known.plays.shape
    widths = rng.choice(posterior_chain.WIDTHS, draws)
    effects = rng.normal(size=(draws, agents)) * widths[:, None]
    weights, margin = np.ones(draws), np.zeros((draws, agents, agents))
    for task in range(tasks):
        seen = np.flatnonzero(known.plays[task])
        utility = effects + rng.normal(size=(draws, agents))
        margin += np.sign(utility[:, :, None] - utility[:, None, :])
        smaller = rng.random((20_000, agents)) < known.chances[task, :, 0]
        noise = np.where(smaller, known.noises[task, 0], known.noises[task, 1])
        precision = known.width[task] ** -2 + known.plays[task] / noise
        middle = known.centre[task] * known.width[task] ** -2
        middle = (middle + known.plays[task] / noise * known.means[task]) / precision
        value = rng.normal(middle, precision**-0.5)[:, seen]
        powers = agents ** np.arange(len(seen))
        told = np.bincount(np.argsort(value, axis=1) @ powers, minlength=agents**agents)
        weights *= told[np.argsort(utility[:, seen], axis=1) @ powers] / len(value)
    mean: Floats = np.average(margin, axis=0, weights=weights)
    return mean


@pytest.mark.parametrize("seed", range(4))
def test_draws_agree_with_weighted_draws_from_the_prior(seed: int) -> None:
    known = cells(seed)
    _, margins = drawn(known, 100_000)
    expected = by_weights(known, 400_000, seed)
    assert np.abs(expected).max() > 0.5
    assert margins.mean(axis=0) == pytest.approx(expected, abs=0.1)


def test_the_plain_form_is_the_compiled_one() -> None:
    known = cells(5, tasks=4, agents=5)
    for one, other in zip(*(drawn(known, 20, compiled=c) for c in (False, True)), strict=True):
        for part, same in zip(one, other, strict=True):
            assert np.array_equal(part, same)


def test_a_seed_decides_all() -> None:
    known = cells(6)
    one, same, other = (drawn(known, 50, seed=seed)[1] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_an_unseen_agent_may_be_anywhere() -> None:
    known = cells(7, tasks=30, agents=4, unseen=0.0)
    known.plays[:, 3] = 0
    known.means[:] = [30.0, 0.0, -30.0, 0.0]
    sums, _ = drawn(known, 4_000)
    assert sums.places[:3].argmax(axis=1).tolist() == [0, 1, 2] or sums.places[3].min() > 0
    assert (sums.places[3] / 4_000 > 0.05).all()


def judged(margin: Floats, named: list[bool] | None = None) -> tuple[Sums, Chain]:
    agents = len(margin)
    chain, sums = posterior_chain.no_chain(Sizes(agents, 9)), posterior.no_sums(agents)
    chain.margin[:] = margin
    room = posterior.room_for(agents)
    posterior.judge.plain(chain, room, np.array(named or [True] * agents), sums)
    return sums, chain


def best_orders(margin: Floats) -> list[tuple[int, ...]]:
    """All Kemeny orders, by trying every order."""
    values = {
        order: sum(margin[a, b] for a, b in itertools.combinations(order, 2))
        for order in itertools.permutations(range(len(margin)))
    }
    return [order for order, value in values.items() if value == max(values.values())]


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(2, 5))
def test_the_report_is_right_where_some_best_order_agrees(seed: int, agents: int) -> None:
    rng = np.random.default_rng(seed)
    margin = np.tril(rng.integers(-3, 4, (agents, agents)).astype(np.float64), -1)
    margin -= margin.T
    sums, chain = judged(margin)
    best = best_orders(margin)
    assert tuple(chain.order.tolist()) in best
    expected = [
        any(set(order[:size]) == set(range(size)) for order in best)
        for size in range(1, agents + 1)
    ]
    assert sums.tops.tolist() == expected
    assert sums.whole[0] == (tuple(range(agents)) in best)


def test_a_report_with_ties_names_no_first_k_there() -> None:
    margin = np.array([[0.0, 2, 2], [-2, 0, 2], [-2, -2, 0]])
    sums, _ = judged(margin, [True, False, True])
    assert sums.tops.tolist() == [1, 0, 1]
    assert sums.whole[0] == 0


def test_many_agents_are_judged_by_local_search() -> None:
    agents = 14
    margin = np.sign(np.arange(agents)[None, :] - np.arange(agents)[:, None]).astype(np.float64)
    sums, _ = judged(margin)
    assert sums.tops.tolist() == [1] * agents
    for one, other in ((0, 1), (1, 2), (2, 0)):  # a cycle in front
        margin[one, other], margin[other, one] = 3.0, -3.0
    margin[0, 2], margin[2, 0] = 1.0, -1.0
    margin[4, 3], margin[3, 4] = 5.0, -5.0
    sums, chain = judged(margin)
    assert chain.order.tolist()[3:5] == [4, 3]
    assert sums.tops.tolist() == [1, 1, 1, 0] + [1] * 10
    assert sums.whole[0] == 0


def test_the_width_of_effects_is_drawn_from_its_posterior() -> None:
    source, agents, squares = stream(1), 6, 9.0
    taken = [posterior_chain.draw_width.plain(agents, squares, source) for _ in range(4_000)]
    weight = np.array(
        [
            norm(scale=width).pdf(math.sqrt(squares / agents)) ** agents
            for width in posterior_chain.WIDTHS
        ]
    )
    counts = np.array([taken.count(width) for width in posterior_chain.WIDTHS.tolist()])
    assert counts / 4_000 == pytest.approx(weight / weight.sum(), abs=0.03)
