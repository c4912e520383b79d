"""How pages are made of templates: what every template can use."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import MediaType, Response
from markupsafe import Markup

import podium
from podium.safe import visible
from podium.server.bundle import bundle_path
from podium.server.sheets import duration, number, share
from podium.server.views._view import address
from podium.words import counted

HERE = Path(__file__).parent


def page(template: str, context: dict[str, Any], status: int = 200) -> Response[str]:
    """Fill in a template, in the thread of whoever asks."""
    text = _environment().get_template(template).render(context)
    return Response(text, status_code=status, media_type=MediaType.HTML)


@cache
def _environment() -> Environment:
    """Make what fills in templates; whatever is put in is escaped."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_seen,
    )
    environment.filters |= {"number": number, "share": share, "duration": duration}
    environment.globals |= {
        "address": address,
        "counted": counted,
        "static": static_address,
        "bundle": bundle_path,
        "version": podium.__version__,
    }
    return environment


def _seen(value: Any) -> Any:
    r"""Write out what would steer a page or not be seen on it, such as marks that turn text round.

    >>> _seen("a\u202eb"), _seen(3)
    ('a\\u202eb', 3)
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(visible(line) for line in value.split("\n"))


@cache
def static_address(name: str) -> str:
    """Give the address of a file of ours; it changes when the file does.

    >>> static_address("podium.css").partition("?v=")[0]
    '/static/podium.css'
    """
    content = (HERE / "static" / name).read_bytes()
    return f"/static/{name}?v={hashlib.blake2b(content, digest_size=6).hexdigest()}"


def state_of(status: dict[str, Any]) -> tuple[str, str]:
    """Say in a word how a study stands, and why.

    >>> state_of({"stopped": "the budget of 5 is spent", "paused": False})
    ('stopped', 'the budget of 5 is spent')
    """
    if status["stopped"]:
        return "stopped", status["stopped"]
    return (
        ("paused", "nothing is asked until it is resumed") if status["paused"] else ("running", "")
    )
