"""Coverage: what was compared with what, how often, and what is missing."""

from dataclasses import dataclass, replace

import numpy as np

from podium.analysis._section import Fact, View, grouped, joined
from podium.arrays import Bools, Floats, add_up
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT
from podium.kernels.meetings import Meetings
from podium.words import counted

MOST_LISTED = 100
"""Pairs that never met are listed by name up to this many."""

THIN = 0.5
"""An agent with less than this share of the median agent's comparisons has few."""


@dataclass(frozen=True)
class Coverage:
    """How much of all that could be compared was compared.

    Attributes:
        unit: What the shares of the agents count: "tasks", "ballots" or "rivals".
        agents: Agent to the share of the tasks on which it has a score, of the
            weight of the ballots that list it, or of the rivals that it met.
        tasks: Task to the share of the agents with a score; empty without tasks.
        cells: Number of cells of tasks x agents; 0 where there are none.
        missing: Cells without a score.
        pairs: Number of pairs of agents.
        never_met: Pairs that no task, ballot or match compares.
        never_met_pairs: These pairs, where there are at most 100.
        least_met: Weight of the comparisons of the pair that has fewest.
        thin: Agents with less than half of the comparisons of the median agent.
        groups: Agents that comparisons connect, directly or through others, largest
            first; more than one group cannot be put into one ranking.
    """

    unit: str
    agents: dict[str, float]
    tasks: dict[str, float]
    cells: int
    missing: int
    pairs: int
    never_met: int
    never_met_pairs: tuple[tuple[str, str], ...]
    least_met: float
    thin: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        facts = []
        if self.cells:
            facts.append(("missing cells", f"{self.missing:,} of {self.cells:,}"))
        if self.agents:
            shares = self.agents.values()
            span = f"{min(shares):.0%} to {max(shares):.0%} of the {self.unit}"
            facts.append(("an agent covers", span))
        facts.append(("pairs never compared", f"{self.never_met:,} of {self.pairs:,}"))
        facts.append(("comparisons of a pair", f"at least {self.least_met:g}"))
        if self.thin:
            facts.append(("agents with few comparisons", joined(self.thin)))
        if len(self.groups) > 1:
            facts.append(("groups never compared", grouped(self.groups)))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        found = []
        if len(self.groups) > 1:
            found.append(
                f"no comparison connects {grouped(self.groups)}: their order against one another "
                "rests on nothing; add comparisons across, or rank each group by itself"
            )
        elif self.never_met:
            found.append(
                f"{counted(self.never_met, 'pair')} of agents never met, which counts as a tie in "
                "most methods; evaluate these pairs on common tasks"
            )
        if self.thin:
            found.append(
                f"few comparisons for {joined(self.thin)}, less than half of the median agent's; "
                "evaluate more, or leave them out, before trusting their ranks"
            )
        return found


def coverage(view: View) -> Coverage | str:
    """Find what was compared with what, and what was not."""
    meetings = view.meetings
    if meetings is None:
        return "a game has a payoff for every combination of strategies"
    size = len(view.agents)
    data = view.data
    pairs = size * (size - 1) // 2
    never = pairs - int(meetings.rivals.sum()) // 2
    unit, shares = _shares(view, meetings)
    thin = meetings.weight < THIN * np.median(meetings.weight) if size else np.zeros(0, bool)
    return Coverage(
        unit=unit,
        agents=dict(zip(view.agents, shares.tolist(), strict=True)),
        tasks=_tasks(data) if isinstance(data, Scores) else {},
        cells=data.counts.size if isinstance(data, Scores) else 0,
        missing=data.missing if isinstance(data, Scores) else 0,
        pairs=pairs,
        never_met=never,
        never_met_pairs=_never_met(view, never),
        least_met=meetings.least,
        thin=view.names(np.flatnonzero(thin)),
        groups=view.groups(meetings.group),
    )


def _shares(view: View, meetings: Meetings) -> tuple[str, Floats]:
    data = view.data
    if isinstance(data, Scores):
        return "tasks", data.coverage
    if isinstance(data, Profile):
        listed = add_up(data.who, data.weights[data.vote_of_entry], len(data.agents))
        return "ballots", listed / max(float(data.weights.sum()), 1e-300)
    return "rivals", meetings.rivals / max(len(view.agents) - 1, 1)


