"""Arrays over pairs of agents, read by name and made into names only on demand."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from podium.arrays import Array


class PairMap(Mapping[tuple[str, str], Any]):
    """A mapping from ordered pairs of distinct agents to the entries of an array.

    >>> paths = PairMap(("a", "b"), np.array([[0.0, 4.0], [1.0, 0.0]]))
    >>> paths["a", "b"], len(paths)
    (4.0, 2)
    """

    def __init__(self, agents: Sequence[str], array: Array) -> None:
        self.agents = tuple(agents)
        self.array = array

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.agents)}

    def __getitem__(self, pair: tuple[str, str]) -> Any:
        left, right = (self._index[name] for name in pair)
        if left == right:
            raise KeyError(pair)
        return self.array[left, right].item()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((a, b) for a in self.agents for b in self.agents if a != b)

    def __len__(self) -> int:
        return len(self.agents) * (len(self.agents) - 1)

    def __repr__(self) -> str:
        return f"PairMap({len(self.agents)} agents)"


class PairList(Sequence[tuple[str, str]]):
    """The ordered pairs of agents at which an array is not zero.

    >>> list(PairList(("a", "b"), np.array([[0, 1], [0, 0]])))
    [('a', 'b')]
    """

    def __init__(self, agents: Sequence[str], array: Array) -> None:
        self.agents = tuple(agents)
        self.codes = np.argwhere(array)

    @overload
    def __getitem__(self, index: int) -> tuple[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, str]]: ...
    def __getitem__(self, index: int | slice) -> tuple[str, str] | list[tuple[str, str]]:
        if isinstance(index, slice):
            return [(self.agents[i], self.agents[j]) for i, j in self.codes[index].tolist()]
        i, j = self.codes[index].tolist()
        return self.agents[i], self.agents[j]

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"PairList({len(self)} pairs)"
