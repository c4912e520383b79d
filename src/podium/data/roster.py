"""Roster: the agents and tasks that codes stand for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from podium.arrays import Ints, locked
from podium.errors import DataError
from podium.words import check_names, listed


@dataclass(frozen=True)
class Roster:
    """Fixed, ordered agents and tasks; code number i stands for the i-th name.

    >>> roster = Roster.of(agents=["a", "b"], tasks=["t"])
    >>> roster.agent_codes(["b", "a", "b"])
    array([1, 0, 1])
    """

    agents: tuple[str, ...]
    tasks: tuple[str, ...] = ()

    @classmethod
    def of(cls, agents: Sequence[object], tasks: Sequence[object] = ()) -> "Roster":
        """Check the names and make a roster."""
        return cls(check_names("agent", agents), check_names("task", tasks))

    @cached_property
    def agent_index(self) -> dict[str, int]:
        """Name of an agent to its code."""
        return {name: code for code, name in enumerate(self.agents)}

    @cached_property
    def task_index(self) -> dict[str, int]:
        """Name of a task to its code."""
        return {name: code for code, name in enumerate(self.tasks)}

    def agent_codes(self, names: Iterable[str]) -> Ints:
        """Turn names of agents into codes."""
        return encode("agent", names, self.agent_index)

    def task_codes(self, names: Iterable[str]) -> Ints:
        """Turn names of tasks into codes."""
        return encode("task", names, self.task_index)


def encode(what: str, names: Iterable[str], index: dict[str, int]) -> Ints:
    """Look names up in an index; a name that is not there is an error."""
    try:
        return locked(np.fromiter(map(index.__getitem__, names), dtype=np.int64))
    except KeyError as missing:
        msg = f"unknown {what} {missing.args[0]!r}; the {what}s are {listed(index)}"
        raise DataError(msg) from None


def first_seen(names: Iterable[str]) -> tuple[str, ...]:
    """List distinct names in the order in which they first come."""
    return tuple(dict.fromkeys(names))
