"""Random histories of a study, against a model that is too simple to be wrong."""

import contextlib
import tempfile
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from podium.errors import Conflict, StudyError, UnknownQuery
from podium.store import open_store
from podium.study.study import Study

SCORES = st.sampled_from([0.0, 0.5, 1.0, -3.0])
RETRIES = 1


@dataclass
class Model:
    """What ought to be known of one query."""

    agents: tuple[str, ...]
    state: str = "open"
    failures: int = 0
    answer: dict[str, float] = field(default_factory=dict)


class History(RuleBasedStateMachine):
    """Asks, tells, fails, skips, adds, extends, pauses and opens again, in any order."""

    url = "memory://"
    asked = Bundle("asked")

    def __init__(self) -> None:
        super().__init__()
        self.store = open_store(self.url)
        self.study = Study.create(
            "trial", agents=["a", "b", "c"], tasks=["t", "u"], store=self.store, retries=RETRIES
        )
        self.model: dict[str, Model] = {}
        self.told = self.added = self.conflicts = 0
        self.paused = False
        self.grown = 0

    def teardown(self) -> None:
        """Let go of the store."""
        self.store.close()

    @rule(target=asked)
    def ask(self) -> Any:
        """Ask; nothing comes only while the study pauses."""
        query = self.study.ask()
        if query is None:
            assert self.paused
            return ""
        known = self.model.setdefault(query.id, Model(query.agents))
        assert known.state == "open"
        assert known.agents == query.agents
        return query.id

    @rule(query=asked, first=SCORES, second=SCORES)
    def tell(self, query: str, first: float, second: float) -> None:
        """Tell all scores; the first answer stands."""
        if not query:
            return
        known = self.model[query]
        scores = dict(zip(known.agents, (first, second), strict=False))
        known_agents = {a: s for a, s in known.answer.items() if a in scores}
        if any(scores[agent] != score for agent, score in known_agents.items()):
            with pytest.raises(Conflict):
                self.study.tell(query, scores)
            self.conflicts += 1
            return
        new = self.study.tell(query, scores).new
        assert new == (known.state != "told")
        self.told += new
        known.state, known.answer = "told", scores

    @rule(query=asked, score=SCORES)
    def tell_part(self, query: str, score: float) -> None:
        """Tell the score of the first agent only."""
        if not query or len(self.model[query].agents) < 2:
            return
        known = self.model[query]
        agent = known.agents[0]
        if known.answer.get(agent, score) != score:
            with pytest.raises(Conflict):
                self.study.tell(query, {agent: score})
            self.conflicts += 1
            return
        told = self.study.tell(query, {agent: score})
        assert told.new == (agent not in known.answer)
        assert (told.state == "told") == (known.state == "told")
        known.answer[agent] = score

    @rule(query=asked)
    def fail(self, query: str) -> None:
        """Let an evaluation fail: it is asked again, or given up."""
        if not query or self.model[query].state != "open":
            return
        known = self.model[query]
        again = self.study.fail(query, "crash")
        known.failures += 1
        assert again == (known.failures <= RETRIES)
        if not again:
            known.state = "failed"

    @rule(query=asked)
    def skip(self, query: str) -> None:
        """Skip a query, which changes nothing if it is settled."""
        if query:
            self.study.skip(query)
            if self.model[query].state == "open":
                self.model[query].state = "skipped"

    @rule(task=st.sampled_from("tu"), scores=st.lists(SCORES, min_size=1, max_size=3))
    def add(self, task: str, scores: list[float]) -> None:
        """Add old results."""
        assert self.study.add([(task, agent, s) for agent, s in zip("abc", scores, strict=False)])
        self.added += 1

    @rule()
    def extend(self) -> None:
        """Let an agent join."""
        if self.grown < 2:
            self.study.extend(agents=[f"n{self.grown}"])
            self.grown += 1

    @rule()
    def pause(self) -> None:
        """Pause."""
        self.study.pause()
        self.paused = True

    @rule()
    def resume(self) -> None:
        """Go on."""
        self.study.resume()
        self.paused = False

    @rule(id_=st.sampled_from(["q0", "q99999", "x", ""]))
    def unknown(self, id_: str) -> None:
        """Tell what was never asked."""
        with pytest.raises(UnknownQuery):
            self.study.tell(id_, {"a": 1.0})

    @rule(query=consumes(asked))
    def renew_with_a_wrong_token(self, query: str) -> None:
        """Nobody renews what they do not hold."""
        if query:
            with pytest.raises(StudyError):
                self.study.renew(query, "wrong")

    @rule()
    def open_again(self) -> None:
        """Let the process end, and open the study in another."""
        if self.url != "memory://":
            self.store.close()
            self.store = open_store(self.url)
        before = self.study.ranking().to_result()["ranking"] if self.url == "memory://" else None
        self.study = Study.open("trial", self.store)
        if before is not None:
            assert self.study.ranking().to_result()["ranking"] == before

    @invariant()
    def adds_up(self) -> None:
        """The log, the figures and the model agree."""
        kinds = [entry.kind for entry in self.study.log()]
        told = [entry.query for entry in self.study.log() if entry.kind == "told"]
        assert len(told) == len(set(told)) == self.told
        assert kinds.count("conflict") == self.conflicts
        assert kinds.count("added") == self.added
        assert kinds.count("asked") >= len(self.model)
        ledger = self.study._catch_up()
        assert (ledger.told, ledger.added) == (self.told, self.added)
        terms = ledger.evaluation.evaluator.terms
        assert terms.pending.sum() == sum(len(query.agents) for query in ledger.open.values())
        assert (terms.pending >= 0).all()


SHORT = settings(
    max_examples=15,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_short_histories_in_memory() -> None:
    run(History, SHORT)


@pytest.mark.slow
def test_many_histories_in_memory() -> None:
    run(History, settings(SHORT, max_examples=1_000, stateful_step_count=50, derandomize=False))


@pytest.mark.slow
def test_many_histories_on_disk() -> None:
    run(OnDisk, settings(SHORT, max_examples=1_000, stateful_step_count=50, derandomize=False))


class OnDisk(History):
    """The same, in a file."""

    def __init__(self) -> None:
        self._folder = contextlib.ExitStack()
        folder = self._folder.enter_context(tempfile.TemporaryDirectory())
        self.url = f"sqlite:///{folder}/studies.db"
        super().__init__()

    def teardown(self) -> None:
        """Let go of the store and of its folder."""
        super().teardown()
        self._folder.close()


def run(machine: type[History], how: settings) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(machine, settings=how)
