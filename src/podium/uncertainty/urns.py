"""Urns: how often each unit comes up in a draw."""

from dataclasses import dataclass

import numpy as np

from podium.arrays import Array, Floats, Ints, locked


@dataclass(frozen=True, eq=False)
class Urn:
    r"""Units drawn with replacement, counted and not listed.

    .. math:: (k_1, \dots, k_u) \sim \operatorname{Multinomial}(n, (c_1, \dots, c_u) / n)

    where :math:`c_u` is how many equal units the u-th entry stands for.

    Attributes:
        copies: How many equal units each entry drawn stands for.
        order: Which entry of the data each of them is, in an order that does
            not depend on how the data are listed.
        entries: Number of entries of the data, drawn or not.
    """

    copies: Floats
    order: Ints
    entries: int

    @classmethod
    def of(cls, copies: Array, order: Array | None = None) -> "Urn":
        """Fill an urn; without an order the entries are drawn as they are listed."""
        chosen = np.arange(len(copies)) if order is None else order
        chosen = chosen[copies[chosen] > 0]
        return cls(locked(copies[chosen].astype(np.float64)), locked(chosen), len(copies))

    @property
    def size(self) -> float:
        """How many units a draw takes."""
        return float(self.copies.sum())

    def draw(self, rng: np.random.Generator, count: int) -> Ints:
        """Draw some times: draws x entries, how often each entry came up.

        >>> Urn.of(np.array([3.0, 0.0])).draw(np.random.default_rng(0), 2).tolist()
        [[3, 0], [3, 0]]
        """
        times = np.zeros((count, self.entries), dtype=np.int64)
        times[:, self.order] = rng.multinomial(int(self.size), self.copies / self.size, count)
        return times


@dataclass(frozen=True, eq=False)
class Strata:
    """Units drawn with replacement within each of many groups, which lie end to end.

    Attributes:
        start: For each unit, where its group starts.
        width: For each unit, the number of units in its group.
    """

    start: Ints
    width: Ints

    @classmethod
    def of(cls, group: Array) -> "Strata":
        """Tell units apart by the group of each; a group's units must lie together.

        >>> Strata.of(np.array([7, 7, 2])).start.tolist()
        [0, 0, 2]
        """
        first = np.flatnonzero(np.diff(group, prepend=-1))
        widths = np.diff(first, append=len(group))
        return cls(locked(np.repeat(first, widths)), locked(np.repeat(widths, widths)))

    @property
    def size(self) -> float:
        r"""Typical number of units in a group, among groups of more than one.

        The harmonic mean: a draw shows :math:`1 - 1/k` of the variance of a
        group of k.
        """
        heads = self.width[self.start == np.arange(len(self.start))]
        many = heads[heads > 1]
        return float(len(many) / np.sum(1 / many)) if len(many) else 1.0

    def draw(self, rng: np.random.Generator, count: int) -> Ints:
        """Draw some times: draws x units, how often each unit came up."""
        everything = np.arange(len(self.start))
        draws = [self.pick(rng, everything) for _ in range(count)]
        return np.stack([np.bincount(picks, minlength=len(everything)) for picks in draws])

    def pick(self, rng: np.random.Generator, units: Ints) -> Ints:
        """Draw, in the place of each unit, one of its group."""
        step = (rng.random(len(units)) * self.width[units]).astype(np.int64)
        return self.start[units] + step
