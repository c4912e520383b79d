"""An evaluator: a preset at work, one round at a time."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.errors import StudyError
from podium.kernels import stream as chance
from podium.kernels.compiled import Kernel
from podium.kernels.records import Records, Sizes, Terms, View, no_records, no_terms
from podium.strategies._lawful import lawful, number_of
from podium.strategies._strategy import Strategy
from podium.strategies.uniform import uniform
from podium.study._knowledge import restored, written
from podium.study._lessons import learn
from podium.study.history import NOBODY, History
from podium.study.presets import Preset
from podium.words import check_number

BY_LOT = lawful(uniform())
"""Asks anything that is allowed."""

Codes = tuple[int, ...]
"""A query by codes: a task, an agent, and another agent if there is one."""

WORTH_COMPILING = 2_000_000
"""Steps, of a microsecond each, after which compiled code pays, which takes seconds to make."""

WORTH_WAITING = 200_000
"""Steps at once for which the compiler is waited for, even where nobody likes to wait."""

LESSON = 256
"""Rounds that are learned at a time until compiled code is there."""


class Labels(NamedTuple):
    """Codes dealt out by lot, so that no tie can lean on the order of a list.

    Attributes:
        agents: The agent that each inner code stands for.
        tasks: The task that each inner code stands for.
    """

    agents: Ints
    tasks: Ints

    def grown(self, sizes: Sizes, seed: int) -> "Labels":
        """Deal out codes to newcomers; nobody's code changes."""
        agents, tasks = len(self.agents), len(self.tasks)
        dealt = (
            chance.permutation(seed, chance.LABELS, 2 * agents, sizes.agents - agents),
            chance.permutation(seed, chance.LABELS, 2 * tasks + 1, sizes.tasks - tasks),
        )
        return Labels(
            np.concatenate((self.agents, agents + dealt[0])),
            np.concatenate((self.tasks, tasks + dealt[1])),
        )

    def turned(self) -> "Labels":
        """Give the inner code of each agent and of each task."""
        return Labels(np.argsort(self.agents), np.argsort(self.tasks))


def dealt_labels(sizes: Sizes, seed: int) -> Labels:
    """Deal out codes for a seed.

    >>> sorted(dealt_labels(Sizes(agents=3, tasks=2), seed=0).agents.tolist())
    [0, 1, 2]
    """
    return Labels(
        chance.permutation(seed, chance.LABELS, 0, sizes.agents),
        chance.permutation(seed, chance.LABELS, 1, sizes.tasks),
    )


