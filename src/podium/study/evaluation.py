"""What a study has learned and may ask, by the names of its agents and tasks."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.data.ratings import Ratings
from podium.kernels.records import ENDLESS, HALF, Records, Sizes
from podium.study.evaluator import Codes, Evaluator, Labels
from podium.study.history import History
from podium.study.presets import preset_of
from podium.study.spec import PerTask, StudySpec
from podium.words import counted, ordinal


class Asked(NamedTuple):
    """A query that was chosen and not answered.

    Attributes:
        task: Name of the task.
        agents: Names of the agents.
        cost: What an answer costs.
    """

    task: str
    agents: tuple[str, ...]
    cost: float


class Evaluation:
    """An evaluator at work for a study: it knows names, costs and limits.

    Attributes:
        spec: What the study is made of.
        preset: How it learns and chooses.
        evaluator: Does the work, by codes.
    """

    def __init__(
        self,
        spec: StudySpec,
        labels: Labels | None = None,
        history: History | None = None,
        knowledge: bytes = b"",
    ) -> None:
        self.spec = spec
        self.preset = preset_of(spec.preset, spec.learner, spec.strategy)
        self.evaluator = Evaluator(
            self.preset,
            sizes_of(spec),
            spec.seed,
            labels=labels,
            history=history,
            knowledge=knowledge,
        )
        self._agents = {name: code for code, name in enumerate(spec.agents)}
        self._tasks = {name: code for code, name in enumerate(spec.tasks)}
        self._set_terms()

    def extended(self, spec: StudySpec) -> "Evaluation":
        """Give the evaluation of more agents and tasks, which has learned all that this one has."""
        labels = self.evaluator.labels.grown(sizes_of(spec), spec.seed)
        more = Evaluation(spec, labels, self.evaluator.history)
        more.evaluator.terms.asked[0] = self.evaluator.terms.asked[0]
        more.evaluator.waits = self.evaluator.waits
        return more

    def asked(self, query: Asked, *, again: bool = False) -> None:
        """Note that a query is out with a worker; `again` if it was counted before."""
        self.evaluator.asked(self._codes(query.task, query.agents), again=again)

    def give_up(self, query: Asked) -> None:
        """Note that a query that was out will not be answered."""
        self.evaluator.give_up(self._codes(query.task, query.agents))

    def told(self, query: Asked, scores: Mapping[str, float]) -> None:
        """Take in the answer to a query that was out."""
        codes = self._codes(query.task, query.agents)
        self.evaluator.tell(codes, [scores[agent] for agent in query.agents])

    def added(self, task: str, scores: Mapping[str, float]) -> None:
        """Take in scores that nobody asked for: two by two, so that agents are compared."""
        dealt = {code: place for place, code in enumerate(self.evaluator.labels.agents.tolist())}
        order = sorted(scores, key=lambda agent: dealt[self._agents[agent]])
        for place in range(0, len(order), 2):
            agents = order[place : place + 2]
            codes = self._codes(task, agents)
            self.evaluator.add(codes, [scores[agent] for agent in agents])

    def choose(self, purse: float, *, by_lot: bool = False) -> Asked | None:
        """Choose what to ask next for no more than a sum; None if there is nothing to ask.

        Args:
            purse: What the query may cost at most.
            by_lot: Whether to draw, and leave the strategy of the preset aside.
        """
        self.evaluator.terms.purse[0] = purse
        codes = self.evaluator.draw() if by_lot else self.evaluator.choose()
        if not codes:
            return None
        task = self.spec.tasks[codes[0]]
        agents = tuple(self.spec.agents[agent] for agent in codes[1:])
        return Asked(task, agents, self.cost(task, agents))

    def cost(self, task: str, agents: Iterable[str]) -> float:
        """Say what scores of some agents on a task cost."""
        row = self.costs[self._tasks[task]]
        return float(sum(row[self._agents[agent]] for agent in agents))

    def why(self, query: Asked) -> str:
        """Say in words why a query is asked."""
        ratings, plays, said = self.evaluator.ratings, self.records.plays, []
        for agent in query.agents:
            code = self._agents[agent]
            cell = self.evaluator.inner(self._tasks[query.task], [code])
            place = ordinal(1 + int((ratings > ratings[code]).sum()))
            said.append(f"{agent} is {place}, with {counted(int(plays[cell]), 'score')} here")
        return f"{self.preset.strategy.why}; {', '.join(said)}"

    @property
    def records(self) -> Records:
        """What was seen so far, by inner codes."""
        return self.evaluator.records

    def ratings(self) -> Ratings:
        """Rate the agents by all that was told."""
        return Ratings.by_value(self.spec.agents, self.evaluator.ratings)

    def cells(self, table: Array) -> Array:
        """Bring a table of tasks x agents from inner codes into the order of the roster."""
        own = self.evaluator.own
        return table[np.ix_(own.tasks, own.agents)]

    def _codes(self, task: str, agents: Sequence[str]) -> Codes:
        return (self._tasks[task], *(self._agents[agent] for agent in agents))

    def _set_terms(self) -> None:
        """Tell the evaluator what the specification allows, and what it costs."""
        spec, terms, labels = self.spec, self.evaluator.terms, self.evaluator.labels
        inner = np.ix_(labels.tasks, labels.agents)
        self.costs = costs_of(spec)
        terms.costs[:] = self.costs[inner]
        terms.priced[0] = terms.costs.min() < terms.costs.max()
        self.evaluator.records.noise[:] = per_task(spec, spec.noise, np.nan)[labels.tasks]
        terms.room[:] = rooms_of(spec)[inner] - self.records.plays
        for task in range(len(spec.tasks)):
            self.evaluator.watch(task)


def sizes_of(spec: StudySpec) -> Sizes:
    """Count the agents and tasks of a specification."""
    return Sizes(len(spec.agents), len(spec.tasks))


def per_task(spec: StudySpec, given: PerTask | None, default: float) -> Floats:
    """Spread what was given for all tasks, or for some, over the tasks.

    >>> spec = StudySpec.of(name="s", agents=["a", "b"], tasks=["t", "u"])
    >>> per_task(spec, {"u": 2.0}, 1.0).tolist(), per_task(spec, 3.0, 1.0).tolist()
    ([1.0, 2.0], [3.0, 3.0])
    """
    if not isinstance(given, Mapping):
        return np.full(len(spec.tasks), default if given is None else given)
    return np.array([given.get(task, default) for task in spec.tasks], dtype=np.float64)


def costs_of(spec: StudySpec) -> Floats:
    """Give what a score of each cell costs, tasks x agents: half of what a query costs.

    >>> spec = StudySpec.of(
    ...     name="s", agents=["a", "b"], tasks=["t", "u"], costs={"t": 3, "u": {"b": 9}}
    ... )
    >>> costs_of(spec).tolist()
    [[1.5, 1.5], [0.5, 9.0]]
    """
    costs = np.full(sizes_of(spec)[::-1], HALF)
    for row, task in enumerate(spec.tasks):
        given = (spec.costs or {}).get(task)
        if isinstance(given, Mapping):
            costs[row] = [given.get(agent, HALF) for agent in spec.agents]
        elif given is not None:
            costs[row] = given / 2.0
    return costs


def rooms_of(spec: StudySpec) -> Array:
    """Give how many scores each cell may have, tasks x agents.

    >>> spec = StudySpec.of(
    ...     name="s", agents=["a", "b"], tasks=["t", "u"], limit={"u": 5}, forbidden=[("u", "b")]
    ... )
    >>> rooms_of(spec)[1].tolist()
    [5, 0]
    """
    rooms = np.minimum(per_task(spec, spec.limit, ENDLESS), ENDLESS).astype(np.int64)
    rooms[per_task(spec, spec.noise, np.nan) == 0.0] = 1
    cells = np.repeat(rooms[:, None], len(spec.agents), axis=1)
    for task, agent in spec.forbidden:
        cells[spec.tasks.index(task), spec.agents.index(agent)] = 0
    return cells
