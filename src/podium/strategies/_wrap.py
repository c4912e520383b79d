"""Strategies made of others: first this, then that; now and then another."""

from dataclasses import replace
from typing import Any, NamedTuple

from podium.arrays import Ints
from podium.kernels import stream as chance
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes, View
from podium.kernels.stream import Stream, uniform
from podium.learners._learner import Belief
from podium.strategies._lawful import accepted_price
from podium.strategies._strategy import Strategy, another

choose_inner: Any = None
choose_other: Any = None
"""The strategies inside; the functions below put them in."""


class BurnIn(NamedTuple):
    """The cells (task x agents + agent) in random order, and the strategy after them."""

    cells: Ints
    inner: Any


class Mixture(NamedTuple):
    """Two strategies, and when the second one asks.

    Attributes:
        rounds: It asks in so many rounds at the beginning.
        share: And after them with this chance at first.
        later: The chance that this goes towards.
        half: Rounds after which it has gone half of the way.
        inner: The first strategy.
        other: The second strategy.
    """

    rounds: int
    share: float
    later: float
    half: float
    inner: Any
    other: Any


@kernel
def burn(state: BurnIn, view: View, belief: Belief, stream: Stream, query: Ints) -> None:
    """Take the next cell and any second agent while cells are left."""
    asked, agents = view.terms.asked[0], view.records.plays.shape[1]
    if asked >= len(state.cells):
        choose_inner(state.inner, view, belief, stream, query)
        return
    query[0] = state.cells[asked] // agents
    query[1] = state.cells[asked] % agents
    query[2] = another(stream, agents, query[1])


@kernel
def mix(state: Mixture, view: View, belief: Belief, stream: Stream, query: Ints) -> None:
    """Let one of the two strategies choose; where costs differ, the other asks what is cheap."""
    asked = view.terms.asked[0]
    share = state.share + (state.later - state.share) * asked / (asked + state.half)
    if asked < state.rounds or uniform(stream) < share:
        choose_other(state.other, view, belief, stream, query)
        if accepted_price(view.terms, stream, query):
            return
    choose_inner(state.inner, view, belief, stream, query)


def burn_in(inner: Strategy) -> Strategy:
    """Go through all cells once in random order, then follow a strategy.

    Args:
        inner: The strategy after the burn-in.
    """

    def start(sizes: Sizes, seed: int) -> BurnIn:
        cells = chance.permutation(seed, chance.PLANS, 1, sizes.agents * sizes.tasks)
        return BurnIn(cells, inner.start(sizes, seed))

    choose = burn.having(choose_inner=inner.choose)
    return replace(inner, name=f"burn-in-{inner.name}", start=start, choose=choose)


def mixed(
    inner: Strategy,
    other: Strategy,
    *,
    share: float,
    later: float | None = None,
    by: float = 5.0,
    blocks: int = 0,
) -> Strategy:
    r"""Follow one strategy, and with some chance another, which also opens.

    .. math:: p_t = p_0 + (p_\infty - p_0) \frac{t}{t + h}, \quad h = \frac{b \, m n}{2}

    Args:
        inner: The strategy that asks most.
        other: The strategy that opens, and asks now and then.
        share: Chance that the other asks in the first round, :math:`p_0`.
        later: Chance that it asks in the long run; by default the same.
        by: Scores that a cell has on average when the chance has gone half of the way, b.
        blocks: Times that the other may ask of every agent in the opening: a
            block is as many rounds as there are pairs without a common agent.
    """

    def start(sizes: Sizes, seed: int) -> Mixture:
        rounds, half = blocks * (sizes.agents // 2), by * sizes.agents * sizes.tasks / 2
        goal = share if later is None else later
        states = inner.start(sizes, seed), other.start(sizes, seed)
        return Mixture(rounds, share, goal, half, *states)

    return replace(
        inner,
        name=f"{inner.name}-and-{other.name}",
        start=start,
        choose=mix.having(choose_inner=inner.choose, choose_other=other.choose),
        needs=inner.needs | other.needs,
        starves=inner.starves and other.starves,
    )
