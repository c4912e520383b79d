"""Ranked pairs: keep the clearest majorities, as long as they do not contradict one another."""

from typing import Literal

import numpy as np

from podium.arrays import Bools, Floats, floats, ints, locked
from podium.data.labelled import PairList
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.graphs import Edges, edges_of, layers
from podium.kernels.locking import lock_every_way, lock_together
from podium.methods._orders import first_tier
from podium.methods._registry import method
from podium.words import check_choice

TIES = ("neutral", "parallel")

MOST_GRAPHS = 2_000
"""Graphs that ties="parallel" may come across before it gives up."""


@method(
    "ranked-pairs",
    reads=Tally,
    cite="Tideman 1987; Lanctot et al. 2025",
    cost="m^3",
    holds={"condorcet", "clones"},
    cheap_up_to=75,
    remarks={
        "clones": "True of the set of winners, which may hold several clones, also where "
        "margins are equal. The rating is no part of it: it sums over all agents below."
    },
)
def ranked_pairs(tally: Tally, *, ties: Literal["neutral", "parallel"] = "neutral") -> Ratings:
    r"""Lock majorities from the largest margin down, leaving out those that close a cycle.

    .. math:: r_a = \sum_{(i, j) \in L, \; a \to^* i} \delta(i, j)

    where L are the locked pairs: the rating adds up the margins of all locked
    pairs that a reaches along locked pairs. The tiers are the layers of the
    locked graph: those nobody is locked above, then those that only they are
    above, and so on.

    Where margins are equal, the order in which their pairs are looked at can
    decide. With "neutral" they are looked at together: a pair is left out if
    larger margins contradict it, or if it is in a cycle made of larger ones and
    of its equals, so no order decides. With "parallel" all orders are followed:
    the winners are those of any of them, and come first; beyond that an agent
    is above another, and a pair is locked, where all orders say so; ratings are
    means over the different outcomes. There can be more of these than can ever
    be followed: then it is an error.

    Args:
        tally: Pairwise counts.
        ties: What to do where margins are equal: "neutral" or "parallel".

    >>> result = ranked_pairs(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    >>> result.values, result.info["winners"]
    (array([3., 0., 5.]), ('c',))
    """
    check_choice("ranked-pairs:ties", ties, TIES)
    edges = edges_of(tally.margins, float(tally.wins.max(initial=0.0)))
    if ties == "parallel":
        return _parallel(tally, edges)
    size = len(tally.agents)
    result = lock_together(edges, size)
    order = result.reach.matrix()
    kept = np.zeros((size, size), dtype=np.bool_)
    kept[edges.source[result.kept], edges.target[result.kept]] = True
    values = _reached(tally.margins, kept, order)
    return _ratings(tally, values, order, kept, only=result.decided)


def _parallel(tally: Tally, edges: Edges) -> Ratings:
    outcomes = lock_every_way(edges, len(tally.agents), MOST_GRAPHS)
    if outcomes is None:
        msg = (
            f"equal margins can be broken in more than {MOST_GRAPHS:,} ways, too many for "
            f"ranked-pairs with ties='parallel'; use ties='neutral'"
        )
        raise DataError(msg)
    majorities = np.zeros(tally.margins.shape, dtype=np.bool_)
    majorities[edges.source, edges.target] = True
    order = np.ones_like(majorities)
    winners = np.zeros(len(tally.agents), dtype=np.bool_)
    values = np.zeros(len(tally.agents))
    for outcome in outcomes:
        reached = outcome.matrix()
        order &= reached
        winners |= ~reached.any(axis=0)
        values += _reached(tally.margins, majorities & reached, reached)
    kept = majorities & order
    order = order | (winners[:, None] & ~winners)
    only = len(outcomes) == 1
    return _ratings(tally, values / len(outcomes), order, kept, only=only, ways=len(outcomes))


def _reached(margins: Floats, kept: Bools, order: Bools) -> Floats:
    own: Floats = (margins * kept).sum(axis=1)
    reached: Floats = order @ own
    return own + reached


def _ratings(
    tally: Tally, values: Floats, order: Bools, kept: Bools, *, only: bool, **more: int
) -> Ratings:
    tiers, related = layers(order)
    info = {
        "winners": first_tier(tally.agents, tiers),
        "unique": only and related,
        "locked": PairList(tally.agents, locked(kept)),
        **more,
    }
    return Ratings(tally.agents, floats(values), ints(tiers), info)
