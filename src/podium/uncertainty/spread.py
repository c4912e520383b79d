"""Spread: what is known of the certainty of ratings and ranks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Intervals around the ratings and ranks of one ranking.

    Attributes:
        kind: How they were made: "bootstrap" or "posterior".
        unit: What was drawn anew: "task", "sample", "match", "ballot", ...
        draws: How many times.
        level: Share of the draws that an interval holds, such as 0.95.
        intervals: Agent to (low, high) of its rating.
        rank_intervals: Agent to (best, worst) rank.
        groups: Agents that the data do not tell apart, best first.
        notes: What the reader of the intervals should know.
    """

    kind: str
    unit: str
    draws: int
    level: float
    intervals: dict[str, tuple[float, float]]
    rank_intervals: dict[str, tuple[int, int]]
    groups: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
