"""The pages for people, made on the server; they work without scripts."""

import statistics
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

from litestar import MediaType, Request, Router, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import Redirect, Response
from msgspec.structs import asdict

from podium.errors import PodiumError, UnknownStudy
from podium.server.bundle import bundle, bundle_path
from podium.server.desk import SLASH, Desk
from podium.server.guard import COOKIE, same, session
from podium.server.looks import page, state_of
from podium.server.problems import KINDS, visible
from podium.server.shapes import StudyLine
from podium.server.shared import TheDesk, TheSecret, TheSlow
from podium.server.sheets import Rows, as_csv, as_json
from podium.server.slow import Slow
from podium.server.uploads import ENDINGS, UPLOAD_LIMIT, rank_all
from podium.server.views import VIEWS, Look, View
from podium.server.views._view import NotThereError, address
from podium.study.presets import PRESETS
from podium.study.study import Study

Asking = Request[Any, Any, Any]

FIRST = next(iter(VIEWS))
"""The view that stands for a study."""

LISTED = 24
"""Studies of which the list says how they stand; the others say so when they are opened."""

YEAR = "public, max-age=31536000, immutable"


@get("/")
async def studies_page(desk: TheDesk, slow: TheSlow) -> Response[str]:
    """List the studies."""
    return await slow.run(lambda: _listing(desk))


@get("/studies.csv")
async def studies_csv(desk: TheDesk, slow: TheSlow) -> Response[Any]:
    """List the studies as CSV."""
    rows = [asdict(line) for line in await slow.run(desk.lines)]
    return _file(rows, "studies")


@post("/")
async def create(request: Asking, desk: TheDesk, slow: TheSlow) -> Response[Any]:
    """Begin a study, and show it."""
    form = await _form(request)
    try:
        spec = await slow.run(lambda: desk.create(_parts(form), ""))
    except PodiumError as error:
        why = visible(error)
        return await slow.run(lambda: _listing(desk, form, why))
    return Redirect(address(spec.name), status_code=303)


@get("/studies/{name:str}")
async def study_page(
    name: FromPath[str], request: Asking, desk: TheDesk, slow: TheSlow
) -> Response[Any]:
    """Show the ranking of a study."""
    return await _shown(name, FIRST, request, desk, slow)


@get("/studies/{name:str}/{view:str}")
async def view_page(
    name: FromPath[str], view: FromPath[str], request: Asking, desk: TheDesk, slow: TheSlow
) -> Response[Any]:
    """Show another view of a study, or give it as CSV or JSON."""
    return await _shown(name, view, request, desk, slow)


@post("/studies/{name:str}")
async def act(name: FromPath[str], request: Asking, desk: TheDesk, slow: TheSlow) -> Response[Any]:
    """Do what a form of the page asks for, and show the study again."""
    form = await _form(request)
    work = _deed(form)
    try:
        await slow.run(lambda: desk.do(name, work))
    except UnknownStudy:
        raise
    except PodiumError as error:
        return await _shown(name, FIRST, request, desk, slow, visible(error))
    return Redirect(address(name.replace(SLASH, "/")), status_code=303)


@post("/rank", status_code=200, request_max_body_size=UPLOAD_LIMIT)
async def rank_page(request: Asking) -> Response[str]:
    """Rank a file by all methods that can read it."""
    document, name = await rank_all(request)
    results = [one for one in document["results"] if "error" not in one]
    refused = [one for one in document["results"] if "error" in one]
    agents: dict[str, dict[str, Any]] = {}
    for one in results:
        for row in one["ranking"]:
            agents.setdefault(row["agent"], {})[one["method"]] = row
    middle = {
        agent: statistics.median(row["rank"] for row in rows.values())
        for agent, rows in agents.items()
    }
    order = sorted(agents, key=lambda agent: (middle[agent], agent))
    context = {"file": name, "data": document["data"], "results": results, "refused": refused}
    return page("rank.html", {**context, "rows": agents, "order": order, "middle": middle})


@get(bundle_path() or "/static/charts.js")
async def charts_script(slow: TheSlow) -> Response[bytes]:
    """Give the library that draws charts."""
    content = await slow.run(bundle)
    return Response(content, media_type="text/javascript", headers={"cache-control": YEAR})


@get("/login")
async def login_page() -> Response[str]:
    """Ask for the token."""
    return page("login.html", {"wrong": False})


