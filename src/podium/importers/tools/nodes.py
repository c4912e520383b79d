"""JSON of a tool, each part with its place, so that a complaint can name it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from podium.errors import DataError
from podium.importers.tables import is_strange, shown
from podium.words import listed


@dataclass(frozen=True)
class Node:
    """A value of a JSON document.

    Attributes:
        place: Where it stands: the name of the file and the names on the way.
        value: What stands there.

    >>> Node("log.json", {"eval": {"model": "ada"}})["eval"]["model"].text
    'ada'
    """

    place: str
    value: Any

    def __getitem__(self, name: str) -> "Node":
        """Give a part that has to be there."""
        found = self.get(name)
        if found is None:
            held = listed(self.mapping, 20) or "nothing"
            msg = f"{self.place}, has no {name!r} but {held}; is it of another tool or version?"
            raise DataError(msg)
        return found

    def get(self, name: str) -> "Node | None":
        """Give a part that may be absent, or null."""
        value = self.mapping.get(name)
        return None if value is None else Node(f"{self.place}, {name!r}", value)

    @property
    def mapping(self) -> dict[str, Any]:
        """The value, which has to be an object."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return dict(self.value)

    @property
    def parts(self) -> "dict[str, Node]":
        """All parts of an object by name, null ones left out."""
        return {
            name: Node(f"{self.place}, {name!r}", value)
            for name, value in self.mapping.items()
            if value is not None
        }

    def __iter__(self) -> Iterator["Node"]:
        """Go through the entries of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        for number, value in enumerate(self.value, start=1):
            yield Node(f"{self.place}, entry {number}", value)

    @property
    def text(self) -> str:
        """The value, which has to be text that can be a name."""
        if not isinstance(self.value, str) or is_strange(self.value):
            self.refuse("text")
        return str(self.value)

    @property
    def count(self) -> int:
        """The value, which has to be a whole number of at least 0."""
        value = self.value
        whole = isinstance(value, int | float) and value >= 0 and value == value // 1
        if isinstance(value, bool) or not whole:
            self.refuse("a whole number of at least 0")
        return int(self.value)

    @property
    def flag(self) -> bool:
        """The value, which has to be true or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return bool(self.value)

    def refuse(self, wanted: str) -> None:
        """Say that something else is expected here."""
        msg = f"{self.place}, is {shown(self.value)}; {wanted} is expected there"
        raise DataError(msg)


def is_number(value: object) -> TypeGuard[float]:
    """Tell a number from other JSON; true and false are none.

    >>> is_number(0.5), is_number(True), is_number("0.5")
    (True, False, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool)
