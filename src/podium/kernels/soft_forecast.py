r"""What all tasks will have said in the end: the votes so far, and a forecast of the rest.

A vote is taken to be the difference of two effects of the agents, which are the
same on every task, and something that is the pair's own. Pairs that few tasks
have judged are forecast from the effects. How far these are to be trusted is
learned from the pairs that many tasks have judged.
"""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_votes import SLACK, Votes

REST, REST_WEIGHT = 0.15, 8.0
"""Prior variance of votes around the effects, about that of votes half made up; its weight."""

OWN, OWN_WEIGHT = 0.1, 1.5
"""Prior variance of what is a pair's own, a deviation of a third; it weighs less than two pairs."""

FEWEST, HALF = 2.0, 10.0
"""Votes that a pair needs to count for the trust, and how many make it count a quarter."""

STEEPEST = 0.98
"""Largest forecast: no vote is certain before it is cast."""

LEAST_TRUST, MOST_TRUST = 1.0, 200.0
"""Bounds of the trust: effects are never ignored, nor believed against hundreds of tasks."""

TOP = 0.25
"""How much the first places are preferred: with 0 not at all; with 1 the last got much worse."""


class Forecast(NamedTuple):
    """The votes of each task on each agent, the effects that fit them, and what they foretell.

    Attributes:
        version: How often each task had voted when its votes were taken in.
        seen: Task x agent: whether the agent had been seen there then.
        share: Task x agent: the mean of its votes against all seen there, itself among them.
        squares: These squared, and added up; one number.
        system: Agent x agent: left side of the equations that the effects solve.
        inverse: Its inverse.
        sums: Their right side: shares added up over tasks.
        effect: The effect of each agent.
        total: Row agent x column agent: votes of all tasks added up, as foretold.
        open: How much the order of each pair is still open.
    """

    version: Ints
    seen: Ints
    share: Floats
    squares: Floats
    system: Floats
    inverse: Floats
    sums: Floats
    effect: Floats
    total: Floats
    open: Floats


def no_forecast(sizes: Sizes) -> Forecast:
    """Make the forecast of who has heard no votes."""
    agents, tasks = sizes
    return Forecast(
        version=np.zeros(tasks, dtype=np.int64),
        seen=np.zeros((tasks, agents), dtype=np.int64),
        share=np.zeros((tasks, agents)),
        squares=np.zeros(1),
        system=np.eye(agents),
        inverse=np.eye(agents),
        sums=np.zeros(agents),
        effect=np.zeros(agents),
        total=np.zeros((agents, agents)),
        open=np.ones((agents, agents)),
    )


def prices(agents: int) -> Floats:
    r"""Say for each place what it costs to have it exchanged with the next.

    .. math:: g_p = \left(\frac{m - p}{p} + \sum_{k = p + 1}^m \frac 2 k\right)^{TOP}, \quad
              p = 1, \ldots, m

    In the bracket is, up to a constant, the generalized ranking error of that
    exchange, averaged over how many agents may be asked for.

    >>> prices(3).round(3).tolist()
    [1.384, 1.039, 0.0]
    """
    cost = [
        (agents - place) / place + sum(2.0 / k for k in range(place + 1, agents + 1))
        for place in range(1, agents + 1)
    ]
    return np.asarray(np.array(cost) ** TOP)


@kernel
def take_in(forecast: Forecast, votes: Votes, records: Records) -> None:
    r"""Take in the tasks that voted anew, and fit the effects to all votes by least squares.

    .. math:: \left(I + \sum_v \operatorname{diag}(s_v) - \frac{s_v s_v^T}{k_v}\right) f =
              \sum_v y_v, \quad y_{va} = \frac{1}{k_v} \sum_{b : s_{vb} = 1} x_v(a, b)

    with :math:`s_v` 1 for the :math:`k_v` agents that were seen on task v, and
    0 for others. Every task has a level of its own; effects are shrunk towards 0.
    """
    agents, grown = len(forecast.effect), False
    for task in range(len(votes.version)):
        if forecast.version[task] != votes.version[task]:
            forecast.version[task] = votes.version[task]
            if _see(forecast, records, task):
                grown = True
            _share(forecast, votes, task)
    if grown:
        invert(forecast.system, forecast.inverse)
    for agent in range(agents):
        forecast.effect[agent] = 0.0
        for other in range(agents):
            forecast.effect[agent] += forecast.inverse[agent, other] * forecast.sums[other]


