"""A rule asked again after each match: "Batch..." in the paper."""

from typing import Any, NamedTuple

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners import _rules
from podium.learners._learner import Belief, Learner, learner, no_belief
from podium.learners._rules import Rule

rate: Any = None
"""The rule; `growing` puts it in."""


class Growing(NamedTuple):
    """A belief and the state of the rule."""

    belief: Belief
    rule: Any


@kernel
def update(state: Growing, records: Records, _: Ints, __: Floats, stream: Stream) -> None:
    """Ask the rule about all matches so far."""
    rate(state.rule, records.wins, state.belief, stream)


@learner("growing", cite="Lanctot et al. 2026, section 4.2")
def growing(rule: Rule | None = None) -> Learner:
    """Rate agents by a rule for all matches so far.

    Two scores of one round are a match; the higher wins, and equal ones are half
    a win for either side.

    Args:
        rule: The rule; Copeland's by default.
    """
    chosen = rule or _rules.copeland()

    def start(sizes: Sizes) -> Growing:
        return Growing(no_belief(sizes, chosen.rating), chosen.start(sizes.agents))

    step = update.having(rate=chosen.rate)
    return Learner(f"growing-{chosen.name}", start, step, chosen.refits, pairs=True)
