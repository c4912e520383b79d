"""A study on a server, with the methods of one that is here."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, overload

from podium.client.wire import Wire
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.store import Entry, Waiting
from podium.study.forecast import Spend
from podium.study.queries import Query, Told, id_of
from podium.study.reporting import html_of
from podium.study.run import Evaluate, run
from podium.study.spec import StudySpec

PAGE = 100_000
"""Entries of a log that are asked for at once, at most."""

TOGETHER = 50_000
"""Results that are added by one request."""


class RemoteStudy:
    """A study on a server; `Study` says what its methods do.

    A request is sent again, under the same name, until the server answers, so
    a restart of the server is not noticed, and nothing counts twice.

    Attributes:
        name: Its name.
    """

    _repr_html_ = html_of

    def __init__(self, wire: Wire, name: str) -> None:
        self.name = name
        self._wire = wire

    @overload
    def ask(self) -> Query | None: ...

    @overload
    def ask(self, count: int, *, key: str = "") -> list[Query]: ...

    def ask(self, count: int | None = None, *, key: str = "") -> Query | list[Query] | None:
        """Say what to evaluate next, and hold it."""
        if count is None:
            return next(iter(self.ask(1, key=key)), None)
        answer = self._post("ask", {"count": count}, key)
        return [_query(query) for query in answer["queries"]]

    def tell(
        self, query: str | Query, scores: Mapping[str, float], *, lease_token: str | None = None
    ) -> Told:
        """Tell the answer to a query, or scores of some of its agents."""
        body = {"id": id_of(query), "scores": scores, "lease_token": lease_token}
        answer = self._post("tell", body)
        return Told(answer["state"], answer["new"])

    def fail(self, query: str | Query, why: str, *, key: str = "") -> bool:
        """Say that a query could not be evaluated; True if it will be asked again."""
        return bool(self._post("fail", {"id": id_of(query), "why": why}, key)["again"])

    def skip(self, query: str | Query, why: str = "") -> None:
        """Say that a query shall not be evaluated at all."""
        self._post("skip", {"id": id_of(query), "why": why})

    def renew(self, query: str | Query, lease_token: str | None = None) -> datetime:
        """Hold a query for another whole lease; gives when that ends."""
        token = query.lease_token if isinstance(query, Query) else lease_token
        answer = self._post("renew", {"id": id_of(query), "lease_token": token or ""})
        return datetime.fromisoformat(answer["expires"])

    def add(self, results: Any, *, key: str = "") -> int:
        """Take in results that nobody asked for; gives how many scores."""
        rows = _rows(results)
        parts = [rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER)]
        names = [f"{key}/{number}" if key else "" for number in range(len(parts))]
        told = zip(parts, names, strict=True)
        return sum(self._post("add", {"results": part}, name)["added"] for part, name in told)

    def extend(self, *, key: str = "", **more: Any) -> None:
        """Add agents, tasks or budget."""
        self._post("extend", more, key)

    def pause(self) -> None:
        """Ask nothing more until `resume`; answers still count."""
        self._post("pause", {})

    def resume(self) -> None:
        """Ask again after `pause` or `finish`."""
        self._post("resume", {})

    def finish(self, why: str = "") -> None:
        """Ask nothing more."""
        self._post("finish", {"why": why})

    def ranking(self, level: float = 0.95) -> Ranking:
        """Rank the agents by all answers so far, with rank intervals and confidence."""
        return ranking_from(self._get("ranking", level=level))

    def forecast(self, confidence: float | None = None, top: int | None = None) -> Spend:
        """Say how many more answers it will take to be certain, with a band of four in five."""
        made = self._get("forecast", confidence=confidence, top=top)
        return Spend(**{name: math.inf if part is None else part for name, part in made.items()})

    def next(self) -> dict[str, Any]:
        """Say what would be asked next, and why, without handing it out; nothing if nothing is."""
        return dict(self._get("next")["next"] or {})

    @property
    def stopped(self) -> str:
        """Why nothing is asked any more; nothing while there is, or may be, something to ask."""
        return str(self._get("stopped")["reason"])

    @property
    def spec(self) -> StudySpec:
        """What the study was made of, with all that it was extended by."""
        status, parts = self.status(), {field.name for field in fields(StudySpec)}
        return StudySpec.of(**{name: part for name, part in status.items() if name in parts})

    def status(self) -> dict[str, Any]:
        """Say in figures how the study stands."""
        found: dict[str, Any] = self._get("status")
        return found

    def waiting(self) -> Sequence[Waiting]:
        """List the queries that are out or wait to be handed out."""
        return [
            Waiting(one["id"], one, one["leases"], one["left"])
            for one in self._get("waiting")["queries"]
        ]

    def log(self, after: int = 0, limit: int | None = None) -> Sequence[Entry]:
        """Give the entries of the log behind a place."""
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            left = None if limit is None else min(PAGE, limit - len(entries))
            page = self._get("log", after=after, limit=left)
            if not page["entries"]:
                break
            entries += map(_entry, page["entries"])
            after = page["next"]
        return entries

    def release(self, query: str | Query, lease_token: str | None = None) -> bool:
        """Hand a query back unanswered, for whoever asks next; False if it is not held."""
        token = query.lease_token if isinstance(query, Query) else lease_token
        answer = self._post("release", {"id": id_of(query), "lease_token": token or ""})
        return bool(answer["new"])

    def run(self, evaluate: Evaluate, **how: Any) -> Ranking:
        """Ask, evaluate here and tell, until there is nothing more to ask."""
        return run(self, evaluate, **how)

    def __repr__(self) -> str:
        return f"RemoteStudy({self._wire.url!r}, {self.name!r})"

    def _get(self, what: str, **query: float | None) -> Any:
        return self._wire.get("studies", self.name, what, **query)

    def _post(self, what: str, body: Mapping[str, Any], key: str = "") -> Any:
        return self._wire.post("studies", self.name, what, body=body, key=key)


def ranking_from(document: Mapping[str, Any]) -> Ranking:
    """Make a ranking of the document that a server sends.

    >>> row = {"rank": 1, "agent": "a", "rating": 2.0, "rank_low": 1, "rank_high": 1}
    >>> result = {"method": "m", "options": {}, "info": {}, "seconds": 0.0, "ranking": [row]}
    >>> ranking_from({"results": [result], "tiers": [["a"]], "data": {}}).ratings
    {'a': 2.0}
    """
    (result,) = document["results"]
    rows = result["ranking"]
    return Ranking(
        method=result["method"],
        options=result["options"],
        tiers=tuple(tuple(tier) for tier in document["tiers"]),
        ratings={row["agent"]: row["rating"] for row in rows},
        rank_intervals={
            row["agent"]: (row["rank_low"], row["rank_high"])
            for row in rows
            if row["rank_low"] is not None
        },
        info=result["info"],
        data=document["data"],
        seconds=result["seconds"],
    )


def _query(one: Mapping[str, Any]) -> Query:
    expires = datetime.fromisoformat(one["expires"])
    return Query(
        one["id"],
        one["lease_token"],
        one["task"],
        tuple(one["agents"]),
        expires,
        one["cost"],
        one["why"],
    )


def _entry(one: Mapping[str, Any]) -> Entry:
    head = ("seq", "kind", "id", "at")
    data = {name: part for name, part in one.items() if name not in head}
    at = datetime.fromisoformat(one["at"]).timestamp()
    return Entry(one["seq"], one["kind"], one["id"], data, at)


def _rows(results: Any) -> list[tuple[str, str, float]]:
    """Give scores as rows, turned around where low is better."""
    if not isinstance(results, Scores):
        return list(results) if isinstance(results, Iterable) else [results]
    columns = (results.task.tolist(), results.agent.tolist(), results.value.tolist())
    signs = [-1.0 if lower else 1.0 for lower in results.lower_is_better.tolist()]
    return [
        (results.tasks[task], results.agents[agent], signs[task] * value)
        for task, agent, value in zip(*columns, strict=True)
    ]
