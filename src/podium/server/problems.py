"""Errors as JSON: one shape for all, and never a traceback."""

import logging
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import ResponseSpec

from podium.errors import (
    Conflict,
    MissingExtra,
    PodiumError,
    StoreError,
    StudyError,
    UnknownQuery,
    UnknownStudy,
)
from podium.server.shapes import Complaint, Problem

LOGGER = logging.getLogger(__name__)

INVALID, FAULT = 422, 500

KINDS: tuple[tuple[type[PodiumError], int, str], ...] = (
    (UnknownStudy, 404, "unknown_study"),
    (UnknownQuery, 404, "unknown_query"),
    (Conflict, 409, "conflict"),
    (StudyError, 409, "out_of_turn"),
    (StoreError, 503, "store"),
    (MissingExtra, 501, "missing_extra"),
    (PodiumError, INVALID, "invalid"),
)
"""Status and code of each kind of error; the first that fits."""

CODES = {
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    FAULT: "fault",
}
HINTS = {
    404: "see /api/v1/openapi.json for what there is",
    405: "see /api/v1/openapi.json for what there is",
    413: "send less at once",
}

PROBLEMS = {
    status: ResponseSpec(Problem, description=what)
    for status, what in {
        401: "The token is missing or wrong.",
        403: "The request comes from another site, or calls the server by another name.",
        404: "There is no such study or query.",
        409: "It contradicts what was accepted before.",
        413: "The body is too large.",
        422: "A value is wrong; `field` says which.",
        503: "The store cannot be read or written now.",
    }.items()
}
"""Problems that every endpoint may answer."""


def problem(status: int, code: str, message: str, hint: str = "", field: str = "") -> bytes:
    """Write a problem as JSON.

    >>> problem(404, "not_found", "no such page; go home")
    b'{"error":{"code":"not_found","message":"no such page; go home","hint":"go home"}}'
    """
    if not hint and "; " in message:
        hint = message.rpartition("; ")[2]
    hint = hint or HINTS.get(status, "")
    return msgspec.json.encode(Problem(Complaint(code, message, hint or None, field)))


def answer(status: int, body: bytes, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Answer with a problem."""
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


def on_podium_error(_: Request[Any, Any, Any], error: PodiumError) -> Response[bytes]:
    """Answer what the user's data or request has caused."""
    status, code = next((s, c) for kind, s, c in KINDS if isinstance(error, kind))
    field = getattr(error, "field", "")
    return answer(status, problem(status, code, visible(error), field=field))


def on_http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Answer what never reached a study: no such path, a body that is too large."""
    status, field = error.status_code, ""
    if isinstance(error, ValidationException) or status == 400:
        status = INVALID
        extra = error.extra if isinstance(error.extra, list) else []
        first = extra[0] if extra and isinstance(extra[0], dict) else {}
        field = str(first.get("key", "body"))
        message = f"{field}: {first.get('message', error.detail)}"
    elif status >= FAULT:
        return on_fault(_, error)
    else:
        message = str(error.detail)
    headers = {str(k): str(v) for k, v in (error.headers or {}).items()}
    code = CODES.get(status, "invalid")
    return answer(status, problem(status, code, message, field=field), headers)


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Log a fault of ours, and say that it is one."""
    LOGGER.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    message = "a fault of podium, not of your request; the server's log says more"
    return answer(FAULT, problem(FAULT, CODES[FAULT], message))


def visible(error: Exception) -> str:
    """Give the text of an error, with what UTF-8 cannot hold written out."""
    return str(error).encode("utf-8", "backslashreplace").decode()