class Evaluator:
    """A learner and a strategy over some agents and tasks.

    A query is chosen, then it is out, and in the end its scores are told, or it
    is given up. The simulator runs the same functions in the same order,
    compiled, so both give the same rounds. What is told is learned when the next
    query is chosen or ratings are read, all of it at once.

    Attributes:
        preset: The learner and the strategy.
        sizes: How many agents and tasks there are.
        seed: Decides all chance.
        compiled: Whether steps run compiled. None: once it pays. The rounds are the same.
        waits: Whether to wait for the compiler; if not, steps run plain until a thread of its
            own has compiled them.
        labels: The agents and tasks that the inner codes stand for.
        own: The inner codes of agents and tasks.
        history: What was told, by inner codes, in order.
    """

    def __init__(
        self,
        preset: Preset,
        sizes: Sizes,
        seed: int = 0,
        *,
        compiled: bool | None = None,
        labels: Labels | None = None,
        history: History | None = None,
        knowledge: bytes = b"",
    ) -> None:
        check_number("agents", sizes.agents, low=2)
        check_number("tasks", sizes.tasks, low=1)
        self.preset, self.sizes, self.seed, self.compiled = preset, sizes, seed, compiled
        self.labels = labels or dealt_labels(sizes, seed)
        self.own = self.labels.turned()
        self.history = history or History()
        self._strategy = lawful(preset.strategy)
        self._lesson = learn.having(update=preset.learner.update)
        self._view = View(no_records(sizes), no_terms(sizes))
        self._learning = preset.learner.start(sizes)
        self._choosing = self._strategy.start(sizes, seed)
        fits = restored((self._view.records, self._learning), knowledge)
        self._learned, self._steps = len(self.history) if fits else 0, 0
        self.waits = True
        self._compiler: threading.Thread | None = None

    def choose(self) -> Codes:
        """Choose what to ask next; nothing if the terms allow nothing. This changes nothing."""
        return self._chosen(self._strategy, self._choosing, self.learning.belief, 1)

    def draw(self) -> Codes:
        """Choose by lot, whatever the strategy of the preset, and without learning first."""
        state = BY_LOT.start(self.sizes, self.seed)
        return self._chosen(BY_LOT, state, self._learning.belief, 0)

    def weighed(self, strategy: Strategy) -> Any:
        """Let another strategy choose, and give the state it comes to; this changes nothing."""
        state = strategy.start(self.sizes, self.seed)
        self._chosen(strategy, state, self.learning.belief, 1)
        return state

    def asked(self, query: Codes, *, again: bool = False) -> None:
        """Note that a query is out with a worker; `again` if it was counted before."""
        self.terms.asked[0] += not again
        self._put(query, room=-1, pending=1)
        free = np.flatnonzero(self.terms.out < 0)
        if not len(free):
            free = self._longer_out()
        self.terms.out[free[0]] = self._number(query)

    def ask(self) -> Codes:
        """Choose a query and note that it is out."""
        query = self.choose()
        if query:
            self.asked(query)
        return query

    def give_up(self, query: Codes) -> None:
        """Note that a query that was out will not be answered."""
        self._put(query, room=1, pending=-1)
        self._take_back(query)

    def tell(self, query: Codes, scores: Sequence[float]) -> None:
        """Take in the scores of a query that was out."""
        self._put(query, room=0, pending=-1)
        self._take_back(query)
        self._take_in(query, scores)

    def add(self, query: Codes, scores: Sequence[float]) -> None:
        """Take in scores that nobody asked for."""
        self._put(query, room=-1, pending=0)
        self._take_in(query, scores)

    @property
    def terms(self) -> Terms:
        """What may be asked, what it costs and what is out, by inner codes."""
        return self._view.terms

    @property
    def records(self) -> Records:
        """What was seen so far, by inner codes."""
        self._learn()
        return self._view.records

    @property
    def learning(self) -> Any:
        """The state of the learner, by inner codes."""
        self._learn()
        return self._learning

    def knowledge(self) -> bytes:
        """Give what was learned, for an evaluator of the same kind with the same history."""
        return written((self.records, self.learning))

    @property
    def ratings(self) -> Floats:
        """Rating of each agent, higher is better; equal ones are tied."""
        return np.asarray(self.learning.belief.ratings[self.own.agents])

    def inner(self, task: int, agents: Sequence[int]) -> Codes:
        """Give the inner codes of a task and agents."""
        return int(self.own.tasks[task]), *(int(self.own.agents[agent]) for agent in agents)

    def watch(self, task: int) -> None:
        """Note whether cells of a task, by its inner code, may be asked without a look."""
        terms = self.terms
        narrow = (terms.room[task] <= 0).any() or (terms.pending[task] > 0).any()
        terms.strict[task] = bool(narrow or terms.priced[0])

    def _chosen(self, strategy: Strategy, state: Any, belief: Any, rounds: int) -> Codes:
        query, stream = np.zeros(3, dtype=np.int64), np.zeros(1, dtype=np.uint64)
        chance.start.plain(stream, self.seed, chance.ASKS, int(self.terms.asked[0]))
        choose = self._form(strategy.choose, rounds)
        choose(state, self._view, belief, stream, query)
        task, *agents = query.tolist()
        if task < 0:
            return ()
        outer = [int(self.labels.agents[agent]) for agent in agents if agent >= 0]
        return (int(self.labels.tasks[task]), *outer)

    def _number(self, query: Codes) -> int:
        task, *agents = self.inner(query[0], query[1:])
        return number_of.plain(self.terms, np.array([task, *agents, NOBODY]))

    def _longer_out(self) -> Ints:
        """Make room for more queries that are out; gives the places."""
        size = len(self.terms.out)
        longer = np.concatenate((self.terms.out, np.full(size, -1)))
        self._view = self._view._replace(terms=self.terms._replace(out=longer))
        return np.arange(size, 2 * size)

    def _take_back(self, query: Codes) -> None:
        out = self.terms.out
        out[np.flatnonzero(out == self._number(query))[:1]] = -1

    def _take_in(self, query: Codes, scores: Sequence[float]) -> None:
        if len(query) != len(scores) + 1 or len(set(query[1:])) < len(scores):
            msg = f"{query} got {scores}; tell a score for each of one or two different agents"
            raise StudyError(msg)
        if not all(map(np.isfinite, scores)):
            msg = f"{query} got {scores}; tell finite scores"
            raise StudyError(msg)
        self.history.append(self.inner(query[0], query[1:]), scores)

    def _put(self, query: Codes, *, room: int, pending: int) -> None:
        terms = self.terms
        task, *agents = self.inner(query[0], query[1:])
        for agent in agents:
            terms.room[task, agent] += room
            terms.pending[task, agent] += pending
        terms.changes[task] += 1
        self.watch(task)

    def _learn(self) -> None:
        """Take in what was told since last time."""
        told = len(self.history)
        while told > self._learned:
            left = told - self._learned
            count = left if self.waits else min(left, LESSON)
            part = slice(0, count)
            rounds = (
                self.history.queries(self._learned)[part],
                self.history.scores(self._learned)[part],
            )
            form = self._form(self._lesson, count)
            pairs = self.preset.learner.pairs
            try:
                form(self._learning, self._view.records, *rounds, self.seed, pairs)
            except BaseException:
                self._forget()
                raise
            self._learned += count

    def _forget(self) -> None:
        """Begin to learn anew, as nobody knows how far a lesson came that failed."""
        fresh = no_records(self.sizes)._replace(noise=self._view.records.noise)
        self._view = self._view._replace(records=fresh)
        self._learning = self.preset.learner.start(self.sizes)
        self._learned = 0

    def _form(self, step: Kernel[..., None], rounds: int) -> Callable[..., None]:
        """Give the form of a step that will be done the sooner."""
        steps = rounds * self.sizes.tasks * self.sizes.agents**2
        self._steps += steps
        worth = self._steps > WORTH_COMPILING and self.compiled is None
        if worth and not self.waits:
            worth = self._compiled_apart(wait=steps > WORTH_WAITING)
        return step.compiled if self.compiled or worth else step.plain

    def _compiled_apart(self, *, wait: bool) -> bool:
        """Tell whether a thread, begun by this, has compiled the steps."""
        if self._compiler is None:
            self._compiler = threading.Thread(target=self._compile, daemon=True)
            self._compiler.start()
        if wait:
            self._compiler.join()
        return not self._compiler.is_alive()

    def _compile(self) -> None:
        """Compile the steps, by running them on something small."""
        twin = Evaluator(self.preset, Sizes(3, 2), compiled=True)
        twin._strategy, twin._lesson = self._strategy, self._lesson
        query = twin.ask()
        twin.tell(query, [0.0] * (len(query) - 1))
        twin.ask()
