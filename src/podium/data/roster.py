"""Roster: the agents and tasks that codes stand for."""

import itertools
import operator
import struct
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from podium.arrays import Ints, locked
from podium.errors import DataError
from podium.words import check_names, listed

BLOCK = 1 << 12
"""Cells of a column that are looked up at once: few enough to stay in the cache."""


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


def encoded(*columns: Sequence[Hashable]) -> tuple[tuple[Ints, ...], tuple[Any, ...]]:
    """Turn columns of names into codes of one list of names, in the order they first come.

    One look-up a cell, and none in Python: a name that is not there yet gets the next code.

    >>> encoded(["b", "a"], ["a", "c"])
    ((array([0, 1]), array([1, 2])), ('b', 'a', 'c'))
    """
    index: defaultdict[Hashable, int] = defaultdict(itertools.count().__next__)
    codes = tuple(locked(_looked_up(_cells(column), index)) for column in columns)
    return codes, tuple(index)


def _cells(column: Sequence[Hashable]) -> Sequence[Hashable]:
    """Give the cells of a column of any library as Python values."""
    cells = column.tolist() if hasattr(column, "tolist") else column
    return cells if isinstance(cells, list | tuple) else list(cells)


def _looked_up(cells: Sequence[Hashable], index: Mapping[Hashable, int]) -> Ints:
    """Look up all cells in one call a block: a quarter quicker than one after the other."""
    codes = np.empty(len(cells), dtype=np.int64)
    for first in range(0, len(cells), BLOCK):
        block = cells[first : first + BLOCK]
        found = operator.itemgetter(*block, block[0])(index)  # of one cell alone it gives no tuple
        numbers = np.frombuffer(struct.pack(f"{len(found)}q", *found), np.int64)
        codes[first : first + len(block)] = numbers[:-1]
    return codes


def first_seen(names: Iterable[str]) -> tuple[str, ...]:
    """List distinct names in the order in which they first come."""
    return tuple(dict.fromkeys(names))
