r"""What the truth may be, given the records: draws from its posterior.

The truth is the Kemeny order of the true means of all tasks. Each task is taken
to order the agents by utilities of its own around effects that all tasks share,

.. math:: z_{va} = \theta_a + \epsilon_{va}, \quad \epsilon_{va} \sim N(0, 1), \quad
          \theta_a \sim N(0, \omega^2)

(Thurstone 1927, case V). Only the order of the utilities matters: it is the order of
the task's means, of which scores tell something, each cell for itself (`soft_cells`).
So tasks lend each other their orders, and never their scores.

Agents are coded by their place in the report, so that the report is 0, 1, 2, ...
"""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, locked
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import MOST, Table, agreement, insert_better, kemeny_order, table
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import Cells, learn_noise, learn_spreads
from podium.kernels.stream import (
    BELIEVES,
    Stream,
    normal,
    normal_quantile,
    pick,
    start,
    uniform,
)

WIDTHS = locked(0.125 * 2.0 ** (0.5 * np.arange(12)))
"""Standard deviations of the effects that are thought possible, all alike."""

PASSES = 2
"""How often the noise of all cells is learned."""

WARM = 40
"""Sweeps before the first draw."""

SLIGHT = 1e-9
"""By how much, in spreads, means that are known are moved, so that equal ones take turns."""

LEAST = 1e-300
"""A smaller chance is taken to be this."""

ROUNDING = 1e-9
"""Values of orders that differ by no more are equal."""


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


class Sums(NamedTuple):
    """What was counted over all draws.

    Attributes:
        draws: One number: how many there were.
        pairs: Row agent above column agent; a half each where the truth has a tie.
        places: Agent x place.
        tops: For each k, how often the first k of the report were right, from k = 1.
        whole: One number: how often the whole report was right.
    """

    draws: Ints
    pairs: Floats
    places: Floats
    tops: Ints
    whole: Ints


class Limits(NamedTuple):
    """When drawing ends before its time.

    Attributes:
        top: How many agents in front have to be right; 0 for the whole report.
        misses: How often they may be wrong.
    """

    top: int
    misses: int


def no_sums(agents: int) -> Sums:
    """Make the sums of no draws."""
    return Sums(
        draws=np.zeros(1, dtype=np.int64),
        pairs=np.zeros((agents, agents)),
        places=np.zeros((agents, agents)),
        tops=np.zeros(agents, dtype=np.int64),
        whole=np.zeros(1, dtype=np.int64),
    )


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


def room_for(agents: int) -> Table:
    """Make room for the search over all orders, where there are few agents."""
    return table(agents if agents <= MOST else 0)


@kernel
def learn_cells(cells: Cells, records: Records) -> None:
    """Learn spreads and noises from the records alone, each noise with all others in sight."""
    learn_spreads(cells, records)
    for _ in range(PASSES):
        for task in range(records.plays.shape[0]):
            for agent in range(records.plays.shape[1]):
                learn_noise(cells, records, task, agent)


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


@kernel
def follows_majorities(margin: Floats, order: Ints) -> bool:
    """Tell whether no agent loses to one under it; no order is better then."""
    for upper in range(len(order)):
        for under in range(upper + 1, len(order)):
            if margin[order[upper], order[under]] < 0.0:
                return False
    return True


@kernel
def best_of_all(chain: Chain, room: Table) -> None:
    """Write the best order of all; what the search finds on the way stays in the room."""
    tasks, agents = len(chain.seen), len(chain.order)
    for one in range(agents):
        for other in range(agents):
            chain.wins[one, other] = 0.5 * (tasks + chain.margin[one, other])
    kemeny_order(chain.wins, room, chain.order)


@kernel
def top_fits(chain: Chain, room: Table, size: int, easy: bool) -> bool:  # noqa: FBT001, kernels have no keywords
    """Tell whether the first agents of the report are the first of some best order.

    Args:
        chain: The draw, with a best order of it.
        room: What was found by looking at all sets of agents, if it was not easy.
        size: How many agents are first.
        easy: Whether the best order follows all majorities.
    """
    agents = len(chain.order)
    if not easy and agents > MOST:
        return bool(chain.order[:size].max() < size)
    cross = 0.0
    for upper in range(size):
        for under in range(size, agents):
            if easy and chain.margin[upper, under] < 0.0:
                return False
            cross += chain.wins[upper, under]
    if easy:
        return True
    first, every = (1 << size) - 1, (1 << agents) - 1
    value = room.best[first] + cross + room.best[every ^ first]
    return bool(value > room.best[every] - ROUNDING)


@kernel
def judge(chain: Chain, room: Table, named: Bools, sums: Sums) -> None:
    """Find the best order of a draw, and count what it says of the report.

    The search starts at the report, and moves only where that is better: of
    orders that are equal, one near the report is taken.
    """
    margin, order, agents = chain.margin, chain.order, len(chain.order)
    order[:] = np.arange(agents)
    reported = agreement(margin, order)
    insert_better(margin, order)
    easy = follows_majorities(margin, order)
    if not easy and agents <= MOST:
        best_of_all(chain, room)
    sums.draws[0] += 1
    for place in range(agents):
        upper = order[place]
        sums.places[upper, place] += 1.0
        for under in range(place + 1, agents):
            half = 0.5 if easy and margin[upper, order[under]] == 0.0 else 0.0
            sums.pairs[upper, order[under]] += 1.0 - half
            sums.pairs[order[under], upper] += half
    for size in range(1, agents + 1):
        if named[size - 1] and top_fits(chain, room, size, easy):
            sums.tops[size - 1] += 1
    if named.all() and reported > agreement(margin, order) - ROUNDING:
        sums.whole[0] += 1


@kernel
def draw_truths(
    draws: int,
    seed: int,
    rounds: int,
    known: Known,
    chain: Chain,
    room: Table,
    named: Bools,
    sums: Sums,
    margins: Array,
    limits: Limits,
) -> None:
    """Draw what the truth may be, some times, and count; give up when there is no hope.

    Args:
        draws: How many times.
        seed: With `rounds`, decides all chance.
        rounds: How many rounds there were.
        known: What the records say.
        chain: Room for the draws.
        room: Room for the search.
        named: For each k from 1, whether the report names the first k.
        sums: Receives the counts.
        margins: Receives the margins of each draw.
        limits: When to give up.
    """
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, seed, BELIEVES, rounds)
    begin(chain, known, stream)
    for sweep in range(WARM + draws):
        for task in range(len(chain.seen)):
            move_cells(chain, known, task, stream)
        move_effects(chain, known, stream)
        if sweep >= WARM:
            complete(chain, known, stream)
            margins[sweep - WARM] = chain.margin
            judge(chain, room, named, sums)
            right = sums.whole[0] if limits.top == 0 else sums.tops[limits.top - 1]
            if sums.draws[0] - right > limits.misses:
                return
