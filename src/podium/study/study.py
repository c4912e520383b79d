"""The study: ask what to evaluate next, tell what came out, and lose nothing."""

import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, overload

from podium.data.ratings import Ranking
from podium.errors import Conflict, DataError, StudyError
from podium.store import Entry, Event, Lease, Question, Store, Waiting, open_store
from podium.store.records import packed, unpacked
from podium.study.evaluation import Evaluation
from podium.study.ledger import Asked, Ledger
from podium.study.spec import StudySpec, number
from podium.words import listed

STORE = "sqlite:///podium.db"
"""Where studies are kept if nothing else is said."""


class Query(NamedTuple):
    """A task and the agents to evaluate on it, held for a time.

    Attributes:
        id: By which the answer is told.
        lease_token: Proof of holding it, for renewals.
        task: The task.
        agents: The agents.
        expires: When somebody else may be asked, by this machine's clock.
        why: Why this is asked, in words.
    """

    id: str
    lease_token: str
    task: str
    agents: tuple[str, ...]
    expires: datetime
    why: str


class Told(NamedTuple):
    """What became of an answer.

    Attributes:
        state: State of the query: "told".
        new: Whether the answer is the first; False where the same came before.
    """

    state: str
    new: bool


class Study:
    """Agents and tasks under evaluation; make one by `create`, `open` or `connect`.

    Its state is what its log adds up to: it can be stopped at any instant, and
    opened again anywhere, and goes on as if it had never stopped.

    >>> study = Study.create("trial", agents=["a", "b"], tasks=["t"], store="memory://")
    >>> query = study.ask()
    >>> study.tell(query.id, {"a": 0.7, "b": 0.4})
    Told(state='told', new=True)
    >>> study.ranking().tiers
    (('a',), ('b',))
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self._lock = threading.Lock()
        self._ledger = self._started()
        self._catch_up()

    @classmethod
    def create(
        cls,
        name: str,
        *,
        agents: Sequence[str],
        tasks: Sequence[str],
        store: str | Store = STORE,
        **parts: Any,
    ) -> "Study":
        """Begin a study.

        Args:
            name: Its name, which no other study of the store has.
            agents: The agents to rank.
            tasks: The tasks to evaluate them on.
            store: URL of the store, or a store that is open.
            **parts: preset, seed, budget, costs, lease, confidence, top, limit,
                noise, forbidden, retries; see `StudySpec`.
        """
        spec = StudySpec.of(name=name, agents=agents, tasks=tasks, **parts)
        Evaluation.of(spec)  # an unknown preset is told before anything is kept
        place = open_store(store) if isinstance(store, str) else store
        place.create(name, spec.to_dict())
        return cls(place, name)

    @classmethod
    def open(cls, name: str, store: str | Store = STORE) -> "Study":
        """Open a study that is there."""
        return cls(open_store(store) if isinstance(store, str) else store, name)

    @overload
    def ask(self) -> Query | None: ...

    @overload
    def ask(self, count: int) -> list[Query]: ...

    def ask(self, count: int | None = None) -> Query | list[Query] | None:
        """Say what to evaluate next, and hold it for whoever asked.

        Args:
            count: How many queries are wanted; they come in a list, which is
                shorter, or empty, if there is no more to ask.

        Returns:
            One query, or None if there is nothing to ask: `stopped` says why.
        """
        if count is None:
            return next(iter(self.ask(1)), None)
        if count < 1:
            msg = f"count is {count!r}; ask for at least 1 query"
            raise DataError(msg, field="count")
        most = self._ledger.spec.retries + 1
        self._give_up_overdue(most)
        seconds = self._ledger.spec.lease
        after = self._ledger.seq
        leases = self._kept(
            lambda: self.store.lease(
                self.name, count, seconds, after=after, most=most, decide=self._decide
            )
        )
        return [_query(lease) for lease in leases]

    def tell(
        self,
        query: str | Query,
        scores: Mapping[str, float],
        *,
        lease_token: str | None = None,  # noqa: ARG002, whoever holds the lease, an answer counts
    ) -> Told:
        """Tell the answer to a query. Telling the same again changes nothing.

        Args:
            query: The query or its id.
            scores: Agent to score; higher is better.
            lease_token: The token of the lease. Answers count without it, too.

        Raises:
            Conflict: If another answer was accepted before; it stands.
        """
        id_ = query.id if isinstance(query, Query) else query
        checked = {agent: number(f"the score of {agent!r}", s) for agent, s in scores.items()}
        asked = self._asked(id_)
        if asked is not None and set(asked.agents) != set(checked):
            msg = (
                f"query {id_!r} is about {listed(asked.agents)}, and scores of {listed(checked)} "
                "came; give one for each"
            )
            raise DataError(msg, field="scores")
        data = {"scores": checked} if asked is None else {"task": asked.task, "scores": checked}
        answer = packed(checked)
        settled = self.store.settle(self.name, "told", Event("told", id_, data), answer)
        if settled is None:
            raise self._unknown(id_)
        if not settled.new and settled.answer != answer:
            was = unpacked(settled.answer)
            self.store.append(self.name, [Event("conflict", id_, {"scores": checked})])
            msg = f"query {id_!r} was answered {was} before, and now {checked}; the first stands"
            raise Conflict(msg)
        return Told(settled.state, settled.new)

    def fail(self, query: str | Query, why: str) -> bool:
        """Say that a query could not be evaluated; True if it will be asked again."""
        id_ = query.id if isinstance(query, Query) else query
        self._catch_up()
        if self._asked(id_) is None:
            raise self._unknown(id_)
        failures = self._ledger.failures.get(id_, 0) + 1
        final = failures > self._ledger.spec.retries
        event = Event("failed", id_, {"why": why, "final": final})
        if final:
            self.store.settle(self.name, "failed", event)
            return False
        return self.store.reopen(self.name, event)

    def skip(self, query: str | Query, why: str = "") -> None:
        """Say that a query shall not be evaluated at all."""
        id_ = query.id if isinstance(query, Query) else query
        if self.store.settle(self.name, "skipped", Event("skipped", id_, {"why": why})) is None:
            raise self._unknown(id_)

    def renew(self, query: str | Query, lease_token: str | None = None) -> datetime:
        """Hold a query for another whole lease; gives when that ends."""
        id_ = query.id if isinstance(query, Query) else query
        token = query.lease_token if isinstance(query, Query) else lease_token
        left = self.store.renew(self.name, id_, token or "", self._ledger.spec.lease)
        if left is None:
            msg = (
                f"query {id_!r} is not held by this lease token: it ran out, or was answered; an "
                "answer is still welcome"
            )
            raise StudyError(msg)
        return _after(left)

    def add(self, results: Any) -> int:
        """Take in results that nobody asked for; gives how many.

        Args:
            results: Scores, or whatever `podium.read` reads as scores: of agents
                and tasks of this study.
        """
        from podium.study.adding import events_of

        self._catch_up()
        events = events_of(results, self._ledger.spec)
        self.store.append(self.name, events)
        return len(events)

    def extend(self, **more: Any) -> None:
        """Add agents, tasks or budget, with costs, limit, noise and forbidden cells of new ones."""
        self._catch_up()
        self._ledger.spec.extended(more)  # what is wrong is told before it is logged
        self.store.append(self.name, [Event("extended", "", more)])

    def pause(self) -> None:
        """Ask nothing more until `resume`; answers still count."""
        self.store.append(self.name, [Event("paused", "", {})])

    def resume(self) -> None:
        """Ask again after `pause` or `finish`."""
        self.store.append(self.name, [Event("resumed", "", {})])

    def finish(self, why: str = "") -> None:
        """Ask nothing more."""
        self.store.append(self.name, [Event("finished", "", {"why": why})])

    def ranking(self) -> Ranking:
        """Rank the agents by all answers so far, with rank intervals and confidence."""
        ledger = self._catch_up()
        with self._lock:
            return ledger.evaluation.ranking(ledger)

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more; nothing while there is something to ask."""
        ledger = self._catch_up()
        with self._lock:
            return ledger.evaluation.stopped(ledger)

    @property
    def spec(self) -> StudySpec:
        """What the study was made of, with all that it was extended by."""
        return self._catch_up().spec

    def status(self) -> dict[str, Any]:
        """Say in figures how the study stands."""
        ledger = self._catch_up()
        waiting = self.store.waiting(self.name)
        with self._lock:
            return {
                **ledger.spec.to_dict(),
                "asked": ledger.chosen,
                "told": ledger.told,
                "added": ledger.added,
                "spent": ledger.spent,
                "open": len(waiting),
                "held": sum(one.left is not None and one.left > 0 for one in waiting),
                "stopped": ledger.evaluation.stopped(ledger),
                **ledger.evaluation.status(ledger),
            }

    def waiting(self) -> Sequence[Waiting]:
        """List the queries that are out or wait to be handed out."""
        return self.store.waiting(self.name)

    def log(self, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries of the log behind a place."""
        return self.store.read(self.name, after, limit)

    def _started(self) -> Ledger:
        spec = StudySpec.of(**self.store.load(self.name))
        return Ledger(spec, Evaluation.of(spec))

    def _catch_up(self) -> Ledger:
        """Take in what the log holds beyond what is known."""
        # Never with the lock held: the store may wait for somebody who waits for the lock.
        entries = self.store.read(self.name, self._ledger.seq)
        with self._lock:
            for entry in entries:
                self._ledger.take(entry)
            return self._ledger

    def _decide(self, entries: Sequence[Entry], wanted: int) -> list[Question]:
        """Choose queries, while the store lets nobody else choose."""
        with self._lock:
            ledger = self._ledger
            for entry in entries:
                ledger.take(entry)
            chosen: list[Question] = []
            while len(chosen) < wanted and not ledger.evaluation.stopped(ledger):
                data = ledger.evaluation.choose(ledger)
                if data is None:
                    break
                question = Question(f"q{ledger.chosen + 1}", data)
                chosen.append(question)
                # The store gives it this place in the log, so that the next takes it into account.
                ledger.take(Entry(ledger.seq + 1, "asked", *question, 0.0))
            return chosen

    def _kept(self, work: Any) -> Any:
        """Do work in which `_decide` may run ahead of the log; if it fails, start anew."""
        try:
            return work()
        except BaseException:
            with self._lock:
                self._ledger = self._started()
            raise

    def _give_up_overdue(self, most: int) -> None:
        for id_ in self.store.overdue(self.name, most):
            self.store.settle(self.name, "lost", Event("lost", id_, {}))

    def _asked(self, id_: str) -> Asked | None:
        """Find a query that was not answered; reads the log only if it is not known."""
        for look in (lambda: self._ledger, self._catch_up):
            ledger = look()
            with self._lock:
                found = ledger.open.get(id_) or ledger.closed.get(id_)
            if found is not None:
                return found
        return None

    def _unknown(self, id_: str) -> StudyError:
        return StudyError(f"study {self.name!r} never asked {id_!r}; check the id of the query")


def _query(lease: Lease) -> Query:
    data = lease.data
    agents = tuple(data["agents"])
    return Query(lease.id, lease.token, data["task"], agents, _after(lease.left), data["why"])


def _after(seconds: float) -> datetime:
    """Say when so many seconds will have passed, by this machine's clock."""
    return datetime.now(UTC) + timedelta(seconds=seconds)
