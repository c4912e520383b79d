"""The study: what it asks, what it takes, what it refuses, and that it never forgets."""

import random
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from podium.data.scores import Scores
from podium.errors import Conflict, DataError, StudyError, UnknownQuery
from podium.store import Store
from podium.store.memory import MemoryStore
from podium.study.ledger import Ledger
from podium.study.study import Query, Study, Told

AGENTS, TASKS = list("abcde"), ["s", "t", "u", "v"]


def begun(**parts: Any) -> Study:
    given: dict[str, Any] = {"agents": AGENTS, "tasks": TASKS, "store": "memory://", **parts}
    return Study.create("trial", **given)


def scores_for(query: Query, seed: int = 0) -> dict[str, float]:
    """Score a query by its content alone; earlier agents are better."""
    chance = random.Random(f"{seed} {query.id} {query.task}")
    return {agent: chance.gauss(-ord(agent), 2.0) for agent in query.agents}


def asked(study: Study) -> Query:
    query = study.ask()
    assert query is not None
    return query


def play(study: Study, rounds: int) -> list[Query]:
    queries = []
    for _ in range(rounds):
        query = asked(study)
        study.tell(query, scores_for(query))
        queries.append(query)
    return queries


def test_a_study_finds_the_order() -> None:
    study = begun()
    play(study, 200)
    ranking = study.ranking()
    assert ranking.order == tuple(AGENTS)
    assert ranking.method == "podium"
    assert all(
        low <= rank <= high
        for rank, (low, high) in zip(
            ranking.ranks.values(), ranking.rank_intervals.values(), strict=True
        )
    )
    assert 0.9 < ranking.info["confidence"] <= 1.0


def test_before_any_answer_all_are_tied_and_nothing_is_certain() -> None:
    ranking = begun().ranking()
    assert ranking.tiers == (tuple(AGENTS),)
    assert set(ranking.rank_intervals.values()) == {(1, 5)}
    assert ranking.info["confidence"] < 0.1


def test_an_answer_counts_once() -> None:
    study = begun()
    query = asked(study)
    scores = scores_for(query)
    assert study.tell(query.id, scores) == Told("told", new=True)
    assert study.tell(query.id, scores) == Told("told", new=False)
    assert study.tell(query.id, dict(reversed(scores.items()))) == Told("told", new=False)
    with pytest.raises(Conflict, match=r"the first answer stands"):
        study.tell(query.id, {agent: score + 1 for agent, score in scores.items()})
    assert study.status()["told"] == 1
    assert [entry.kind for entry in study.log()] == ["asked", "told", "conflict"]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "give a number for each agent"),
        (None, "give a number for each agent"),
        ({"z": 1.0}, "scores of 'z' came"),
        ({"a": float("nan")}, "finite"),
        ({"a": float("inf")}, "finite"),
        ({"a": 10**400}, "finite"),
        ({"a": 1e308}, "give a number from -1e[+]100 to 1e[+]100"),
        ({"a": "0.5"}, "finite"),
        ({"a": True}, "finite"),
        ({"a": None}, "finite"),
        ({"a": [1.0]}, "finite"),
    ],
)
def test_scores_that_are_none_are_refused(scores: Any, message: str) -> None:
    study = begun(agents=["a", "b"])
    query = asked(study)
    with pytest.raises(DataError, match=message) as told:
        study.tell(query.id, scores)
    assert told.value.field == "scores"
    assert study.status()["told"] == 0


@pytest.mark.parametrize("value", [1e100, -1e100, 5e-324, -0.0, 7])
def test_any_finite_score_is_taken_as_it_is(value: float) -> None:
    study = begun(agents=["a", "b"], tasks=["t"])
    query = asked(study)
    study.tell(query, {"a": value, "b": 0.0})
    assert study.log()[-1].data["scores"] == {"a": value, "b": 0.0}
    assert study.ranking().tiers


@pytest.mark.parametrize("id_", ["q1", "q0", "q01", "q 1", "", "x", "q٣"])
def test_a_query_that_was_never_asked_is_unknown(id_: str) -> None:
    study = begun()
    for act in (
        lambda: study.tell(id_, {"a": 1.0}),
        lambda: study.fail(id_, "no"),
        lambda: study.skip(id_),
        lambda: study.renew(id_, "token"),
    ):
        with pytest.raises(UnknownQuery, match="never asked"):
            act()


