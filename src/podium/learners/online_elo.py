"""Elo, one step a match."""

from typing import NamedTuple

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.elo import elo_step
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class OnlineElo(NamedTuple):
    """A belief and the size of steps."""

    belief: Belief
    k: float


@kernel
def update(state: OnlineElo, _: Records, query: Ints, scores: Floats, __: Stream) -> None:
    """Move the two ratings."""
    won = 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    elo_step(state.belief.ratings, query[1], query[2], won, state.k)


@learner("online-elo", cite="Elo 1978; Lanctot et al. 2026, section 4.1")
def online_elo(*, k: float = 4.0) -> Learner:
    r"""Move two ratings after each match.

    .. math:: r_i \leftarrow r_i + K \left( s - \frac{1}{1 + 10^{(r_j - r_i) / 400}} \right)

    and :math:`r_j` by as much the other way, where s is 1, 1/2 or 0.

    Args:
        k: The step K, in points.
    """

    def start(sizes: Sizes) -> OnlineElo:
        return OnlineElo(no_belief(sizes), k)

    return Learner("online-elo", start, update, pairs=True)
