"""The one list of methods, and what the outside needs to know of each."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from podium.data.convert import Data, convert, readable
from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.errors import DataError
from podium.methods._certainty import Certainty
from podium.registry import Registry
from podium.words import check_choice, listed, unknown

NO_OPTIONS: Mapping[str, Any] = types.MappingProxyType({})

PROPERTIES: dict[str, str] = {
    "condorcet": "an agent that beats every other by majority comes first",
    "clones": "agents that stand side by side on every ballot count as one",
    "population": "a winner of two separate sets of votes wins their union",
    "agenda": "a winner among some agents wins among fewer, and among all if it wins in each part",
    "iia": "two agents are compared by what votes say of these two alone",
}
"""What a method may claim, as in Table 4 of Lanctot et al. (2025)."""


Again: TypeAlias = Callable[[Any, Ratings, Mapping[str, Any]], Ratings]
"""A method that is given data, the ratings so far (perhaps of other agents) and its options."""


@dataclass(frozen=True)
class Card:
    """One method.

    Attributes:
        name: The name that users type.
        call: The function; its keyword-only arguments are the options.
        reads: The kinds of data it can take, the preferred one first.
        cite: Where it was defined.
        holds: The properties it claims; each is a property test.
        cost: How the work grows, in agents m and votes n.
        cheap_up_to: Largest number of agents at which a command may bootstrap it unasked.
        votes: Whether it reads votes, so that Condorcet winners are worth telling.
        remarks: A word on a property, where the literature and the tests disagree.
        reads_with: Narrows `reads` for some options: terms of matches, say, need matches.
        certainty: Kind of intervals ("posterior", "sandwich") to the function that
            makes them by this method's own theory; see `methods/_certainty.py`.
        warm: The method started from ratings of like data, with the same answer.
        resume: An online method that goes on from its ratings so far with later data.
        apart: Options with which it rates data that fall apart into groups, where it
            refuses them without; a bootstrap may draw such data.
    """

    name: str
    call: Callable[..., Ratings]
    reads: tuple[type, ...]
    cite: str
    holds: frozenset[str]
    cost: str
    cheap_up_to: int
    votes: bool = True
    remarks: Mapping[str, str] = field(default_factory=dict)
    reads_with: Callable[[Mapping[str, Any]], tuple[type, ...]] | None = None
    certainty: Mapping[str, Certainty] = field(default_factory=dict)
    warm: Again | None = None
    resume: Again | None = None
    apart: Mapping[str, Any] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.call.__doc__ or "").strip().partition("\n")[0]

    @property
    def options(self) -> dict[str, Any]:
        """The options and their defaults."""
        return {name: parameter.default for name, parameter in self._parameters.items()}

    @property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        parameters = inspect.signature(self.call).parameters.values()
        return {p.name: p for p in parameters if p.kind is p.KEYWORD_ONLY}

    def bind(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options and turn text, as a command line gives it, into values."""
        hints = typing.get_type_hints(self.call)
        for name in options:
            if name not in self._parameters:
                what = f"option of {self.name}"
                if not self._parameters:
                    msg = f"{self.name} has no options, so {name!r} cannot be set"
                    raise DataError(msg)
                raise DataError(unknown(what, name, self._parameters))
        return {name: _value(f"{self.name}:{name}", v, hints[name]) for name, v in options.items()}

    def can_read(self, kind: type, options: Mapping[str, Any] = NO_OPTIONS) -> bool:
        """Tell whether data of this kind can be ranked by this method."""
        return readable(kind, self._reads(options)) is not None

    def target(self, kind: type, options: Mapping[str, Any] = NO_OPTIONS) -> type:
        """Name the kind as which this method reads data of a kind best."""
        reads = self._reads(options)
        return readable(kind, reads) or reads[0]

    def view(self, data: Data, options: Mapping[str, Any] = NO_OPTIONS) -> Any:
        """See data as the kind that this method reads best."""
        return convert(data, self.target(type(data), options))

    def _reads(self, options: Mapping[str, Any]) -> tuple[type, ...]:
        return self.reads_with(options) if self.reads_with else self.reads

    def goes_on(self, options: Mapping[str, Any] = NO_OPTIONS) -> bool:
        """Tell whether it goes match by match, so that later matches continue what was."""
        return self.resume is not None and self._reads(options)[0] is Matches

    def again(self, view: Any, near: Ratings | None, options: Mapping[str, Any]) -> Ratings:
        """Rank data that are like those of some ratings, from there if that is quicker."""
        if self.warm is None or near is None:
            return self.call(view, **options)
        return self.warm(view, near, options)


METHODS: Registry[Card] = Registry("method")


def method(
    name: str,
    *,
    reads: type | tuple[type, ...],
    cite: str,
    cost: str,
    holds: set[str] | None = None,
    cheap_up_to: int = 100,
    votes: bool = True,
    remarks: Mapping[str, str] | None = None,
    reads_with: Callable[[Mapping[str, Any]], tuple[type, ...]] | None = None,
    posterior: Certainty | None = None,
    sandwich: Certainty | None = None,
    warm: Again | None = None,
    resume: Again | None = None,
    apart: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Ratings]], Callable[..., Ratings]]:
    """Register the decorated function as a method; the function itself is unchanged."""
    offered = {"posterior": posterior, "sandwich": sandwich}

    def register(call: Callable[..., Ratings]) -> Callable[..., Ratings]:
        METHODS.put(
            Card(
                name=name,
                call=call,
                reads=reads if isinstance(reads, tuple) else (reads,),
                cite=cite,
                holds=frozenset(holds or ()),
                cost=cost,
                cheap_up_to=cheap_up_to,
                votes=votes,
                remarks=dict(remarks or {}),
                reads_with=reads_with,
                certainty={name: make for name, make in offered.items() if make is not None},
                warm=warm,
                resume=resume,
                apart=dict(apart or {}),
            )
        )
        return call

    return register


def _value(what: str, value: Any, hint: Any) -> Any:
    """Check an option against its type, reading text where another type is wanted."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        return check_choice(what, value, [str(choice) for choice in typing.get_args(hint)])
    if origin in (typing.Union, types.UnionType):
        kinds = typing.get_args(hint)
        if str(value).lower() == "none" and type(None) in kinds:
            return None
        kind = next(k for k in kinds if k is not type(None))
        return _value(what, value, kind)
    return _read(what, value, hint)


def _read(what: str, value: Any, kind: type) -> Any:
    words = {"true": True, "yes": True, "false": False, "no": False}
    if kind is bool and isinstance(value, str) and value.lower() in words:
        return words[value.lower()]
    try:
        if isinstance(value, str) and kind in (int, float):
            return kind(value)
    except ValueError:
        pass
    else:
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
    named = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
    msg = f"{what} is {value!r}; give {named.get(kind, listed([kind]))}"
    raise DataError(msg)
