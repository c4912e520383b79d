"""Names to entries: filled by decorators, read by command line, docs and tests."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from podium.errors import DataError
from podium.words import unknown


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name that users type."""
        ...


C = TypeVar("C", bound=Named)
T = TypeVar("T")


class Registry(Generic[C]):
    """A dictionary of cards that refuses double names and explains missing ones."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.cards: dict[str, C] = {}

    def put(self, card: C) -> None:
        """Add a card under its name."""
        if card.name in self.cards:
            msg = f"two {self.kind}s are named {card.name!r}; rename one"
            raise DataError(msg)
        self.cards[card.name] = card

    def __getitem__(self, name: str) -> C:
        if name not in self.cards:
            raise DataError(unknown(self.kind, name, self.cards), field=self.kind)
        return self.cards[name]

    def __iter__(self) -> Iterator[C]:
        return iter(self.cards.values())

    def __len__(self) -> int:
        return len(self.cards)


@dataclass(frozen=True)
class Maker(Generic[T]):
    """One kind of a thing that is made to measure.

    Attributes:
        name: Its name, that of its file.
        make: Makes the thing; works without arguments.
        cite: Where it is from.
    """

    name: str
    make: Callable[..., T]
    cite: str

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return (self.make.__doc__ or "").strip().partition("\n")[0]


def made(
    registry: Registry[Maker[T]], name: str, cite: str
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Put the decorated function, which makes a thing, into a registry; it is unchanged."""

    def register(make: Callable[..., T]) -> Callable[..., T]:
        registry.put(Maker(name, make, cite))
        return make

    return register
