"""Deviation ratings of a game: how much each strategy would lose against the strictest play."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.gains import BETWEEN, SAME, cce_gap, merged, without_offsets
from podium.kernels.staged import DenseColumns, Stages, staged
from podium.kernels.table_columns import AgentAndTask, AgentsAndTask

QUANTUM = 1e-14
"""Payoffs are multiples of this share of their range, as in appendix B.2 of the paper."""

NOTHING = 1e-11
"""Gains below this share of the unit of payoffs are rounding."""

CLOSEST, FARTHEST = 1e-12, 1e-6
"""Payoffs that differ by a share of their range between these two can mislead the solver."""


class Deviation(NamedTuple):
    """Deviation ratings of all strategies of all players.

    Attributes:
        ratings: Rating of each strategy, a player.
        joint: A joint distribution that gives these ratings; there may be others.
        rounds: How many linear programmes it took.
        drift: The most that a gain under `joint` differs from the rating, in the unit of payoffs.
        gap: How far `joint` is from a coarse correlated equilibrium, in that unit.
        unit: The widest range of payoffs that a player can choose from.
    """

    ratings: tuple[Floats, ...]
    joint: Floats
    rounds: int
    drift: float
    gap: float
    unit: float


def game_deviation(payoffs: Sequence[Floats], quantum: float = QUANTUM) -> Deviation:
    r"""Rate all strategies of a game of any number of players and any payoffs.

    .. math:: r_p(a'_p) = \sum_a \sigma^*(a) \, [G_p(a'_p, a_{-p}) - G_p(a)]

    where the gains under :math:`\sigma^*`, sorted from the highest down, are
    lexicographically least over all joint distributions (Marris et al. 2025,
    algorithm 1). The ratings are unique, though :math:`\sigma^*` need not be.

    Args:
        payoffs: One array a player, one axis a player.
        quantum: Payoffs are rounded to about this share of their range.

    >>> shapley = np.array([[-8.0, -2, 4], [2, -8, -1], [-4, 1, -8]])
    >>> [ratings.round(6) for ratings in game_deviation([shapley, shapley.T]).ratings]
    [array([-2.821577, -2.821577, -2.821577]), array([-2.821577, -2.821577, -2.821577])]
    """
    _, unit = without_offsets(payoffs)
    plain, unit = without_offsets([quantised(payoff, quantum, unit) for payoff in payoffs])
    gains = merged(plain)
    found = staged(DenseColumns(gains.table))
    joint = gains.joint(found.keys, found.weights)
    ratings = tuple(unit * _clean(found.gains)[rows] for rows in gains.row_of)
    gap = unit * cce_gap(plain, joint)
    return Deviation(ratings, joint, found.rounds, unit * found.drift, gap, unit)


def zero_sum_deviation(payoffs: Floats, quantum: float = QUANTUM) -> Deviation:
    r"""Rate the strategies of a symmetric zero-sum game of two players.

    With both players treated alike nobody wins on average, and the gains are
    :math:`A q` for the strategy q of either, so that no joint distribution is needed.

    Args:
        payoffs: Antisymmetric, above 0 where the row beats the column.
        quantum: Payoffs are rounded to this share of the largest.

    >>> zero_sum_deviation(np.array([[0.0, 2, -1], [-2, 0, 1], [1, -1, 0]])).joint.diagonal() * 4
    array([1., 1., 2.])
    """
    unit = float(np.abs(payoffs).max(initial=0.0)) or 1.0
    plain = quantised(payoffs, quantum, unit) / unit
    found = staged(DenseColumns(plain))
    joint = np.zeros(plain.shape)
    joint[found.keys, found.keys] = found.weights
    gap = 2.0 * unit * max(0.0, float((plain @ joint.diagonal()).max()))
    ratings = unit * _clean(found.gains)
    return Deviation((ratings, ratings), joint, found.rounds, unit * found.drift, gap, unit)


def _clean(gains: Floats) -> Floats:
    return np.where(np.abs(gains) <= NOTHING, 0.0, gains)


class TableDeviation(NamedTuple):
    """Deviation ratings of the agents and the tasks of a table of scores.

    Attributes:
        agents: Rating of each agent.
        tasks: Rating of each task.
        contributions: Agents x tasks, how much of the rating comes from each task.
        played: How often an agent player, and the task player, plays each agent and task.
        rounds: How many linear programmes it took.
        drift: The most that a gain differs from the rating, in the unit of scores.
        gap: How far what is played is from a coarse correlated equilibrium, in that unit.
        unit: The widest range of scores on a task.
    """

    agents: Floats
    tasks: Floats
    contributions: Floats
    played: tuple[Floats, Floats]
    rounds: int
    drift: float
    gap: float
    unit: float


def table_deviation(table: Floats, quantum: float = QUANTUM, *, pairs: bool) -> TableDeviation:
    r"""Rate agents and tasks by a table of scores, without writing the game down.

    Agents that are equal on every task count once, and so do tasks whose scores
    differ by a constant. The part of an agent's rating that comes from a task is

    .. math:: c(m', t) = w_t T(m', t) - \sum_m \sigma(m, t) T(m, t), \quad
              w_t = \sum_m \sigma(m, t)

    where :math:`\sigma(m, t)` is how often an agent player plays m while the task
    is t. The parts of an agent add up to its rating. Tasks that count once share
    their part evenly; else the parts need not be unique, as :math:`\sigma` is not.

    Args:
        table: Scores, agents x tasks.
        quantum: Scores are rounded to this share of the widest range of a task.
        pairs: Whether two agents compete on a task; else an agent plays against the task.

    >>> found = table_deviation(np.array([[3.0, 0], [0, 2], [0, 0]]), pairs=True)
    >>> found.agents.round(9), found.contributions.sum(axis=1).round(9)
    (array([-0.6, -0.6, -1.8]), array([-0.6, -0.6, -1.8]))
    """
    unit = float(np.ptp(table, axis=0).max() if pairs else np.ptp(table)) or 1.0
    rounded = quantised(table, quantum, unit)
    plain = (rounded - (rounded.min(axis=0) if pairs else rounded.min())) / unit
    small, agent_of, task_of = _distinct(plain)
    game = AgentsAndTask(small) if pairs else AgentAndTask(small)
    found = staged(game)
    share = _shares(game, found, small.shape)
    share = share[agent_of] / np.bincount(agent_of)[agent_of][:, None]
    share = share[:, task_of] / np.bincount(task_of)[task_of]
    weights = share.sum(axis=0)
    agents, tasks = np.split(_clean(found.gains), [len(small)])
    gap = (2.0 if pairs else 1.0) * max(0.0, agents.max()) + max(0.0, tasks.max())
    return TableDeviation(
        agents=unit * agents[agent_of],
        tasks=unit * tasks[task_of],
        contributions=unit * (weights * plain - (share * plain).sum(axis=0)),
        played=(share.sum(axis=1), weights),
        rounds=found.rounds,
        drift=unit * found.drift,
        gap=float(unit * gap),
        unit=unit,
    )


def _distinct(table: Floats) -> tuple[Floats, Ints, Ints]:
    """Keep each kind of agent and each kind of task once; tell which kind each is of."""
    whole = np.floor(table * SAME + BETWEEN)
    _, agents, agent_of = np.unique(whole, axis=0, return_index=True, return_inverse=True)
    _, tasks, task_of = np.unique(whole[agents], axis=1, return_index=True, return_inverse=True)
    small = np.ascontiguousarray(table[np.ix_(agents, tasks)])
    return small, agent_of.ravel().astype(np.int64), task_of.ravel().astype(np.int64)


def _shares(game: AgentsAndTask | AgentAndTask, found: Stages, shape: tuple[int, ...]) -> Floats:
    """Give how often an agent player plays each agent on each task."""
    share = np.zeros(shape)
    *agents, task = game.parts(found.keys)
    for agent in agents:
        np.add.at(share, (agent, task), found.weights / len(agents))
    return share


def nearly_equal(payoffs: Floats, axis: int) -> float | None:
    """Find the least difference along an axis that is small, but not rounding alone.

    Args:
        payoffs: Numbers, the widest range along the axis being 1.
        axis: Numbers that are compared lie along it.

    >>> nearly_equal(np.array([[0.0, 1.0], [1e-9, 0.0]]), 0), nearly_equal(np.eye(2), 0)
    (1e-09, None)
    """
    steps = np.diff(np.sort(payoffs, axis=axis), axis=axis)
    small = steps[(steps > CLOSEST) & (steps < FARTHEST)]
    return float(small.min()) if small.size else None


def quantised(values: Floats, quantum: float, span: float | Floats) -> Floats:
    """Round numbers to the power of ten that is at most a share of their range.

    Decimals of few places, such as scores mostly are, stay what they are, and so
    do their sums. To round to a share of the range itself would make a third and
    two thirds of it uneven, and break ties.

    Args:
        values: The numbers.
        quantum: The share of the range.
        span: The range, or one that suits the shape of the numbers.

    >>> quantised(np.array([0.1 + 0.2, 3.0, 1.2e-9]), 1e-6, 3.0).tolist()
    [0.3, 3.0, 0.0]
    >>> quantised(np.array([1234.0, 1266.0]), 0.01, 5000.0).tolist()
    [1230.0, 1270.0]
    """
    step = np.asarray(span) * quantum
    digits = np.floor(np.log10(np.where(step > 0, step, 1.0)))
    power = 10.0 ** np.minimum(np.abs(digits), 300)
    with np.errstate(over="ignore"):
        finer = np.round(values * power) / power
    rounded = np.where(digits <= 0, finer, np.round(values / power) * power)
    return np.asarray(np.where((step > 0) & np.isfinite(rounded), rounded, values))
