"""How often each agent was chosen, for strategies that choose the best more often."""

from typing import NamedTuple

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners._learner import Belief, Learner, learner, no_belief


class Visits(NamedTuple):
    """A belief is all there is."""

    belief: Belief


@kernel
def update(state: Visits, records: Records, query: Ints, _: Floats, __: Stream) -> None:
    """Rate the two agents of the round by their visits, then by their means."""
    for side in range(1, len(query)):
        agent = query[side]
        mean = records.agent_means[agent]
        # Squeezed into (-1/2, 1/2), so that it only decides between equal visits.
        state.belief.ratings[agent] = records.agent_plays[agent] + mean / (2.0 + 2.0 * abs(mean))


@learner("visits", cite="Lanctot et al. 2026, section 4.1.1")
def visits() -> Learner:
    """Rate each agent by how often it was chosen; means decide between equals."""

    def start(sizes: Sizes) -> Visits:
        return Visits(no_belief(sizes))

    return Learner("visits", start, update, refits=True)