def test_scores_may_come_one_agent_at_a_time() -> None:
    study = begun()
    query = asked(study)
    one, other = query.agents
    assert study.tell(query.id, {one: 1.0}) == Told("open", new=True)
    assert study.tell(query.id, {one: 1.0}) == Told("open", new=False)
    with pytest.raises(Conflict):
        study.tell(query.id, {one: 2.0})
    assert study.tell(query.id, {other: 3.0}) == Told("told", new=True)
    assert study.tell(query.id, {one: 1.0, other: 3.0}) == Told("told", new=False)
    assert study.tell(query.id, {one: 1.0}) == Told("told", new=False)
    assert study.status()["told"] == 1
    told = [entry.data for entry in study.log() if entry.kind == "told"]
    assert told == [{"task": query.task, "scores": {one: 1.0, other: 3.0}}]


def test_a_part_of_an_answer_is_not_lost_when_the_query_is_given_up() -> None:
    study = begun(retries=0)
    query = asked(study)
    one, other = query.agents
    study.tell(query, {one: 1.0})
    study.fail(query, "the other crashed")
    assert study.status()["spent"] == 0.5
    assert study.tell(query, {other: 3.0}).state == "told"
    assert study.status()["spent"] == 1.0
    assert reopened(study).status() == study.status()


def test_a_query_that_fails_is_asked_again_and_then_given_up() -> None:
    study = begun(retries=2)
    first = asked(study)
    for count in range(2):
        assert study.fail(first.id, f"crash {count}")
        again = asked(study)
        assert (again.id, again.agents) == (first.id, first.agents)
        assert again.lease_token != first.lease_token
    assert not study.fail(first.id, "crash for good")
    assert asked(study).id == "q2"
    assert study.status()["given_up"] == 1
    # A late answer is paid work, so it counts.
    assert study.tell(first.id, scores_for(first)).new
    assert study.status()["given_up"] == 0


def test_a_lease_that_ran_out_is_handed_out_again_until_the_query_is_lost() -> None:
    study = begun(lease=0.01, retries=1)
    first = asked(study)
    threading.Event().wait(0.03)
    again = asked(study)
    assert again.id == first.id
    threading.Event().wait(0.03)
    assert asked(study).id == "q2"
    assert [entry.kind for entry in study.log()] == ["asked", "lost", "asked"]
    assert study.tell(first.id, scores_for(first)).new
    with pytest.raises(StudyError, match="not held by this lease token"):
        study.renew(first)


def test_a_lease_is_renewed_by_who_holds_it() -> None:
    study = begun(lease=100)
    query = asked(study)
    assert study.renew(query) >= query.expires
    with pytest.raises(StudyError, match="not held"):
        study.renew(query.id, "wrong")


def test_a_skipped_query_is_not_asked_again() -> None:
    study = begun()
    query = asked(study)
    study.skip(query.id, "too dear")
    assert asked(study).id == "q2"
    assert [entry.kind for entry in study.log()] == ["asked", "skipped", "asked"]


def test_many_queries_at_once_are_different() -> None:
    study = begun()
    queries = study.ask(count=20)
    assert len({(q.task, frozenset(q.agents)) for q in queries}) == 20
    assert len({q.id for q in queries}) == 20
    assert len({q.lease_token for q in queries}) == 20


def test_the_budget_is_never_exceeded() -> None:
    study = begun(budget=7)
    assert len(study.ask(count=20)) == 7
    assert study.ask() is None
    assert study.stopped == ""  # what is out may still fail
    for number in range(1, 8):
        study.tell(f"q{number}", dict.fromkeys(query_agents(study, number), 1.0))
    assert study.ask() is None
    assert study.stopped == "the budget of 7 is spent"
    study.extend(budget=1)
    assert study.stopped == ""
    assert asked(study).id == "q8"


def query_agents(study: Study, number: int) -> tuple[str, ...]:
    entry = next(e for e in study.log() if e.kind == "asked" and e.query == f"q{number}")
    return tuple(entry.data["agents"])


def test_costs_steer_the_choice_and_are_spent() -> None:
    study = begun(costs={"s": 1, "t": 100, "u": {"a": 2, "b": 2, "c": 1, "d": 1, "e": 1}, "v": 100})
    queries = play(study, 60)
    dear = sum(query.task in "tv" for query in queries)
    assert dear < 10
    assert study.status()["spent"] == pytest.approx(sum(query.cost for query in queries))
    costs = {"s": 1.0, "t": 100.0, "v": 100.0}
    for query in queries:
        by_agent = sum(2.0 if agent in "ab" else 1.0 for agent in query.agents)
        assert query.cost == costs.get(query.task, by_agent)


