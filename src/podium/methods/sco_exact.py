"""Exact SCO: ratings that go against the votes as little as can be, with a proof."""

import numpy as np

from podium.arrays import Floats, Ints, add_up
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.alike import Kinds, Majorities, apart, kinds_of, merged, scaled
from podium.kernels.bradley_terry_box import centred
from podium.kernels.components import components
from podium.kernels.sco_exact import least
from podium.methods._registry import method
from podium.methods._sco import SAME, box_of, flags, majorities, rated, soft_loss
from podium.words import check_number

MOST = 200
"""Agents of which all pairs are looked at in each part of the box, at most."""


@method(
    "sco-exact",
    reads=Tally,
    cite="Udell and Boyd 2013; Lanctot et al. 2025 (Soft Condorcet Optimization), appendix C",
    cost="a linear programme of p pairs a node; nodes grow exponentially in hard cycles",
    holds={"condorcet"},
    cheap_up_to=5,
)
def sco_exact(
    tally: Tally,
    *,
    temperature: float = 1.0,
    low: float = 0.0,
    high: float = 100.0,
    tolerance: float = 1e-6,
    limit: float = 60.0,
) -> Ratings:
    r"""Minimise the sigmoid loss over all ratings in a range, by branch and bound.

    .. math:: \min_{\theta \in [l, h]^m} \sum_{a, b} N(a, b) \,
              s\left(\frac{\theta_b - \theta_a}{\tau}\right), \quad s(x) = \frac{1}{1 + e^{-x}}

    `info` holds the `loss`, a `bound` that no ratings in the range go below, the
    `gap` between them, and the number of `nodes` (also as `iterations`). A
    Condorcet winner is rated `high` (theorem 1 of the paper), and a Condorcet
    loser `low`; others may be, too, where the range is only a few temperatures.

    Agents that the counts cannot tell apart share the mean of their ratings at
    the optimum: each permutation of them is as good. Then `unique` is false, and
    the `loss` is that of the optimum, not of its mean. A group that does not
    reach both ends of the range has its mean as near to the middle as it fits.

    Args:
        tally: Pairwise counts.
        temperature: The unit in which differences of ratings count.
        low: Lowest rating.
        high: Highest rating.
        tolerance: Gap at which to end, as a share of the sum of all margins.
        limit: Seconds after which to end with the gap that is left.

    >>> ratings = sco_exact(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"), high=5)
    >>> ratings.values.round(3), round(ratings.info["loss"], 4), ratings.info["gap"] < 1e-4
    (array([3.154, 0.   , 5.   ]), 5.2658, True)
    """
    box = box_of("sco-exact", "temperature", temperature, low, high)
    check_number("sco-exact:tolerance", tolerance, low=1e-9, high=1.0)
    check_number("sco-exact:limit", limit, low=0.0)
    if len(tally.agents) > MOST:
        msg = (
            f"{len(tally.agents):,} agents are too many for a proof; at most {MOST} are allowed. "
            "Use sco, which descends"
        )
        raise DataError(msg)
    pairs = majorities(tally)
    even = scaled(pairs)
    order = apart(even).kind
    found = least(_listed(even, order), box.width, tolerance=tolerance, seconds=limit)
    group = components(pairs.winner, pairs.loser, pairs.size).weak
    units = centred(found.ratings[order], group, box.width)
    loss = soft_loss(tally.pairs, units)
    gap = float(pairs.margin.max(initial=0.0)) * (found.loss - found.bound)
    shared = _shared(units, even)
    return rated(
        tally.agents,
        shared,
        box,
        loss=loss,
        bound=loss - gap,
        gap=gap,
        iterations=found.nodes,
        nodes=found.nodes,
        unique=None if np.abs(shared - units).max(initial=0.0) <= SAME * box.width else False,
        **flags(tally.agents, pairs),
    )


def _listed(pairs: Majorities, order: Ints) -> Majorities:
    """List agents and pairs in an order that counts decide."""
    return merged(pairs, Kinds(order, pairs.size, settled=True))


def _shared(units: Floats, pairs: Majorities) -> Floats:
    """Give agents that the counts cannot tell apart the mean of their ratings."""
    kinds = kinds_of(pairs)
    if not kinds.settled:
        return units
    sizes = add_up(kinds.kind, None, kinds.number)
    return np.asarray((add_up(kinds.kind, units, kinds.number) / sizes)[kinds.kind])
