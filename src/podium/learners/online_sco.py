"""Soft Condorcet Optimization, one step a match."""

from typing import NamedTuple

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.sco_steps import match_slope
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class OnlineSco(NamedTuple):
    """A belief and what steps need."""

    belief: Belief
    step: float
    temperature: float
    high: float


@kernel
def update(state: OnlineSco, _: Records, query: Ints, scores: Floats, __: Stream) -> None:
    """Move the winner up and the loser down; a tie moves nobody who stands level."""
    ratings = state.belief.ratings
    one, other = query[1], query[2]
    push = state.step * match_slope(ratings, one, other, state.temperature)
    if scores[0] < scores[1]:
        push = -push
    elif scores[0] == scores[1]:
        # Half a win for either side: the two slopes cancel.
        push = 0.0
    ratings[one] = min(max(ratings[one] + push, 0.0), state.high)
    ratings[other] = min(max(ratings[other] - push, 0.0), state.high)


@learner(
    "online-sco",
    cite="Lanctot et al. 2025 (Soft Condorcet Optimization); Lanctot et al. 2026, section 4.2",
)
def online_sco(*, step: float = 0.1, temperature: float = 1.0, high: float = 100.0) -> Learner:
    r"""Move two ratings down the slope of the sigmoid loss after each match.

    .. math:: \theta_w \leftarrow \theta_w
              + \frac{\alpha}{\tau} s'\left(\frac{\theta_l - \theta_w}{\tau}\right)

    and :math:`\theta_l` by as much the other way, both kept in [0, high].

    Args:
        step: The step :math:`\alpha`.
        temperature: The temperature :math:`\tau`.
        high: Upper bound of ratings, which start in the middle.
    """

    def start(sizes: Sizes) -> OnlineSco:
        return OnlineSco(no_belief(sizes, high / 2), step, temperature, high)

    return Learner("online-sco", start, update, pairs=True)
