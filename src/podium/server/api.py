"""The endpoints under /api/v1: each reads a request, does one thing with a study, and answers."""

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from litestar import delete, get, post
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream

import podium
from podium.data.ratings import plain
from podium.server import shapes as s
from podium.server.charts import chart_of
from podium.server.documents import asked_query, ranking_document, waiting_query
from podium.server.entries import entry_of, moment
from podium.server.problems import PROBLEMS
from podium.server.shared import TheDesk, TheFeeds, TheSlow
from podium.study.study import Study

look = partial(get, responses=PROBLEMS)
"""For what is answered without waiting in a thread."""

read = partial(look, sync_to_thread=True)
"""For what reads the store."""

write = partial(post, status_code=200, sync_to_thread=True, responses=PROBLEMS)
"""For what changes something."""

Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        max_length=200,
        pattern="^[!-~]*$",
        description="Names this request: if it comes again, it is answered as before.",
    ),
]
After = Annotated[
    int, QueryParameter(ge=0, le=2**53, description="Place in the log to go on after.")
]
PAGE = 100_000
"""Entries of a log that are given at once."""

Limit = Annotated[int, QueryParameter(ge=1, le=PAGE, description="Most entries.")]
Level = Annotated[float, QueryParameter(gt=0, lt=1, description="Chance that intervals hold.")]


@look("/health")
async def health() -> s.Health:
    """Say that the server answers."""
    return s.Health("ok", podium.__version__)


@read("/studies")
def studies(desk: TheDesk) -> s.Studies:
    """List all studies."""
    return s.Studies(desk.lines())


@write("/studies")
def create(data: JSONBody[s.NewStudy], desk: TheDesk, key: Key = "") -> dict[str, Any]:
    """Begin a study."""
    spec = desk.once("", key, data, lambda: desk.create(s.given(data), key))
    return plain(spec.to_dict())  # type: ignore[no-any-return] # a dictionary stays one


@look("/studies/{name:str}")
async def status(name: FromPath[str], desk: TheDesk, slow: TheSlow) -> dict[str, Any]:
    """Say what a study is made of, and how it stands."""
    return await slow.run(lambda: plain(desk.look(name, Study.status)))


@delete("/studies/{name:str}", status_code=200, sync_to_thread=True, responses=PROBLEMS)
def remove(name: FromPath[str], desk: TheDesk) -> s.State:
    """Delete a study, and all that was told to it."""
    desk.delete(name)
    return s.State("deleted")


@write("/studies/{name:str}/ask")
def ask(name: FromPath[str], data: JSONBody[s.Ask], desk: TheDesk, key: Key = "") -> s.Asked:
    """Hand out queries; an empty list if there is nothing to ask."""

    def work(study: Study) -> s.Asked:
        queries = study.ask(data.count, key=key)
        reason = "" if queries else study.stopped
        return s.Asked([asked_query(query) for query in queries], bool(reason), reason)

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/tell")
def tell(name: FromPath[str], data: JSONBody[s.Tell], desk: TheDesk, key: Key = "") -> s.State:
    """Take in the answer to a query; the same answer again changes nothing."""

    def work(study: Study) -> s.State:
        told = study.tell(data.id, data.scores, lease_token=data.lease_token)
        return s.State(told.state, new=told.new)

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/renew")
def renew(name: FromPath[str], data: JSONBody[s.Renew], desk: TheDesk) -> s.State:
    """Hold a query for another whole lease."""
    until = desk.look(name, lambda study: study.renew(data.id, data.lease_token))
    return s.State("open", expires=moment(until))


@write("/studies/{name:str}/release")
def release(name: FromPath[str], data: JSONBody[s.Renew], desk: TheDesk) -> s.State:
    """Hand a query back unanswered, for whoever asks next; `new` is false if it is not held."""
    released = desk.look(name, lambda study: study.release(data.id, data.lease_token))
    return s.State("open", new=released)


@write("/studies/{name:str}/skip")
def skip(name: FromPath[str], data: JSONBody[s.GiveUp], desk: TheDesk, key: Key = "") -> s.State:
    """Give up a query for good."""

    def work(study: Study) -> s.State:
        study.skip(data.id, data.why)
        return s.State("skipped")

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/fail")
def fail(name: FromPath[str], data: JSONBody[s.GiveUp], desk: TheDesk, key: Key = "") -> s.State:
    """Say that a query failed; it is asked again, unless it failed too often."""

    def work(study: Study) -> s.State:
        again = study.fail(data.id, data.why, key=key)
        return s.State("open" if again else "failed", again=again)

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/add")
def add(name: FromPath[str], data: JSONBody[s.Add], desk: TheDesk, key: Key = "") -> s.State:
    """Take in scores that nobody asked for."""
    rows = [(r.task, r.agent, r.score) if isinstance(r, s.Result) else r for r in data.results]

    def work(study: Study) -> s.State:
        return s.State("added", added=study.add(rows, key=key))

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/extend")
def extend(name: FromPath[str], data: JSONBody[s.Extend], desk: TheDesk, key: Key = "") -> s.State:
    """Add agents, tasks or budget."""

    def work(study: Study) -> s.State:
        study.extend(key=key, **s.given(data))
        return s.State("extended")

    return desk.once(name, key, data, lambda: desk.do(name, work))


