"""Tasks from a small set that represents them all."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes, View
from podium.kernels.stream import Stream, below, uniform
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy, another, strategy
from podium.words import check_number


class Representation(NamedTuple):
    """Ballots, the evaluation set, and room to choose it again.

    Attributes:
        group: Tasks that one task of the set stands for.
        explore: Chance of a task from outside the set too.
        places: Place of each agent on the ballot of each task, m where unseen.
        rounds: Rounds on each task when its ballot was last written.
        chosen: Whether each task is in the set.
        members: One number: the size of the set.
        demand: Tasks still to choose that put each agent among the first 1, 2, ...
    """

    group: int
    explore: float
    places: Ints
    rounds: Ints
    chosen: Bools
    members: Ints
    demand: Floats


@kernel
def choose(state: Representation, view: View, _: Belief, stream: Stream, query: Ints) -> None:
    """Bring the set up to date, draw a task from it, and any two agents."""
    tasks, agents = view.records.plays.shape
    changed = False
    for task in range(tasks):
        if state.rounds[task] != view.records.task_rounds[task]:
            state.rounds[task] = view.records.task_rounds[task]
            if write_ballot(state.places[task], view.records.plays[task], view.records.means[task]):
                changed = True
    if changed:
        represent(state)
    query[0] = below(stream, tasks)
    if state.members[0] > 0 and uniform(stream) >= state.explore:
        left = below(stream, state.members[0])
        for task in range(tasks):
            if state.chosen[task]:
                if left == 0:
                    query[0] = task
                left -= 1
    query[1] = below(stream, agents)
    query[2] = another(stream, agents, query[1])


@kernel
def write_ballot(places: Ints, plays: Ints, means: Floats) -> bool:
    """Write the place of each agent seen by its mean, from 0; tell whether any changed."""
    changed = False
    for agent in range(len(places)):
        place = len(places)
        if plays[agent] > 0:
            place = 0
            for rival in range(len(places)):
                if plays[rival] > 0 and means[rival] > means[agent]:
                    place += 1
        changed = changed or place != places[agent]
        places[agent] = place
    return changed


@kernel
def represent(state: Representation) -> None:
    """Choose tasks until every agent is among the first on as many as is its due.

    An agent that is among the first r on g tasks of all is due one task of the
    set for each `group` of them. The task that meets most open demands is next.
    """
    tasks, agents = state.places.shape
    state.demand[:] = 0.0
    for task in range(tasks):
        _demand(state.demand, state.places[task], 1.0)
    for agent in range(agents):
        for cut in range(1, agents):
            state.demand[agent, cut] = state.demand[agent, cut] // state.group
    state.chosen[:] = False
    state.members[0] = 0
    while True:
        best, most = -1, 0
        for task in range(tasks):
            if not state.chosen[task]:
                met = _met(state.demand, state.places[task])
                if met > most:
                    best, most = task, met
        if best < 0:
            break
        state.chosen[best] = True
        state.members[0] += 1
        _demand(state.demand, state.places[best], -1.0)


@kernel
def _demand(demand: Floats, places: Ints, amount: float) -> None:
    """Add to what a ballot meets: each agent among the first so many, from its place down."""
    for agent in range(len(places)):
        for cut in range(places[agent] + 1, len(places)):
            demand[agent, cut] += amount


@kernel
def _met(demand: Floats, places: Ints) -> int:
    """Count the open demands that a ballot meets."""
    met = 0
    for agent in range(len(places)):
        for cut in range(places[agent] + 1, len(places)):
            if demand[agent, cut] > 0.0:
                met += 1
    return met


@strategy("representation", cite="Procaccia et al. 2025; Lanctot et al. 2026, section 4.2")
def representation(*, group: int = 5, explore: float = 0.1) -> Strategy:
    """Draw a task from a small set that represents all ballots, and any two agents.

    Each task orders the agents by their mean scores. The set is chosen greedily
    so that each agent is among the first r in it as often as is its due, for
    every r: once for each group of tasks where it is.

    Args:
        group: Tasks that one task of the set stands for.
        explore: Chance of drawing from all tasks instead.
    """
    check_number("group", group, low=1)
    check_number("explore", explore, low=0.0, high=1.0)

    def start(sizes: Sizes, _: int) -> Representation:
        return Representation(
            group,
            explore,
            places=np.full((sizes.tasks, sizes.agents), sizes.agents, dtype=np.int64),
            rounds=np.zeros(sizes.tasks, dtype=np.int64),
            chosen=np.zeros(sizes.tasks, dtype=np.bool_),
            members=np.zeros(1, dtype=np.int64),
            demand=np.zeros((sizes.agents, sizes.agents)),
        )

    return Strategy(
        "representation", start, choose, why="drawn from tasks that represent all others"
    )
