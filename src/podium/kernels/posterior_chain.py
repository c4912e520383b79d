r"""A chain of draws from the posterior of all tasks' true orders, by Gibbs and Metropolis.

Each task is taken to order the agents by utilities of its own around effects that
all tasks share,

.. math:: z_{va} = \theta_a + \epsilon_{va}, \quad \epsilon_{va} \sim N(0, 1), \quad
          \theta_a \sim N(0, \omega^2)

(Thurstone 1927, case V). Only the order of the utilities matters: it is the order of
the task's means, of which scores tell something, each cell for itself (`soft_cells`).
So tasks lend each other their orders, and never their scores.
"""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, locked
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes
from podium.kernels.stream import Stream, normal, normal_quantile, pick, uniform

WIDTHS = locked(0.125 * 2.0 ** (0.5 * np.arange(12)))
"""Standard deviations of the effects that are thought possible, all alike."""

SLIGHT = 1e-9
"""By how much, in spreads, means that are known are moved, so that equal ones take turns."""

LEAST = 1e-300
"""A smaller chance is taken to be this."""


class Known(NamedTuple):
    """What the records say of each cell, tasks x agents.

    Attributes:
        plays: Scores of each cell.
        means: Their means.
        centre: Prior mean of the cells of each task.
        width: Prior standard deviation of the cells of each task.
        noises: Task x possible noise: variance of one score.
        chances: Task x agent x possible noise: probability of that noise or a smaller one.
        ties: Task x agent x agent: probability that both have the same mean.
        mean: Posterior mean of each cell, were its noise known.
        variance: Its variance.
    """

    plays: Ints
    means: Floats
    centre: Floats
    width: Floats
    noises: Floats
    chances: Floats
    ties: Floats
    mean: Floats
    variance: Floats


class Chain(NamedTuple):
    """Where the draws have got to.

    Attributes:
        value: Mean of each cell, tasks x agents.
        utility: Utility of each cell.
        line: Agents seen on each task, the best first.
        seen: How many these are.
        effect: Effect of each agent.
        width: Standard deviation of the effects; one number.
        margin: Row agent x column agent: tasks won less tasks lost.
        wins: Tasks won, a tie being half a win.
        order: The best order of the last draw.
    """

    value: Floats
    utility: Floats
    line: Ints
    seen: Ints
    effect: Floats
    width: Floats
    margin: Floats
    wins: Floats
    order: Ints


def no_chain(sizes: Sizes) -> Chain:
    """Make room for the draws."""
    cells = (sizes.tasks, sizes.agents)
    return Chain(
        value=np.zeros(cells),
        utility=np.zeros(cells),
        line=np.zeros(cells, dtype=np.int64),
        seen=np.zeros(sizes.tasks, dtype=np.int64),
        effect=np.zeros(sizes.agents),
        width=np.ones(1),
        margin=np.zeros((sizes.agents, sizes.agents)),
        wins=np.zeros((sizes.agents, sizes.agents)),
        order=np.arange(sizes.agents),
    )


@kernel
def begin(chain: Chain, known: Known, stream: Stream) -> None:
    """Draw means from each cell alone, and utilities that lie in the same order."""
    tasks, agents = known.plays.shape
    chain.width[0] = 1.0
    for task in range(tasks):
        count, line = 0, chain.line[task]
        for agent in range(agents):
            if known.plays[task, agent] > 0:
                chain.value[task, agent] = draw_value(known, task, agent, stream)
                place = count
                while place > 0 and (chain.value[task, line[place - 1]] < chain.value[task, agent]):
                    line[place] = line[place - 1]
                    place -= 1
                line[place] = agent
                count += 1
        chain.seen[task] = count
        for place in range(count):
            share = (count - place - 0.5) / count
            chain.utility[task, line[place]] = normal_quantile(share)


@kernel
def draw_value(known: Known, task: int, agent: int, stream: Stream) -> float:
    """Draw the mean of a cell from what its own scores say, after drawing its noise."""
    left, choice = uniform(stream), 0
    last = known.noises.shape[1] - 1
    while choice < last and known.chances[task, agent, choice] <= left:
        choice += 1
    noise, width = known.noises[task, choice], known.width[task]
    if noise == 0.0:
        return float(known.means[task, agent] + SLIGHT * width * normal(stream))
    prior = 1.0 / (width * width)
    certainty = known.plays[task, agent] / noise
    precision = prior + certainty
    middle = (prior * known.centre[task] + certainty * known.means[task, agent]) / precision
    return float(middle + normal(stream) / math.sqrt(precision))


