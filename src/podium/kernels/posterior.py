"""What the truth may be, given the records: the Kemeny orders of draws from its posterior.

The truth is the Kemeny order of the true means of all tasks. Agents are coded by
their place in the report, so that the report is 0, 1, 2, ...
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import (
    MOST,
    ROUNDING,
    Table,
    agreement,
    insert_better,
    kemeny_order,
    table,
)
from podium.kernels.posterior_chain import (
    Chain,
    Known,
    begin,
    complete,
    move_cells,
    move_effects,
)
from podium.kernels.records import Records
from podium.kernels.soft_cells import Cells, learn_noise, learn_spreads
from podium.kernels.stream import BELIEVES, start

PASSES = 2
"""How often the noise of all cells is learned."""

WARM = 40
"""Sweeps before the first draw."""


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
