"""Scores: what each agent got on each task, once or many times."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Array, Bools, Floats, Ints, bools, floats, ints, locked
from podium.data.roster import Roster, first_seen
from podium.errors import DataError
from podium.words import check_number, listed, unknown


@dataclass(frozen=True, eq=False)
class Scores:
    """Rows of (task, agent, score); several rows of one cell are its samples.

    A cell without a row is missing, never zero. Use `from_records` or
    `from_matrix`; the plain constructor trusts its arguments.

    Attributes:
        roster: The agents and tasks that the codes stand for.
        task: Code of the task, a row.
        agent: Code of the agent, a row.
        value: The score as it was recorded, a row.
        sample: Code of the sample (seed, instance), a row, or None.
        weights: Weight of each task.
        lower_is_better: Whether a low score is good, a task.
        stds: Published standard deviation of each (task, agent), or None.
        notes: What the reader of these scores should know.
    """

    roster: Roster
    task: Ints
    agent: Ints
    value: Floats
    weights: Floats
    lower_is_better: Bools
    sample: Ints | None = None
    stds: Floats | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_records(
        cls,
        records: Iterable[tuple[str, str, float]],
        *,
        agents: Sequence[str] | None = None,
        tasks: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        lower_is_better: Collection[str] = (),
    ) -> "Scores":
        """Build scores from (task, agent, score); repeats are samples of one cell.

        >>> scores = Scores.from_records([("pong", "dqn", 18.0), ("pong", "dqn", 20.0)])
        >>> scores.means
        array([[19.]])
        """
        rows = [tuple(record) for record in records]
        if any(len(row) != 3 for row in rows):
            wrong = next(row for row in rows if len(row) != 3)
            msg = f"record {wrong!r} has {len(wrong)} parts; give (task, agent, score)"
            raise DataError(msg)
        task_names, agent_names, values = zip(*rows, strict=True) if rows else ((), (), ())
        roster = Roster.of(
            first_seen(agent_names) if agents is None else agents,
            first_seen(task_names) if tasks is None else tasks,
        )
        return cls.from_codes(
            roster,
            roster.task_codes(task_names),
            roster.agent_codes(agent_names),
            values,
            weights=weights,
            lower_is_better=lower_is_better,
        )

    @classmethod
    def from_matrix(
        cls,
        array: ArrayLike,
        tasks: Sequence[str],
        agents: Sequence[str],
        *,
        stds: ArrayLike | None = None,
        weights: Mapping[str, float] | None = None,
        lower_is_better: Collection[str] = (),
    ) -> "Scores":
        """Build scores from an array of tasks x agents, where NaN is a missing cell.

        >>> scores = Scores.from_matrix([[1, 2], [float("nan"), 4]], ["s", "t"], ["a", "b"])
        >>> scores.missing
        1
        """
        matrix = np.array(array, dtype=np.float64)
        roster = Roster.of(agents, tasks)
        if matrix.shape != (len(roster.tasks), len(roster.agents)):
            msg = (
                f"the array has shape {matrix.shape}; {len(roster.tasks)} tasks x "
                f"{len(roster.agents)} agents need ({len(roster.tasks)}, {len(roster.agents)})"
            )
            raise DataError(msg)
        task, agent = np.nonzero(~np.isnan(matrix))
        scores = cls.from_codes(
            roster,
            task,
            agent,
            matrix[task, agent],
            weights=weights,
            lower_is_better=lower_is_better,
        )
        return scores if stds is None else replace(scores, stds=_check_stds(stds, matrix.shape))

    @classmethod
    def from_codes(
        cls,
        roster: Roster,
        task: ArrayLike,
        agent: ArrayLike,
        value: ArrayLike,
        *,
        sample: ArrayLike | None = None,
        weights: Mapping[str, float] | None = None,
        lower_is_better: Collection[str] = (),
        notes: tuple[str, ...] = (),
    ) -> "Scores":
        """Build scores from rows whose names are codes into a roster already."""
        values = floats(value)
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            where = f"{roster.tasks[ints(task)[row]]!r}, {roster.agents[ints(agent)[row]]!r}"
            hint = "give finite numbers, and leave missing cells out"
            msg = f"the score of {where} is {values[row]}; {hint}"
            raise DataError(msg)
        scores = cls(
            roster=roster,
            task=ints(task),
            agent=ints(agent),
            value=values,
            weights=locked(np.ones(len(roster.tasks))),
            lower_is_better=_flags(lower_is_better, roster),
            sample=None if sample is None else ints(sample),
            notes=notes,
        )
        return scores.with_weights(weights or {})

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order of their codes."""
        return self.roster.agents

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in the order of their codes."""
        return self.roster.tasks

    @cached_property
    def oriented(self) -> Floats:
        """The score of each row with higher always better."""
        return locked(np.where(self.lower_is_better[self.task], -self.value, self.value))

    @cached_property
    def counts(self) -> Ints:
        """Number of samples of each (task, agent)."""
        return self._by_cell(None).astype(np.int64)

    @cached_property
    def means(self) -> Floats:
        """Mean of each (task, agent), higher is better; NaN where there is no sample."""
        sums = self._by_cell(self.oriented)
        with np.errstate(invalid="ignore", divide="ignore"):
            return locked(sums / self.counts)

    @property
    def missing(self) -> int:
        """Number of cells without a sample."""
        return int((self.counts == 0).sum())

    @cached_property
    def coverage(self) -> Floats:
        """Share of the tasks on which each agent has a score."""
        return locked((self.counts > 0).mean(axis=0) if self.tasks else np.zeros(len(self.agents)))

    def with_weights(self, weights: Mapping[str, float]) -> "Scores":
        """Return the same scores with other weights for the tasks that are named."""
        values = self.weights.copy()
        for task, weight in weights.items():
            if task not in self.roster.task_index:
                raise DataError(unknown("task", task, self.tasks))
            check_number(f"weight of task {task!r}", weight, low=0.0, high=1e300)
            values[self.roster.task_index[task]] = weight
        return replace(self, weights=locked(values))

    def with_task_weights(self, weights: ArrayLike) -> "Scores":
        """Return the same scores with a weight for each task, as resampling does."""
        return replace(self, weights=floats(weights))

    def drawn(self, times: Ints) -> "Scores":
        """Keep the tasks that were drawn, each weighing as often as it was drawn.

        Counts and means are carried over where they are known already.

        Args:
            times: How often each task was drawn.
        """
        kept = np.flatnonzero(times > 0)
        rows = (times > 0)[self.task]
        code = np.cumsum(times > 0) - 1
        scores = replace(
            self,
            roster=Roster(self.agents, tuple(self.tasks[task] for task in kept)),
            task=locked(code[self.task[rows]]),
            agent=locked(self.agent[rows]),
            value=locked(self.value[rows]),
            sample=None if self.sample is None else locked(self.sample[rows]),
            weights=locked((self.weights * times)[kept]),
            lower_is_better=locked(self.lower_is_better[kept]),
            stds=None if self.stds is None else locked(self.stds[kept]),
        )
        for name in ("counts", "means"):
            if name in self.__dict__:
                scores.__dict__[name] = locked(self.__dict__[name][kept])
        return scores

    def taken(self, rows: ArrayLike, task: ArrayLike | None = None) -> "Scores":
        """Return the rows listed, as often as listed, perhaps under other codes of tasks."""
        index = ints(rows)
        return replace(
            self,
            task=locked(self.task[index]) if task is None else ints(task),
            agent=locked(self.agent[index]),
            value=locked(self.value[index]),
            sample=None if self.sample is None else locked(self.sample[index]),
        )

    def with_values(self, value: ArrayLike) -> "Scores":
        """Return the same rows with other scores."""
        return replace(self, value=floats(value))

    def with_notes(self, *notes: str) -> "Scores":
        """Return the same scores with more said about them."""
        return replace(self, notes=(*self.notes, *notes))

    def only(
        self, *, agents: Sequence[str] | None = None, tasks: Sequence[str] | None = None
    ) -> "Scores":
        """Keep some agents and tasks, in the order given."""
        roster = Roster.of(
            self.agents if agents is None else agents, self.tasks if tasks is None else tasks
        )
        kept_tasks = self.roster.task_codes(roster.tasks)
        kept_agents = self.roster.agent_codes(roster.agents)
        task, agent = (
            _renumber(self.task, kept_tasks, len(self.tasks)),
            _renumber(self.agent, kept_agents, len(self.agents)),
        )
        rows = (task >= 0) & (agent >= 0)
        return replace(
            self,
            roster=roster,
            task=ints(task[rows]),
            agent=ints(agent[rows]),
            value=floats(self.value[rows]),
            sample=None if self.sample is None else ints(self.sample[rows]),
            weights=floats(self.weights[kept_tasks]),
            lower_is_better=bools(self.lower_is_better[kept_tasks]),
            stds=None if self.stds is None else floats(self.stds[np.ix_(kept_tasks, kept_agents)]),
        )

    def _by_cell(self, weights: Floats | None) -> Array:
        shape = (len(self.tasks), len(self.agents))
        cell = self.task * shape[1] + self.agent
        return np.bincount(cell, weights, shape[0] * shape[1]).reshape(shape)

    def __repr__(self) -> str:
        return (
            f"Scores({len(self.agents)} agents, {len(self.tasks)} tasks, "
            f"{len(self.value)} rows, {self.missing} missing)"
        )


def _flags(names: Collection[str], roster: Roster) -> Bools:
    strange = set(names) - set(roster.tasks)
    if strange:
        msg = (
            f"lower_is_better names {listed(sorted(strange))}; the tasks are {listed(roster.tasks)}"
        )
        raise DataError(msg)
    return bools([task in names for task in roster.tasks])


def _check_stds(stds: ArrayLike, shape: tuple[int, ...]) -> Floats:
    spread = floats(stds)
    if spread.shape != shape or (spread < 0).any():
        msg = (
            f"stds has shape {spread.shape}; give {shape} numbers of at least 0, NaN where unknown"
        )
        raise DataError(msg)
    return spread


def _renumber(codes: Ints, kept: Ints, size: int) -> Ints:
    place = np.full(size, -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return place[codes]
