"""The state of a study: what its log adds up to, entry by entry."""

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from podium.arrays import Floats
from podium.errors import DataError, StoreError
from podium.kernels.records import Records
from podium.store.records import Entry, Question
from podium.study.evaluation import Asked, Evaluation
from podium.study.evaluator import Labels
from podium.study.forecast import Spend, spend_for
from podium.study.history import History
from podium.study.keys import KEY, digest
from podium.study.posterior import Posterior, posterior_of
from podium.study.spec import StudySpec
from podium.study.stop import Goal, next_checkpoint, reached
from podium.words import report

T = TypeVar("T")


@dataclass
class Ledger:
    """What the log of a study adds up to.

    Attributes:
        evaluation: What was learned, and the specification with all that it was
            extended by.
        seq: Place in the log of the last entry that was taken in.
        chosen: Queries that were chosen so far.
        told: Answers that were accepted.
        added: Entries of results that came unasked.
        spent: Cost of all accepted answers.
        looked: Answers and results that were there when a query was chosen last.
        open: Id to query, those that wait for an answer.
        closed: Those that were given up; an answer is still welcome.
        parts: Id of a query to the scores of some of its agents, that came first.
        failures: Id of an open query to the number of times that it failed.
        paused: Whether nothing is to be asked for now.
        finished: Why nothing will be asked any more, unless the study goes on.
        keys: Names of requests that came with one, and what they were about.
    """

    evaluation: Evaluation
    seq: int = 0
    chosen: int = 0
    told: int = 0
    added: int = 0
    spent: float = 0.0
    looked: int = 0
    open: dict[str, Asked] = field(default_factory=dict)
    closed: dict[str, Asked] = field(default_factory=dict)
    parts: dict[str, dict[str, float]] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    paused: bool = False
    finished: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    _posterior: tuple[int, Posterior] | None = field(default=None, init=False, repr=False)

    @property
    def spec(self) -> StudySpec:
        """What the study is made of."""
        return self.evaluation.spec

    @property
    def heard(self) -> int:
        """Answers and results so far."""
        return self.told + self.added

    @property
    def left(self) -> float:
        """What may still be spent, once all that is open has been paid for."""
        if self.spec.budget is None:
            return math.inf
        return self.spec.budget - self.spent - sum(query.cost for query in self.open.values())

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more; nothing while there is, or may be, something to ask."""
        if self.finished:
            return self.finished
        if self.open:
            return ""
        if self.evaluation.choose(self.left, by_lot=True) is not None:
            return ""
        if self.evaluation.choose(math.inf, by_lot=True) is not None:
            return f"the budget of {self.spec.budget:g} is spent"
        return "every score that is allowed has been told"

    def waiting_for(self, id_: str) -> Asked | None:
        """Give a query whose answer is awaited, or still welcome."""
        return self.open.get(id_) or self.closed.get(id_)

    def next_question(self) -> Question | None:
        """Choose what to ask next; None if nothing is to be asked now."""
        if self.paused or self.finished or self.certain():
            return None
        query = self.evaluation.choose(self.left)
        return query and self._question(query, self.evaluation.why(query))

    def lot_question(self, why: str) -> Question | None:
        """Choose what to ask next by lot, for a reason; None if nothing is to be asked now."""
        if self.paused or self.finished:
            return None
        query = self.evaluation.choose(self.left, by_lot=True)
        return query and self._question(query, f"drawn by lot, as {why}")

    def _question(self, query: Asked, why: str) -> Question:
        return Question(f"q{self.chosen + 1}", {**query._asdict(), "why": why})

    def certain(self) -> str:
        """Say that the ranking is certain enough, if it is time to look, and it is."""
        confidence, top = self.spec.confidence, self.spec.top
        if confidence is None or next_checkpoint(self.looked, len(self.spec.agents)) > self.heard:
            return ""
        posterior = self.evidence().reached(Goal(confidence, top))
        if posterior is None:
            return ""
        chance = posterior.chance(top)
        return f"{report(top)} right with probability {chance:.3f}, and {confidence:g} was wanted"

    def posterior(self) -> Posterior:
        """Say how certain the ranking is, as of the answers so far."""
        if self._posterior is None or self._posterior[0] != self.heard:
            self._posterior = (self.heard, self.evidence().weighed())
        return self._posterior[1]

    def evidence(self) -> "Evidence":
        """Give what the posterior is made from, which the ledger does not change any more."""
        evaluator = self.evaluation.evaluator
        ratings = evaluator.learning.belief.ratings.copy()
        return Evidence(self.heard, deepcopy(evaluator.records), ratings, self.spec.seed)

    def informed(self, posterior: Posterior, work: Callable[["Ledger"], T]) -> list[T]:
        """Do work that asks for the posterior, with one that is known, if a little old.

        Gives the answer in a list, which is empty if agents came in since.
        """
        if len(posterior.order) != len(self.spec.agents):
            return []
        before, self._posterior = self._posterior, (self.heard, posterior)
        try:
            return [work(self)]
        finally:
            self._posterior = before

    def take(self, entry: Entry) -> None:
        """Take in the next entry; one that was taken in before changes nothing."""
        if entry.seq <= self.seq:
            return
        if entry.seq != self.seq + 1:
            msg = f"the log has entry {entry.seq:,} where {self.seq + 1:,} is next; it is damaged"
            raise StoreError(msg)
        step = _STEPS.get(entry.kind)
        if step is not None and self._is_first(entry):
            step(self, entry.query, entry.data)
        self.seq = entry.seq

    def _is_first(self, entry: Entry) -> bool:
        """Tell an entry from one of the same request, which came twice at the same time."""
        key = entry.data.get(KEY)
        if key in self.keys:
            return False
        if key is not None:
            self.keys[key] = digest(entry)
        return True

    def asked(self, id_: str, data: Mapping[str, Any]) -> None:
        """Note that a query was chosen."""
        query = Asked(data["task"], tuple(data["agents"]), data["cost"])
        self.chosen += 1
        self.looked = self.heard
        self.open[id_] = query
        self.evaluation.asked(query)

    def tell(self, id_: str, data: Mapping[str, Any]) -> None:
        """Take in the answer to a query, whether it was given up or not."""
        self.told += 1
        self.failures.pop(id_, None)
        parts = self.parts.pop(id_, {})
        query = self.open.pop(id_, None)
        if query is not None:
            self.spent += query.cost
            self.evaluation.told(query, data["scores"])
            return
        self._take_in(self.closed.pop(id_), data["scores"], parts)

    def part(self, id_: str, data: Mapping[str, Any]) -> None:
        """Note the scores of some agents of a query; of each agent, the first counts.

        They are learned with the rest of the answer, or when the query is given up.
        """
        known = self.parts.get(id_, {})
        if id_ in self.closed:
            self._take_in(self.closed[id_], data["scores"], known)
        if id_ in self.closed or id_ in self.open:
            self.parts[id_] = {**data["scores"], **known}

    def _take_in(
        self, query: Asked, scores: Mapping[str, float], known: Mapping[str, float]
    ) -> None:
        """Take in what is new about a query that was given up."""
        fresh = {agent: scores[agent] for agent in scores if agent not in known}
        self.spent += self.evaluation.cost(query.task, fresh)
        self.evaluation.added(query.task, fresh)

    def failed(self, id_: str, data: Mapping[str, Any]) -> None:
        """Note that a query failed, once more or for good."""
        self.failures[id_] = self.failures.get(id_, 0) + 1
        if data.get("final"):
            self.give_up(id_, data)

    def give_up(self, id_: str, _: Mapping[str, Any]) -> None:
        """Wait for a query no longer."""
        query = self.open.pop(id_, None)
        self.failures.pop(id_, None)
        if query is not None:
            self.closed[id_] = query
            self.evaluation.give_up(query)
            self._take_in(query, self.parts.get(id_, {}), {})

    def add(self, _: str, data: Mapping[str, Any]) -> None:
        """Take in results that nobody asked for."""
        self.added += 1
        self.evaluation.added(data["task"], data["scores"])

    def extend(self, _: str, data: Mapping[str, Any]) -> None:
        """Take in agents, tasks and budget; a study that was finished goes on."""
        more = {name: part for name, part in data.items() if name != KEY}
        try:
            spec = self.spec.extended(more)
        except DataError:  # another extension, at the same time, came first
            return
        self.evaluation = self.evaluation.extended(spec)
        for query in self.open.values():
            self.evaluation.asked(query, again=True)
        self.finished, self._posterior = "", None

    def pause(self, _: str, __: Mapping[str, Any]) -> None:
        """Ask nothing for now."""
        self.paused = True

    def resume(self, _: str, __: Mapping[str, Any]) -> None:
        """Go on after a pause or an end."""
        self.paused, self.finished = False, ""

    def finish(self, _: str, data: Mapping[str, Any]) -> None:
        """Ask nothing more."""
        self.finished = data.get("why") or "it was finished by hand"

    def packed(self) -> bytes:
        """Write the ledger as bytes, with what was learned if that is not large."""
        evaluator = self.evaluation.evaluator
        arrays = (*evaluator.labels, evaluator.history.queries(), evaluator.history.scores())
        state = {
            "version": VERSION,
            "spec": self.spec.to_dict(),
            "arrays": [np.ascontiguousarray(array).tobytes() for array in arrays],
            "asked": int(evaluator.terms.asked[0]),
            "knowledge": evaluator.knowledge(),
            **{name: getattr(self, name) for name in _KEPT},
        }
        return msgspec.msgpack.encode(state)

    @classmethod
    def unpacked(cls, text: bytes) -> "Ledger | None":
        """Read a ledger that `packed` wrote; None if something else did, as another version."""
        try:
            state = msgspec.msgpack.decode(text)
        except msgspec.DecodeError:
            return None
        if not isinstance(state, dict) or state.get("version") != VERSION:
            return None
        agents, tasks, queries, scores = state["arrays"]
        labels = Labels(np.frombuffer(agents, np.int64), np.frombuffer(tasks, np.int64))
        history = History(
            np.frombuffer(queries, np.int64).reshape(-1, 3).copy(),
            np.frombuffer(scores, np.float64).reshape(-1, 2).copy(),
        )
        spec = StudySpec.of(**state["spec"])
        evaluation = Evaluation(spec, labels, history, state["knowledge"])
        evaluation.evaluator.terms.asked[0] = state["asked"]
        ledger = cls(evaluation, **{name: state[name] for name in _KEPT})
        for part in (ledger.open, ledger.closed):
            part.update({id_: Asked(task, tuple(a), cost) for id_, (task, a, cost) in part.items()})
        for query in ledger.open.values():
            evaluation.asked(query, again=True)
        return ledger


class Evidence(NamedTuple):
    """What the posterior of a study is made from.

    Attributes:
        heard: Answers and results that are in it.
        records: What was seen.
        ratings: What is reported.
        seed: Start of all chance.
    """

    heard: int
    records: Records
    ratings: Floats
    seed: int

    def weighed(self) -> Posterior:
        """Say how certain the ranking is."""
        return posterior_of(self.records, self.ratings, seed=self.seed)

    def reached(self, goal: Goal) -> Posterior | None:
        """Say how certain the ranking is, if a goal is met."""
        return reached(goal, self.records, self.ratings, seed=self.seed)

    def forecast(self, goal: Goal) -> Spend:
        """Say how many more answers a goal will take."""
        return spend_for(self.records, self.ratings, goal, seed=self.seed)


VERSION = 3
"""Of the form in which ledgers are kept."""

_KEPT = (
    "seq",
    "chosen",
    "told",
    "added",
    "spent",
    "looked",
    "open",
    "closed",
    "parts",
    "failures",
    "paused",
    "finished",
    "keys",
)

_STEPS = {
    "asked": Ledger.asked,
    "told": Ledger.tell,
    "part": Ledger.part,
    "failed": Ledger.failed,
    "skipped": Ledger.give_up,
    "lost": Ledger.give_up,
    "added": Ledger.add,
    "extended": Ledger.extend,
    "paused": Ledger.pause,
    "resumed": Ledger.resume,
    "finished": Ledger.finish,
}
"""What each kind of entry does; others are there to be read."""
