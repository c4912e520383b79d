"""Schulze: an agent is above another if the strongest chain of majorities says so."""

from typing import Literal

import numpy as np

from podium.arrays import Floats, Ints, floats, ints, locked
from podium.data.labelled import PairMap
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.kernels.graphs import SAME_STRENGTH, edges_of, layers, strongest_paths
from podium.methods._orders import first_tier
from podium.methods._registry import method
from podium.words import check_choice

STRENGTHS = ("winning-votes", "margins")
SCORES = ("chain", "sum")


@method(
    "schulze",
    reads=Tally,
    cite="Schulze 2011; Lanctot et al. 2025",
    cost="m^3",
    holds={"condorcet", "clones"},
    cheap_up_to=100,
    remarks={
        "clones": "True of the set of winners, which may hold several clones. The rating is no "
        "part of it: a clone adds to the numbers of those above."
    },
)
def schulze(
    tally: Tally,
    *,
    strength: Literal["winning-votes", "margins"] = "winning-votes",
    scores: Literal["chain", "sum"] = "chain",
) -> Ratings:
    r"""Put an agent above another if its strongest path there beats the one back.

    .. math:: a \succ b \iff P(a, b) > P(b, a), \quad
              P(a, b) = \max_{p : a \to b} \; \min_{(i, j) \in p} s(i, j)

    over the paths along won majorities, :math:`\delta(i, j) > 0`, where s is
    :math:`N(i, j)` or the margin. The relation is a partial order. The tiers
    are its layers: the unbeaten, then those that only they beat, and so on.

    The papers give no rating that the method ranks by. "chain" is the number
    in their tables: 0 for the last, and for each other the number of the one
    right below plus :math:`N` against it; where agents share a tier, the mean
    over all orders of the tiers' members. "sum" is the formula in their text,
    :math:`\sum_{b : a \succ b} N(a, b)`.

    Args:
        tally: Pairwise counts.
        strength: What makes a majority strong: the votes for it, or its margin.
            Both are the same where all ballots are complete and without ties.
        scores: Which number to give as rating: "chain" or "sum".

    >>> result = schulze(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    >>> result.values, result.tiers
    (array([4., 0., 7.]), array([1, 2, 0]))
    """
    check_choice("schulze:strength", strength, STRENGTHS)
    check_choice("schulze:scores", scores, SCORES)
    wins, margins = tally.wins, tally.margins
    scale = float(wins.max(initial=0.0))
    won = np.where(margins > SAME_STRENGTH * scale, wins, 0.0)
    edges = edges_of(margins if strength == "margins" else won, scale)
    paths = strongest_paths(edges, len(tally.agents))
    relation = paths > paths.T
    tiers, related = layers(relation)
    values = chain_scores(wins, tiers) if scores == "chain" else (wins * relation).sum(axis=1)
    return Ratings(
        tally.agents,
        floats(values),
        ints(tiers),
        {
            "winners": first_tier(tally.agents, tiers),
            "unique": related,
            "relation": PairMap(tally.agents, locked(relation)),
            "paths": PairMap(tally.agents, locked(paths)),
        },
    )


def chain_scores(wins: Floats, tiers: Ints) -> Floats:
    r"""Add up the counts between neighbours from the last agent upwards.

    .. math:: r_{(m)} = 0, \quad r_{(i)} = r_{(i+1)} + N\big((i), (i+1)\big)

    Tied agents get the mean over all orders that agree with the tiers. With t
    agents in a tier, each is as likely above as below each other, so i's mean
    is the same as all others' but for half its margins against them over t.

    >>> chain_scores(np.array([[0.0, 2.0], [1.0, 0.0]]), np.array([0, 0]))
    array([1. , 0.5])
    """
    values = np.zeros(len(tiers))
    base, lower = 0.0, np.zeros(0, dtype=np.int64)
    for number in range(int(tiers.max(initial=-1)), -1, -1):
        tier = np.flatnonzero(tiers == number)
        inside = wins[np.ix_(tier, tier)]
        if len(lower):
            base += float(wins[np.ix_(tier, lower)].mean())
        total, margins = inside.sum(), inside.sum(axis=1) - inside.sum(axis=0)
        values[tier] = base + (total + margins) / (2 * len(tier))
        base += float(total) / len(tier)
        lower = tier
    return values