@kernel
def _see(forecast: Forecast, records: Records, task: int) -> bool:
    """Note who has been seen on a task, and tell whether somebody is new."""
    seen, agents = forecast.seen[task], len(forecast.effect)
    before = seen.sum()
    now = 0
    for agent in range(agents):
        if records.plays[task, agent] > 0:
            now += 1
    if now == before:
        return False
    _add_task(forecast.system, seen, -1.0)
    for agent in range(agents):
        seen[agent] = 1 if records.plays[task, agent] > 0 else 0
    _add_task(forecast.system, seen, 1.0)
    return True


@kernel
def _add_task(system: Floats, seen: Ints, times: float) -> None:
    """Add a task's part of the system some times."""
    count = seen.sum()
    for one in range(len(seen)):
        if seen[one]:
            system[one, one] += times
            for other in range(len(seen)):
                if seen[other]:
                    system[one, other] -= times / count


@kernel
def _share(forecast: Forecast, votes: Votes, task: int) -> None:
    """Bring the shares of a task, and their sums, up to date."""
    seen, agents = forecast.seen[task], len(forecast.effect)
    count = seen.sum()
    for agent in range(agents):
        share = 0.0
        if seen[agent]:
            for other in range(agents):
                if seen[other]:
                    share += votes.vote[task, agent, other]
            share /= count
        before = forecast.share[task, agent]
        forecast.sums[agent] += share - before
        forecast.squares[0] += share * share - before * before
        forecast.share[task, agent] = share


@kernel
def invert(matrix: Floats, inverse: Floats) -> None:
    """Write the inverse of a symmetric, positive definite matrix (Gauss and Jordan).

    Such a matrix needs no exchange of rows; for a dozen agents this takes less
    time than a call of a library.
    """
    size = len(matrix)
    inverse[:] = matrix
    for pivot in range(size):
        scale = 1.0 / inverse[pivot, pivot]
        inverse[pivot, pivot] = 1.0
        for column in range(size):
            inverse[pivot, column] *= scale
        for row in range(size):
            if row != pivot:
                factor = inverse[row, pivot]
                inverse[row, pivot] = 0.0
                for column in range(size):
                    inverse[row, column] -= factor * inverse[pivot, column]


@kernel
def residual_variance(forecast: Forecast) -> float:
    r"""Estimate how far shares lie from the effects.

    .. math:: r^2 = \frac{W r_0^2 + \sum_{va} y_{va}^2 - \sum_v y_v \cdot f - f \cdot f}
              {W + \sum_v (k_v - 1)}

    The numerator is the sum of squared residuals, as f solves its equations; the
    denominator counts free residuals, the trace of the system less that of I.
    """
    off, free = forecast.squares[0], 0.0
    for agent in range(len(forecast.effect)):
        effect = forecast.effect[agent]
        off -= effect * (forecast.sums[agent] + effect)
        free += forecast.system[agent, agent] - 1.0
    return float((REST * REST_WEIGHT + max(off, 0.0)) / (REST_WEIGHT + free))


@kernel
def difference(effect: Floats, one: int, other: int) -> float:
    """Give the vote on a pair that the effects foretell."""
    return float(min(max(effect[one] - effect[other], -STEEPEST), STEEPEST))


