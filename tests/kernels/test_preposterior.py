"""How certain a study will be: against normal integrals that are known."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from podium.arrays import Floats
from podium.kernels import preposterior


def two(mean: float, spread: float, draws: int) -> Floats:
    """Draws of the margin of two agents, at the quantiles of a normal law, shuffled."""
    rng = np.random.default_rng(0)
    values = norm.ppf((np.arange(draws) + 0.5) / draws, mean, spread)
    rng.shuffle(values)
    margins = np.zeros((draws, 2, 2))
    margins[:, 0, 1], margins[:, 1, 0] = values, -values
    return margins


@pytest.mark.parametrize("growth", [1.0, 2.0, 9.0])
@pytest.mark.parametrize("moved", [-4.0, 1.0])
def test_two_agents_have_the_normal_integral(growth: float, moved: float) -> None:
    margins = two(2.0, 3.0, 2_000)
    mean, step = margins.mean(axis=0), np.array([[0.0, moved], [-moved, 0.0]])
    chance = preposterior.chance_at.plain(margins, mean, step, growth, 1, 2_000)
    centre = abs(2.0 + math.sqrt(1.0 - 1.0 / growth) * moved)
    # Half a task is granted to the report.
    assert chance == pytest.approx(norm.cdf((centre + 0.5) * math.sqrt(growth) / 3.0), abs=0.01)


def test_growths_are_those_at_which_the_integral_is_reached() -> None:
    margins, needed = two(2.0, 3.0, 2_000), np.zeros(20)
    growths = np.power(2.0, 0.25 * np.arange(29), dtype=np.float64)
    preposterior.needed_growths.plain(margins, 1, 0.95, growths, 2_000, needed)
    for future, growth in enumerate(needed.tolist()):
        if not math.isinf(growth):
            moved = margins[future * 100, 0, 1] - 2.0
            centre = abs(2.0 + math.sqrt(1.0 - 1.0 / growth) * moved)
            lead = (centre + 0.5) * math.sqrt(growth) / 3.0
            assert norm.cdf(lead) == pytest.approx(0.95, abs=0.02)
    assert np.isfinite(needed).sum() >= 18


def test_what_is_sure_needs_no_more() -> None:
    needed = np.zeros(5)
    preposterior.needed_growths.plain(two(9.0, 1.0, 100), 1, 0.95, np.array([1.0, 2.0]), 50, needed)
    assert needed.tolist() == [1.0] * 5


def test_the_plain_form_is_the_compiled_one() -> None:
    rng = np.random.default_rng(2)
    margins = rng.normal(2.0, 4.0, (50, 4, 4)) + np.arange(4)[None, None, :]
    margins -= margins.swapaxes(1, 2)
    plain, compiled = np.zeros(8), np.zeros(8)
    growths = np.power(2.0, np.arange(8.0), dtype=np.float64)
    for top in (2, 4):
        preposterior.needed_growths.plain(margins, top, 0.9, growths, 50, plain)
        preposterior.needed_growths.compiled(margins, top, 0.9, growths, 50, compiled)
        assert np.array_equal(plain, compiled)
        assert len(set(plain.tolist())) > 3
