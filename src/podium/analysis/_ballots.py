"""Ballots: how many rankings differ, which come again, and which tasks are doubled."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from podium.analysis._section import Fact, View, grouped, largest_first
from podium.data.profile import Profile
from podium.data.scores import Scores

MOST_TOLD = 5
"""Repeated rankings that are told, the most repeated first."""

TELLING = 3
"""Equal rows of fewer distinct scores than this may well be equal by chance."""


@dataclass(frozen=True)
class Repeat:
    """One ranking that comes more than once.

    Attributes:
        ballot: The ranking, best first, as `a > b = c`.
        times: On how many tasks, or with what weight of ballots, it comes.
        tasks: The tasks (or other sources) that it comes from, where they are known.
    """

    ballot: str
    times: float
    tasks: tuple[str, ...]


@dataclass(frozen=True)
class Ballots:
    """How diverse the rankings are (Observation 1 of Lanctot et al. 2025).

    Of scores, each task is one ranking; of ballots, a ranking counts with the
    weight of its ballots. Rankings are equal if they list the same agents in
    the same order with the same ties.

    Attributes:
        votes: Number of task rankings, or weight of all ballots.
        distinct: Number of rankings that differ.
        unique: Number of rankings that come once.
        histogram: Pairs of (times, number of rankings that come so often).
        most_repeated: The rankings that come most often, at most five.
    """

    votes: float
    distinct: int
    unique: int
    histogram: tuple[tuple[float, int], ...]
    most_repeated: tuple[Repeat, ...]

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        return [
            ("distinct rankings", f"{self.distinct:,} of {self.votes:,.12g}"),
            ("rankings that come once", f"{self.unique:,}"),
            *(
                (f"comes {repeat.times:,.12g} times", _shortened(repeat.ballot))
                for repeat in self.most_repeated[:1]
            ),
        ]

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        return []


def ballots(view: View) -> Ballots | str:
    """Count the rankings that differ, and those that come again."""
    profile = view.profile
    if profile is None:
        return "only scores and ballots hold rankings of more than two agents"
    filled = np.flatnonzero(profile.lengths > 0)
    ranking, members = same_rankings(profile)
    counting = np.ones(len(profile)) if isinstance(view.data, Scores) else profile.weights
    times = np.bincount(ranking[filled], counting[filled], len(members)).round(9)
    levels, numbers = np.unique(times, return_counts=True)
    repeated = [
        Repeat(_written(profile, rows[0]), float(amount), _sources(profile, rows))
        for rows, amount in zip(members, times.tolist(), strict=True)
        if amount > 1
    ]
    repeated.sort(key=lambda repeat: (-repeat.times, repeat.ballot))
    return Ballots(
        votes=float(counting[filled].sum().round(9)),
        distinct=len(members),
        unique=int((times == 1).sum()),
        histogram=tuple(zip(levels.tolist(), numbers.tolist(), strict=True)),
        most_repeated=tuple(repeated[:MOST_TOLD]),
    )


def same_rankings(profile: Profile) -> tuple[np.ndarray, list[list[int]]]:
    """Number the rankings that differ, ballots without agents left out as -1.

    Returns:
        The number of each ballot's ranking, and the ballots of each ranking.

    >>> same_rankings(Profile.from_ballots([(1, "ab"), (1, "ba"), (1, "ab")]))[1]
    [[0, 2], [1]]
    """
    order = np.lexsort((profile.who, profile.group_start, profile.vote_of_entry))
    entries = np.stack([profile.who[order], profile.group_start[order]], axis=1)
    start = profile.start.tolist()
    numbers: dict[bytes, int] = {}
    ranking = np.full(len(profile), -1, dtype=np.int64)
    members: list[list[int]] = []
    for ballot in np.flatnonzero(profile.lengths).tolist():
        key = entries[start[ballot] : start[ballot + 1]].tobytes()
        number = numbers.setdefault(key, len(numbers))
        if number == len(members):
            members.append([])
        members[number].append(ballot)
        ranking[ballot] = number
    return ranking, members


def _written(profile: Profile, ballot: int) -> str:
    span = slice(profile.start[ballot], profile.start[ballot + 1])
    groups: dict[int, list[str]] = {}
    for agent, place in zip(profile.who[span].tolist(), profile.place[span].tolist(), strict=True):
        groups.setdefault(place, []).append(profile.agents[agent])
    return " > ".join(" = ".join(sorted(groups[place])) for place in sorted(groups))


def _shortened(text: str, width: int = 100) -> str:
    return text if len(text) <= width else f"{text[:width]}..."


def _sources(profile: Profile, rows: Iterable[int]) -> tuple[str, ...]:
    return tuple(sorted({profile.sources[row] for row in rows})) if profile.sources else ()


@dataclass(frozen=True)
class DuplicateTasks:
    """Tasks that say the same as others.

    Attributes:
        scores: Groups of tasks on which every agent has the same mean score
            (and the same agents have none); tasks on which all agents are equal
            are not among them.
        rankings: Groups of tasks that rank the agents the same way, with the same
            ties; those of `scores` are among them, those that tie all or list
            one agent are not.
        telling: The groups of `scores` with at least three distinct scores a task,
            which chance hardly explains.
    """

    scores: tuple[tuple[str, ...], ...]
    rankings: tuple[tuple[str, ...], ...]
    telling: tuple[tuple[str, ...], ...]

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        return [
            ("tasks of equal scores", grouped(self.scores)),
            ("tasks of equal rankings", grouped(self.rankings)),
        ]

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if not self.telling:
            return []
        return [
            (
                f"every agent has the same score on {grouped(self.telling)}: if one task was "
                "recorded twice it counts twice, so keep one of each group, or weigh them down"
            )
        ]


def duplicate_tasks(view: View) -> DuplicateTasks | str:
    """Find tasks with equal scores, and tasks with equal rankings."""
    data, profile = view.data, view.profile
    if not isinstance(data, Scores) or profile is None:
        return "only scores have tasks that can be told to be doubled"
    rows: dict[bytes, list[int]] = {}
    means = data.means + 0.0  # minus zero becomes zero
    for task in np.flatnonzero(data.weights > 0).tolist():
        rows.setdefault(means[task].tobytes(), []).append(task)
    values = {row[0]: _distinct(means[row[0]]) for row in rows.values() if len(row) > 1}
    doubled = [row for row in rows.values() if len(row) > 1 and values[row[0]] > 1]
    _, members = same_rankings(profile)
    varied = [some for some in members if len(some) > 1 and _has_order(profile, some[0])]
    return DuplicateTasks(
        scores=_named(data.tasks, doubled),
        rankings=_named(profile.sources, varied),
        telling=_named(data.tasks, [row for row in doubled if values[row[0]] >= TELLING]),
    )


def _distinct(row: np.ndarray) -> int:
    return len(np.unique(row[~np.isnan(row)]))


def _has_order(profile: Profile, ballot: int) -> bool:
    return bool(profile.place[profile.start[ballot + 1] - 1] > 0)


def _named(names: tuple[str, ...], rows: list[list[int]]) -> tuple[tuple[str, ...], ...]:
    return largest_first([names[row] for row in some] for some in rows)
