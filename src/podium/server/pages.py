"""The pages for people, made on the server; they work without scripts."""

from typing import Any
from urllib.parse import parse_qs, quote

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response, Template

from podium.server.guard import COOKIE, same, session
from podium.server.shared import TheDesk, TheSecret, TheSlow


@get("/", sync_to_thread=True, include_in_schema=False)
def studies_page(desk: TheDesk) -> Template:
    """List the studies."""
    return Template("studies.html", context={"studies": desk.lines(), "quote": _quoted})


@get("/studies/{name:str}", include_in_schema=False)
async def study_page(name: FromPath[str], desk: TheDesk, slow: TheSlow) -> Template:
    """Show one study: how it stands, and its ranking."""
    study = await slow.run(lambda: desk.study(name))
    ranking = await slow.run(study.ranking)
    status = await slow.run(study.status)
    return Template("study.html", context={"status": status, "rows": ranking.table()})


@get("/login", include_in_schema=False)
async def login_page() -> Template:
    """Ask for the token."""
    return Template("login.html", context={"wrong": False})


@post("/login", status_code=200, include_in_schema=False)
async def login(request: Request[Any, Any, Any], secret: TheSecret) -> Response[Any]:
    """Give a cookie to whoever knows the token."""
    text = (await request.body()).decode("utf-8", "replace")
    given = parse_qs(text, max_num_fields=8).get("token", [""])[0]
    if not secret or not same(given.strip(), secret):
        return Template("login.html", context={"wrong": True}, status_code=403)
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


def _quoted(name: str) -> str:
    """Write a name for a path."""
    return quote(name, safe="")


PAGES = [studies_page, study_page, login_page, login]