@write("/studies/{name:str}/pause")
def pause(name: FromPath[str], desk: TheDesk) -> s.State:
    """Ask nothing more until it is resumed."""
    desk.do(name, Study.pause)
    return s.State("paused")


@write("/studies/{name:str}/resume")
def resume(name: FromPath[str], desk: TheDesk) -> s.State:
    """Ask again."""
    desk.do(name, Study.resume)
    return s.State("resumed")


@write("/studies/{name:str}/finish")
def finish(name: FromPath[str], data: JSONBody[s.Finish], desk: TheDesk) -> s.State:
    """Ask nothing more."""
    desk.do(name, lambda study: study.finish(data.why))
    return s.State("finished")


@look("/studies/{name:str}/ranking")
async def ranking(
    name: FromPath[str], desk: TheDesk, slow: TheSlow, level: Level = 0.95
) -> dict[str, Any]:
    """Rank the agents by all that was told."""
    made = await slow.run(lambda: desk.look(name, lambda study: study.ranking(level)))
    return ranking_document(made)


@look("/studies/{name:str}/status")
async def figures(name: FromPath[str], desk: TheDesk, slow: TheSlow) -> dict[str, Any]:
    """Say how a study stands."""
    return await slow.run(lambda: plain(desk.look(name, Study.status)))


@look("/studies/{name:str}/next")
async def next_query(name: FromPath[str], desk: TheDesk, slow: TheSlow) -> dict[str, Any]:
    """Say what would be asked next, and why, without handing it out."""
    return await slow.run(lambda: {"next": plain(desk.look(name, Study.next)) or None})


@look("/studies/{name:str}/forecast")
async def forecast(
    name: FromPath[str],
    desk: TheDesk,
    slow: TheSlow,
    confidence: Annotated[float | None, QueryParameter(gt=0, lt=1)] = None,
    top: Annotated[int | None, QueryParameter(ge=1)] = None,
) -> dict[str, Any]:
    """Say how many more answers a wanted confidence will take; null where it is out of sight."""
    made = await slow.run(
        lambda: desk.look(name, lambda study: study.forecast(confidence, top)),
    )
    return dict(plain(asdict(made)))


@look("/studies/{name:str}/charts/{chart:str}")
async def chart(
    name: FromPath[str], chart: FromPath[str], desk: TheDesk, slow: TheSlow
) -> dict[str, Any]:
    """Draw a chart, as Vega-Lite: the ranks, the places that agents may have, or the margins."""
    return await slow.run(lambda: chart_of(desk.look(name, Study.picture), chart))


@read("/studies/{name:str}/stopped")
def stopped(name: FromPath[str], desk: TheDesk) -> s.Stopped:
    """Say whether nothing is asked any more, and why."""
    reason = desk.look(name, lambda study: study.stopped)
    return s.Stopped(bool(reason), reason)


@read("/studies/{name:str}/waiting")
def waiting(name: FromPath[str], desk: TheDesk) -> s.WaitingList:
    """List the queries that are out with workers, or wait for one."""
    return s.WaitingList([waiting_query(one) for one in desk.look(name, Study.waiting)])


@read("/studies/{name:str}/log")
def log(name: FromPath[str], desk: TheDesk, after: After = 0, limit: Limit = PAGE) -> s.Log:
    """Give the entries of the log behind a place; `next` is the place to go on after."""
    entries = desk.look(name, lambda study: study.log(after, limit))
    return s.Log([entry_of(entry) for entry in entries], entries[-1].seq if entries else after)


@look("/studies/{name:str}/events", media_type="text/event-stream")
async def events(
    name: FromPath[str],
    desk: TheDesk,
    feeds: TheFeeds,
    slow: TheSlow,
    after: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
    last_event_id: Annotated[str, HeaderParameter(name="Last-Event-ID")] = "",
) -> Stream:
    """Tell entries as they come: those behind `after` or Last-Event-ID first."""
    study, last = await slow.run(lambda: desk.look(name, lambda study: (study.name, study.seq)))
    if last_event_id.isascii() and last_event_id.isdigit():
        after = int(last_event_id[:15])
    start = last if after is None else min(after, last)
    return Stream(
        feeds.follow(study, start, last),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


HANDLERS = [
    health,
    studies,
    create,
    status,
    remove,
    ask,
    tell,
    renew,
    release,
    skip,
    fail,
    add,
    extend,
    pause,
    resume,
    finish,
    ranking,
    figures,
    next_query,
    forecast,
    chart,
    stopped,
    waiting,
    log,
    events,
]
"""All endpoints about studies."""
