"""Ranks of each agent by many methods, and how far these see it apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from podium.analysis._section import joined
from podium.data.ratings import Ranking


@dataclass(frozen=True)
class Row:
    """The ranks of one agent in each ranking, None where it is not ranked."""

    agent: str
    ranks: tuple[int | None, ...]

    @property
    def known(self) -> list[int]:
        """The ranks that there are."""
        return [rank for rank in self.ranks if rank is not None]

    @property
    def average(self) -> float:
        """The mean rank."""
        return fmean(self.known)

    @property
    def reach(self) -> int:
        """How many places lie between the best rank and the worst."""
        return max(self.known) - min(self.known)

    def far(self, rank: int | None, agents: int) -> bool:
        """Tell whether a ranking sees the agent far from where most do."""
        return rank is not None and abs(rank - median(self.known)) >= max(2, agents / 4)


def rows_of(rankings: Mapping[str, Ranking]) -> list[Row]:
    """Give a row for each agent, the best on average first.

    >>> ranking = Ranking("mean", (("a",), ("b",)), {"a": 2.0, "b": 1.0})
    >>> rows_of({"mean": ranking})
    [Row(agent='a', ranks=(1,)), Row(agent='b', ranks=(2,))]
    """
    ranks = [ranking.ranks for ranking in rankings.values()]
    agents = dict.fromkeys(agent for by in ranks for agent in by)
    rows = [Row(agent, tuple(by.get(agent) for by in ranks)) for agent in agents]
    return sorted(rows, key=lambda row: (row.average, row.agent))


def disagreement(rows: Sequence[Row]) -> Iterator[str]:
    """Say where the rankings agree and where they do not."""
    if any(row.far(rank, len(rows)) for row in rows for rank in row.ranks):
        yield "* far from where most see the agent"
    disputed = max((row.reach for row in rows), default=0)
    if disputed > 1:
        most = [row for row in rows if row.reach == disputed]
        told = [f"{row.agent} (rank {min(row.known)} to {max(row.known)})" for row in most]
        yield f"Most disputed: {joined(told)}."
    agreed = [row.agent for row in rows if row.reach == 0]
    if agreed and len(agreed) < len(rows):
        yield f"All agree on the rank of {joined(agreed)}."
    elif agreed:
        yield "All agree on every rank."
