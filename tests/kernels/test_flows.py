"""Flows: golden Hodge and Schur parts, and what defines them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Floats
from podium.kernels.flows import circles, potential, skills
from shared import shared
from strategies import steady

seeds = st.integers(0, 2**32 - 1)


def flow_of(seed: int, *, whole: bool = False) -> Floats:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 8))
    draws = rng.normal(size=(size, size))
    draws = np.round(draws) if whole else draws
    return np.asarray(draws - draws.T)


def gradient(ratings: Floats) -> Floats:
    return np.asarray(ratings[:, None] - ratings)


def everybody(size: int) -> np.ndarray:
    return ~np.eye(size, dtype=np.bool_)


@pytest.mark.parametrize("name", ["C4", "T4", "X", "AvT"])
def test_golden_parts(name: str) -> None:
    golden = json.loads(shared("golden/hodge_schur.json").read_text())
    want, near = golden[name], {"abs": golden["tol"]}
    flow = np.array(want["A"])
    rating = potential(flow, everybody(len(flow)))
    rest = flow - gradient(rating)
    assert rating == pytest.approx(want["rating"], **near)
    assert np.square(rest).sum() / np.square(flow).sum() == pytest.approx(
        want["cyclic_fraction"], **near
    )
    turning = circles(flow)
    assert turning.strengths == pytest.approx(want["lambdas"], **near)
    assert turning.among(len(flow)) == pytest.approx(flow, **near)
    radius = np.hypot(*turning.points(1).T) / np.sqrt(turning.strengths[0])
    assert radius == pytest.approx(want["radius"], **near)
    if "singular_values" in want:
        assert turning.strengths == pytest.approx(want["singular_values"], **near)


@steady(80)
@given(seeds)
def test_the_parts_are_orthogonal_and_the_rest_has_no_divergence(seed: int) -> None:
    flow = flow_of(seed)
    rating = potential(flow, everybody(len(flow)))
    rest = flow - gradient(rating)
    assert rest.sum(axis=1) == pytest.approx(0, abs=1e-12)
    assert np.vdot(gradient(rating), rest) == pytest.approx(0, abs=1e-10)
    # The rotation is the mean of all curls: the slow definition.
    curl = flow[:, :, None] + flow[None, :, :] - flow[:, None, :]
    assert rest == pytest.approx(curl.mean(axis=2), abs=1e-12)


@steady(80)
@given(seeds)
def test_missing_pairs_leave_a_fit_of_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flow = flow_of(seed)
    size = len(flow)
    chain = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) == 1
    known = chain | np.triu(rng.random((size, size)) < 0.3, 2)
    known |= known.T
    left, right = np.nonzero(np.triu(known, 1))
    edges = np.zeros((len(left), size))
    edges[np.arange(len(left)), left], edges[np.arange(len(left)), right] = 1.0, -1.0
    slow = np.linalg.lstsq(edges, flow[left, right])[0] if len(left) else np.zeros(size)
    assert potential(flow, known) == pytest.approx(slow, abs=1e-9)


@steady(80)
@given(seeds)
def test_skills_and_difficulties_are_a_fit_of_least_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, weights = rng.normal(size=(2, 4, 3))
    weights = np.where(rng.random((4, 3)) < 0.7, np.abs(weights), 0.0)
    weights[0], weights[:, 0] = 1.0, 1.0
    rows = np.concatenate([np.repeat(np.eye(4), 3, axis=0), -np.tile(np.eye(3), (4, 1))], axis=1)
    heavy = np.sqrt(weights.ravel())
    slow = np.linalg.lstsq(rows * heavy[:, None], heavy * scores.ravel())[0]
    slow -= np.average(slow[4:], weights=weights.max(axis=0))
    skill, difficulty = skills(scores, weights)
    assert np.concatenate([skill, difficulty]) == pytest.approx(slow, abs=1e-9)


@steady(80)
@given(seeds, st.booleans())
def test_planes_are_orthonormal_and_add_up(seed: int, whole: bool) -> None:
    # Whole numbers give planes of equal strength, of which only the sum is unique.
    flow = flow_of(seed, whole=whole)
    turning = circles(flow)
    assert turning.among(len(flow)) == pytest.approx(flow, abs=1e-10)
    axes = np.hstack([turning.x, turning.y]) / np.sqrt(np.tile(turning.strengths, 2))
    assert axes.T @ axes == pytest.approx(np.eye(axes.shape[1]), abs=1e-9)
    assert (turning.strengths > 0).all()
    assert (np.diff(turning.strengths) <= 1e-12).all()


def test_the_agent_farthest_out_lies_on_the_axis() -> None:
    turning = circles(flow_of(3))
    for x, y in zip(turning.x.T, turning.y.T, strict=True):
        far = int(np.hypot(x, y).argmax())
        assert x[far] > 0
        assert y[far] == pytest.approx(0, abs=1e-12)
