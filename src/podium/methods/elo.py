"""Elo: the ratings under which the outcomes of all matches are most likely."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from podium.arrays import Floats
from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods import _elo_fit as fitting
from podium.methods._elo_certainty import posterior, sandwich
from podium.methods._elo_rows import demands
from podium.methods._registry import method
from podium.words import check_choice, check_number, unknown

TIES = ("half", "davidson")

ENOUGH_TO_HOLD = 0.1
"""Prior of draws of the bootstrap that do not connect all agents.

Measured by `bench/elo_coverage.py`, level 0.95: where 29 % of the draws fall
apart, intervals of ratings hold the truth 94.1 % of the time with this prior, 93.2
with 0.5, and 91.9 where such draws are left out. Rank intervals hardly depend
on it.
"""

SAME = 1e-7
"""Elo points within which ratings are equal."""


def _again(data: Tally | Matches, near: Ratings, options: Mapping[str, Any]) -> Ratings:
    """Fit data that are like those of some ratings, starting there."""
    known = dict(zip(near.agents, near.values.tolist(), strict=True))
    start = np.array([known.get(agent, 0.0) for agent in data.agents]) / fitting.SCALE
    return _rated(data, start=start, **options)


@method(
    "elo",
    reads=(Tally, Matches),
    reads_with=demands,
    cite="Zermelo 1929; Bradley and Terry 1952; Elo 1978; Hunter 2004; Davidson 1970",
    cost="p + m^3, or p for many agents, a step; p pairs met",
    cheap_up_to=200,
    posterior=posterior,
    sandwich=sandwich,
    warm=_again,
    apart={"prior": ENOUGH_TO_HOLD},
)
def elo(
    data: Tally | Matches,
    *,
    prior: float = 0.0,
    anchor: str | None = None,
    ties: Literal["half", "davidson"] = "half",
    side: bool = False,
    terms: str | None = None,
) -> Ratings:
    r"""Find the ratings under which the outcomes of all matches are most likely.

    .. math:: P(i \text{ beats } j) = \frac{1}{1 + 10^{(r_j - r_i) / 400}}

    This is the model of Bradley and Terry, fitted to all matches at once, so
    that their order plays no part. The mean over agents is 0. Ratings are
    finite exactly where each agent can be reached from each other by wins and
    ties; elsewhere the error says who stands apart, and `prior` helps.

    With `side` and `terms` the odds of a match hold more than two ratings,
    :math:`r_i - r_j + \sum_k x_k \beta_k`. Estimates of :math:`\beta` stand in the
    info, in points of Elo, with the standard errors that the model gives them. A
    column of numbers counts as it is, one that is positive where it should
    favour the first agent. A column of labels, such as judge, says by how much
    each of them favours the first agent more than the mean of all labels does;
    it comes with `side`, which is that mean.

    Args:
        data: Pairwise counts, or matches.
        prior: How often each agent has also beaten, and lost to, a rival of rating 0.
        anchor: Agent whose rating is 0, in place of the mean.
        ties: "half" takes a tie as half a win each; "davidson" gives ties a
            chance of their own, :math:`\nu / (10^{d/800} + \nu + 10^{-d/800})` at
            a difference of d.
        side: Whether to estimate an advantage of the first agent of a match.
        terms: Names of columns of the matches, joined by +.

    >>> matches = Matches.from_records([("a", "b", 1), ("a", "b", 1), ("b", "a", 1)])
    >>> elo(matches, anchor="b").values.round(1)
    array([120.4,   0. ])
    """
    check_choice("elo:ties", ties, TIES)
    check_number("elo:prior", prior, low=0.0, high=1e300)
    if anchor is not None and anchor not in data.agents:
        msg = f"elo:anchor: {unknown('agent', anchor, data.agents)}"
        raise DataError(msg)
    return _rated(data, prior=prior, anchor=anchor, ties=ties, side=side, terms=terms)


def _rated(
    data: Tally | Matches,
    *,
    start: Floats | None = None,
    anchor: str | None = None,
    **options: Any,
) -> Ratings:
    fitted = fitting.fitted(data, start=start, **options)
    values = fitted.ratings * fitting.SCALE
    if anchor is not None:
        values -= values[data.agents.index(anchor)]
    elif len(values):
        values -= values.mean()
    tolerance = max(SAME, 1e-10 * float(np.abs(values).max(initial=0.0)))
    return Ratings.by_value(data.agents, values, tolerance=tolerance, **fitted.info)
