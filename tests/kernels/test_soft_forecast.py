"""SoftForecast piece by piece: effects, trust, forecast, what is open."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate
from scipy.stats import norm

from podium.arrays import Floats
from podium.kernels import soft_cells, soft_forecast, soft_votes
from podium.kernels.records import Sizes, no_records, record
from podium.kernels.soft_forecast import Forecast
from podium.kernels.soft_votes import Votes
from podium.metrics.ranking import ranking_error
from podium.study.evaluator import Evaluator
from podium.study.presets import PRESETS

SEEDS = st.integers(0, 2**32 - 1)
AGENTS, TASKS = 5, 7


def heard(seed: int, rounds: int = 60, every: int = 1) -> tuple[Forecast, Votes]:
    """Let tasks vote in some rounds, of which the forecast takes in every so many."""
    sizes = Sizes(AGENTS, TASKS)
    rng, records = np.random.default_rng(seed), no_records(sizes)
    cells, votes = soft_cells.no_cells(sizes), soft_votes.no_votes(sizes)
    forecast = soft_forecast.no_forecast(sizes)
    for count in range(1, rounds + 1):
        # One task is never asked, and half of the others never of the last agent.
        task = int(rng.integers(TASKS - 1))
        pair = rng.choice(AGENTS - task % 2, 2, replace=False)
        record.plain(records, np.array([task, *pair]), rng.normal(2.0 * pair, 5.0))
        soft_cells.learn_spreads.plain(cells, records)
        for agent in pair.tolist():
            soft_cells.learn_noise.plain(cells, records, task, agent)
        soft_cells.judge_cells.plain(cells, records, task)
        soft_votes.vote_again.plain(votes, cells, records, task, count < AGENTS)
        if count % every == 0:
            soft_forecast.take_in.plain(forecast, votes, records)
    return forecast, votes


def residuals(forecast: Forecast, effect: Floats) -> Floats:
    """List what is left of all shares, one task after another."""
    rows = []
    for seen, share in zip(forecast.seen.astype(bool), forecast.share, strict=True):
        if seen.any():
            rows.append(share[seen] - (effect[seen] - effect[seen].mean()))
    return np.concatenate(rows)


@given(SEEDS, st.integers(1, 12))
def test_the_inverse_is_that_of_numpy(seed: int, size: int) -> None:
    root = np.random.default_rng(seed).normal(size=(size, size))
    matrix, inverse = root @ root.T + np.eye(size), np.empty((size, size))
    soft_forecast.invert.plain(matrix, inverse)
    assert inverse == pytest.approx(np.linalg.inv(matrix), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_effects_are_those_of_least_squares(seed: int) -> None:
    forecast, votes = heard(seed)
    rows, values = [np.eye(AGENTS)], [np.zeros(AGENTS)]
    for task, seen in enumerate(forecast.seen.astype(bool)):
        shares = votes.vote[task][:, seen].sum(axis=1) / max(seen.sum(), 1)
        rows.append(np.eye(AGENTS)[seen] - seen / max(seen.sum(), 1))
        values.append(shares[seen])
    expected = np.linalg.lstsq(np.concatenate(rows), np.concatenate(values), rcond=None)[0]
    assert np.ptp(expected) > 0.1
    assert forecast.effect == pytest.approx(expected, abs=1e-12)


def test_what_is_kept_up_to_date_is_what_is_worked_out_at_once() -> None:
    for seed in range(5):
        often, once = (heard(seed, every=every)[0] for every in (1, 60))
        for name, one, other in zip(Forecast._fields, often, once, strict=True):
            assert one == pytest.approx(other, abs=1e-12), name


@pytest.mark.parametrize("seed", range(6))
def test_the_variance_of_residuals_is_theirs(seed: int) -> None:
    forecast, _ = heard(seed)
    left = residuals(forecast, forecast.effect)
    free = (forecast.seen.sum(axis=1) - 1).clip(0).sum()
    expected = (0.15 * 8 + left @ left) / (8 + free)
    assert soft_forecast.residual_variance.plain(forecast) == pytest.approx(expected)


def made_up(seed: int, tasks: int, noise: float) -> tuple[Forecast, Votes]:
    """Give sums of votes around effects, each pair off by something of its own."""
    rng, sizes = np.random.default_rng(seed), Sizes(8, tasks)
    forecast, votes = soft_forecast.no_forecast(sizes), soft_votes.no_votes(sizes)
    forecast.effect[:] = rng.uniform(-0.2, 0.2, 8)
    own = np.triu(rng.normal(0.0, noise, (8, 8)), 1)
    votes.weight[:] = 0.9 * tasks
    truth = np.subtract.outer(forecast.effect, forecast.effect) + own - own.T
    votes.total[:] = votes.weight * truth.clip(-1.0, 1.0)
    return forecast, votes


def test_trust_follows_how_well_settled_pairs_bear_the_effects_out() -> None:
    trusts = [
        [soft_forecast.learn_trust.plain(*made_up(seed, 400, noise)) for seed in range(20)]
        for noise in (0.03, 0.2, 0.8)
    ]
    # What is a pair's own has variance 1 / (trust + 1); the prior says 0.1. Effects are within
    # 0.2 of 0, so that hardly any vote is cut at 1 but with the largest noise.
    assert min(trusts[0]) > 50
    assert np.mean(1 / (np.array(trusts[1]) + 1)) == pytest.approx(0.2**2, rel=0.2)
    assert 1.0 <= max(trusts[2]) < 4.0


def test_trust_is_the_formula_over_pairs_that_are_known() -> None:
    forecast, votes = made_up(1, 30, 0.4)
    votes.weight[2, 3] = votes.weight[3, 2] = 1.9
    own, weight = 0.1 * 1.5, 1.5
    for one, other in itertools.combinations(range(8), 2):
        known = votes.weight[one, other]
        if known > 2:
            mean = votes.total[one, other] / known
            gap = np.clip(forecast.effect[one] - forecast.effect[other], -0.98, 0.98)
            count = (known / (known + 10)) ** 2
            own += count * ((mean - gap) ** 2 - (1 - 2 / 8) * (1 - mean**2) / known)
            weight += count
    expected = np.clip(weight / own - 1, 1, 200)
    assert soft_forecast.learn_trust.plain(forecast, votes) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_the_forecast_and_its_doubt_are_the_formulas(seed: int) -> None:
    forecast, votes = heard(seed)
    soft_forecast.foretell.plain(forecast, votes)
    rest = soft_forecast.residual_variance.plain(forecast)
    trust = soft_forecast.learn_trust.plain(forecast, votes)
    inverse = np.linalg.inv(forecast.system)
    for one, other in itertools.permutations(range(AGENTS), 2):
        made, total = votes.weight[one, other], votes.total[one, other]
        left, known = TASKS - made, made + trust + 1
        gap = np.clip(forecast.effect[one] - forecast.effect[other], -0.98, 0.98)
        mean = (total + trust * gap) / known
        contrast = np.eye(AGENTS)[one] - np.eye(AGENTS)[other]
        loose = rest * contrast @ inverse @ contrast
        spread = max(1 - mean**2, 0.02)
        variance = left**2 * spread / known + (left * trust / known) ** 2 * loose + left * spread
        final = total + left * mean
        assert forecast.total[one, other] == pytest.approx(final)
        lead = abs(final) / variance**0.5
        loss = norm.pdf(lead) - lead * norm.sf(lead)
        assert forecast.open[one, other] == pytest.approx(loss / left)


@pytest.mark.parametrize("lead", [0.0, 0.3, 1.0, 2.5, 6.0, 40.0])
def test_the_expected_loss_is_the_mean_of_what_lies_above(lead: float) -> None:
    mean = integrate.quad(lambda x: (x - lead) * norm.pdf(x), lead, np.inf, epsabs=0)[0]
    found = soft_forecast.expected_loss.plain(lead)
    assert found == pytest.approx(mean, rel=1e-6, abs=1e-30)
    assert found >= 0.0


def test_the_forecast_of_what_is_settled_is_what_was_said() -> None:
    forecast, votes = made_up(0, 50, 0.3)
    votes.weight[:] = 50.0
    soft_forecast.foretell.plain(forecast, votes)
    off_diagonal = ~np.eye(8, dtype=bool)
    assert forecast.total[off_diagonal] == pytest.approx(votes.total[off_diagonal], abs=0.02)


def test_a_pair_that_nobody_judged_is_foretold_by_its_effects() -> None:
    forecast, votes = made_up(0, 50, 0.3)
    votes.weight[0, 1] = votes.weight[1, 0] = votes.total[0, 1] = votes.total[1, 0] = 0.0
    soft_forecast.foretell.plain(forecast, votes)
    assert np.sign(forecast.total[0, 1]) == np.sign(forecast.effect[0] - forecast.effect[1])
    assert forecast.open[0, 1] > 0.0


@pytest.mark.parametrize("agents", [2, 3, 8, 15])
def test_prices_are_what_an_exchange_costs_on_average(agents: int) -> None:
    # An order that is right but for two neighbours, judged by its first k for every k.
    costs = []
    for place in range(agents - 1):
        order = np.arange(agents)
        order[[place, place + 1]] = place + 1, place
        errors = [ranking_error(order[None], k)[0] for k in range(1, agents + 1)]
        costs.append(np.mean(errors))
    price = soft_forecast.prices(agents)[:-1] ** (1 / soft_forecast.TOP)
    assert price / price[0] == pytest.approx(np.array(costs) / costs[0])


def test_open_pairs_matter_more_near_the_top() -> None:
    forecast, weights = soft_forecast.no_forecast(Sizes(4, 3)), np.zeros((4, 4))
    order, price = np.array([2, 0, 3, 1]), soft_forecast.prices(4)
    soft_forecast.weigh_pairs.plain(forecast, order, price, weights)
    assert weights[2, 0] == weights[2, 1] == price[0]
    assert weights[2, 0] > weights[0, 3] > weights[3, 1] > 0.0
    assert weights.tolist() == weights.T.tolist()


def test_plain_and_compiled_forecasts_are_equal_to_the_last_bit() -> None:
    def forms(form: str) -> list[Any]:
        evaluator = Evaluator(PRESETS["podium"], Sizes(9, 4), 3, compiled=form == "compiled")
        rng = np.random.default_rng(0)
        for _ in range(60):
            query = evaluator.ask()
            evaluator.tell(query, (rng.normal(query[1], 3), rng.normal(query[2], 3)))
        state = evaluator.learning
        return [part.tolist() for part in (*state.forecast, state.belief.weights)]

    assert forms("plain") == forms("compiled")


def test_podium_reports_an_order_that_no_single_move_improves() -> None:
    evaluator = Evaluator(PRESETS["podium"], Sizes(6, 5), seed=1)
    rng = np.random.default_rng(2)
    for _ in range(50):
        query = evaluator.ask()
        evaluator.tell(query, (rng.normal(query[1], 3), rng.normal(query[2], 3)))
        order, total = evaluator.learning.order, evaluator.learning.forecast.total
        for one, other in itertools.pairwise(order):
            assert total[one, other] >= -1e-9
