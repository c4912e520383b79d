"""SoftVote piece by piece: cells, votes, open questions, worth."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.special import digamma, polygamma
from scipy.stats import norm

from podium import worlds
from podium.arrays import Ints
from podium.kernels import soft_cells, soft_votes
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes, View, no_records, no_terms, record
from podium.kernels.soft_cells import Cells
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, no_belief
from podium.simulation.simulate import simulate
from podium.strategies._strategy import Nothing, Strategy, nothing
from podium.strategies._wrap import mixed
from podium.strategies.expected_gain import expected_gain, foresee, rank_pairs, settled
from podium.study.evaluator import Evaluator
from podium.study.presets import PRESETS

SIZES = Sizes(agents=4, tasks=3)
SEEDS = st.integers(0, 2**32 - 1)


def seen(seed: int = 0, rounds: int = 40, scale: float = 1.0, shift: float = 0.0) -> Records:
    rng, records = np.random.default_rng(seed), no_records(SIZES)
    for _ in range(rounds):
        pair = rng.choice(4, 2, replace=False)
        query = np.array([rng.integers(3), *pair])
        record.plain(records, query, shift + scale * rng.normal(10.0 * pair, 5.0))
    return records


def known(records: Records) -> Cells:
    cells = soft_cells.no_cells(SIZES)
    soft_cells.learn_spreads.plain(cells, records)
    for task in range(3):
        for agent in range(4):
            soft_cells.learn_noise.plain(cells, records, task, agent)
    for task in range(3):
        soft_cells.judge_cells.plain(cells, records, task)
    return cells


def test_bias_and_error_of_the_logarithm_of_a_variance() -> None:
    cells = soft_cells.no_cells(Sizes(30, 1))
    half = (np.arange(2, 31) - 1) / 2
    assert cells.shift[2:] == pytest.approx(np.log(half) - digamma(half))
    assert cells.error[2:] == pytest.approx(polygamma(1, half))


def test_spreads_come_near_the_truth_where_all_is_seen() -> None:
    rng, records = np.random.default_rng(1), no_records(Sizes(12, 40))
    spreads = np.exp(rng.normal(1.0, 1.0, 40))
    records.plays[:] = 1
    records.means[:] = rng.normal(0.0, spreads[:, None], (40, 12))
    cells = soft_cells.no_cells(Sizes(12, 40))
    soft_cells.learn_spreads.plain(cells, records)
    own = np.log(records.means.std(axis=1, ddof=1))
    off = np.log(cells.spread) - np.log(spreads)
    assert np.std(off) < np.std(own - np.log(spreads))
    assert abs(off.mean()) < 0.15


def test_the_posterior_of_a_cell_is_that_of_normal_means() -> None:
    records = seen()
    cells = known(records)
    task, agent = 1, 2
    prior = (soft_cells.PRIOR_SPREAD * cells.spread[task]) ** 2
    noise = np.exp(2 * cells.log_noise[task, agent])
    count = records.plays[task, agent]
    assert count > 1
    centre = records.means[task][records.plays[task] > 0].mean()
    variance = 1 / (1 / prior + count / noise)
    mean = variance * (centre / prior + count * records.means[task, agent] / noise)
    assert cells.mean[task, agent] == pytest.approx(mean)
    assert cells.variance[task, agent] == pytest.approx(variance)
    assert cells.variance_next[task, agent] == pytest.approx(1 / (1 / variance + 1 / noise))


def test_noise_is_the_posterior_mean_over_the_grid() -> None:
    records = seen()
    cells, (task, agent) = soft_cells.no_cells(SIZES), (1, 2)
    prior = cells.common.copy()
    soft_cells.learn_noise.plain(cells, records, task, agent)
    noises = soft_cells.NOISES
    scores = records.squares[task, agent]
    likely = prior * noises ** (1.0 - records.plays[task, agent]) * np.exp(-scores / noises**2 / 2)
    share = likely / likely.sum()
    assert cells.shares[task, agent] == pytest.approx(share)
    assert cells.log_noise[task, agent] == pytest.approx(share @ np.log(noises))
    again = cells.common.copy()
    soft_cells.learn_noise.plain(cells, records, task, agent)
    # A cell's own weights do not count for itself, and are replaced, not added.
    assert cells.common == pytest.approx(again)
    assert cells.common == pytest.approx(prior + share)


@given(st.floats(-6, 6), st.floats(0.05, 1.9))
def test_votes_are_sure_as_far_as_the_posterior_is(lead: float, variance: float) -> None:
    cells, votes = soft_cells.no_cells(SIZES), soft_votes.no_votes(SIZES)
    records = seen()
    records.plays[0] = 1
    cells.mean[0, :2] = lead * variance**0.5, 0.0
    cells.variance[0] = variance / 2
    soft_votes.vote_again.plain(votes, cells, records, 0, False)
    wide = 2 * soft_cells.PRIOR_SPREAD**2
    # Savage and Dickey: density of no difference, after the data against before.
    odds = norm.pdf(0, lead * variance**0.5, variance**0.5) / norm.pdf(0, 0, wide**0.5)
    distinct = 0.9 / (0.9 + 0.1 * odds)
    assert votes.vote[0, 0, 1] == pytest.approx((2 * norm.cdf(lead) - 1) * distinct, abs=1e-12)
    assert votes.vote[0, 1, 0] == -votes.vote[0, 0, 1]


def test_an_agent_that_is_unseen_is_not_voted_on() -> None:
    records, votes = seen(), soft_votes.no_votes(SIZES)
    records.plays[0, 3] = 0
    cells = known(records)
    soft_votes.vote_again.plain(votes, cells, records, 0, False)
    assert not votes.vote[0, 3].any()
    soft_votes.vote_again.plain(votes, cells, records, 0, True)
    assert votes.vote[0, 3, :3].any()


def test_sums_are_those_of_the_votes() -> None:
    evaluator = Evaluator(PRESETS["podium"], SIZES, seed=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        query = evaluator.ask()
        evaluator.tell(query, (rng.normal(query[1]), rng.normal(query[2])))
    votes = evaluator.learning.belief.votes
    assert votes.total == pytest.approx(votes.vote.sum(axis=0), abs=1e-12)
    assert votes.weight == pytest.approx((votes.vote**2).sum(axis=0), abs=1e-12)


@given(SEEDS)
def test_the_scale_of_the_scores_does_not_matter(seed: int) -> None:
    one, other = known(seen(seed)), known(seen(seed, scale=1e4, shift=-3e5))
    assert other.spread == pytest.approx(1e4 * one.spread, rel=1e-6)
    ratio = (other.variance / one.variance).ravel()
    assert ratio == pytest.approx(np.full(12, 1e8), rel=1e-6)


def test_open_pairs_matter_more_the_closer_they_are() -> None:
    votes, weights = soft_votes.no_votes(Sizes(3, 20)), np.zeros((3, 3))
    votes.weight[:] = 10.0
    votes.total[0, 1], votes.total[0, 2], votes.total[1, 2] = 0.0, 4.0, 9.0
    votes.total[:] -= votes.total.T
    soft_votes.open_questions.plain(votes, weights)
    assert weights[0, 1] > weights[0, 2] > weights[1, 2] > 0.0
    assert weights[0, 1] == pytest.approx((0.5 / 10.0) ** 1.5)
    assert weights.tolist() == weights.T.tolist()


@settings(max_examples=30, deadline=None)
@given(st.floats(0.01, 0.9), st.floats(0, 3))
def test_what_a_score_settles_is_near_the_variance_of_the_change(share: float, lead: float) -> None:
    # A score of share r moves the lead z to N(z, r) / sqrt(1 - r): how much does 2 Phi - 1 vary?
    def vote(step: float) -> float:
        return float(2 * norm.cdf((lead + share**0.5 * step) / (1 - share) ** 0.5) - 1)

    mean = integrate.quad(lambda s: vote(s) * norm.pdf(s), -8, 8)[0]
    exact = integrate.quad(lambda s: (vote(s) - mean) ** 2 * norm.pdf(s), -8, 8)[0]
    # The constant 2 / pi belongs to all pairs alike; the shape is right within a third or so.
    assert settled.plain(share, lead, 1.0) * 2 / np.pi == pytest.approx(exact, rel=0.5, abs=0.03)


def test_the_best_pair_is_the_best_of_all_pairs() -> None:
    records = seen(3)
    cells, votes = known(records), soft_votes.no_votes(SIZES)
    state = expected_gain().start(SIZES, 0)
    for task in range(3):
        soft_votes.vote_again.plain(votes, cells, records, task, False)
        foresee.plain(state, cells, votes, records, no_terms(SIZES), task)
    w = np.zeros((4, 4))
    soft_votes.open_questions.plain(votes, w)
    rank_pairs.plain(state, w)
    for task in range(3):
        single, joint = state.single[:, :, task], state.joint[:, :, task]
        worths = {
            i * 4 + j: w[i] @ single[:, i] + w[j] @ single[:, j] + w[i, j] * joint[j, i]
            for i in range(4)
            for j in range(i + 1, 4)
        }
        assert state.best[task] == pytest.approx(max(worths.values()))
        assert worths[int(state.pair[task])] == pytest.approx(max(worths.values()))


def test_soft_vote_reports_an_order_that_no_single_move_improves() -> None:
    evaluator = Evaluator(PRESETS["soft-vote"], Sizes(6, 5), seed=1)
    rng = np.random.default_rng(2)
    for _ in range(50):
        query = evaluator.ask()
        evaluator.tell(query, (rng.normal(query[1], 3), rng.normal(query[2], 3)))
        order, total = evaluator.learning.order, evaluator.learning.belief.votes.total
        for one, other in itertools.pairwise(order):
            assert total[one, other] >= -1e-9


def test_raw_scales_and_scaled_ones_are_equally_hard() -> None:
    raw, scaled = (
        simulate("podium", worlds.agent57(scale=scale), rounds=600, seeds=range(80)).agre_by_seed(8)
        for scale in (False, True)
    )
    error = ((raw.var(ddof=1) + scaled.var(ddof=1)) / 80) ** 0.5
    assert abs(raw.mean() - scaled.mean()) < 4 * error < 0.5 * scaled.mean()


@kernel
def first_task(_: Nothing, __: View, ___: Belief, ____: Stream, query: Ints) -> None:
    """Always ask the same on the first task."""
    query[:] = 0, 0, 1


@kernel
def second_task(_: Nothing, __: View, ___: Belief, ____: Stream, query: Ints) -> None:
    """Always ask the same on the second task."""
    query[:] = 1, 0, 1


def share_of_the_other(later: float | None, asked: int) -> float:
    """Tell how often the second strategy of a mixture asks, which has it ask by 0.1 at first."""
    strategies = Strategy("first", nothing, first_task), Strategy("second", nothing, second_task)
    chosen = mixed(*strategies, share=0.1, later=later, by=3.0, blocks=1)
    view = View(no_records(SIZES), no_terms(SIZES))
    query, stream = np.zeros(3, np.int64), np.zeros(1, np.uint64)
    view.terms.asked[0] = asked
    state, tasks = chosen.start(SIZES, 0), []
    for _ in range(2_000):
        chosen.choose.plain(state, view, no_belief(SIZES), stream, query)
        tasks.append(query[0])
    return float(np.mean(tasks))


def test_a_mixture_goes_over_to_the_other_strategy() -> None:
    # Four agents on three tasks have 3 scores a cell after 18 rounds. 2,000 draws err by 0.03 or less.
    assert share_of_the_other(0.7, 0) == share_of_the_other(None, 1) == 1.0
    assert share_of_the_other(0.7, 2) == pytest.approx(0.1 + 0.6 * 2 / 20, abs=0.03)
    assert share_of_the_other(0.7, 18) == pytest.approx(0.4, abs=0.03)
    assert share_of_the_other(0.7, 10_000) == pytest.approx(0.7, abs=0.03)
    assert share_of_the_other(None, 10_000) == pytest.approx(0.1, abs=0.03)