def test_what_is_dearer_than_what_is_left_is_not_asked() -> None:
    study = begun(agents=["a", "b"], costs={"s": 5, "t": 5, "u": 5, "v": 1}, budget=7)
    tasks = [query.task for query in play(study, 3)]
    assert tasks.count("v") >= 2
    assert study.status()["spent"] <= 7


def test_cells_are_limited_forbidden_or_deterministic() -> None:
    study = begun(
        limit={"s": 2}, noise={"t": 0}, forbidden=[("u", "a"), ("v", "b")], budget=200, retries=0
    )
    counts: dict[tuple[str, str], int] = {}
    for query in play(study, 150):
        for agent in query.agents:
            cell = (query.task, agent)
            counts[cell] = counts.get(cell, 0) + 1
    assert ("u", "a") not in counts
    assert ("v", "b") not in counts
    assert max(count for (task, _), count in counts.items() if task == "s") <= 2
    assert max(count for (task, _), count in counts.items() if task == "t") == 1


@pytest.mark.parametrize("preset", ["podium", "uniform-averaging", "basic-ucb", "batch-elo"])
def test_a_finite_test_set_is_told_to_its_last_cell(preset: str) -> None:
    study = begun(noise=0, preset=preset)
    told: set[tuple[str, str]] = set()
    while query := study.ask():
        cells = {(query.task, agent) for agent in query.agents}
        assert not told & cells
        told |= cells
        study.tell(query, {agent: float(-ord(agent)) for agent in query.agents})
    assert len(told) == len(AGENTS) * len(TASKS)
    assert study.stopped == "every score that is allowed has been told"
    if preset == "podium":
        assert study.ranking().info["confidence"] == 1.0


def test_old_results_teach_without_being_asked() -> None:
    study = begun()
    records = [(task, agent, -ord(agent)) for task in TASKS for agent in AGENTS for _ in range(3)]
    assert study.add(records) == 60
    assert study.ranking().order == tuple(AGENTS)
    lower = Scores.from_records([("s", "a", 1.0)], lower_is_better=["s"])
    assert study.add(lower) == 1
    assert study.log()[-1].data == {"task": "s", "scores": {"a": -1.0}}
    with pytest.raises(DataError, match="no agents 'z'"):
        study.add([("s", "z", 1.0)])
    with pytest.raises(DataError, match="no tasks 'w'"):
        study.add([("w", "a", 1.0)])
    with pytest.raises(DataError, match="results came as str"):
        study.add("results.csv")


def test_agents_and_tasks_join_a_running_study() -> None:
    study = begun()
    play(study, 40)
    out = asked(study)
    study.extend(agents=["f"], tasks=["w"], costs={"w": 2})
    assert study.tell(out, scores_for(out)).new
    later = play(study, 80)
    assert {"f"} <= {agent for query in later for agent in query.agents}
    assert "w" in {query.task for query in later}
    assert study.ranking().order == (*AGENTS, "f")
    assert reopened(study).status() == study.status()


def test_a_study_pauses_ends_and_goes_on() -> None:
    study = begun()
    returned = asked(study)
    study.pause()
    assert study.release(returned)
    assert study.ask() is None
    assert study.status()["paused"]
    study.resume()
    query = asked(study)
    assert query.id == returned.id
    study.finish("enough is known")
    assert study.ask() is None
    assert study.stopped == "enough is known"
    assert study.tell(query, scores_for(query)).new
    study.resume()
    assert asked(study).id == "q2"


def test_a_study_ends_when_the_first_are_certain() -> None:
    study = begun(confidence=0.95, top=2, seed=3)
    rounds = 0
    while query := study.ask():
        study.tell(query, scores_for(query))
        rounds += 1
        assert rounds < 2_000
    assert "the first 2 are right with probability" in study.stopped
    assert study.ranking().order[:2] == ("a", "b")
    assert study.log()[-1].kind == "finished"
    assert reopened(study).stopped == study.stopped
    study.extend(agents=["0"])
    assert asked(study)


def test_what_is_next_is_told_without_being_handed_out() -> None:
    study = begun(budget=1)
    told = study.next()
    assert study.log() == []
    query = asked(study)
    assert (told["task"], tuple(told["agents"]), told["why"]) == (
        query.task,
        query.agents,
        query.why,
    )
    assert study.next() == {}


def test_the_answers_that_certainty_takes_are_forecast() -> None:
    study = begun(top=1)
    play(study, 20)
    soon, late = study.forecast(0.6), study.forecast(0.99)
    assert 0 <= soon.low <= soon.rounds <= soon.high
    assert soon.rounds <= late.rounds
    play(study, 150)
    assert study.forecast(0.6).rounds == 0


