"""Influence: which tasks decide a ranking, which contradict it, and which say the same."""

from dataclasses import dataclass

import numpy as np

from podium.analysis._sampling import Sampling
from podium.analysis.rank import Subject
from podium.arrays import Array, Floats
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.words import counted

LARGEST = 20_000_000
"""No table of tasks x pairs of agents with more cells than this is made."""


@dataclass(frozen=True)
class Influence:
    """What one task does to a ranking.

    Attributes:
        task: The task.
        distance: Share of the pairs of agents with scores on it that it orders otherwise
            than the ranking; a tie in one of the two counts half.
        moved: Share of all pairs of agents whose order changes when it is left out,
            counted the same way.
        leaders: Who leads without it.
        alike: The task that orders agents most like it; None for a single task.
        likeness: Share of all pairs of agents that both order the same way; a pair without
            scores on both counts half.
    """

    task: str
    distance: float
    moved: float
    leaders: tuple[str, ...]
    alike: str | None
    likeness: float


def influence(scores: Scores, ranking: Ranking) -> tuple[Influence, ...] | str:
    """Find what each task of weight does to a ranking by its method, the most moving first.

    Returns:
        The influences; or why they are not looked for.

    >>> scores = Scores.from_matrix([[3, 2, 1], [2, 1, 0], [0, 5, 1]], "stu", "abc")
    >>> from podium.analysis.rank import rank
    >>> [(one.task, round(one.moved, 4)) for one in influence(scores, rank(scores, "borda"))][0]
    ('s', 0.1667)
    """
    weighty = zip(scores.tasks, scores.weights, strict=True)
    tasks = sorted(task for task, weight in weighty if weight > 0)
    size = len(scores.agents)
    cells = len(tasks) * size * (size - 1) // 2
    if cells > LARGEST:
        return (
            f"{counted(len(tasks), 'task')} and {counted(size, 'agent')} make {cells:,} "
            f"comparisons; this is looked for up to {LARGEST:,}"
        )
    if len(tasks) < 2:
        return "there are fewer than two tasks"
    rows = [scores.tasks.index(task) for task in tasks]
    signs, known = _signs(np.asarray(scores.means)[rows])
    whole = _order(ranking, scores.agents)
    apart = _apart(signs, known, whole[None], np.ones_like(whole)[None])[:, 0]
    both = _apart(signs, known, signs, known)
    shared = known @ known.T / max(known.shape[1], 1)
    both = both * shared + (1 - shared) / 2
    np.fill_diagonal(both, np.inf)
    nearest = both.argmin(axis=1)
    found = [
        _without(scores, ranking, whole, task, float(apart[place]), tasks[nearest[place]],
                 1.0 - float(both[place, nearest[place]]))
        for place, task in enumerate(tasks)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (-round(one.moved, 12), one.task)))


def _without(
    scores: Scores,
    ranking: Ranking,
    whole: Array,
    task: str,
    distance: float,
    alike: str,
    likeness: float,
) -> Influence:
    """Rank without a task."""
    rest = Subject(scores.only(agents=scores.agents, tasks=[t for t in scores.tasks if t != task]))
    without = rest.ranked(ranking.method, ranking.options, Sampling())
    moved = np.abs(_order(without, scores.agents) - whole).sum() / max(2 * len(whole), 1)
    return Influence(task, distance, float(moved), without.tiers[0], alike, likeness)


def _signs(values: Floats) -> tuple[Array, Array]:
    """Give the order of each pair of agents on each task, and whether both have scores."""
    left, right = np.triu_indices(values.shape[1], 1)
    lead = values[:, left] - values[:, right]
    known = ~np.isnan(lead)
    return np.sign(np.where(known, lead, 0.0)).astype(np.float32), known.astype(np.float32)


def _order(ranking: Ranking, agents: tuple[str, ...]) -> Array:
    """Give the order of each pair of agents in a ranking: 1 where the first is above."""
    ranks = np.array([ranking.ranks[agent] for agent in agents])
    left, right = np.triu_indices(len(agents), 1)
    return np.asarray(np.sign(ranks[right] - ranks[left]), dtype=np.float32)


def _apart(signs: Array, known: Array, others: Array, others_known: Array) -> Floats:
    """Give the share of known pairs that each two orders see otherwise, a tie in one as half."""
    strict, strict_others = np.abs(signs), np.abs(others)
    both = strict @ strict_others.T
    opposed = (both - signs @ others.T) / 2
    tied = strict @ others_known.T + known @ strict_others.T - 2 * both
    pairs = known @ others_known.T
    return np.asarray((opposed + tied / 2) / np.maximum(pairs, 1), dtype=np.float64)