@post("/login", status_code=200)
async def login(request: Asking, secret: TheSecret) -> Response[Any]:
    """Give a cookie to whoever knows the token."""
    given = (await _form(request)).get("token", "")
    if not secret or not same(given.strip(), secret):
        return page("login.html", {"wrong": True}, status=403)
    answer = Redirect("/", status_code=303)
    answer.set_cookie(
        key=COOKIE,
        value=session(secret),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
    return answer


async def _shown(
    name: str, path: str, request: Asking, desk: Desk, slow: Slow, problem: str = ""
) -> Response[Any]:
    """Show a view, in the form that the end of its path says."""
    base, _, ending = path.partition(".")
    if base not in VIEWS or ending not in ("", "csv", "json"):
        raise HTTPException(status_code=404, detail=f"there is no view named {path[:80]!r}")
    view = VIEWS[base]
    query = {part: values[-1] for part, values in request.query_params.dict().items()}
    make = {"": _page, "csv": _csv, "json": _json}[ending]
    return await slow.run(lambda: desk.look(name, lambda study: make(study, view, query, problem)))


def _page(study: Study, view: View, query: Mapping[str, str], problem: str) -> Response[Any]:
    look = Look(study, query)
    shown = view.make(look)
    kept = {part: look.text(part) for part in view.keeps if look.text(part)}
    held = sum(one.left is not None and one.left > 0 for one in study.waiting())
    status = {"budget": None, "confidence": None, **look.picture.status, "held": held}
    context = {
        **shown.context,
        "study": study.name,
        "view": view,
        "tabs": [(one.name, one.title) for one in VIEWS.values() if one.tab],
        "first": FIRST,
        "look": look,
        "status": status,
        "state": state_of(status),
        "rows": shown.rows,
        "command": shown.command,
        "kept": kept,
        "wrong": problem,
    }
    return page(view.template, context, status=422 if problem else 200)


def _csv(study: Study, view: View, query: Mapping[str, str], _: str) -> Response[Any]:
    return _file(view.make(Look(study, query)).rows, view.name)


def _file(rows: Rows, name: str) -> Response[Any]:
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    return Response(as_csv(rows), media_type="text/csv; charset=utf-8", headers=headers)


def _json(study: Study, view: View, query: Mapping[str, str], _: str) -> Response[Any]:
    shown = view.make(Look(study, query))
    head = {"schema": f"podium.{view.name}/1", "study": study.name, "command": shown.command}
    return Response(as_json(shown.rows, **head), media_type=MediaType.JSON)


def _listing(desk: Desk, form: Mapping[str, str] | None = None, problem: str = "") -> Response[str]:
    """List the studies, with how the first of them stand."""
    lines: list[tuple[StudyLine, Any, Any]] = []
    for line in desk.lines():
        status = None
        if len(lines) < LISTED:
            with suppress(PodiumError):  # one that cannot be opened hides no other
                status = {"budget": None, **desk.look(line.name, Study.status)}
        lines.append((line, status, state_of(status) if status else None))
    context = {
        "lines": lines,
        "form": form or {},
        "problem": problem,
        "presets": ["podium", *sorted(set(PRESETS.cards) - {"podium"})],
        "endings": ENDINGS,
    }
    return page("studies.html", context, status=422 if problem else 200)


async def _form(request: Asking) -> dict[str, str]:
    text = (await request.body()).decode("utf-8", "replace")
    given = parse_qs(text, max_num_fields=32)
    return {name: values[-1] for name, values in given.items()}


def _parts(form: Mapping[str, str]) -> dict[str, Any]:
    """Read the parts of a study from a form; what is left empty is not said."""
    parts: dict[str, Any] = {"name": form.get("name", "").strip()}
    for part in ("agents", "tasks"):
        parts[part] = _names(form.get(part, ""))
    if form.get("preset"):
        parts["preset"] = form["preset"]
    for part in ("budget", "confidence", "top", "seed"):
        if form.get(part, "").strip():
            parts[part] = _number(form[part])
    return parts


def _names(text: str) -> list[str]:
    r"""Read names from lines, or from one line with commas.

    >>> _names("a, b"), _names("x, y\nz\n")
    (['a', 'b'], ['x, y', 'z'])
    """
    parts = text.splitlines() if "\n" in text.strip() else text.split(",")
    return [part.strip() for part in parts if part.strip()]


def _number(text: str) -> float | int | str:
    """Read a number; what is none is left to the check of the part that it is for."""
    try:
        found = float(text)
    except ValueError:
        return text
    return int(found) if found.is_integer() else found


def _deed(form: Mapping[str, str]) -> Callable[[Study], Any]:
    """Find what a form asks to be done with a study."""
    deeds: dict[str, Callable[[Study], Any]] = {
        "pause": Study.pause,
        "resume": Study.resume,
        "finish": lambda study: study.finish(form.get("why", "")),
        "extend": lambda study: study.extend(**_more(form)),
    }
    deed = form.get("do", "")
    if deed not in deeds:
        raise HTTPException(status_code=400, detail=f"do: {deed[:80]!r} is not one of {[*deeds]}")
    return deeds[deed]


def _more(form: Mapping[str, str]) -> dict[str, Any]:
    """Read from a form what a study is to be extended by."""
    more: dict[str, Any] = {
        part: _names(form[part]) for part in ("agents", "tasks") if form.get(part, "").strip()
    }
    if form.get("budget", "").strip():
        more["budget"] = _number(form["budget"])
    return more


def on_podium_error(_: Asking, error: PodiumError) -> Response[str]:
    """Show what is wrong as a page."""
    status = next(status for kind, status, _ in KINDS if isinstance(error, kind))
    if isinstance(error, NotThereError):
        status = 404
    return page("problem.html", {"problem": visible(error)}, status=status)


def on_http_error(_: Asking, error: HTTPException) -> Response[str]:
    """Show what is wrong with an address as a page."""
    status = min(500, error.status_code)
    context = {"problem": str(error.detail)}
    return page("problem.html", context, status=status)


PAGES = Router(
    "/",
    route_handlers=[
        studies_page, studies_csv, create, study_page, view_page, act, rank_page, charts_script,
        login_page, login,
    ],
    exception_handlers={PodiumError: on_podium_error, HTTPException: on_http_error},
    include_in_schema=False,
)  # fmt: skip
