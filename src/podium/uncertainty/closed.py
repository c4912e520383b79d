r"""Intervals by a method's own theory: a normal distribution with a formula, or draws.

Ranks go by the relation of `spread`: agent i is surely above agent j where it
ranks above and would do so in at least the share :math:`1 - \alpha` of all draws. Of
normal ratings that share needs no draws:

.. math:: \Pr(r_i > r_j) = \Phi\left(\frac{\hat r_i - \hat r_j}
          {\sqrt{C_{ii} + C_{jj} - 2 C_{ij}}}\right)

with C the covariance, so the intervals are those of endlessly many draws.
"""

import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.arrays import Array, Bools, Floats
from podium.data.convert import Data
from podium.data.ratings import Ratings, tiers_of
from podium.errors import DataError
from podium.methods._certainty import Normal, Wish
from podium.methods._registry import METHODS, Card
from podium.uncertainty.spread import (
    Spread,
    expanded,
    groups_of,
    named_groups,
    rank_bounds,
    rating_bounds,
    surely_above,
)
from podium.words import check_number, listed

SLACK = 1e-9
"""A difference of ratings below this many standard errors tells nobody apart."""


def closed(
    kind: str,
    data: Data,
    card: Card,
    options: Mapping[str, Any],
    point: Ratings,
    *,
    unit: str | None = None,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
) -> Spread:
    """Give intervals around the ratings and ranks of a method, by its own theory.

    Args:
        kind: "posterior" or "sandwich"; the card says which the method has.
        data: The data.
        card: The method.
        options: Its options, checked.
        point: What it said of the data.
        unit: What counts as drawn independently, or None for what suits the data.
        level: Share that an interval should hold.
        replicates: How many draws, where the theory has no formula.
        seed: Start of all chance.
    """
    check_number("level", level, low=0.5, high=0.9999)
    if kind not in card.certainty:
        raise DataError(_not_offered(kind, card))
    wish = Wish(unit, replicates, np.random.default_rng(seed))
    found = card.certainty[kind](data, point, options, wish)
    tail = 1 - level
    if isinstance(found, Normal):
        low, high = normal_bounds(found, point, tail)
        sure = normally_above(found, point, tail)
        draws = 0
    else:
        low, high = rating_bounds(found.values, point.values, expanded(tail / 2, found.size))
        tiers = np.array([tiers_of(values) for values in found.values])
        sure = surely_above(tiers, point.tiers, expanded(tail, found.size))
        draws = len(found.values)
    return Spread(
        kind=kind,
        unit=found.unit,
        draws=draws,
        level=level,
        intervals=_paired(point.agents, low, high),
        rank_intervals=_paired(point.agents, *rank_bounds(sure)),
        groups=named_groups(point.agents, groups_of(sure, point.tiers)),
        notes=found.notes,
    )


def normal_bounds(found: Normal, point: Ratings, tail: float) -> tuple[Floats, Floats]:
    """Give each rating less and plus its quantile of standard errors.

    >>> one = Ratings.by_value("a", [10.0])
    >>> low, high = normal_bounds(Normal(np.eye(1), "match"), one, 0.05)
    >>> (round(float(low[0]), 2), round(float(high[0]), 2))
    (8.04, 11.96)
    """
    quantile = -statistics.NormalDist().inv_cdf(expanded(tail / 2, found.size))
    reach = quantile * np.sqrt(np.maximum(found.covariance.diagonal(), 0.0))
    return point.values - reach, point.values + reach


def normally_above(found: Normal, point: Ratings, tail: float) -> Bools:
    """Mark the pairs whose row agent is surely above the column agent.

    >>> two = Ratings.by_value("ab", [3.0, 0.0])
    >>> normally_above(Normal(np.eye(2), "match"), two, 0.05).tolist()
    [[False, True], [False, False]]
    """
    quantile = -statistics.NormalDist().inv_cdf(expanded(tail, found.size))
    own = found.covariance.diagonal()
    variance = np.maximum(own[:, None] + own[None, :] - 2 * found.covariance, 0.0)
    gap = point.values[:, None] - point.values[None, :]
    ranked = point.tiers[:, None] < point.tiers[None, :]
    above: Bools = ranked & (gap >= (quantile - SLACK) * np.sqrt(variance))
    return above


def _not_offered(kind: str, card: Card) -> str:
    able = [other.name for other in METHODS if kind in other.certainty]
    have = f"those of {listed(sorted(able), 20)} do" if able else "no method does"
    hint = "intervals=bootstrap works for every method"
    return f"{card.name} offers no {kind} intervals; {have}. {hint}"


def _paired(agents: tuple[str, ...], low: Array, high: Array) -> dict[str, Any]:
    return dict(zip(agents, zip(low.tolist(), high.tolist(), strict=True), strict=True))
