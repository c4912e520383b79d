"""What a view is: rows of data, and what a template shows around them."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from podium.errors import DataError
from podium.store import Entry
from podium.study.picture import Picture
from podium.study.study import Study
from podium.words import unknown

LEVEL = 0.95
"""Chance that intervals hold, if nothing else is said."""


@dataclass(frozen=True)
class Look:
    """A look at a study: whose, and what the address of the page asks for."""

    study: Study
    query: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the study."""
        return self.study.name

    @cached_property
    def picture(self) -> Picture:
        """The study at one moment."""
        return self.study.picture(self.level)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """The whole log."""
        return self.study.log()

    @cached_property
    def level(self) -> float:
        """Chance that intervals hold."""
        return self.number("level", LEVEL)

    def text(self, part: str) -> str:
        """Give a part of the address, or nothing."""
        return self.query.get(part, "").strip()

    def number(self, part: str, default: float) -> float:
        """Give a part of the address that is a share: above 0 and below 1."""
        given = self.text(part)
        try:
            found = float(given) if given else default
        except ValueError:
            found = -1.0
        if not 0.0 < found < 1.0:
            msg = f"{part} is {given!r}; give a number above 0 and below 1, such as {default:g}"
            raise DataError(msg, field=part)
        return found

    def whole(self, part: str, default: int) -> int:
        """Give a part of the address that is a whole number, from 0 on."""
        given = self.text(part)
        if given and not (given.isascii() and given.isdigit() and len(given) < 16):
            msg = f"{part} is {given!r}; give a whole number from 0 on"
            raise DataError(msg, field=part)
        return int(given or default)

    def agent(self, part: str = "name") -> int:
        """Give the place in the roster of the agent that the address names."""
        return self._code(part, "agent", self.picture.spec.agents)

    def task(self, part: str = "name") -> int:
        """Give the place in the roster of the task that the address names."""
        return self._code(part, "task", self.picture.spec.tasks)

    def _code(self, part: str, what: str, names: Sequence[str]) -> int:
        given = self.query.get(part, "")
        if given not in names:
            raise NotThereError(unknown(what, given, names), field=part)
        return names.index(given)

    def command(self, *words: str) -> str:
        """Write a command of `podium study` about this study."""
        return shlex.join(["podium", "study", words[0], self.name, *words[1:]])


class NotThereError(DataError):
    """The address names something that the study does not have."""


class Shown(NamedTuple):
    """What a view shows.

    Attributes:
        rows: The rows of its table, for CSV and JSON.
        context: What its template wants beside.
        command: The command that tells the same.
    """

    rows: Sequence[Mapping[str, Any]]
    context: Mapping[str, Any]
    command: str


@dataclass(frozen=True)
class View:
    """A view of a study.

    Attributes:
        name: Its name in addresses; that of the ranking stands for the study.
        title: Its name for people.
        make: Makes what it shows.
        tab: Whether it stands among the tabs.
        keeps: Parts of the address that make it up.
    """

    name: str
    title: str
    make: Callable[[Look], Shown]
    tab: bool = True
    keeps: Sequence[str] = field(default=())

    @property
    def template(self) -> str:
        """The file of its template."""
        return f"view_{self.name}.html"


def address(study: str, view: str = "", ending: str = "", **query: Any) -> str:
    """Write the address of a view.

    >>> address("a/b", "agent", name="x&y")
    '/studies/a%2Fb/agent?name=x%26y'
    """
    given = {part: value for part, value in query.items() if value not in ("", None)}
    path = f"/studies/{quote(study, safe='')}" + (f"/{view}{ending}" if view else "")
    return path + (f"?{urlencode(given)}" if given else "")
