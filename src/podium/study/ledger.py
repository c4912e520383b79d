"""The state of a study: what its log adds up to, entry by entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from podium.store.records import Entry
from podium.study.spec import StudySpec


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


class Learning(Protocol):
    """Learns from answers, and chooses what to ask."""

    def asked(self, task: str, agents: tuple[str, ...], change: int) -> None:
        """Note that a query is out with a worker (+1), or no longer (-1)."""
        ...

    def told(self, task: str, scores: Mapping[str, float]) -> None:
        """Take in an answer."""
        ...

    def extend(self, parts: Mapping[str, Any]) -> None:
        """Take in new agents and tasks."""
        ...


@dataclass
class Ledger:
    """What the log of a study adds up to.

    Attributes:
        spec: What the study was made of, with all that it was extended by.
        evaluation: What was learned.
        seq: Place in the log of the last entry that was taken in.
        chosen: Queries that were chosen so far.
        told: Answers that were accepted.
        added: Results that came unasked.
        spent: Cost of all accepted answers.
        open: Id to query, those that wait for an answer.
        closed: Those that were given up; an answer is still welcome.
        failures: Id of a query to the number of times that it failed.
        paused: Whether nothing is to be asked for now.
        finished: Why nothing will be asked any more, by order of somebody.
    """

    spec: StudySpec
    evaluation: "Any"
    seq: int = 0
    chosen: int = 0
    told: int = 0
    added: int = 0
    spent: float = 0.0
    open: dict[str, Asked] = field(default_factory=dict)
    closed: dict[str, Asked] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    paused: bool = False
    finished: str = ""

    @property
    def committed(self) -> float:
        """Cost of the queries that are open."""
        return sum(query.cost for query in self.open.values())

    def take(self, entry: Entry) -> None:
        """Take in the next entry; one that was taken in before changes nothing."""
        if entry.seq <= self.seq:
            return
        if entry.seq != self.seq + 1:
            msg = f"entry {entry.seq} came where {self.seq + 1} is next"
            raise AssertionError(msg)
        step = getattr(self, f"_{entry.kind}", None)
        if step is not None:
            step(entry)
        self.seq = entry.seq

    def _asked(self, entry: Entry) -> None:
        data = entry.data
        query = Asked(data["task"], tuple(data["agents"]), data["cost"])
        self.chosen += 1
        self.open[entry.query] = query
        self.evaluation.asked(query.task, query.agents, 1)

    def _told(self, entry: Entry) -> None:
        self._close(entry.query)
        query = self.closed.pop(entry.query)
        self.failures.pop(entry.query, None)
        self.told += 1
        self.spent += query.cost
        self.evaluation.told(query.task, entry.data["scores"])

    def _failed(self, entry: Entry) -> None:
        self.failures[entry.query] = self.failures.get(entry.query, 0) + 1
        if entry.data.get("final"):
            self._close(entry.query)

    def _skipped(self, entry: Entry) -> None:
        self._close(entry.query)

    def _lost(self, entry: Entry) -> None:
        self._close(entry.query)

    def _close(self, query: str) -> None:
        """Give up waiting for a query."""
        if query in self.open:
            asked = self.closed[query] = self.open.pop(query)
            self.evaluation.asked(asked.task, asked.agents, -1)

    def _added(self, entry: Entry) -> None:
        self.added += 1
        self.evaluation.told(entry.data["task"], entry.data["scores"])

    def _extended(self, entry: Entry) -> None:
        self.spec = self.spec.extended(entry.data)
        self.evaluation.extend(entry.data)

    def _paused(self, _: Entry) -> None:
        self.paused = True

    def _resumed(self, _: Entry) -> None:
        self.paused, self.finished = False, ""

    def _finished(self, entry: Entry) -> None:
        self.finished = entry.data.get("why", "") or "it was finished by hand"
