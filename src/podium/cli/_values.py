"""Read the values of a command line as the types that commands declare."""

from enum import Enum
from typing import Any, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

NUMBERS = {int: "a whole number", float: "a number"}


class Reader:
    """Reads the values of one parameter.

    Typer reads them with a validator that takes longer to load than typer
    itself or numpy. Words, numbers, choices and flags are all that these
    commands take, so they are read here.
    """

    def __init__(self, kind: Any) -> None:
        self.kind = get_args(kind)[0] if get_origin(kind) is list else kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Read one value, or all of a parameter that is given many times."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many:
            return tuple(self._read(item, param, ctx) for item in value)
        return self._read(value, param, ctx)

    def _read(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, self.kind):
            return value
        try:
            return self.kind(value)
        except ValueError:
            msg = f"{value!r} is not {self._wanted()}."
            raise typer.BadParameter(msg, ctx=ctx, param=param) from None

    def _wanted(self) -> str:
        if issubclass(self.kind, Enum):
            return "one of " + ", ".join(choice.value for choice in self.kind)
        return NUMBERS.get(self.kind, "what is wanted here")


def read_lightly(params: list[Any]) -> list[Any]:
    """Let parameters be read by `Reader`, where typer would load its validator."""
    for param in params:
        described = getattr(param, "type_descriptor", None)
        if described is not None:
            param._runtime_param = Reader(described.annotation)  # noqa: SLF001, see Reader
    return params


class Command(TyperCommand):
    """A command whose values are read lightly."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Give the parameters, that of the help among them."""
        return read_lightly(super().get_params(ctx))


class Group(TyperGroup):
    """A group of commands whose values are read lightly."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Give the parameters, that of the help among them."""
        return read_lightly(super().get_params(ctx))
