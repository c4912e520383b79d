r"""Spread: what draws of a ranking tell of its certainty.

Agent i is *surely above* agent j at a level :math:`1 - \alpha` where it ranks
above j and does so in at least that share of the draws, a tie counting half.
Everything said of ranks rests on this one relation:

.. math:: \Bigl[ 1 + \#\{j : j \text{ surely above } i\}, \;
                 m - \#\{j : i \text{ surely above } j\} \Bigr]

is the rank interval of i. It holds the rank that is reported, ties included.
Groups are the finest cut of the ranking such that everybody in a group is
surely above everybody in the groups below.

Draws with replacement of n units show only :math:`1 - 1/n` of a variance. So
every tail :math:`\alpha` is replaced by :math:`\Phi(\Phi^{-1}(\alpha)
\sqrt{n / (n-1)})`, as in the expanded percentile interval of Hesterberg (2015,
without his second step from normal to Student quantiles).

Why pairs and not percentiles of ranks: `bench/rank_coverage.py` ranks Mallows
tables, of which the truth is known, by Borda and Copeland. At level 0.95, with
dispersion 0.3 to 0.8, 5 to 20 agents, 10 to 57 tasks and 500 tables each, the
intervals held the true rank of 96.2 to 100 % of the agents. Percentiles of
ranks were wider where tasks agree and up to 10 % narrower where they hardly
do, and with five tasks held 90 to 92 %, where these hold 93. Tests of all pairs at
once by a studentised maximum (Mogstad, Romano, Shaikh and Wilhelm 2024) hold for all
agents together and were wider everywhere, by a sixth at least; a pair at a time
is the older use (Goldstein and Spiegelhalter 1996). So an interval is a
statement about one agent, and not about all at once; and of many agents that
are truly equal, some pairs will be told apart by chance.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, locked

SLACK = 1e-9
"""Shares of draws are compared with levels up to this much."""


@dataclass(frozen=True)
class Spread:
    """Intervals around the ratings and ranks of one ranking.

    Attributes:
        kind: How they were made: "bootstrap", "sandwich" or "posterior".
        unit: What was drawn anew: "task", "sample", "match", "ballot", ...
        draws: How many times; 0 where a formula did without draws.
        level: Share of the draws that an interval holds, such as 0.95.
        intervals: Agent to (low, high) of its rating.
        rank_intervals: Agent to (best, worst) rank.
        groups: Agents that the data do not tell apart, best first.
        notes: What the reader of the intervals should know.
    """

    kind: str
    unit: str
    draws: int
    level: float
    intervals: dict[str, tuple[float, float]]
    rank_intervals: dict[str, tuple[int, int]]
    groups: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def expanded(tail: float, size: float) -> float:
    """Shrink a tail for the spread that draws of few units do not show.

    >>> round(expanded(0.05, 10), 4), round(expanded(0.05, 1e9), 4)
    (0.0415, 0.05)
    """
    normal = statistics.NormalDist()
    return normal.cdf(normal.inv_cdf(tail) / (1 - 1 / size) ** 0.5)


def above_shares(tiers: Array) -> Floats:
    r"""Give the share of the draws in which the row agent is above the column agent.

    .. math:: s_{ij} = \frac{\#\{t_i < t_j\} + \tfrac{1}{2} \#\{t_i = t_j\}}
                            {\#\{i, j \text{ both drawn}\}}

    A half where the two never came up together.

    Args:
        tiers: Draws x agents, 0 is best, NaN where an agent was not drawn.

    >>> above_shares(np.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    columns = np.ascontiguousarray(tiers.T, dtype=np.float32)
    above = np.empty((len(columns), len(columns)))
    for agent, own in enumerate(columns):
        above[agent] = np.count_nonzero(own < columns, axis=1)
    drawn = (~np.isnan(columns)).astype(np.float32)
    both = (drawn @ drawn.T).astype(np.float64)
    halves = both + above - above.T
    shares: Floats = np.divide(halves, 2 * both, out=np.full_like(both, 0.5), where=both > 0)
    return shares


def surely_above(tiers: Array, point: Ints, tail: float) -> Bools:
    """Mark the pairs whose row agent is surely above the column agent.

    Args:
        tiers: Draws x agents, 0 is best, NaN where an agent was not drawn.
        point: The tiers of the ranking itself.
        tail: Share of the draws that may say otherwise.
    """
    ranked = point[:, None] < point[None, :]
    return ranked & (above_shares(tiers) >= 1 - tail - SLACK)


def rank_bounds(sure: Bools) -> tuple[Ints, Ints]:
    """Read the best and the worst rank of each agent off the sure pairs.

    >>> [bound.tolist() for bound in rank_bounds(np.array([[0, 1], [0, 0]], dtype=bool))]
    [[1, 2], [1, 2]]
    """
    return locked(1 + sure.sum(axis=0)), locked(len(sure) - sure.sum(axis=1))


def groups_of(sure: Bools, point: Ints) -> Ints:
    """Number the groups of agents that are told apart, the best group first.

    >>> sure = np.array([[0, 0, 1], [0, 0, 1], [0, 0, 0]], dtype=bool)
    >>> groups_of(sure, np.array([0, 1, 2])).tolist()
    [0, 0, 1]
    """
    size = len(sure)
    order = np.argsort(point, kind="stable")
    unsure = ~sure[np.ix_(order, order)]
    last = np.where(unsure, np.arange(size), 0).max(axis=1, initial=0)  # holds oneself, too
    ends = np.maximum.accumulate(last) == np.arange(size)
    groups = np.empty(size, dtype=np.int64)
    groups[order] = np.cumsum(ends) - ends
    return locked(groups)


def rating_bounds(values: Array, point: Floats, tail: float) -> tuple[Floats, Floats]:
    """Take percentiles of drawn ratings, widened to the rating itself where that lies outside.

    Args:
        values: Draws x agents, NaN where an agent was not drawn.
        point: The ratings themselves.
        tail: Share of the draws to leave out at either end.
    """
    shares = [tail, 1 - tail]
    if np.isnan(values).any():
        columns = (column[~np.isnan(column)] for column in values.T)
        parts = [
            np.quantile(column, shares) if len(column) else (own, own)
            for column, own in zip(columns, point, strict=True)
        ]
        low, high = np.array(parts).T
    else:
        low, high = np.quantile(values, shares, axis=0)
    return locked(np.minimum(low, point)), locked(np.maximum(high, point))


def named_groups(agents: Sequence[str], groups: Ints) -> tuple[tuple[str, ...], ...]:
    """Name the agents of each group; within a group they stand by name."""
    members: list[list[str]] = [[] for _ in range(int(groups.max(initial=-1)) + 1)]
    for agent, group in zip(agents, groups.tolist(), strict=True):
        members[group].append(agent)
    return tuple(tuple(sorted(group)) for group in members)
