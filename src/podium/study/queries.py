"""Queries as they are handed out, and answers as they come."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeAlias

from podium.errors import Conflict, DataError, StudyError, UnknownQuery
from podium.store import Lease
from podium.study.spec import checked_score

MOST_LEASED = 10_000
"""Most queries that are handed out at once."""

LONGEST_NUMBER = 18
"""Digits of the number of a query."""


Answer: TypeAlias = Mapping[str, float]
"""Agents to their scores."""


class Query(NamedTuple):
    """A task and the agents to evaluate on it, held for a time.

    Attributes:
        id: By which the answer is told.
        lease_token: Proof of holding it, for renewals.
        task: The task.
        agents: The agents.
        expires: When somebody else may be asked, by this machine's clock.
        cost: What an answer costs.
        why: Why this is asked, in words.
    """

    id: str
    lease_token: str
    task: str
    agents: tuple[str, ...]
    expires: datetime
    cost: float
    why: str


class Told(NamedTuple):
    """What became of an answer.

    Attributes:
        state: State of the query: "told", or "open" while scores of some agents are missing.
        new: Whether the answer brought something; False where the same came before.
    """

    state: str
    new: bool


def id_of(query: str | Query) -> str:
    """Give the id of a query, or what is one already."""
    return query if isinstance(query, str) else query.id


def number_in(id_: str) -> int:
    """Give the number of a query by its id; 0 if it cannot be the id of one.

    >>> number_in("q12"), number_in("q012"), number_in("12")
    (12, 0, 0)
    """
    digits = id_.removeprefix("q")
    number = int(digits) if digits.isdecimal() and len(digits) <= LONGEST_NUMBER else 0
    return number if id_ == f"q{number}" else 0


def checked_scores(scores: Any) -> dict[str, float]:
    """Demand a finite number for each agent that is named."""
    if not isinstance(scores, Mapping) or not scores:
        msg = f"scores are {scores!r}; give a number for each agent, such as {{'a': 0.7}}"
        raise DataError(msg, field="scores")
    return {agent: checked_score(agent, score) for agent, score in scores.items()}


def leased_query(lease: Lease) -> Query:
    """Give a lease of a store as the query that a worker sees."""
    data = lease.data
    agents = tuple(data["agents"])
    return Query(
        lease.id,
        lease.token,
        data["task"],
        agents,
        moment_after(lease.left),
        data["cost"],
        data["why"],
    )


def moment_after(seconds: float) -> datetime:
    """Say when so many seconds will have passed, by this machine's clock."""
    return datetime.now(UTC) + timedelta(seconds=seconds)


def contradiction(id_: str, before: Answer, now: Answer) -> Conflict:
    """Word that an answer contradicts one that was accepted before."""
    return Conflict(
        f"query {id_!r} was answered {dict(before)} before, and now {dict(now)}; the first answer "
        "stands"
    )


def never_asked(study: str, id_: str) -> StudyError:
    """Word that no query has this id."""
    return UnknownQuery(f"study {study!r} never asked {id_!r}; check the id of the query")
