"""What goes in and out as JSON, read strictly: an error names the field that is wrong."""

import functools
import json
import math
import re
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from podium.errors import DataError
from podium.study.queries import MOST_LEASED

B = TypeVar("B")

Token = Annotated[str, Meta(max_length=100, pattern="^[0-9A-Za-z]*$")]
PerTask = float | dict[str, float] | None


class Body(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is sent to the server."""


class NewStudy(Body):
    """A study to begin; see `StudySpec` for what its parts mean."""

    name: str
    agents: list[str]
    tasks: list[str]
    preset: str | None = None
    learner: str | None = None
    strategy: str | None = None
    seed: int | None = None
    budget: float | None = None
    costs: dict[str, float | dict[str, float]] | None = None
    lease: float | None = None
    confidence: float | None = None
    top: int | None = None
    limit: PerTask = None
    noise: PerTask = None
    forbidden: list[tuple[str, str]] | None = None
    retries: int | None = None


class Ask(Body):
    """How many queries are wanted."""

    count: Annotated[int, Meta(ge=1, le=MOST_LEASED)] = 1


class Tell(Body):
    """The answer to a query, or scores of some of its agents."""

    id: str
    scores: dict[str, float]
    lease_token: Token | None = None


class Renew(Body):
    """A query to hold for longer."""

    id: str
    lease_token: Token


class GiveUp(Body):
    """A query that will not be answered, or was not this time, and why."""

    id: str
    why: str = ""
    lease_token: Token | None = None


class Result(Body):
    """A score that nobody asked for."""

    task: str
    agent: str
    score: float


class Add(Body):
    """Scores that nobody asked for, as objects or as [task, agent, score]."""

    results: list[Result | tuple[str, str, float]]


class Extend(Body):
    """What a study is to be extended by."""

    agents: list[str] | None = None
    tasks: list[str] | None = None
    budget: float | None = None
    costs: dict[str, float | dict[str, float]] | None = None
    limit: PerTask = None
    noise: PerTask = None
    forbidden: list[tuple[str, str]] | None = None


class Finish(Body):
    """Why nothing more is to be asked."""

    why: str = ""


class AskedQuery(Struct):
    """A task and the agents to evaluate on it, held until it expires."""

    id: str
    lease_token: str
    task: str
    agents: list[str]
    expires: str
    cost: float
    why: str


class Asked(Struct):
    """What to evaluate; where that is nothing, whether the study is done, and why."""

    queries: list[AskedQuery]
    done: bool = False
    reason: str = ""


class Stopped(Struct):
    """Whether nothing is asked any more, and why."""

    done: bool
    reason: str


class State(Struct, omit_defaults=True):
    """What became of a request."""

    state: str
    new: bool | UnsetType = UNSET
    added: int | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    expires: str | UnsetType = UNSET


class StudyLine(Struct):
    """A study in the list of all."""

    name: str
    preset: str
    agents: int
    tasks: int


class Studies(Struct):
    """All studies."""

    studies: list[StudyLine]


class Log(Struct):
    """Entries of a log, and the place to go on after."""

    entries: list[dict[str, Any]]
    next: int


class WaitingQuery(Struct):
    """A query that is not settled."""

    id: str
    task: str
    agents: list[str]
    leases: int
    left: float | None


class WaitingList(Struct):
    """The queries that are not settled."""

    queries: list[WaitingQuery]


class Health(Struct):
    """That the server answers."""

    status: str
    version: str


class Complaint(Struct, omit_defaults=True):
    """What is wrong, and what to do about it."""

    code: str
    message: str
    hint: str | None
    field: str = ""


class Problem(Struct):
    """Why a request was not done."""

    error: Complaint


def read_body(text: bytes, shape: type[B]) -> B:
    """Read JSON into a shape, or say which field is wrong; no body is an empty object.

    >>> read_body(b'{"count": 3}', Ask).count
    3
    """
    try:
        body: B = decoder(shape).decode(text or b"{}")  # type: ignore[arg-type] # types can be hashed
    except msgspec.ValidationError as error:
        found = re.search(r"(?:\$\.|field `)(\w+)", str(error))
        field = found[1] if found else "body"
        msg = f"{field}: {str(error).partition(' - at ')[0]}; see /api/v1/openapi.json"
        raise DataError(msg, field=field) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        field = _beyond_json(text)
        what = f"{field} holds a number that JSON has not" if field else f"no JSON: {error}"
        msg = f"{what}; send JSON with finite numbers, in UTF-8"
        raise DataError(msg, field=field or "body") from None
    return body


@functools.cache
def decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    """Make the decoder of a shape, once."""
    return msgspec.json.Decoder(shape)


def _beyond_json(text: bytes) -> str:
    """Name the field that holds NaN or Infinity, where that is what is wrong."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    parts = found.items() if isinstance(found, dict) else ()
    return next((name for name, part in parts if _has_beyond(part)), "")


def _has_beyond(part: Any) -> bool:
    if isinstance(part, dict | list):
        return any(map(_has_beyond, part.values() if isinstance(part, dict) else part))
    return isinstance(part, float) and not math.isfinite(part)


def given(body: Body) -> dict[str, Any]:
    """Give the parts of a body that were sent."""
    parts = msgspec.structs.asdict(body)
    return {name: part for name, part in parts.items() if part is not None}
