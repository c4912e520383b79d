"""An evaluator: a preset at work, one round at a time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.errors import StudyError
from podium.kernels import stream as chance
from podium.kernels.compiled import Kernel
from podium.kernels.records import Records, Sizes, no_records, record
from podium.kernels.stream import Stream
from podium.study.presets import Preset
from podium.words import check_number


class Labels(NamedTuple):
    """Codes dealt out by lot, so that no tie can lean on the order of a list.

    Attributes:
        agents: The agent that each inner code stands for.
        tasks: The task that each inner code stands for.
    """

    agents: Ints
    tasks: Ints


def dealt_labels(sizes: Sizes, seed: int) -> Labels:
    """Deal out codes for a seed.

    >>> sorted(dealt_labels(Sizes(agents=3, tasks=2), seed=0).agents.tolist())
    [0, 1, 2]
    """
    return Labels(
        chance.permutation(seed, chance.LABELS, 0, sizes.agents),
        chance.permutation(seed, chance.LABELS, 1, sizes.tasks),
    )


@dataclass
class Evaluator:
    """A learner and a strategy over some agents and tasks.

    Each round is: `ask` lets the strategy choose; somebody plays; `tell` puts the
    scores into the records and lets the learner take them in. The simulator runs
    the same functions in the same order, compiled, so both give the same rounds.

    Attributes:
        preset: The learner and the strategy.
        sizes: How many agents and tasks there are.
        seed: Decides all chance.
        compiled: Whether to compile the steps: worth it from some hundred rounds on. The
            rounds are the same.
        labels: The agents and tasks that the inner codes stand for.
        records: What was seen so far.
        learning: The learner's state.
        choosing: The strategy's state.
    """

    preset: Preset
    sizes: Sizes
    seed: int = 0
    compiled: bool = False
    labels: Labels = field(init=False)
    records: Records = field(init=False)
    learning: Any = field(init=False)
    choosing: Any = field(init=False)
    _stream: Stream = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_number("agents", self.sizes.agents, low=2)
        check_number("tasks", self.sizes.tasks, low=1)
        self.labels = dealt_labels(self.sizes, self.seed)
        self.records = no_records(self.sizes)
        self.learning = self.preset.learner.start(self.sizes)
        self.choosing = self.preset.strategy.start(self.sizes, self.seed)
        self._stream = np.zeros(1, dtype=np.uint64)

    def ask(self) -> tuple[int, int, int]:
        """Choose the next query: codes of a task, of one agent and of another."""
        query = np.zeros(3, dtype=np.int64)
        self._chance(chance.ASKS)
        choose = self._form(self.preset.strategy.choose)
        choose(self.choosing, self.records, self.learning.belief, self._stream, query)
        task, one, other = query.tolist()
        agents = self.labels.agents
        return int(self.labels.tasks[task]), int(agents[one]), int(agents[other])

    def tell(self, query: tuple[int, int, int], scores: tuple[float, float]) -> None:
        """Take in the scores of the two agents of a query."""
        if query[1] == query[2] or not np.isfinite(scores).all():
            msg = f"{query} got {scores}; tell finite scores of two different agents"
            raise StudyError(msg)
        inner = np.array(
            [
                int(np.flatnonzero(self.labels.tasks == query[0])[0]),
                *(int(np.flatnonzero(self.labels.agents == agent)[0]) for agent in query[1:]),
            ]
        )
        told = np.array(scores, dtype=np.float64)
        self._chance(chance.LEARNS)
        self._form(record)(self.records, inner, told)
        update = self._form(self.preset.learner.update)
        update(self.learning, self.records, inner, told, self._stream)

    @property
    def ratings(self) -> Floats:
        """Rating of each agent, higher is better; equal ones are tied."""
        ratings = np.empty(self.sizes.agents)
        ratings[self.labels.agents] = self.learning.belief.ratings
        return ratings

    def _form(self, step: Kernel[..., None]) -> Callable[..., None]:
        return step.compiled if self.compiled else step.plain

    def _chance(self, purpose: int) -> None:
        chance.start.plain(self._stream, self.seed, purpose, int(self.records.rounds[0]))
