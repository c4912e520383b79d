"""Kernels of Soft Condorcet Optimization: kinds, slopes, sweeps, envelopes, steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats, Ints
from podium.data.tally import Tally
from podium.kernels import sco, sco_batches, sco_fit
from podium.kernels.alike import Majorities, apart, kinds_of, majorities_of, merged, scaled
from podium.kernels.sco_batches import Votes, drawn_rows, noisy_steps, soft_steps
from podium.kernels.sco_exact import closed, envelope, sigmoid, touching
from podium.kernels.sco_polish import curvature
from podium.kernels.sco_sweeps import rows_of, sweep
from strategies import steady, tallies


def majorities(tally: Tally) -> Majorities:
    pairs = tally.pairs
    return majorities_of(pairs.left, pairs.right, pairs.wins - pairs.losses, len(tally.agents))


def random_pairs(agents: int, seed: int = 0) -> Majorities:
    rng = np.random.default_rng(seed)
    left, right = np.triu_indices(agents, 1)
    return majorities_of(left, right, rng.normal(size=len(left)).round(2), agents)


def relabelled(pairs: Majorities, order: Ints) -> Majorities:
    return Majorities(order[pairs.winner], order[pairs.loser], pairs.margin, pairs.size)


@steady(100)
@given(tallies(agents=(2, 5)), st.integers(0, 2**32 - 1))
def test_kinds_and_their_order_do_not_depend_on_the_listing(tally: Tally, seed: int) -> None:
    pairs = scaled(majorities(tally))
    order = np.random.default_rng(seed).permutation(pairs.size)
    other = relabelled(pairs, order)
    assert kinds_of(pairs).kind.tolist() == kinds_of(other).kind[order].tolist()
    one, two = (merged(each, apart(each)) for each in (pairs, other))
    assert sorted(apart(pairs).kind.tolist()) == list(range(pairs.size))
    assert [column.tolist() for column in one[:3]] == [column.tolist() for column in two[:3]]


def test_chains_longer_than_the_rounds_are_told_apart() -> None:
    size = 300
    chain = Majorities(np.arange(size - 1), np.arange(1, size), np.ones(size - 1), size)
    assert not kinds_of(chain).settled
    assert sorted(apart(chain).kind.tolist()) == list(range(size))
    found = sco_fit.fit(chain, 50.0, tolerance=1e-6, limit=2_000).ratings
    assert (np.diff(found) <= 0).all()


def test_slopes_and_curvature_are_derivatives() -> None:
    pairs, rng = random_pairs(6), np.random.default_rng(1)
    ratings = rng.uniform(0, 5, 6)
    point = sco.at(pairs, ratings)
    for agent, step in enumerate(1e-5 * np.eye(6)):
        rise = sco.loss(pairs, ratings + step) - sco.loss(pairs, ratings - step)
        assert point.slopes[agent] == pytest.approx(rise / 2e-5, abs=1e-6)
        bend = sco.at(pairs, ratings + step).slopes - sco.at(pairs, ratings - step).slopes
        assert curvature(pairs, ratings)[agent] == pytest.approx(bend / 2e-5, abs=1e-6)


def test_compiled_and_plain_slopes_are_equal() -> None:
    pairs, rng = random_pairs(30), np.random.default_rng(2)
    ratings = rng.uniform(0, 50, 30)
    plain, compiled = np.empty(30), np.empty(30)
    args = (ratings, pairs.winner, pairs.loser, pairs.margin)
    total = sco.add_slopes.plain(*args, plain)
    assert sco.add_slopes(*args, compiled) == pytest.approx(total)
    assert np.allclose(plain, compiled)
    assert np.allclose(plain, sco.at(pairs, ratings).slopes)
    assert total == pytest.approx(sco.loss(pairs, ratings))


def test_sweeps_end_at_a_stationary_point_compiled_or_not() -> None:
    pairs = scaled(random_pairs(12))
    rows, steep = rows_of(pairs), sco.steepest(pairs)
    ends = []
    for run in (sweep.plain, sweep):
        ratings, waiting = np.full(12, 4.0), np.ones(12, dtype=np.uint8)
        for _ in range(500):
            if not run(ratings, *rows, steep, waiting, 8.0, 1e-9):
                break
        assert sco.residual(sco.at(pairs, ratings), steep, 8.0) <= 1e-8
        ends.append(ratings)
    assert np.allclose(ends[0], ends[1])


def test_many_agents_end_about_as_low_as_few_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(5):
        pairs = random_pairs(20, seed)
        few = sco_fit.fit(pairs, 10.0, tolerance=1e-6, limit=20_000)
        with monkeypatch.context() as patch:
            patch.setattr(sco_fit, "SMALL", 0)
            many = sco_fit.fit(pairs, 10.0, tolerance=1e-6, limit=20_000)
        assert many.residual <= 1e-6
        low, high = sco.loss(pairs, few.ratings), sco.loss(pairs, many.ratings)
        assert abs(high - low) <= 0.02 * pairs.margin.sum()


def lower_hull(x: Floats, y: Floats) -> Floats:
    """Give the lower convex hull of points, at their places."""
    kept: list[int] = []
    for new in range(len(x)):
        while len(kept) > 1:
            one, two = kept[-2], kept[-1]
            if (y[two] - y[one]) * (x[new] - x[one]) < (y[new] - y[one]) * (x[two] - x[one]):
                break
            kept.pop()
        kept.append(new)
    return np.interp(x, x[kept], y[kept])


@steady(100)
@given(st.floats(-30, 30), st.floats(0.01, 40))
def test_the_envelope_is_the_convex_hull_of_the_curve(low: float, width: float) -> None:
    end = touching(np.array([low]), np.array([low + width]))
    x = np.linspace(low, low + width, 801)
    value = envelope(x, np.full(801, low), np.full(801, end[0]))
    assert (value <= sigmoid(x) + 1e-9).all()
    assert np.allclose(
        value, lower_hull(x, sigmoid(x)), rtol=0, atol=0.02 * (width / 801) ** 2 + 1e-7
    )


def test_a_new_limit_is_carried_along_all_ways() -> None:
    rng = np.random.default_rng(3)
    most = np.full((5, 5), 10.0)
    np.fill_diagonal(most, 0.0)
    for one, two in ((0, 1), (1, 2), (3, 4), (2, 3)):
        most = closed(most, one, two, float(rng.integers(1, 4)))
    assert (most[:, :, None] + most[None, :, :] >= most[:, None, :] - 1e-12).all()


def some_votes() -> Votes:
    return Votes(
        who=np.array([0, 1, 2, 3, 2, 1]),
        above=np.array([0, 1, 1, 3, 0, 1]),
        below=np.array([1, 3, 3, 4, 1, 2]),
        start=np.array([0, 4, 6]),
    )


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("way", ["compiled", "wide"])
def test_steps_are_the_same_in_every_form(
    way: str, monkeypatch: pytest.MonkeyPatch, *, noisy: bool
) -> None:
    rows = np.random.default_rng(4).integers(2, size=(50, 3))

    def ends() -> Floats:
        ratings = np.array([5.0, 2.0, 9.0, 4.0])
        if noisy:
            rng = np.random.default_rng(5)
            noisy_steps(some_votes(), ratings, rows, np.full(50, 0.3), 10.0, rng)
        else:
            soft_steps(some_votes(), ratings, rows, np.full(50, 0.3), 10.0)
        return ratings

    plain = ends()
    if way == "compiled":
        monkeypatch.setattr(sco_batches, "PLAIN", -1)
    else:
        monkeypatch.setattr(sco_batches, "WIDEST", 0.0)
    assert np.allclose(ends(), plain, rtol=0, atol=1e-9)
    assert not np.allclose(plain, [5, 2, 9, 4])


@pytest.mark.parametrize("widest", [0.0, 600.0])
def test_batches_of_many_pairs_count_them_first(
    widest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sco_batches, "WIDEST", widest)
    rng = np.random.default_rng(7)
    orders = [rng.permutation(6)[: rng.integers(2, 7)] for _ in range(40)]
    start = np.cumsum([0, *map(len, orders)])
    votes = Votes.strict(np.concatenate(orders), start)
    ends = []
    for batch in (60, 1):  # one batch of 60, or 60 of one whose steps are too small to matter
        ratings = np.full(6, 4.0)
        rows = np.random.default_rng(8).integers(40, size=(900 * 60 // batch, batch))
        soft_steps(votes, ratings, rows, np.full(len(rows), 1e-4 * batch), 8.0)
        ends.append(ratings)
    assert np.allclose(ends[0], ends[1], atol=1e-3)
    assert np.ptp(ends[0]) > 0.1


def test_ballots_are_drawn_by_weight_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sco_batches, "CHUNK", 100)
    weights = np.array([1.0, 0.0, 3.0, 0.0])
    chunks = list(drawn_rows(weights, 1_000, 4, 5, np.random.default_rng(6)))
    assert {len(rows) for rows in chunks} == {5}
    rows = np.concatenate(chunks)
    assert rows.shape == (1_000, 4)
    assert np.bincount(rows.ravel(), minlength=4)[[1, 3]].tolist() == [0, 0]
    assert (rows == 2).mean() == pytest.approx(0.75, abs=0.03)
