"""The study: ask what to evaluate next, tell what came out, and lose nothing."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar, overload

from podium.data.ratings import Ranking
from podium.errors import Conflict, DataError, StudyError
from podium.store import Entry, Event, Question, Store, Waiting, open_store
from podium.store._complaints import reused
from podium.store.records import packed, unpacked
from podium.study.adding import events_of
from podium.study.evaluation import Asked, Evaluation
from podium.study.forecast import Spend
from podium.study.keys import KEY, digest, keyed
from podium.study.ledger import Ledger
from podium.study.mind import Mind
from podium.study.picture import Picture, picture_of
from podium.study.queries import (
    MOST_LEASED,
    Answer,
    Query,
    Told,
    checked_scores,
    contradiction,
    id_of,
    leased_query,
    moment_after,
    never_asked,
    number_in,
)
from podium.study.reporting import html_of, ranking_of, status_of
from podium.study.run import Evaluate, run
from podium.study.spec import StudySpec, whole
from podium.study.stop import goal_of
from podium.study.worth import worths_of
from podium.words import listed

__all__ = ["Query", "Study", "Told"]

T = TypeVar("T")
LOGGER = logging.getLogger(__name__)

GROWTH, FEWEST_KEPT = 1.25, 1_000
"""What the log adds up to is kept when it has grown so many times, and so many answers more."""

STORE = "sqlite:///podium.db"
"""Where studies are kept if nothing else is said."""


class Study:
    """Agents and tasks under evaluation; make one by `create`, `open` or `podium.connect`.

    Its state is what its log adds up to: it can be stopped at any instant, and
    opened again anywhere, and goes on as if it had never stopped. A study may be
    used by several threads, and opened by several processes.

    Args:
        store: Where it is kept.
        name: Its name.
        patience: Seconds to wait for the strategy to choose; then a query is drawn by
            lot, and says so in its `why`. None to wait as long as it takes. Which
            questions come then depends on the speed of the machine.

    >>> study = Study.create("trial", agents=["a", "b"], tasks=["t"], store="memory://")
    >>> query = study.ask()
    >>> study.tell(query.id, {"a": 0.7, "b": 0.4})
    Told(state='told', new=True)
    >>> study.ranking().tiers
    (('a',), ('b',))
    """

    _repr_html_ = html_of

    def __init__(self, store: Store, name: str, *, patience: float | None = None) -> None:
        self.store = store
        self.name = name
        self._patience = patience
        self._lock = threading.Lock()
        self._begin()
        self._kept_at = self._ledger.heard
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
            **parts: preset (or learner and strategy), seed, budget, costs, lease,
                confidence, top, limit, noise, forbidden, retries; see `StudySpec`.
        """
        spec = StudySpec.of(name=name, agents=agents, tasks=tasks, **parts)
        Evaluation(spec)  # an unknown preset is told before anything is kept
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
    def ask(self, count: int, *, key: str = "") -> list[Query]: ...

    def ask(self, count: int | None = None, *, key: str = "") -> Query | list[Query] | None:
        """Say what to evaluate next, and hold it for whoever asked.

        Args:
            count: How many queries are wanted; they come in a list, which is
                shorter, or empty, if there is no more to ask.
            key: Names this request; asked again under that name, it gives the same
                queries.

        Returns:
            One query, or None if there is nothing to ask: `stopped` says why.
        """
        if count is None:
            return next(iter(self.ask(1)), None)
        whole("count", count, low=1, high=MOST_LEASED)
        ledger = self._catch_up()
        if ledger.paused or ledger.finished:
            return []  # not even what was handed back
        most, lease = ledger.spec.retries + 1, ledger.spec.lease
        for id_ in self.store.overdue(self.name, most):
            self.store.settle(self.name, "lost", Event("lost", id_, {}))
        leases = self._or_anew(
            lambda: self.store.lease(
                self.name,
                count,
                lease,
                after=self._ledger.seq,
                most=most,
                decide=self._decide,
                key=key,
            )
        )
        if len(leases) < count:
            self._finish_if_certain()
        self._keep()
        return [leased_query(lease) for lease in leases]

    def tell(
        self,
        query: str | Query,
        scores: Mapping[str, float],
        *,
        lease_token: str | None = None,  # noqa: ARG002, whoever holds the lease, an answer counts
    ) -> Told:
        """Tell the answer to a query, or scores of some of its agents.

        Telling the same again changes nothing.

        Args:
            query: The query or its id.
            scores: Agent to score; higher is better.
            lease_token: The token of the lease. Answers count without it, too.

        Raises:
            Conflict: If another answer was accepted before; it stands.
        """
        id_ = id_of(query)
        given = checked_scores(scores)
        asked = self._asked(id_)
        if asked is not None and len(given) < len(asked.agents):
            self._catch_up()
            asked = self._asked(id_)
        if asked is None:
            return self._settled(self._known(id_), given, {"scores": given})
        if not set(given) <= set(asked.agents):
            msg = (
                f"query {id_!r} is about {listed(asked.agents)}, and scores of {listed(given)} came"
            )
            raise DataError(msg, field="scores")
        known = self._ledger.parts.get(id_, {})
        if any(known.get(agent, score) != score for agent, score in given.items()):
            raise self._conflict(id_, given, known)
        every = {**known, **given}
        if len(every) == len(asked.agents):
            return self._settled(id_, every, {"task": asked.task, "scores": every})
        new = len(every) > len(known)
        if new:
            self.store.append(self.name, [Event("part", id_, {"scores": given})])
            self._catch_up()
        return Told("open", new)

    def fail(self, query: str | Query, why: str, *, key: str = "") -> bool:
        """Say that a query could not be evaluated; True if it will be asked again.

        Args:
            query: The query or its id.
            why: What happened.
            key: Names this request, so that it counts once, however often it comes.
        """
        id_ = self._known(query)
        (event,) = keyed([Event("failed", id_, {"why": why})], key)
        if self._came_before([event]):
            return id_ in self._ledger.open
        failures = self._ledger.failures.get(id_, 0) + 1
        final = failures > self._ledger.spec.retries
        event = event._replace(data={**event.data, "final": final})
        if final:
            self.store.settle(self.name, "failed", event)
            return False
        return self.store.reopen(self.name, event)

    def skip(self, query: str | Query, why: str = "") -> None:
        """Say that a query shall not be evaluated at all."""
        id_ = self._known(query)
        self.store.settle(self.name, "skipped", Event("skipped", id_, {"why": why}))

    def renew(self, query: str | Query, lease_token: str | None = None) -> datetime:
        """Hold a query for another whole lease; gives when that ends."""
        token = query.lease_token if isinstance(query, Query) else lease_token
        id_ = id_of(query)
        left = self.store.renew(self.name, id_, token or "", self._ledger.spec.lease)
        if left is None:
            self._known(query)
            what = f"query {id_!r} is not held by this lease token"
            msg = f"{what}: it ran out, or was answered; an answer is still welcome"
            raise StudyError(msg)
        return moment_after(left)

    def release(self, query: str | Query, lease_token: str | None = None) -> bool:
        """Hand a query back unanswered, for whoever asks next; False if it is not held."""
        token = query.lease_token if isinstance(query, Query) else lease_token
        return self.store.release(self.name, id_of(query), token or "")

    def run(self, evaluate: Evaluate, **how: Any) -> Ranking:
        """Evaluate what is asked until the study stops; gives the ranking.

        Args:
            evaluate: Given a task and agents, gives a score for each agent.
            **how: workers, timeout, progress, failures; see `podium.study.run`.
        """
        return run(self, evaluate, **how)

    def add(self, results: Any, *, key: str = "") -> int:
        """Take in results that nobody asked for; gives how many scores.

        Args:
            results: `Scores` of agents and tasks of this study, or records of
                (task, agent, score).
            key: Names this request, so that it counts once, however often it comes.
        """
        events = keyed(events_of(results, self._catch_up().spec), key)
        if not self._came_before(events):
            self.store.append(self.name, events)
        return sum(len(event.data["scores"]) for event in events)

    def extend(self, *, key: str = "", **more: Any) -> None:
        """Add agents, tasks or budget, with costs, limit, noise and forbidden cells of new ones.

        Args:
            key: Names this request, so that it counts once, however often it comes.
            **more: What is added.
        """
        events = keyed([Event("extended", "", more)], key)
        if not self._came_before(events):
            self._ledger.spec.extended(more)  # what is wrong is told before it is logged
            self.store.append(self.name, events)

    def pause(self) -> None:
        """Ask nothing more until `resume`; answers still count."""
        self.store.append(self.name, [Event("paused", "", {})])

    def resume(self) -> None:
        """Ask again after `pause` or `finish`."""
        self.store.append(self.name, [Event("resumed", "", {})])

    def finish(self, why: str = "") -> None:
        """Ask nothing more."""
        self.store.append(self.name, [Event("finished", "", {"why": why})])

    def ranking(self, level: float = 0.95) -> Ranking:
        """Rank the agents by all answers so far, with rank intervals and confidence.

        Args:
            level: Chance that the true rank lies within each interval.
        """
        return self._learned(lambda ledger: ranking_of(ledger, level))

    def forecast(self, confidence: float | None = None, top: int | None = None) -> Spend:
        """Say how many more answers it will take to be certain, with a band of four in five.

        Args:
            confidence: Probability that is wanted; by default that of the study, or 0.95.
            top: How many of the best agents matter; by default as in the study.
        """
        return self._learned(Ledger.evidence).forecast(goal_of(self.spec, confidence, top))

    def next(self) -> dict[str, Any]:
        """Say what would be asked next, and why, without handing it out; nothing if nothing is."""
        question = self._learned(Ledger.next_question)
        return dict(question.data) if question else {}

    def worths(self) -> dict[str, float]:
        """Say what the best question on each task settles for its cost, if that is known."""
        return self._learned(worths_of)

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more; nothing while there is, or may be, something to ask."""
        with self._caught_up() as ledger:
            return ledger.stopped

    @property
    def seq(self) -> int:
        """Place of the last entry of the log."""
        return self._catch_up().seq

    @property
    def spec(self) -> StudySpec:
        """What the study was made of, with all that it was extended by."""
        return self._catch_up().spec

    def status(self) -> dict[str, Any]:
        """Say in figures how the study stands."""
        held = sum(one.left is not None and one.left > 0 for one in self.waiting())
        return {**self._learned(status_of), "held": held}

    def picture(self, level: float = 0.95) -> Picture:
        """Take all that is known at one moment, for pages and reports."""
        return self._learned(lambda ledger: picture_of(ledger, level))

    def waiting(self) -> Sequence[Waiting]:
        """List the queries that are out or wait to be handed out."""
        return self.store.waiting(self.name)

    def log(self, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries of the log behind a place."""
        return self.store.read(self.name, after, limit)

    def close(self) -> None:
        """Let go of what thinks for this study; its store stays open."""
        if self._mind is not None:
            self._mind.stop()

    def _begin(self) -> None:
        """Begin anew with what is kept; a mind of its own learns and chooses, if time matters."""
        self._ledger = self._started()
        self._mind = None if self._patience is None else Mind(self._started())

    def _started(self) -> Ledger:
        """Begin with what was kept of the log, or with nothing."""
        kept = self.store.kept(self.name)
        ledger = Ledger.unpacked(kept[1]) if kept else None
        return ledger or Ledger(Evaluation(StudySpec.of(**self.store.load(self.name))))

    def _catch_up(self) -> Ledger:
        """Take in what the log holds beyond what is known."""
        # Never with the lock held: the store may wait for somebody who waits for the lock.
        entries = self.store.read(self.name, self._ledger.seq)
        with self._lock:
            self._hear(entries)
            return self._ledger

    def _hear(self, entries: Sequence[Entry]) -> None:
        """Take in entries of the log."""
        for entry in entries:
            self._ledger.take(entry)
        if self._mind is not None:
            self._mind.hear(entries)

    def _learned(self, work: Callable[[Ledger], T]) -> T:
        """Do work that needs all that was learned."""
        with self._caught_up() as ledger:
            if self._mind is None:
                return work(ledger)
        return self._mind.report(work)

    @contextlib.contextmanager
    def _caught_up(self) -> Iterator[Ledger]:
        """Lend the ledger when it knows the whole log, to nobody else at the time."""
        self._catch_up()
        with self._lock:
            yield self._ledger

    def _decide(self, entries: Sequence[Entry], wanted: int) -> list[Question]:
        """Choose queries, while the store lets nobody else choose."""
        with self._lock:
            self._hear(entries)
            chosen: list[Question] = []
            while len(chosen) < wanted and (question := self._next_question()):
                chosen.append(question)
                # The store gives it this place in the log, so that the next takes it into account.
                self._hear([Entry(self._ledger.seq + 1, "asked", *question, 0.0)])
            return chosen

    def _next_question(self) -> Question | None:
        """Choose what to ask next, by lot if the strategy cannot, or takes too long."""
        if self._mind is None:
            return self._ledger.next_question()
        try:
            return self._mind.ask(Ledger.next_question, self._patience)
        except TimeoutError:
            why = f"the strategy takes longer than {self._patience:g} s"
        except Exception as error:
            why = f"the strategy failed with {type(error).__name__}"
            LOGGER.exception("study %r: %s", self.name, why)
        return self._ledger.lot_question(why)

    def _or_anew(self, work: Callable[[], T]) -> T:
        """Do work in which `_decide` may run ahead of the log; if it fails, start anew."""
        try:
            return work()
        except Conflict:  # told before anything was chosen
            raise
        except BaseException:
            with self._lock:
                self.close()
                self._begin()
            raise

    def _finish_if_certain(self) -> None:
        """Write into the log that the ranking is certain enough, if that is why nothing came."""
        with self._caught_up() as ledger:
            why = "" if ledger.finished else self._certain()
        if why:
            self.store.append(self.name, [Event("finished", "", {"why": why})])

    def _certain(self) -> str:
        """Say that the ranking is certain enough, if it is known, and it is."""
        if self._mind is None:
            return self._ledger.certain()
        try:
            return self._mind.ask(Ledger.certain, self._patience)
        except Exception:  # noqa: BLE001, choosing has told of it
            return ""

    def _came_before(self, events: Sequence[Event]) -> bool:
        """Tell whether a request was taken in before, by its name."""
        known = self._catch_up().keys
        found = [known.get(event.data.get(KEY, "")) for event in events]
        if all(one is None for one in found):
            return False
        if any(one != digest(event) for one, event in zip(found, events, strict=True)):
            raise reused(str(events[0].data[KEY]).rpartition("/")[0])
        return True

    def _keep(self) -> None:
        """Keep what the log adds up to, now and then, so that opening the study is quick."""
        with self._lock:
            ledger = self._ledger
            if ledger.heard < self._kept_at * GROWTH + FEWEST_KEPT:
                return
            self._kept_at = ledger.heard
            state = ledger.packed()
            seq = ledger.seq
        self.store.keep(self.name, seq, state)

    def _asked(self, id_: str) -> Asked | None:
        """Find a query that was not answered; reads the log only if it is not known."""
        with self._lock:
            found = self._ledger.waiting_for(id_)
        if found is None:
            with self._caught_up() as ledger:
                found = ledger.waiting_for(id_)
        return found

    def _known(self, query: str | Query) -> str:
        """Give the id of a query that was asked, or say that it never was."""
        id_ = id_of(query)
        with self._caught_up() as ledger:
            if 0 < number_in(id_) <= ledger.chosen:
                return id_
        raise never_asked(self.name, id_)

    def _settled(self, id_: str, scores: Mapping[str, float], data: Mapping[str, Any]) -> Told:
        """Settle a query by its answer."""
        settled = self.store.settle(self.name, "told", Event("told", id_, data), packed(scores))
        if settled is None:
            raise never_asked(self.name, id_)
        stands = unpacked(settled.answer)
        if any(stands.get(agent) != score for agent, score in scores.items()):
            raise self._conflict(id_, scores, stands)
        return Told(settled.state, settled.new)

    def _conflict(self, id_: str, scores: Answer, stands: Answer) -> Conflict:
        """Note an answer that contradicts another, and word the error."""
        self.store.append(self.name, [Event("conflict", id_, {"scores": scores})])
        return contradiction(id_, stands, scores)
