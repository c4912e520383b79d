"""What every store must do, as checks that anybody can run on an own store.

A check is given a way to open the store under test, which must hold no
studies yet; handles that it opens are of one and the same store::

    import pytest
    from podium.store.contract import CHECKS

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_store(check, tmp_path):
        check(lambda: MyStore(tmp_path / "studies"))

`DURABLE` are checks for stores that outlive the process that wrote.
"""

import functools
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from podium.errors import Conflict, StudyError
from podium.store.records import Entry, Event, Lease, Question, Standing, Store

Opening = Callable[[], Store]

HARD_NAMES = ("a b", "Ünïcode - 名前", "=1+1", "'; DROP TABLE log; --", "%s", "../../x", "🏅" * 100)
"""Names that must come back as they went in."""

SPEC = {"agents": ["a", "b"], "tasks": ["t"], "seed": 7, "budget": 0.1 + 0.2}


def demand(holds: bool, what: str) -> None:  # noqa: FBT001, it reads as a sentence
    """Fail a check, saying what is amiss."""
    if not holds:
        raise AssertionError(what)


def refused(call: Callable[[], Any], error: type[Exception]) -> str:
    """Demand that a call raises an error, and give its message."""
    try:
        call()
    except error as raised:
        return str(raised)
    msg = f"it did not raise {error.__name__}"
    raise AssertionError(msg)


def nothing(entries: Sequence[Entry], wanted: int) -> Sequence[Question]:  # noqa: ARG001, a `Decide`
    """Choose nothing."""
    return []


def counting(prefix: str = "q") -> Callable[[Sequence[Entry], int], Sequence[Question]]:
    """Choose queries with numbers, going on from the entries that came before."""
    known = [0]

    def decide(entries: Sequence[Entry], wanted: int) -> Sequence[Question]:
        known[0] += sum(entry.kind == "asked" for entry in entries)
        first = known[0] + 1
        return [Question(f"{prefix}{n}", {"task": "t"}) for n in range(first, first + wanted)]

    return decide


def take(store: Store, count: int = 1, seconds: float = 60.0, most: int = 3) -> Sequence[Lease]:
    """Lease queries of the study "s", new ones if need be."""
    return store.lease("s", count, seconds, after=0, most=most, decide=counting())


def check_studies_come_and_go(opening: Opening) -> None:
    """Studies are created once, listed, loaded as they were, and deleted."""
    store = opening()
    demand(store.studies() == [], "the store must be empty at the start of a check")
    for name in HARD_NAMES:
        store.create(name, {**SPEC, "name": name})
    demand(store.studies() == sorted(HARD_NAMES), "studies gives the names in order")
    demand(all(opening().load(n)["name"] == n for n in HARD_NAMES), "load gives what was created")
    demand(store.load(HARD_NAMES[0])["budget"] == 0.1 + 0.2, "numbers keep every digit")
    demand("already" in refused(lambda: store.create("a b", SPEC), StudyError), "names are taken")
    store.delete("a b")
    demand("a b" not in opening().studies(), "delete deletes")
    calls: tuple[Callable[[str], Any], ...] = (store.load, store.delete, store.read, store.kept)
    for call in calls:
        told = refused(functools.partial(call, "a b"), StudyError)
        demand("no study named" in told, "what is missing is told")
    store.create("a b", SPEC)
    demand(list(store.read("a b")) == [], "a study made anew has an empty log")


