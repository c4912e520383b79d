"""What a strategy is, and the one list of strategies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from podium.kernels.compiled import Kernel, kernel
from podium.kernels.records import Sizes
from podium.kernels.stream import Stream, below
from podium.registry import Maker, Registry, made


@dataclass(frozen=True)
class Strategy:
    """A strategy, ready for studies and simulations of any size.

    Attributes:
        name: What it does, in words with hyphens.
        start: Makes the state before the first round, from the sizes and a seed.
            It is a NamedTuple of arrays and numbers.
        choose: `choose(state, view, belief, stream, query)` writes task, one
            agent and another into the query. It may keep notes in its state.
        needs: Parts of a belief that not every learner has.
        starves: Whether some pair may never be asked.
        why: Why it asks what it asks, in words.
        thrifty: Whether it weighs what a query brings against what it costs.
    """

    name: str
    start: Callable[[Sizes, int], Any]
    choose: Kernel[..., None]
    needs: frozenset[str] = frozenset()
    starves: bool = False
    why: str = "drawn by lot"
    thrifty: bool = False


STRATEGIES: Registry[Maker[Strategy]] = Registry("strategy")


def strategy(
    name: str, *, cite: str
) -> Callable[[Callable[..., Strategy]], Callable[..., Strategy]]:
    """Register the decorated function, which makes a strategy."""
    return made(STRATEGIES, name, cite)


class Nothing(NamedTuple):
    """The state of a strategy that keeps none."""

    agents: int


def nothing(sizes: Sizes, _: int) -> Nothing:
    """Start with no state."""
    return Nothing(sizes.agents)


@kernel
def another(stream: Stream, agents: int, agent: int) -> int:
    """Draw an agent other than one, all alike."""
    drawn = below(stream, agents - 1)
    return drawn + 1 if drawn >= agent else drawn
