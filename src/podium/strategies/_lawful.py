"""Strategies within the terms of a study: only what may be asked, for no more than it may cost."""

from dataclasses import replace
from typing import Any, NamedTuple

from podium.arrays import Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes, Terms, View
from podium.kernels.stream import Stream, below, uniform
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy

choose_inner: Any = None
"""The strategy inside; `lawful` puts it in."""

NO, YES = False, True

TRIES = 64
"""How often a strategy may choose anew before any query that is allowed is taken."""


class Lawful(NamedTuple):
    """A strategy, and whether it minds costs itself."""

    thrifty: bool
    inner: Any


@kernel
def obey(state: Lawful, view: View, belief: Belief, stream: Stream, query: Ints) -> None:
    """Let the strategy choose until its query is allowed; if it never is, take any that is.

    The task is -1 if nothing may be asked; the other agent is -1 if only one agent may.
    """
    terms = view.terms
    for _ in range(TRIES):
        query[0] = -1
        choose_inner(state.inner, view, belief, stream, query)
        if query[0] < 0:
            break
        if allowed(terms, query, NO) and (state.thrifty or accepted_price(terms, stream, query)):
            return
    if not any_pair(terms, stream, query, NO) and not any_pair(terms, stream, query, YES):
        any_agent(terms, stream, query)


@kernel
def price(terms: Terms, query: Ints) -> float:
    """Add up what the scores of a query cost."""
    cost = float(terms.costs[query[0], query[1]])
    if query[2] >= 0:
        cost += terms.costs[query[0], query[2]]
    return cost


@kernel
def accepted_price(terms: Terms, stream: Stream, query: Ints) -> bool:
    """Accept a query by lot, with a chance in inverse proportion to its cost.

    A strategy that chooses by lot then chooses in proportion to chance per cost.
    """
    if not terms.priced[0]:
        return True
    return bool(uniform(stream) * price(terms, query) < 2.0 * terms.costs.min())


@kernel
def allowed(terms: Terms, query: Ints, again: bool) -> bool:  # noqa: FBT001, kernels have no keywords
    """Tell whether a query may be asked; one that is out already only if `again`."""
    task, one, other = query[0], query[1], query[2]
    if terms.room[task, one] <= 0 or price(terms, query) > terms.purse[0]:
        return False
    if other >= 0 and (other == one or terms.room[task, other] <= 0):
        return False
    return again or not is_out(terms, query)


@kernel
def is_out(terms: Terms, query: Ints) -> bool:
    """Tell whether the same query is out with a worker."""
    task, one, other = query[0], query[1], query[2]
    if terms.pending[task, one] == 0 or (other >= 0 and terms.pending[task, other] == 0):
        return False
    return bool((terms.out == number_of(terms, query)).any())


@kernel
def number_of(terms: Terms, query: Ints) -> int:
    """Number a query; who is named first does not matter."""
    agents = terms.room.shape[1]
    low, high = min(query[1], query[2]), max(query[1], query[2])
    return int((query[0] * agents + high) * (agents + 1) + low + 1)


@kernel
def any_pair(terms: Terms, stream: Stream, query: Ints, again: bool) -> bool:  # noqa: FBT001, kernels have no keywords
    """Take any pair that is allowed: on each task the first from a random one on."""
    tasks, agents = terms.room.shape
    first, start = below(stream, tasks), below(stream, agents)
    for task in range(tasks):
        query[0] = (first + task) % tasks
        for one in range(agents):
            query[1] = (start + one) % agents
            if terms.room[query[0], query[1]] > 0:
                for other in range(one):
                    query[2] = (start + other) % agents
                    if allowed(terms, query, again):
                        return True
    return False


@kernel
def any_agent(terms: Terms, stream: Stream, query: Ints) -> None:
    """Take any single cell that is allowed, or nothing."""
    tasks, agents = terms.room.shape
    first = below(stream, tasks * agents)
    for cell in range(tasks * agents):
        query[0], query[1] = divmod((first + cell) % (tasks * agents), agents)
        query[2] = -1
        if allowed(terms, query, YES):
            return
    query[0] = -1


def lawful(inner: Strategy) -> Strategy:
    """Keep a strategy within the terms of a study.

    Args:
        inner: The strategy.
    """

    def start(sizes: Sizes, seed: int) -> Lawful:
        return Lawful(inner.thrifty, inner.start(sizes, seed))

    choose = obey.having(choose_inner=inner.choose)
    return replace(inner, start=start, choose=choose)
