"""Ratings as a method gives them, and the ranking that a user reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Array, Floats, Ints, floats, ints
from podium.data.labelled import PairList, PairMap
from podium.data.tally import Tally

TIE_TOLERANCE = 1e-10
"""Ratings that differ by less than this share of the largest are equal."""

LARGEST_LISTED = 200
"""Pairs of more agents than this are left out of JSON: they would fill megabytes."""

SCHEMA = "podium.rank/1"


@dataclass(frozen=True, eq=False)
class Ratings:
    """What a method answers: a number and a tier for each agent, higher is better.

    Attributes:
        agents: The agents, in the order of the arrays.
        values: Rating of each agent.
        tiers: Number of the tier of each agent, 0 is best, each number used.
        info: What else the method has to say, by name.
    """

    agents: tuple[str, ...]
    values: Floats
    tiers: Ints
    info: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def by_value(
        cls,
        agents: Sequence[str],
        values: ArrayLike,
        *,
        tolerance: float | None = None,
        **info: Any,
    ) -> "Ratings":
        """Rank agents by their ratings; those within the tolerance share a tier.

        >>> Ratings.by_value("abc", [1.0, 3.0, 3.0]).tiers.tolist()
        [1, 0, 0]
        """
        array = floats(values)
        return cls(tuple(agents), array, tiers_of(array, tolerance), info)

    @classmethod
    def by_key(
        cls, agents: Sequence[str], values: ArrayLike, key: ArrayLike, **info: Any
    ) -> "Ratings":
        """Rank agents by another number than their rating, lowest first."""
        return cls(tuple(agents), floats(values), tiers_of(-np.asarray(key, float)), info)


def tiers_of(values: Floats, tolerance: float | None = None) -> Ints:
    """Number the tiers of some ratings, the highest rating first.

    >>> tiers_of(np.array([0.3, 0.1 + 0.2, 1.0])).tolist()
    [1, 1, 0]
    """
    if not len(values):
        return ints([])
    gap = TIE_TOLERANCE * float(np.abs(values).max()) if tolerance is None else tolerance
    order = np.argsort(-values, kind="stable")
    steps = np.concatenate(([0], -np.diff(values[order]) > gap))
    tiers = np.empty(len(values), dtype=np.int64)
    tiers[order] = np.cumsum(steps)
    return ints(tiers)


def ranks_of(tiers: Ints) -> Ints:
    """Turn tiers into ranks from 1, where tied agents share the lower number.

    >>> ranks_of(np.array([0, 1, 1, 2])).tolist()
    [1, 2, 2, 4]
    """
    sizes = np.bincount(tiers)
    return ints((np.cumsum(sizes) - sizes + 1)[tiers])


@dataclass(frozen=True)
class Ranking:
    """Agents in tiers, best first, with ratings and what is known of their certainty.

    Attributes:
        method: Name of the method.
        options: The options it was given.
        tiers: Tuples of tied agents, best first.
        ratings: Agent to rating.
        intervals: Agent to (low, high) of its rating; empty without intervals.
        rank_intervals: Agent to (best, worst) rank; empty without intervals.
        info: What else the method has to say, by name.
        data: What was ranked, in figures.
        seconds: Time that the method took.
        counts: The counts of pairs that were ranked, from which `podium.update` goes
            on; None where the method reads something else.
    """

    method: str
    tiers: tuple[tuple[str, ...], ...]
    ratings: dict[str, float]
    options: dict[str, Any] = field(default_factory=dict)
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    rank_intervals: dict[str, tuple[int, int]] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    counts: Tally | None = field(default=None, repr=False, compare=False)

    @property
    def ranks(self) -> dict[str, int]:
        """Agent to rank, from 1; tied agents share the lower number."""
        result, rank = {}, 1
        for tier in self.tiers:
            result.update(dict.fromkeys(tier, rank))
            rank += len(tier)
        return result

    @property
    def order(self) -> tuple[str, ...]:
        """The agents one by one, best first; tied agents stand by name."""
        return tuple(agent for tier in self.tiers for agent in tier)

    def drawn(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Break ties by lot and give one strict order."""
        return tuple(agent for tier in self.tiers for agent in rng.permutation(tier).tolist())

    def table(self) -> list[dict[str, Any]]:
        """Give a row for each agent, best first, ready for any frame library."""
        rows = []
        for agent, rank in self.ranks.items():
            low, high = self.intervals.get(agent, (None, None))
            best, worst = self.rank_intervals.get(agent, (None, None))
            row = {"rank": rank, "agent": agent, "rating": self.ratings[agent]}
            row |= {"rating_low": low, "rating_high": high}
            row |= {"rank_low": best, "rank_high": worst}
            rows.append(row)
        return rows

    def to_result(self) -> dict[str, Any]:
        """Give this ranking as one entry of the results in a JSON answer."""
        return {
            "method": self.method,
            "options": plain(self.options),
            "seconds": round(self.seconds, 6),
            "ranking": self.table(),
            "info": plain(self.info),
        }

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON answer that `podium rank` prints."""
        return {"schema": SCHEMA, "data": plain(self.data), "results": [self.to_result()]}

    def __str__(self) -> str:
        rows = self.table()
        names = [row["agent"] for row in rows]
        width = max(map(len, names), default=5)
        lines = [f"{self.method}: {len(names)} agents"]
        for row in rows:
            line = f"{row['rank']:>4}  {row['agent']:<{width}}  {row['rating']:>10.4g}"
            if row["rank_low"] is not None:
                line += f"  rank {row['rank_low']} to {row['rank_high']}"
            lines.append(line)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        import html

        rows = self.table()
        spread = any(row["rank_low"] is not None for row in rows)
        heads = ["rank", "agent", "rating", *(["rating interval", "rank interval"] * spread)]
        lines = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
        for row in rows:
            cells = [str(row["rank"]), html.escape(row["agent"]), f"{row['rating']:.4g}"]
            if spread:
                cells.append(_span(row["rating_low"], row["rating_high"], " to "))
                cells.append(_span(row["rank_low"], row["rank_high"], "-"))
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        title = html.escape(self.method)
        return f"<table><caption>{title}</caption>{''.join(lines)}</table>"


def _span(low: float | None, high: float | None, between: str) -> str:
    """Write an interval for people, or nothing.

    >>> _span(1, 3, "-"), _span(2, 2, "-"), _span(None, None, "-")
    ('1-3', '2', '')
    """
    if low is None or high is None:
        return ""
    return f"{low:.4g}" if low == high else f"{low:.4g}{between}{high:.4g}"


def ranking_of(ratings: Ratings, method: str, options: Mapping[str, Any], **more: Any) -> Ranking:
    """Name the agents of some ratings and put them in order; tied agents stand by name."""
    tiers: list[list[str]] = [[] for _ in range(int(ratings.tiers.max(initial=-1)) + 1)]
    for agent, tier in zip(ratings.agents, ratings.tiers.tolist(), strict=True):
        tiers[tier].append(agent)
    return Ranking(
        method=method,
        options=dict(options),
        tiers=tuple(tuple(sorted(tier)) for tier in tiers),
        ratings=dict(zip(ratings.agents, ratings.values.tolist(), strict=True)),
        info=dict(ratings.info),
        **more,
    )


def plain(value: Any) -> Any:
    """Turn arrays, tuples and pair maps into what JSON can hold."""
    if isinstance(value, PairMap | PairList):
        return _plain_pairs(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _plain_pairs(pairs: PairMap | PairList) -> Any:
    if len(pairs.agents) > LARGEST_LISTED:
        return f"{len(pairs)} pairs, not listed"
    if isinstance(pairs, PairList):
        return [list(pair) for pair in pairs]
    rows: dict[str, dict[str, Any]] = {agent: {} for agent in pairs.agents}
    for (left, right), value in pairs.items():
        rows[left][right] = value
    return rows


def labelled(agents: Sequence[str], values: Array) -> dict[str, Any]:
    """Pair agents with the entries of an array."""
    return dict(zip(agents, np.asarray(values).tolist(), strict=True))
