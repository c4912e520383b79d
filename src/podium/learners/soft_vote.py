"""SoftVote: tasks vote on pairs as far as their scores can tell."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_votes import open_questions
from podium.kernels.stream import Stream
from podium.learners._learner import Learner, learner
from podium.learners._soft import SoftBelief, hear, no_soft_belief, report


class SoftVote(NamedTuple):
    """A belief, the last report, and room for another."""

    belief: SoftBelief
    order: Ints
    other: Ints


@kernel
def update(state: SoftVote, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Take in a round: votes, report, open questions."""
    belief = state.belief
    hear(belief.cells, belief.votes, records, query)
    report(belief.votes.total, state.order, state.other, belief.ratings)
    open_questions(belief.votes, belief.weights)


@learner("soft-vote", cite="podium")
def soft_vote() -> Learner:
    r"""Order agents by Kemeny's rule for votes that are as sure as the scores allow.

    .. math:: x_v(a, b) = 2 \Pr(\mu_{va} > \mu_{vb} \mid \text{scores}) - 1, \quad
              \max_\succ \sum_{a \succ b} \sum_v x_v(a, b)

    Early, a vote is nearly in proportion to the difference of scores, as in an
    average; late, it is a sign, as on a ballot. Scores are never compared
    across tasks.
    """

    def start(sizes: Sizes) -> SoftVote:
        places = np.arange(sizes.agents, dtype=np.int64)
        return SoftVote(no_soft_belief(sizes), places, places.copy())

    return Learner("soft-vote", start, update)