def _tasks(scores: Scores) -> dict[str, float]:
    shares = (scores.counts > 0).sum(axis=1) / max(len(scores.agents), 1)
    return dict(zip(scores.tasks, shares.tolist(), strict=True))


def _never_met(view: View, number: int) -> tuple[tuple[str, str], ...]:
    tally = view.tally
    if tally is None or not 0 < number <= MOST_LISTED or len(view.agents) > DENSE_LIMIT:
        return ()
    unmet = np.argwhere(np.triu(tally.met == 0, 1))
    pairs = [sorted(view.agents[code] for code in pair) for pair in unmet.tolist()]
    return tuple(sorted((first, second) for first, second in pairs))


@dataclass(frozen=True)
class Samples:
    """How often the cells of tasks x agents were sampled.

    Attributes:
        total: Number of scores.
        least: Fewest samples of a cell that has any.
        most: Most samples of a cell.
        repeated: Cells with more than one sample.
    """

    total: int
    least: int
    most: int
    repeated: int

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        return [("scores", f"{self.total:,}"), ("of a cell", f"{self.least:,} to {self.most:,}")]

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if self.most < 10 * max(self.least, 1):
            return []
        return [
            (
                f"cells have from {self.least:,} to {self.most:,} samples: some means are far less "
                "certain than others; sample the thin cells, and rank with resample='sample'"
            )
        ]


def samples(view: View) -> Samples | str:
    """Count the samples of the cells."""
    if not isinstance(view.data, Scores):
        return "only scores have cells with samples"
    counts = view.data.counts[view.data.counts > 0]
    return Samples(
        total=len(view.data.value),
        least=int(counts.min()) if counts.size else 0,
        most=int(counts.max(initial=0)),
        repeated=int((counts > 1).sum()),
    )


@dataclass(frozen=True)
class Ties:
    """How often comparisons say nothing.

    Attributes:
        share: Share of the weight of all comparisons of two agents that are ties,
            or None where nothing was compared.
        level_pairs: Pairs of agents that met and are level by majority.
        constant: Number of tasks or ballots on which all of several agents are equal.
        constant_tasks: Their names, where they have any.
        lone: Number of tasks or ballots with one agent or none, which compare nobody.
        lone_tasks: Their names, where they have any.
    """

    share: float | None
    level_pairs: int
    constant: int = 0
    constant_tasks: tuple[str, ...] = ()
    lone: int = 0
    lone_tasks: tuple[str, ...] = ()

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        share = "nothing compared" if self.share is None else f"{self.share:.1%}"
        facts = [("tied comparisons", share), ("pairs level by majority", f"{self.level_pairs:,}")]
        if self.constant:
            facts.append(("all agents equal", _told(self.constant, self.constant_tasks)))
        if self.lone:
            facts.append(("only one agent or none", _told(self.lone, self.lone_tasks)))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if not self.constant_tasks:
            return []
        return [
            (
                f"all agents are equal on {joined(self.constant_tasks)}, which tells nothing of "
                "who is better; check how it is scored, or drop it"
            )
        ]


def _told(number: int, names: tuple[str, ...]) -> str:
    return joined(names) if names else counted(number, "ballot")


def ties(view: View) -> Ties | str:
    """Count ties in comparisons, in majorities, and on whole tasks or ballots."""
    meetings, profile = view.meetings, view.profile
    if meetings is None:
        return "a game holds no comparisons of two agents on one task"
    share = meetings.tied / meetings.compared if meetings.compared else None
    found = Ties(None if share is None else min(max(share, 0.0), 1.0), meetings.level)
    if profile is None:
        return found
    flat = np.zeros(len(profile), dtype=bool)
    several = profile.lengths > 1
    flat[several] = profile.place[profile.start[1:][several] - 1] == 0
    return replace(
        found,
        constant=int(flat.sum()),
        constant_tasks=_sources(profile, flat),
        lone=int((profile.lengths < 2).sum()),
        lone_tasks=_sources(profile, profile.lengths < 2),
    )


def _sources(profile: Profile, marked: Bools) -> tuple[str, ...]:
    if not profile.sources:
        return ()
    return tuple(sorted(profile.sources[row] for row in np.flatnonzero(marked).tolist()))
