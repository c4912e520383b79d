"""Replay: recorded scores, drawn again with replacement."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from podium.arrays import Floats, Ints, locked
from podium.data.scores import Scores
from podium.errors import DataError
from podium.kernels.records import Sizes
from podium.worlds._instance import Instance, Recorded, answer_recorded
from podium.worlds.table import truth_of


@dataclass(frozen=True, eq=False)
class Replay:
    """A world whose scores are those that were recorded, the same for every seed.

    Attributes:
        means: Mean of each cell's scores, tasks x agents.
        recorded: The scores of each cell.
        truth: Codes of the agents, the best first.
    """

    means: Floats
    recorded: Recorded
    truth: Ints

    @property
    def sizes(self) -> Sizes:
        """How many agents and tasks there are."""
        tasks, agents = self.means.shape
        return Sizes(agents, tasks)

    def drawn(self, _: int) -> Instance:
        """Give the recorded scores; the seed decides which of them are drawn."""
        return Instance(self.truth, self.means, self.recorded, answer_recorded)


def replay(scores: Scores, truth: Sequence[str] | None = None) -> Replay:
    """Make a world of recorded scores.

    Args:
        scores: At least one score of each agent on each task.
        truth: The agents, the best first; by default the Kemeny order of the means.

    >>> world = replay(Scores.from_records([("s", "a", 1.0), ("s", "a", 3.0), ("s", "b", 0.0)]))
    >>> world.truth.tolist(), world.means.tolist()
    ([0, 1], [[2.0, 0.0]])
    """
    if scores.missing or not scores.means.size:
        msg = (
            f"{scores.missing} of {scores.means.size} cells have no score; a world needs one of "
            "each agent on each task, so leave out agents or tasks with `scores.only`"
        )
        raise DataError(msg)
    cell = scores.task * len(scores.agents) + scores.agent
    by_cell = np.argsort(cell, kind="stable")
    ends = np.cumsum(scores.counts.ravel())
    bounds = np.stack([ends - scores.counts.ravel(), ends], axis=1)
    recorded = Recorded(
        bounds=locked(bounds.reshape(*scores.means.shape, 2)),
        values=locked(scores.oriented[by_cell]),
    )
    order = None if truth is None else scores.roster.agent_codes(tuple(truth)).tolist()
    return Replay(scores.means, recorded, truth_of(scores.means, order))