@kernel
def below_normal(x: float) -> float:
    """Give the share of the standard normal distribution below a number."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


@kernel
def shares(low: float, high: float) -> tuple[float, float]:
    """Give the shares of the standard normal distribution below two numbers.

    If both are above 0, those below their negatives: small shares are exact, large ones are not.
    """
    if low > 0.0:
        low, high = -high, -low
    return below_normal(low), below_normal(high)


@kernel
def draw_between(low: float, high: float, under: float, over: float, stream: Stream) -> float:
    """Draw from the standard normal distribution between two numbers, given their `shares`."""
    at = under + uniform(stream) * (over - under)
    if at < LEAST:
        # So far out that nearly all lies at the end next to 0.
        return low if low > 0.0 else high
    drawn = normal_quantile(at)
    return min(max(-drawn if low > 0.0 else drawn, low), high)


@kernel
def gap(line: Ints, utility: Floats, place: int, count: int, effect: float) -> tuple[float, float]:
    """Give the utilities between which a place of a line lies, less an effect."""
    low = utility[line[place]] - effect if place < count else -math.inf
    high = utility[line[place - 1]] - effect if place > 0 else math.inf
    return low, high


@kernel
def move_cells(chain: Chain, known: Known, task: int, stream: Stream) -> None:
    r"""Draw mean and utility of each cell of a task anew, given all others.

    A mean is proposed from its own scores, and lands in some place of the line.
    It is taken with probability

    .. math:: \min(1, \Pr(z \in G') / \Pr(z \in G))

    with G the gap between the utilities of the neighbours, now and there
    (Metropolis and Hastings); then the utility is drawn within the gap.
    """
    line, value, utility = chain.line[task], chain.value[task], chain.utility[task]
    count = chain.seen[task] - 1
    for agent in range(known.plays.shape[1]):
        if known.plays[task, agent] == 0:
            continue
        place = 0
        while line[place] != agent:
            place += 1
        for later in range(place, count):
            line[later] = line[later + 1]
        effect, proposed, target = chain.effect[agent], draw_value(known, task, agent, stream), 0
        while target < count and value[line[target]] > proposed:
            target += 1
        low, high = gap(line, utility, place, count, effect)
        under, over = shares(low, high)
        if target == place:
            value[agent] = proposed
        else:
            to_low, to_high = gap(line, utility, target, count, effect)
            to_under, to_over = shares(to_low, to_high)
            if uniform(stream) * max(over - under, LEAST) < to_over - to_under:
                value[agent], place = proposed, target
                low, high, under, over = to_low, to_high, to_under, to_over
        utility[agent] = effect + draw_between(low, high, under, over, stream)
        for later in range(count, place, -1):
            line[later] = line[later - 1]
        line[place] = agent


@kernel
def move_effects(chain: Chain, known: Known, stream: Stream) -> None:
    r"""Draw the effects given the utilities seen, and then how far effects vary.

    .. math:: \theta_a \sim N\left(\frac{\sum_v z_{va}}{k_a + \omega^{-2}},
              \frac{1}{k_a + \omega^{-2}}\right), \quad
              p(\omega) \propto \omega^{-m} e^{-\sum \theta_a^2 / 2 \omega^2}

    with :math:`k_a` the tasks that have seen the agent.
    """
    tasks, agents = known.plays.shape
    squares = 0.0
    for agent in range(agents):
        total, precision = 0.0, 1.0 / chain.width[0] ** 2
        for task in range(tasks):
            if known.plays[task, agent] > 0:
                total += chain.utility[task, agent]
                precision += 1.0
        chain.effect[agent] = total / precision + normal(stream) / math.sqrt(precision)
        squares += chain.effect[agent] ** 2
    chain.width[0] = draw_width(agents, squares, stream)


@kernel
def draw_width(agents: int, squares: float, stream: Stream) -> float:
    """Draw how far effects vary, given how many there are and the sum of their squares."""
    likely, best = np.zeros(len(WIDTHS)), -math.inf
    for choice in range(len(WIDTHS)):
        width = WIDTHS[choice]
        likely[choice] = -agents * math.log(width) - 0.5 * squares / (width * width)
        best = max(best, likely[choice])
    for choice in range(len(WIDTHS)):
        likely[choice] = math.exp(likely[choice] - best)
    return float(WIDTHS[pick(stream, likely)])


@kernel
def complete(chain: Chain, known: Known, stream: Stream) -> None:
    """Draw the utilities of unseen cells, and add up which agent wins on how many tasks."""
    tasks, agents = known.plays.shape
    margin = chain.margin
    margin[:] = 0.0
    for task in range(tasks):
        utility, seen = chain.utility[task], known.plays[task]
        for agent in range(agents):
            if seen[agent] == 0:
                utility[agent] = chain.effect[agent] + normal(stream)
        for one in range(1, agents):
            for other in range(one):
                tie = known.ties[task, one, other]
                if tie > 0.0 and uniform(stream) < tie:
                    continue
                margin[one, other] += 1.0 if utility[one] > utility[other] else -1.0
    for one in range(1, agents):
        for other in range(one):
            margin[other, one] = -margin[one, other]