def check_the_log_keeps_order(opening: Opening) -> None:
    """Entries come back in order, whole, from any place."""
    store = opening()
    store.create("s", SPEC)
    store.create("other", SPEC)
    for n in range(5):
        store.append("s", [Event("note", f"q{n}", {"n": n, "x": n / 7, "text": HARD_NAMES[n]})] * 2)
        store.append("other", [Event("note", "", {})])
    entries = opening().read("s")
    demand([entry.seq for entry in entries] == [*range(1, 11)], "places are 1, 2, ...")
    demand([entry.data["n"] for entry in entries] == [n // 2 for n in range(10)], "in order")
    demand(all(e.data["x"] == e.data["n"] / 7 for e in entries), "numbers keep every digit")
    demand([e.seq for e in store.read("s", 7)] == [8, 9, 10], "read goes on behind a place")
    demand([e.seq for e in store.read("s", 2, limit=3)] == [3, 4, 5], "a limit limits")
    demand(list(store.read("s", 10)) == [], "behind the end is nothing")


def check_leases_are_exclusive(opening: Opening) -> None:
    """A query is held by one at a time, and those that wait go before new ones."""
    store = opening()
    store.create("s", SPEC)
    first = take(store, 2)
    demand([lease.id for lease in first] == ["q1", "q2"], "new queries are handed out in order")
    demand([lease.id for lease in take(opening(), 1)] == ["q3"], "what is held is not handed out")
    tokens = {lease.token for lease in first}
    demand(len(tokens) == 2 and "" not in tokens, "each lease has a token of its own")
    demand(store.reopen("s", Event("failed", "q2", {"why": "x"})), "an open query can be reopened")
    again = take(store)[0]
    demand(again.id == "q2" and again.token not in tokens, "what was given back comes first")
    demand(len(store.waiting("s")) == 3, "all three wait for answers")
    kinds = [entry.kind for entry in store.read("s")]
    demand(kinds == ["asked"] * 3 + ["failed"], "choices and failures are in the log")
    demand(not store.reopen("s", Event("failed", "none", {})), "unknown queries are not reopened")


def check_leases_run_out(opening: Opening) -> None:
    """A lease that ran out is handed out again, as often as is allowed."""
    store = opening()
    store.create("s", SPEC)
    (lease,) = take(store, seconds=0.05, most=2)
    demand(store.renew("s", lease.id, "wrong", 60) is None, "only the holder renews")
    demand(store.renew("s", lease.id, lease.token, 0.05) == 0.05, "the holder renews")
    time.sleep(0.1)
    left = store.waiting("s")[0].left
    demand(left is not None and left <= 0, "a lease that ran out has nothing left")
    demand(list(store.overdue("s", 2)) == [], "it may be handed out once more")
    (again,) = take(store, seconds=0.05, most=2)
    demand(again.id == lease.id and again.token != lease.token, "it is handed out again")
    demand(store.renew("s", lease.id, lease.token, 60) is None, "the old token is void")
    time.sleep(0.1)
    demand(list(store.overdue("s", 2)) == [lease.id], "twice is enough")
    demand([one.id for one in take(store, most=2)] == ["q2"], "then a new one is handed out")


def check_requests_with_a_name(opening: Opening) -> None:
    """A request that comes again under its name is given the same queries."""
    store = opening()
    store.create("s", SPEC)

    def ask(key: str, count: int = 2, seconds: float = 60.0) -> list[tuple[str, str]]:
        choose = counting()
        leases = store.lease("s", count, seconds, after=0, most=9, decide=choose, key=key)
        return [(lease.id, lease.token) for lease in leases]

    first = ask("one")
    demand([id_ for id_, _ in first] == ["q1", "q2"], "a named request is given queries")
    demand([id_ for id_, _ in ask("two")] == ["q3", "q4"], "another name, other queries")
    store = opening()
    demand(ask("one") == first, "the same name, the same queries, held by the same tokens")
    store.settle("s", "told", Event("told", "q1", {}), "1")
    demand(ask("one") == first, "answers change nothing about what the request was given")
    demand("of its own" in refused(lambda: ask("one", 3), Conflict), "a name is for one request")
    demand(len(ask("")) == 2 and len(ask("")) == 2, "no name is no name")
    (short,) = ask("brief", 1, 0.01)
    time.sleep(0.05)
    (taken,) = ask("heir", 1)
    demand(taken[0] == short[0], "a lease that ran out is handed to others")
    demand(ask("brief", 1)[0][0] != short[0], "and then is no longer of the request before")


def check_leases_are_handed_back(opening: Opening) -> None:
    """A query that was handed back goes to the next who asks, and was never handed out."""
    store = opening()
    store.create("s", SPEC)
    (lease,) = take(store, most=1)
    demand(not store.release("s", lease.id, "wrong"), "only the holder hands back")
    demand(not store.release("s", "none", lease.token), "an unknown query is not handed back")
    demand(store.release("s", lease.id, lease.token), "the holder hands back")
    demand(not store.release("s", lease.id, lease.token), "once")
    demand(list(store.overdue("s", 1)) == [], "it may still be handed out as often as before")
    demand([one.id for one in take(opening(), most=1)] == [lease.id], "it is handed out again")
    demand(store.renew("s", lease.id, lease.token, 60) is None, "the old token is void")


def check_the_first_answer_stands(opening: Opening) -> None:
    """An answer counts once, takes the place of a failure, and none takes its place."""
    store = opening()
    store.create("s", SPEC)
    take(store, 2)
    told = Event("told", "q1", {"scores": {"a": 1.0}})
    demand(store.settle("s", "told", told, "1") == (True, "told", "1"), "the first answer is new")
    demand(store.settle("s", "told", told, "2") == (False, "told", "1"), "the second is not")
    lost = Event("lost", "q1", {})
    demand(store.settle("s", "lost", lost) == (False, "told", "1"), "an answer is not lost")
    demand(store.settle("s", "failed", Event("failed", "q2", {})) == (True, "failed", ""), "fails")
    late = Event("told", "q2", {"scores": {}})
    demand(store.settle("s", "told", late, "3") == (True, "told", "3"), "a late answer is kept")
    unknown = Event("told", "q9", {})
    demand(store.settle("s", "told", unknown, "4") is None, "an unknown query is nothing")
    kinds = [entry.kind for entry in opening().read("s") if entry.kind != "asked"]
    demand(kinds == ["told", "failed", "told"], "the log holds what was accepted, once")
    demand(list(store.waiting("s")) == [], "nothing waits")


def check_choices_know_the_whole_log(opening: Opening) -> None:
    """Whoever chooses is shown every entry, however many handles write."""
    one, two = opening(), opening()
    one.create("s", SPEC)
    for n in range(4):
        (one if n % 2 else two).append("s", [Event("note", "", {"n": n})])
    seen: list[int] = []

    def decide(entries: Sequence[Entry], wanted: int) -> Sequence[Question]:
        seen.extend(entry.data["n"] for entry in entries if entry.kind == "note")
        return [Question(f"w{n}", {}) for n in range(wanted)]

    two.lease("s", 1, 60.0, after=1, most=1, decide=decide)
    demand(seen == [1, 2, 3], "entries behind the place that is known are shown, in order")
    demand(list(one.lease("s", 1, 60.0, after=5, most=1, decide=nothing)) == [], "none is none")


def check_a_failed_choice_changes_nothing(opening: Opening) -> None:
    """If choosing raises, whoever asked is told, and the store is as before."""
    store = opening()
    store.create("s", SPEC)

    def decide(entries: Sequence[Entry], wanted: int) -> Sequence[Question]:  # noqa: ARG001, a `Decide`
        msg = "no idea"
        raise ArithmeticError(msg)

    def ask() -> Any:
        return store.lease("s", 1, 60.0, after=0, most=1, decide=decide)

    demand(refused(ask, ArithmeticError) == "no idea", "the error comes through")
    demand(list(store.read("s")) == [], "nothing was logged")
    demand([lease.id for lease in take(store)] == ["q1"], "the store goes on")


def check_states_are_kept(opening: Opening) -> None:
    """The last state is kept, byte for byte."""
    store = opening()
    store.create("s", SPEC)
    demand(store.kept("s") is None, "at first nothing is kept")
    for seq in (3, 9):
        store.keep("s", seq, bytes(range(256)) * seq)
    demand(opening().kept("s") == (9, bytes(range(256)) * 9), "the last one is kept")


def check_studies_are_restored(opening: Opening) -> None:
    """A study of another store begins with its log, its answers and its open queries."""
    store, number = opening(), {"x": 1 / 7}
    log = [Entry(n, kind, id_, number, 1e9 + n / 7) for n, kind, id_ in _RESTORED]
    queries = [Standing("q1", {"task": "t"}, "told", "1"), Standing("q2", {"task": "u"}, leases=1)]
    store.restore("s", SPEC, log, queries)
    demand(opening().load("s") == SPEC, "its specification")
    demand(list(opening().read("s")) == log, "its log, to the last digit")
    demand([one.id for one in store.waiting("s")] == ["q2"], "its open queries")
    demand(store.settle("s", "told", Event("told", "q1", {}), "2") == (False, "told", "1"), "told")
    leases = store.lease("s", 2, 60.0, after=3, most=2, decide=counting("r"))
    demand([lease.id for lease in leases] == ["q2", "r1"], "what is open is handed out, and more")
    demand(store.read("s", 3)[0].seq == 4, "the log goes on behind it")
    demand("already" in refused(lambda: store.restore("s", SPEC, [], []), StudyError), "names")


_RESTORED = ((1, "asked", "q1"), (2, "asked", "q2"), (3, "told", "q1"))


def check_many_workers(opening: Opening) -> None:
    """Workers in many threads: every query is answered once, and no lease is given twice."""
    workers, each = 8, 25
    stores = [opening() for _ in range(2)]
    stores[0].create("s", SPEC)
    held: set[str] = set()
    guard = threading.Lock()

    def work(worker: int) -> int:
        store, accepted = stores[worker % 2], 0
        for _ in range(each):
            for lease in store.lease("s", 1, 60.0, after=0, most=1, decide=counting()):
                with guard:
                    demand(lease.id not in held, f"{lease.id} was handed out twice")
                    held.add(lease.id)
                event = Event("told", lease.id, {"worker": worker})
                settled = store.settle("s", "told", event, str(worker))
                accepted += bool(settled and settled.new)
        return accepted

    with ThreadPoolExecutor(workers) as pool:
        total = sum(pool.map(work, range(workers)))
    demand(total == workers * each, "every query got an answer")
    entries = stores[1].read("s")
    demand([entry.seq for entry in entries] == [*range(1, len(entries) + 1)], "no gaps")
    told = [entry.query for entry in entries if entry.kind == "told"]
    demand(sorted(told) == sorted(held), "the log holds each answer once")
    asked = [entry.query for entry in entries if entry.kind == "asked"]
    demand(len(set(asked)) == len(asked), "no query was chosen twice")


def check_all_outlives_a_handle(opening: Opening) -> None:
    """What was written is there when the store is opened anew, leases too."""
    store = opening()
    store.create("s", SPEC)
    leases = take(store, 2)
    store.settle("s", "told", Event("told", "q1", {"scores": {"a": 0.1}}), "0.1")
    store.close()
    store = opening()
    demand([entry.kind for entry in store.read("s")] == ["asked", "asked", "told"], "the log")
    demand(store.renew("s", "q2", leases[1].token, 60.0) == 60.0, "the lease is still held")
    again = store.settle("s", "told", Event("told", "q1", {}), "0.2")
    demand(again == (False, "told", "0.1"), "the answer stands")


CHECKS = (
    check_studies_come_and_go,
    check_the_log_keeps_order,
    check_leases_are_exclusive,
    check_leases_run_out,
    check_requests_with_a_name,
    check_leases_are_handed_back,
    check_the_first_answer_stands,
    check_choices_know_the_whole_log,
    check_a_failed_choice_changes_nothing,
    check_states_are_kept,
    check_studies_are_restored,
    check_many_workers,
)
"""What every store must do."""

DURABLE = (check_all_outlives_a_handle,)
"""What stores must do that outlive the process that wrote."""