def test_studies_are_made_of_parts_by_name() -> None:
    study = begun(learner="online-elo", strategy="uniform")
    play(study, 10)
    assert study.ranking().method == "online-elo with uniform"
    with pytest.raises(DataError, match="needs cells"):
        begun(learner="online-elo", strategy="expected-gain")
    with pytest.raises(DataError, match="no preset named 'podum'"):
        begun(preset="podum")


def reopened(study: Study) -> Study:
    return Study.open("trial", study.store)


Opening = Callable[[], Store]
EVERY_STORE = pytest.mark.parametrize("opening", ["memory", "sqlite", "postgres"], indirect=True)


def adventure(opening: Opening, preset: str, stops: set[int], steps: int) -> list[Any]:
    """Live through a fixed history of asks, tells, failures and growth, opened anew at stops."""
    chance = random.Random(7)
    store = opening()
    study = Study.create(
        "trial", agents=AGENTS, tasks=TASKS, store=store, preset=preset, retries=1, seed=5
    )
    out: list[Query] = []
    seen: list[Any] = []
    for step in range(steps):
        if step in stops:
            study.store.close()
            study = Study.open("trial", opening())
        act = chance.random()
        if step == steps // 2:
            study.extend(agents=["f"], tasks=["w"])
        elif act < 0.5 or not out:
            count = chance.randrange(1, 4)
            queries = study.ask(count=count)
            seen += [(q.id, q.task, q.agents, q.why) for q in queries]
            out += queries
        else:
            query = out.pop(chance.randrange(len(out)))
            if act < 0.9:
                study.tell(query, scores_for(query))
            elif act < 0.95:
                study.fail(query, "crash")
            else:
                study.skip(query)
        if step % 50 == 0:
            seen.append(study.ranking().to_result()["ranking"])
    return [*seen, study.ranking().to_result()["ranking"], study.status()]


@EVERY_STORE
@pytest.mark.parametrize("preset", ["podium", "batch-maximal-lotteries"])
def test_a_study_that_is_stopped_goes_on_as_if_it_never_was(opening: Opening, preset: str) -> None:
    stops = set(random.Random(1).sample(range(300), 100))
    never = adventure(opening, preset, set(), 300)
    opening().delete("trial")
    assert adventure(opening, preset, stops, 300) == never


def test_what_is_kept_is_what_the_log_adds_up_to() -> None:
    store = MemoryStore()
    adventure(lambda: store, "podium", set(), 200)
    whole = Study.open("trial", store)
    ledger = whole._ledger
    again = Ledger.unpacked(ledger.packed())
    assert again is not None
    fresh = Study.open("trial", store)._ledger
    for other in (again, fresh):
        for name in ("seq", "chosen", "told", "added", "spent", "open", "closed", "failures"):
            assert getattr(other, name) == getattr(ledger, name)
        assert other.next_question() == ledger.next_question()
        mine, theirs = ledger.evaluation.evaluator, other.evaluation.evaluator
        assert theirs.ratings.tolist() == mine.ratings.tolist()
        assert theirs.terms.room.tolist() == mine.terms.room.tolist()
        assert theirs.terms.pending.tolist() == mine.terms.pending.tolist()


@pytest.mark.parametrize("kept", [b"", b"x", b"\xc1", msgspec.msgpack.encode({"version": 0})])
def test_what_another_version_kept_is_not_read(kept: bytes) -> None:
    assert Ledger.unpacked(kept) is None


@EVERY_STORE
def test_workers_share_a_study(opening: Opening) -> None:
    store = opening()
    study = Study.create("trial", agents=AGENTS, tasks=TASKS, store=store, budget=60)
    told: list[str] = []

    def work(own: Study) -> None:
        while not own.stopped:
            query = own.ask()
            if query is not None and own.tell(query, scores_for(query)).new:
                told.append(query.id)

    studies = [study, study, Study.open("trial", opening()), Study.open("trial", opening())]
    threads = [threading.Thread(target=work, args=(own,)) for own in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(told) == sorted(f"q{number}" for number in range(1, 61))
    assert study.status()["told"] == 60
    kinds = [entry.kind for entry in study.log()]
    assert (kinds.count("asked"), kinds.count("told")) == (60, 60)


def test_a_chooser_that_breaks_leaves_the_study_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    study = begun()
    play(study, 5)
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "next_question", broken)
        with pytest.raises(ZeroDivisionError):
            study.ask()
    assert asked(study).id == "q6"


def broken(_: Ledger) -> None:
    raise ZeroDivisionError
