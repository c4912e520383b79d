"""Mean score of each agent over all tasks."""

from typing import NamedTuple

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class Averages(NamedTuple):
    """A belief is all there is."""

    belief: Belief


@kernel
def update(state: Averages, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Rate the two agents of the round by their means."""
    for side in range(1, len(query)):
        state.belief.ratings[query[side]] = records.agent_means[query[side]]


@learner("averages", cite="Lanctot et al. 2026, section 4.1")
def averages(*, unseen: float = 50.0) -> Learner:
    r"""Rate each agent by the mean of all its scores, whichever the task.

    .. math:: r_a = \bar s_a

    Only scores on one scale can be averaged.

    Args:
        unseen: Rating of an agent without a score.
    """

    def start(sizes: Sizes) -> Averages:
        return Averages(no_belief(sizes, unseen))

    return Learner("averages", start, update, refits=True)
