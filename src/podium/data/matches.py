"""Matches: who met whom, and how it ended."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats, Ints, floats, ints, locked
from podium.data.roster import Roster, encoded, first_seen
from podium.data.terms import Term, terms_of
from podium.errors import DataError
from podium.words import check_number, counted, listed, unknown

WIN, TIE, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, eq=False)
class Matches:
    """Rows of (left, right, score of the left), where 1 is a win, 0.5 a tie, 0 a loss.

    Use `from_records`; the plain constructor trusts its arguments.

    Attributes:
        roster: The agents and tasks that the codes stand for.
        left: Code of the first agent, a row.
        right: Code of the second agent, a row.
        score: Outcome for the first agent, a row.
        weight: Weight of the match, a row.
        task: Code of the task, a row, or None.
        time: When it was played, a row, or None.
        cluster: Code of what ties matches together (a judge, a prompt, a pair
            of games with sides swapped), a row, or None.
        terms: Columns that may explain outcomes beside who met whom.
        notes: What the reader of these matches should know.
    """

    roster: Roster
    left: Ints
    right: Ints
    score: Floats
    weight: Floats
    task: Ints | None = None
    time: Floats | None = None
    cluster: Ints | None = None
    terms: tuple[Term, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_records(
        cls, records: Iterable[Sequence[Any]], *, agents: Sequence[str] | None = None
    ) -> "Matches":
        """Build matches from (a, b, score of a[, weight[, task[, time]]]).

        >>> Matches.from_records([("a", "b", 1.0), ("b", "a", 0.5, 2.0)]).score
        array([1. , 0.5])
        """
        left, right, score, weight, task, time = _columns(records)
        names = first_seen((*left, *right)) if agents is None else agents
        roster = Roster.of(names, first_seen(task))
        return cls.from_codes(
            roster,
            roster.agent_codes(left),
            roster.agent_codes(right),
            score,
            weight=weight or None,
            task=roster.task_codes(task) if task else None,
            time=time or None,
        )

    @classmethod
    def from_columns(
        cls,
        a: Sequence[str],
        b: Sequence[str],
        score: ArrayLike | None = None,
        *,
        winner: Sequence[str] | None = None,
        weight: ArrayLike | None = None,
        task: Sequence[str] | None = None,
        time: ArrayLike | None = None,
        cluster: Sequence[Any] | None = None,
        terms: Mapping[str, Sequence[Any]] | None = None,
    ) -> "Matches":
        """Build matches from columns, the fastest way to build many.

        Args:
            a: The first agents.
            b: The second agents.
            score: Outcomes for the first agents: 1, 0.5 or 0.
            winner: Or, in place of the score, "a", "b" or "tie".
            weight: Weights of the matches.
            task: Tasks.
            time: When each was played.
            cluster: What ties matches together: a judge, a prompt, a pair of games.
            terms: Columns that may explain outcomes, by name.

        >>> Matches.from_columns(["x", "y"], ["y", "x"], winner=["a", "tie"]).score
        array([1. , 0.5])
        """
        if (score is None) == (winner is None):
            msg = "give score, or winner in its place; not both, and not neither"
            raise DataError(msg)
        (left, right), names = encoded(a, b)
        (tasks,), task_names = encoded(() if task is None else task)
        return cls.from_codes(
            Roster.of(names, task_names),
            left,
            right,
            np.asarray(score, np.float64) if winner is None else _outcomes(winner),
            weight=weight,
            task=None if task is None else tasks,
            time=time,
            cluster=None if cluster is None else encoded(cluster)[0][0],
            terms=terms_of(terms, len(left)),
        )

    @classmethod
    def from_codes(
        cls,
        roster: Roster,
        left: ArrayLike,
        right: ArrayLike,
        score: ArrayLike,
        *,
        weight: ArrayLike | None = None,
        task: ArrayLike | None = None,
        time: ArrayLike | None = None,
        cluster: ArrayLike | None = None,
        terms: tuple[Term, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> "Matches":
        """Build matches from rows whose names are codes into a roster already."""
        matches = cls(
            roster=roster,
            left=ints(left),
            right=ints(right),
            score=floats(score),
            weight=locked(np.ones(np.size(left))) if weight is None else floats(weight),
            task=None if task is None else ints(task),
            time=None if time is None else floats(time),
            cluster=None if cluster is None else ints(cluster),
            terms=terms,
            notes=notes,
        )
        matches._check()
        return matches

    def _check(self) -> None:
        _same_lengths(self)
        score = self.score
        _refuse(self, (score != WIN) & (score != TIE) & (score != LOSS), "score", "1, 0.5 or 0")
        _refuse(self, ~((self.weight >= 0) & (self.weight < np.inf)), "weight", "a number >= 0")
        same = np.flatnonzero(self.left == self.right)
        if same.size:
            who = self.agents[self.left[same[0]]]
            msg = f"match {same[0] + 1} has {who!r} on both sides; an agent cannot meet itself"
            raise DataError(msg)

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents, in the order of their codes."""
        return self.roster.agents

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in the order of their codes."""
        return self.roster.tasks

    def with_weight(self, weight: ArrayLike) -> "Matches":
        """Return the same matches with another weight for each, as resampling does."""
        return replace(self, weight=floats(weight))

    def with_weights(self, weights: Mapping[str, float]) -> "Matches":
        """Return the same matches, those of the named tasks weighted by a factor."""
        factor = np.ones(len(self.tasks))
        for task, weight in weights.items():
            if task not in self.roster.task_index:
                raise DataError(unknown("task", task, self.tasks))
            check_number(f"weight of task {task!r}", weight, low=0.0, high=1e300)
            factor[self.roster.task_index[task]] = weight
        if self.task is None or not weights:
            return self
        return self.with_weight(self.weight * factor[self.task])

    def taken(self, rows: ArrayLike) -> "Matches":
        """Return the rows listed, in that order and as often as listed."""
        index = ints(rows)
        return replace(
            self,
            left=locked(self.left[index]),
            right=locked(self.right[index]),
            score=locked(self.score[index]),
            weight=locked(self.weight[index]),
            task=None if self.task is None else locked(self.task[index]),
            time=None if self.time is None else locked(self.time[index]),
            cluster=None if self.cluster is None else locked(self.cluster[index]),
            terms=tuple(term.taken(index) for term in self.terms),
        )

    def only(self, agents: Sequence[str]) -> "Matches":
        """Keep some agents, in the order given, and the matches among them."""
        roster = Roster.of(agents, self.tasks)
        code = np.full(len(self.agents), -1)
        code[self.roster.agent_codes(roster.agents)] = np.arange(len(roster.agents))
        left, right = code[self.left], code[self.right]
        rows = np.flatnonzero((left >= 0) & (right >= 0))
        kept = self.taken(rows)
        return replace(kept, roster=roster, left=ints(left[rows]), right=ints(right[rows]))

    def with_notes(self, *notes: str) -> "Matches":
        """Return the same matches with more said about them."""
        return replace(self, notes=(*self.notes, *notes))

    def __repr__(self) -> str:
        return f"Matches({len(self.agents)} agents, {counted(len(self.left), 'row')})"


def _columns(records: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Lay records side by side; weight is 1 where left out, task and time are in all or none."""
    rows = [tuple(record) for record in records]
    longest = max(map(len, rows), default=3)
    for number, row in enumerate(rows, start=1):
        if not 3 <= len(row) <= 6 or (longest > 4 and len(row) != longest):
            msg = (
                f"match {number} has {counted(len(row), 'part')}; give (a, b, score), or with "
                "weight, and with task and time behind in every match or in none"
            )
            raise DataError(msg)
    full = [row if len(row) > 3 or longest == 3 else (*row, 1.0) for row in rows]
    columns: list[tuple[Any, ...]] = list(zip(*full, strict=True)) or [(), (), ()]
    return columns + [()] * (6 - len(columns))


WORDS = {"a": WIN, "b": LOSS, "tie": TIE, "model_a": WIN, "model_b": LOSS}
"""Words for outcomes; what arenas write is told in `importers.matches`."""


def _outcomes(winner: Sequence[str]) -> Floats:
    (codes,), words = encoded(winner)
    strange = [word for word in words if word not in WORDS]
    if strange:
        msg = f"winner holds {strange[0]!r}; give {listed(WORDS)}"
        raise DataError(msg)
    outcomes: Floats = np.array([WORDS[word] for word in words])[codes]
    return outcomes


def _same_lengths(matches: Matches) -> None:
    size = len(matches.left)
    for name in ("right", "score", "weight", "task", "time", "cluster"):
        column = getattr(matches, name)
        if column is not None and len(column) != size:
            msg = (
                f"{counted(size, 'first agent')} came with {len(column):,} rows of {name}; give "
                "every column the same length"
            )
            raise DataError(msg)


def _refuse(matches: Matches, wrong: np.ndarray[Any, Any], what: str, allowed: str) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        value = getattr(matches, what)[rows[0]]
        msg = f"match {rows[0] + 1} has {what} {value}; give {allowed}"
        raise DataError(msg)
