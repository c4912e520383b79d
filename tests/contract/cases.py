"""Cases: votes on which a property is tried, drawn at random or stored as counterexamples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from podium.data.profile import Profile
from podium.data.scores import Scores
from strategies import NAMES

Votes: TypeAlias = Profile | Scores
Groups: TypeAlias = list[list[str]]


@dataclass(frozen=True)
class Case:
    """Votes on which a property is tried; where scores are read, each task is a vote.

    Attributes:
        claim: Name of the property.
        parts: The votes; for "population" two sets of them, for "iia" two that
            agree on some agents.
        groups: "clones": the clones, and the one taken out. "agenda": the two
            agendas. "iia": the agents on which the votes agree.
    """

    claim: str
    parts: tuple[Votes, ...]
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def data(self) -> Votes:
        """The votes, or the first set of them."""
        return self.parts[0]

    @property
    def union(self) -> Votes:
        """All sets of votes as one."""
        return joined(self.parts)


@dataclass(frozen=True)
class Domain:
    """Which votes are drawn.

    Attributes:
        kind: `Profile`, or `Scores` for methods that read only these.
        agents: Fewest and most agents.
        votes: Most votes in a set.
        strict: Whether ballots hold no ties and leave nobody out.
        weights: Weights of ballots to choose from.
        wide: Whether the "iia" of lotteries is asked, on sets of two or more agents.
    """

    kind: type = Profile
    agents: tuple[int, int] = (2, 4)
    votes: int = 7
    strict: bool = False
    weights: tuple[float, ...] = (1.0, 1.0, 2.0, 3.0, 0.5)
    wide: bool = False

    def draw(self, rng: Random, agents: Sequence[str]) -> Votes:
        """Draw votes on some agents."""
        if self.kind is Profile:
            return self.profile(rng, agents)
        weights = [rng.choice(self.weights) for _ in range(rng.randint(1, self.votes))]
        rows = [[rng.randint(-8, 8) / 2 for _ in agents] for _ in weights]
        return _scores(rows, agents, weights)

    def profile(self, rng: Random, agents: Sequence[str]) -> Profile:
        """Draw ballots on some agents."""
        weights = [rng.choice(self.weights) for _ in range(rng.randint(1, self.votes))]
        ballots = [self.ballot(rng, agents) for _ in weights]
        return Profile.from_ballots(zip(weights, ballots, strict=True), agents)

    def ballot(self, rng: Random, agents: Sequence[str]) -> Groups:
        """Draw one ballot."""
        if self.strict or rng.random() < 0.5:
            kept = list(agents) if self.strict else [a for a in agents if rng.random() < 0.7]
            rng.shuffle(kept)
            return [[agent] for agent in kept]
        levels = {agent: rng.randint(0, len(agents)) for agent in agents}
        return [
            [agent for agent in agents if levels[agent] == level]
            for level in range(1, len(agents) + 1)
            if level in levels.values()
        ]


def drawn(rng: Random, name: str, domain: Domain) -> Case:
    """Draw a case of a property."""
    agents = tuple(NAMES[: rng.randint(*domain.agents)])
    if name == "clones":
        return _with_clones(rng, agents, domain)
    data = domain.draw(rng, agents)
    if name == "population":
        return Case(name, (data, domain.draw(rng, agents)))
    if name == "agenda":
        sides = [rng.randint(0, 2) for _ in agents]
        one, two = (
            tuple(agent for agent, side in zip(agents, sides, strict=True) if side != other)
            for other in (1, 2)
        )
        return Case(name, (data,), (one or agents, two or agents))
    if name == "iia":
        group = agents[: rng.randint(2, len(agents)) if domain.wide else 2]
        return Case(name, (data, _agreeing(rng, data, group, domain)), (group,))
    return Case(name, (data,))


def _with_clones(rng: Random, agents: Sequence[str], domain: Domain) -> Case:
    """Draw votes, and put two or three clones in the place of the first agent."""
    plain = replace(domain, kind=Profile, strict=domain.strict or domain.kind is Scores)
    family = tuple(f"{agents[0]}{number}" for number in range(1, rng.randint(2, 3) + 1))
    ballots = []
    for weight, ballot in plain.profile(rng, agents).ballots():
        order: Groups = []
        for group in ballot:
            if group == (agents[0],):
                order += _any_order(rng, family, plain.strict)
            else:
                order.append([new for a in group for new in (family if a == agents[0] else (a,))])
        ballots.append((weight, order))
    votes = Profile.from_ballots(ballots, [*family, *agents[1:]])
    behind = _scores_behind(rng, votes) if domain.kind is Scores else votes
    return Case("clones", (behind,), (family, (rng.choice(family),)))


def _scores_behind(rng: Random, votes: Profile) -> Scores:
    """Draw scores that put the agents in the order of each ballot."""
    steps = np.cumsum([[rng.randint(1, 20) for _ in votes.agents] for _ in votes.weights], axis=1)
    places = votes.places().astype(np.int64)
    rows = -np.take_along_axis(steps, places, axis=1)
    return _scores(rows, votes.agents, votes.weights.tolist())


def _any_order(rng: Random, family: Sequence[str], strict: bool) -> Groups:
    mixed = rng.sample(family, len(family))
    if strict or rng.random() < 0.6:
        return [[agent] for agent in mixed]
    cut = rng.randint(1, len(mixed))
    return [group for group in (mixed[:cut], mixed[cut:]) if group]


def _agreeing(rng: Random, data: Votes, group: Sequence[str], domain: Domain) -> Votes:
    """Draw votes that say of some agents what the given votes say, and anything of others."""
    others = [agent for agent in data.agents if agent not in group]
    if isinstance(data, Scores):
        rows = data.means.copy()
        for column in (data.agents.index(agent) for agent in others):
            rows[:, column] = [rng.randint(-8, 8) / 2 for _ in data.tasks]
        return _scores(rows, data.agents, data.weights.tolist())
    ballots = []
    for weight, ballot in data.only(group).ballots():
        order = [list(level) for level in ballot]
        for agent in others:
            # The levels of the ballot, the gaps around them, or left out.
            spot = rng.randint(0 if domain.strict else -1, 2 * len(order))
            if spot >= 0 and (domain.strict or spot % 2 == 0):
                order.insert(spot // 2, [agent])
            elif spot > 0:
                order[spot // 2].append(agent)
        ballots.append((weight, order))
    return Profile.from_ballots(ballots, data.agents)


def smaller(case: Case) -> Iterator[Case]:
    """Go through the cases with one vote or one agent less."""
    if case.claim == "iia":
        for gone in range(len(case.data.weights)):
            yield replace(case, parts=tuple(_without_vote(part, gone) for part in case.parts))
    else:
        for number, part in enumerate(case.parts):
            for gone in range(len(part.weights)):
                rest = (_without_vote(part, gone),)
                yield replace(case, parts=(*case.parts[:number], *rest, *case.parts[number + 1 :]))
    for agent in case.data.agents:
        kept = [other for other in case.data.agents if other != agent]
        groups = tuple(tuple(a for a in group if a != agent) for group in case.groups)
        if all(groups) and (case.claim != "iia" or groups == case.groups):
            yield replace(
                case, parts=tuple(part.only(agents=kept) for part in case.parts), groups=groups
            )


def _without_vote(votes: Votes, gone: int) -> Votes:
    if isinstance(votes, Scores):
        return votes.only(tasks=[task for row, task in enumerate(votes.tasks) if row != gone])
    ballots = [ballot for row, ballot in enumerate(votes.ballots()) if row != gone]
    return Profile.from_ballots(ballots, votes.agents)


def _scores(rows: ArrayLike, agents: Sequence[str], weights: Sequence[float]) -> Scores:
    tasks = [f"task {row + 1}" for row in range(len(weights))]
    return Scores.from_matrix(
        rows, tasks, agents, weights=dict(zip(tasks, map(float, weights), strict=True))
    )


def joined(parts: Sequence[Votes]) -> Votes:
    """Put the votes of several sets together."""
    profiles = [part for part in parts if isinstance(part, Profile)]
    if profiles:
        ballots = [ballot for part in profiles for ballot in part.ballots()]
        return Profile.from_ballots(ballots, profiles[0].agents)
    tables = [part for part in parts if isinstance(part, Scores)]
    return _scores(
        np.vstack([part.means for part in tables]),
        tables[0].agents,
        np.concatenate([part.weights for part in tables]).tolist(),
    )


def written(case: Case) -> dict[str, Any]:
    """Turn a case into what JSON can hold."""
    return {
        "agents": list(case.data.agents),
        "parts": [_written(part, merge=case.claim != "iia") for part in case.parts],
        "groups": [list(group) for group in case.groups],
    }


def _written(votes: Votes, *, merge: bool) -> Any:
    """Write votes; equal ballots are put together unless two sets go side by side."""
    if isinstance(votes, Scores):
        return {"scores": votes.means.tolist(), "weights": votes.weights.tolist()}
    lines = [
        (weight, " > ".join(" = ".join(sorted(group)) for group in ballot))
        for weight, ballot in votes.ballots()
    ]
    if not merge:
        return [[weight, line] for weight, line in lines]
    total: dict[str, float] = {}
    for weight, line in lines:
        total[line] = total.get(line, 0.0) + weight
    return [[weight, line] for line, weight in sorted(total.items())]


def read(name: str, entry: dict[str, Any]) -> Case:
    """Turn what `written` gave into a case again."""
    parts = tuple(_read(part, entry["agents"]) for part in entry["parts"])
    return Case(name, parts, tuple(tuple(group) for group in entry["groups"]))


def _read(part: Any, agents: list[str]) -> Votes:
    if isinstance(part, dict):
        return _scores(part["scores"], agents, part["weights"])
    ballots = [
        (weight, [group.split(" = ") for group in line.split(" > ") if group])
        for weight, line in part
    ]
    return Profile.from_ballots(ballots, agents)
