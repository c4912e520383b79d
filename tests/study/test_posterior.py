"""The posterior of a study: exact cases, labels, known noise, and what it says of itself."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from podium import worlds
from podium.arrays import Floats, Ints
from podium.errors import DataError
from podium.kernels.kemeny import kemeny
from podium.kernels.records import Records, Sizes, no_records, record
from podium.kernels.soft_cells import PRIOR_SPREAD
from podium.study.evaluator import Evaluator
from podium.study.posterior import TIE_CHANCE, Posterior, posterior_of
from podium.study.presets import PRESETS
from podium.worlds._instance import counts_of_means

SEEDS = st.integers(0, 2**32 - 1)


def told(seed: int, sizes: Sizes, rounds: int, noise: float = 5.0, gap: float = 3.0) -> Records:
    """Make up rounds in which agents of a higher code are better."""
    rng, records = np.random.default_rng(seed), no_records(sizes)
    for _ in range(rounds):
        pair = rng.choice(sizes.agents, 2, replace=False)
        query = np.array([rng.integers(sizes.tasks), *pair])
        record.plain(records, query, rng.normal(gap * pair, noise))
    return records


def relabelled(records: Records, agents: Ints, tasks: Ints) -> Records:
    """Give the same records under other codes: agent i is what agents[i] was."""
    grid = np.ix_(tasks, agents)
    return Records(
        rounds=records.rounds,
        plays=records.plays[grid],
        means=records.means[grid],
        squares=records.squares[grid],
        agent_plays=records.agent_plays[agents],
        agent_means=records.agent_means[agents],
        task_rounds=records.task_rounds[tasks],
        wins=records.wins[np.ix_(agents, agents)],
        noise=records.noise[tasks],
    )


def exactly(means: Floats) -> Records:
    """Tell every cell once."""
    tasks, agents = means.shape
    records = no_records(Sizes(agents, tasks))
    for task, one in itertools.product(range(tasks), range(0, agents, 2)):
        pair = [one, (one + 1) % agents]
        record.plain(records, np.array([task, *pair]), means[task, pair])
    return records


@pytest.mark.parametrize(("gap", "noise"), [(3.0, 4.0), (0.5, 4.0), (12.0, 4.0), (2.0, 0.5)])
def test_two_agents_on_one_task_have_the_normal_integral(gap: float, noise: float) -> None:
    records = no_records(Sizes(agents=2, tasks=1))
    for off in (-1.0, 1.0, 0.0):
        record.plain(records, np.array([0, 0, 1]), np.array([gap + off, off]))
    answer = posterior_of(records, [1.0, 0.0], noise=[noise], draws=400_000)
    diffuse = (PRIOR_SPREAD * spread_of(gap)) ** 2
    variance = 2.0 / (1.0 / diffuse + 3.0 / noise**2)
    lead = gap * 3.0 / noise**2 / (1.0 / diffuse + 3.0 / noise**2)
    odds = TIE_CHANCE / (1 - TIE_CHANCE) * np.sqrt(2 * diffuse / variance)
    odds *= np.exp(-0.5 * lead**2 / variance)
    tie = odds / (1 + odds)
    expected = norm.cdf(lead / np.sqrt(variance)) * (1 - tie) + 0.5 * tie
    assert answer.pairs[0, 1] == pytest.approx(expected, abs=0.008)
    assert answer.top(1) == pytest.approx(expected + 0.5 * tie, abs=0.008)


def spread_of(gap: float) -> float:
    """Spread that is learned from two means: bias of the logarithm put right (one degree)."""
    return float(np.sqrt(gap**2 / 2.0 * np.exp(1.270363)))


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_labels_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = Sizes(agents=4, tasks=3)
    records, ratings = told(seed, sizes, 20), rng.integers(0, 3, 4).astype(np.float64)
    agents, tasks = rng.permutation(4), rng.permutation(3)
    one = posterior_of(records, ratings, draws=20)
    other = posterior_of(relabelled(records, agents, tasks), ratings[agents], draws=20)
    assert np.array_equal(one.pairs[np.ix_(agents, agents)], other.pairs)
    assert np.array_equal(one.places[agents], other.places)
    assert np.array_equal(one.tops, other.tops)
    assert one.whole == other.whole


def test_the_compiled_form_gives_the_same() -> None:
    records, noise = told(3, Sizes(6, 5), 80), [np.nan, 0.0, 3.0, np.nan, 1.0]
    plain, compiled = (
        posterior_of(records, np.arange(6.0), seed=4, draws=30, noise=noise, compiled=form)
        for form in (False, True)
    )
    assert np.array_equal(plain.pairs, compiled.pairs)
    assert np.array_equal(plain.margins, compiled.margins)


def test_the_same_seed_and_records_give_the_same_and_other_seeds_others() -> None:
    records = told(5, Sizes(5, 6), 40)
    one, same, other = (posterior_of(records, np.arange(5.0), seed=s, draws=50) for s in (1, 1, 2))
    assert np.array_equal(one.margins, same.margins)
    assert not np.array_equal(one.margins, other.margins)


def test_nothing_is_changed() -> None:
    records = told(6, Sizes(4, 4), 30)
    before = [part.copy() for part in records]
    answer = posterior_of(records, np.arange(4.0), draws=10)
    assert all(
        np.array_equal(one, two, equal_nan=True) for one, two in zip(before, records, strict=True)
    )
    with pytest.raises(ValueError, match="read-only"):
        answer.pairs[0, 0] = 1.0


def test_many_clear_scores_are_certain() -> None:
    records = told(7, Sizes(4, 5), 600, noise=1.0, gap=10.0)
    answer = posterior_of(records, np.arange(4.0), draws=200)
    assert answer.whole == 1.0
    assert answer.tops.tolist() == [1.0] * 4
    assert answer.rank_intervals(0.99).tolist() == [[4, 4], [3, 3], [2, 2], [1, 1]]
    wrong = posterior_of(records, [3.0, 2.0, 1.0, 0.0], draws=50)
    assert wrong.whole == 0.0
    assert wrong.tops.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_no_score_means_no_certainty() -> None:
    answer = posterior_of(no_records(Sizes(5, 6)), np.arange(5.0), draws=1_000)
    assert answer.places == pytest.approx(np.full((5, 5), 0.2), abs=0.08)
    assert answer.rank_intervals().tolist() == [[1, 5]] * 5
    assert answer.pairs == pytest.approx(np.full((5, 5), 0.5) - 0.5 * np.eye(5), abs=0.1)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_told_cells_without_noise_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means = rng.integers(0, 4, (5, 4)).astype(np.float64)
    answer = posterior_of(exactly(means), rng.permutation(4), noise=np.zeros(5), draws=5)
    expected = counts_of_means(means)
    assert (answer.margins == answer.margins[0]).all()
    inner = np.ix_(answer.order, answer.order)
    assert np.array_equal(answer.margins[0], (expected - expected.T)[inner])
    best = kemeny(expected, 10.0)
    value = sum(expected[a, b] for a, b in itertools.combinations(answer.order.tolist(), 2))
    assert answer.whole == float(value == pytest.approx(best.value))


def test_an_exact_tie_is_shared() -> None:
    records = exactly(np.array([[1.0, 1.0], [2.0, 2.0]]))
    answer = posterior_of(records, [1.0, 0.0], noise=[0.0, 0.0], draws=10)
    assert answer.pairs.tolist() == [[0.0, 0.5], [0.5, 0.0]]
    assert answer.top(1) == answer.whole == 1.0  # either order is a Kemeny order


def test_known_noise_is_used() -> None:
    records = told(9, Sizes(3, 4), 60, noise=4.0, gap=2.0)
    loud, quiet = (
        posterior_of(records, np.arange(3.0), noise=np.full(4, noise), draws=400)
        for noise in (40.0, 0.4)
    )
    assert quiet.whole == 1.0
    assert loud.whole < 0.8


def test_a_report_with_ties_names_no_first_k_there() -> None:
    records = told(7, Sizes(4, 5), 600, noise=1.0, gap=10.0)
    answer = posterior_of(records, [0.0, 1.0, 1.0, 2.0], draws=50)
    assert answer.tops.tolist() == [1.0, 0.0, 1.0, 1.0]
    assert answer.whole == 0.0


def test_chances_fit_together() -> None:
    answer = posterior_of(told(11, Sizes(5, 8), 60), np.arange(5.0), draws=100)
    assert answer.places.sum(axis=0) == pytest.approx(np.ones(5))
    assert answer.places.sum(axis=1) == pytest.approx(np.ones(5))
    assert answer.pairs + answer.pairs.T == pytest.approx(1.0 - np.eye(5))
    assert answer.whole <= answer.tops.min()
    assert answer.tops[-1] == 1.0
    assert answer.chance(None) == answer.whole
    assert answer.chance(2) == answer.top(2)
    wide, narrow = answer.rank_intervals(0.99), answer.rank_intervals(0.5)
    assert (wide[:, 0] <= narrow[:, 0]).all()
    assert (wide[:, 1] >= narrow[:, 1]).all()
    held = [answer.places[a, low - 1 : high].sum() for a, (low, high) in enumerate(wide)]
    assert min(held) >= 0.99


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ratings": [1.0, 2.0]}, "give 3 finite numbers"),
        ({"ratings": [1.0, 2.0, np.nan]}, "give 3 finite numbers"),
        ({"noise": [1.0]}, "for each task"),
        ({"noise": [1.0, -1.0]}, "for each task"),
        ({"noise": [1.0, np.inf]}, "for each task"),
        ({"draws": 0}, "draws is 0"),
    ],
)
def test_what_cannot_be_used_is_said(arguments: dict[str, Any], message: str) -> None:
    given_all = {"ratings": [1.0, 2.0, 3.0]} | arguments
    with pytest.raises(DataError, match=message):
        posterior_of(told(0, Sizes(3, 2), 5), **given_all)


def test_questions_out_of_bounds_are_told() -> None:
    answer = posterior_of(told(0, Sizes(3, 2), 5), np.arange(3.0), draws=5)
    with pytest.raises(DataError, match="k is 4"):
        answer.top(4)
    with pytest.raises(DataError, match="level is 1"):
        answer.rank_intervals(1)


def studied(seed: int, rounds: int) -> tuple[Posterior, Floats]:
    """Run a study in a small world; give what it thinks, and the true counts."""
    world = worlds.mallows(agents=4, tasks=8, phi=0.5)
    instance, rng = world.drawn(seed), np.random.default_rng(seed)
    evaluator = Evaluator(PRESETS["podium"], world.sizes, seed=seed, compiled=True)
    for _ in range(rounds):
        query = evaluator.ask()
        scores = rng.normal(instance.means[query[0], list(query[1:])], 20.0)
        evaluator.tell(query, (float(scores[0]), float(scores[1])))
    inner = evaluator.learning.belief.ratings
    answer = posterior_of(evaluator.records, inner, seed=seed, compiled=True)
    codes = evaluator.labels
    return answer, counts_of_means(instance.means[np.ix_(codes.tasks, codes.agents)])


def test_stated_chances_come_true() -> None:
    stated, came = [], []
    for seed in range(120):
        answer, counts = studied(seed, rounds=60)
        best = kemeny(counts, 10.0).value
        value = sum(counts[a, b] for a, b in itertools.combinations(answer.order.tolist(), 2))
        stated.append(answer.whole)
        came.append(value == pytest.approx(best))
    chances = np.array(stated)
    error = float(np.sqrt((chances * (1 - chances)).sum()) / len(chances))
    assert 0.3 < chances.mean() < 0.9
    assert abs(np.mean(came) - chances.mean()) < 3 * error
    assert np.corrcoef(chances, came)[0, 1] > 0.2