@kernel
def learn_trust(forecast: Forecast, votes: Votes) -> float:
    r"""Estimate how many votes the forecast of a pair is worth.

    .. math:: \kappa = \frac 1 \omega - 1, \quad
              \omega = \frac{W \omega_0 + \sum_{ab} c_{ab} \left((y - d)^2 -
              (1 - \frac 2 m) \frac{1 - y^2}{Q}\right)}{W + \sum_{ab} c_{ab}}, \quad
              c = \left(\frac{Q}{Q + 10}\right)^2

    over pairs with Q > 2 votes, whose mean vote is y = T / Q and whose forecast
    is d: :math:`\omega` is the variance around the forecast that chance does not
    explain. Chance moves d along with y, by 2 / m of it.
    """
    agents = len(forecast.effect)
    own, weight = OWN * OWN_WEIGHT, OWN_WEIGHT
    for one in range(agents):
        for other in range(one):
            made = votes.weight[one, other]
            if made > FEWEST:
                mean = min(max(votes.total[one, other] / made, -1.0), 1.0)
                off = mean - difference(forecast.effect, one, other)
                count = (made / (made + HALF)) ** 2
                own += count * (off * off - (1.0 - 2.0 / agents) * (1.0 - mean * mean) / made)
                weight += count
    share = min(max(own / weight, 1.0 / (MOST_TRUST + 1.0)), 1.0 / (LEAST_TRUST + 1.0))
    return 1.0 / share - 1.0


@kernel
def foretell(forecast: Forecast, votes: Votes) -> None:
    r"""Write the votes of all tasks as foretold, and how much each pair is still open.

    .. math:: F = T + U p, \quad p = \frac{T + \kappa d}{Q + \kappa + 1}, \quad U = n - Q, \quad
              w = \frac{\varphi(Z) - Z \Phi(-Z)}{U}, \quad Z = \frac{|F|} s

    .. math:: s^2 = U^2 \frac{1 - p^2}{Q + \kappa + 1} +
              U^2 \left(\frac{\kappa}{Q + \kappa + 1}\right)^2 C +
              U (1 - p^2), \quad C = r^2 (H_{aa} + H_{bb} - 2 H_{ab})

    with H the inverse of the system: p, d and the votes to come each add their variance. The
    numerator of w is what Kemeny's rule is expected to lose by the order of the pair as it is
    now, in units of s: the votes that turn out to be on the other side.
    """
    tasks, agents = len(votes.version), len(forecast.effect)
    rest, trust = residual_variance(forecast), learn_trust(forecast, votes)
    inverse = forecast.inverse
    for one in range(agents):
        for other in range(one):
            made = votes.weight[one, other]
            left = max(tasks - made, SLACK)
            each = 1.0 / (made + trust + 1.0)
            ahead = trust * difference(forecast.effect, one, other)
            share = (votes.total[one, other] + ahead) * each
            total = votes.total[one, other] + left * share
            loose = inverse[one, one] + inverse[other, other] - 2.0 * inverse[one, other]
            spread = max(1.0 - share * share, SLACK)
            variance = left * spread * (left * each + 1.0)
            variance += (left * trust * each) ** 2 * rest * loose
            forecast.total[one, other], forecast.total[other, one] = total, -total
            loss = expected_loss(abs(total) / math.sqrt(variance))
            forecast.open[one, other] = forecast.open[other, one] = loss / left


@kernel
def expected_loss(lead: float) -> float:
    r"""Give how far a standard normal number is expected to lie above a bound, else 0.

    .. math:: \mathrm E \max(X - Z, 0) = \varphi(Z) - Z \Phi(-Z)
    """
    above = 0.5 * lead * math.erfc(lead * math.sqrt(0.5))
    return max(math.exp(-0.5 * lead * lead) / math.sqrt(2.0 * math.pi) - above, 0.0)


@kernel
def weigh_pairs(forecast: Forecast, order: Ints, price: Floats, weights: Floats) -> None:
    """Write how much each pair matters: by how open it is, and the place of the better agent."""
    for place in range(len(order)):
        for under in range(place + 1, len(order)):
            one, other = order[place], order[under]
            weights[one, other] = price[place] * forecast.open[one, other]
            weights[other, one] = weights[one, other]
