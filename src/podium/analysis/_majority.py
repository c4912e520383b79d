"""Majority: winners and losers, the sets that stand out, and cycles."""

from dataclasses import dataclass, field

import numpy as np

from podium.analysis._section import Fact, View, grouped, joined, largest_first, too_many
from podium.arrays import Bools, Floats, Ints
from podium.data.tally import DENSE_LIMIT, Tally
from podium.kernels.graphs import strong_components
from podium.kernels.majority import (
    condorcet,
    cyclic_triples,
    dominance_tiers,
    schwartz_set,
    shortest_cycle,
    uncovered_set,
)

PRODUCT_LIMIT = 3_000
"""Above this many agents in the Smith set no array of them is squared."""

EXAMPLE_LIMIT = 1_000
"""Above this many agents in cycles none of the cycles is looked for."""


@dataclass(frozen=True)
class Cycles:
    """Agents that beat one another in a circle.

    Attributes:
        components: Agents that lead to one another by majority wins, largest first;
            all cycles lie within these.
        triples: Number of triples that beat each other in a circle, or None where
            too dear.
        share: Their share of all triples of agents, or None.
        example: A shortest cycle, each agent beating the next and the last the
            first; among the shortest, one whose narrowest win is widest.
    """

    components: tuple[tuple[str, ...], ...]
    triples: int | None
    share: float | None
    example: tuple[str, ...]


@dataclass(frozen=True)
class Majority:
    """What head-to-head majorities say; rivals never met are level.

    Attributes:
        condorcet_winner: The agent that beats every other by majority, or None.
        weak_condorcet_winners: The agents that lose to no other.
        condorcet_loser: The agent that loses to every other, or None.
        weak_condorcet_losers: The agents that beat no other.
        smith_set: The smallest set whose members beat everybody outside.
        schwartz_set: The agents in the smallest sets that nobody outside beats;
            None where too dear.
        uncovered_set: The agents that no rival covers (Gillies: beats them, and
            is beaten only by agents that beat them too); None where too dear.
        cycles: The majority cycles, or None where too dear.
        skipped: Which of these were too dear, and why.
    """

    condorcet_winner: str | None
    weak_condorcet_winners: tuple[str, ...]
    condorcet_loser: str | None
    weak_condorcet_losers: tuple[str, ...]
    smith_set: tuple[str, ...]
    schwartz_set: tuple[str, ...] | None
    uncovered_set: tuple[str, ...] | None
    cycles: Cycles | None
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        facts = [("Condorcet winner", self.condorcet_winner or "none")]
        if self.condorcet_winner is None:
            facts.append(("weak Condorcet winners", joined(self.weak_condorcet_winners)))
        facts.append(("Condorcet loser", self.condorcet_loser or "none"))
        if self.condorcet_loser is None:
            facts.append(("weak Condorcet losers", joined(self.weak_condorcet_losers)))
        facts.append(("Smith set", joined(self.smith_set)))
        if self.schwartz_set is not None:
            facts.append(("Schwartz set", joined(self.schwartz_set)))
        if self.uncovered_set is not None:
            facts.append(("uncovered set", joined(self.uncovered_set)))
        return facts + _cycle_facts(self.cycles)

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if self.cycles is None:
            return []
        top = set(self.smith_set)
        circles = [group for group in self.cycles.components if set(group) <= top]
        if not circles:
            return []
        return [
            (
                f"majorities go in a circle at the top, among {grouped(circles)}: methods may "
                "name different winners; look at several with podium.compare"
            )
        ]


def _cycle_facts(cycles: Cycles | None) -> list[Fact]:
    if cycles is None:
        return []
    if not cycles.components:
        return [("majority cycles", "none")]
    facts = [("agents in cycles", grouped(cycles.components))]
    if cycles.triples is not None and cycles.share is not None:
        facts.append(("cyclic triples", f"{cycles.triples:,} ({cycles.share:.2%})"))
    if cycles.example:
        facts.append(("shortest cycle", _circle(cycles.example)))
    return facts


def _circle(cycle: tuple[str, ...]) -> str:
    return " > ".join([*cycle, cycle[0]])


def majority(view: View) -> Majority | str:
    """Find who stands out by head-to-head majorities."""
    meetings, tally = view.meetings, view.tally
    if meetings is None or tally is None:
        return "a game is no vote: strategies meet strategies of other players"
    heads = condorcet(meetings.won, meetings.lost)
    top = np.flatnonzero(dominance_tiers(meetings.won, meetings.lost) == 0)
    skipped: dict[str, str] = {}
    beats = _beats(tally, top)
    schwartz = uncovered = cycles = None
    if beats is None:
        skipped["schwartz_set"] = too_many("the Smith set has", len(top), DENSE_LIMIT)
    else:
        schwartz = view.names(top[schwartz_set(beats)])
    if beats is None or len(top) > PRODUCT_LIMIT:
        skipped["uncovered_set"] = too_many("the Smith set has", len(top), PRODUCT_LIMIT)
    else:
        uncovered = view.names(top[uncovered_set(beats)])
    if len(view.agents) > DENSE_LIMIT:
        skipped["cycles"] = too_many("there are", len(view.agents), DENSE_LIMIT)
    else:
        cycles = _cycles(view, tally.margins, skipped)
    return Majority(
        condorcet_winner=None if heads.winner is None else view.agents[heads.winner],
        weak_condorcet_winners=view.names(heads.weak_winners),
        condorcet_loser=None if heads.loser is None else view.agents[heads.loser],
        weak_condorcet_losers=view.names(heads.weak_losers),
        smith_set=view.names(top),
        schwartz_set=schwartz,
        uncovered_set=uncovered,
        cycles=cycles,
        skipped=skipped,
    )


def _beats(tally: Tally, some: Ints) -> Bools | None:
    """Mark who of some agents beats whom, or give None where they are too many."""
    if len(some) > DENSE_LIMIT:
        return None
    if len(tally.agents) <= DENSE_LIMIT:
        return tally.margins[np.ix_(some, some)] > 0
    pairs = tally.pairs
    code = np.full(len(tally.agents), -1, dtype=np.int64)
    code[some] = np.arange(len(some))
    left, right = code[pairs.left], code[pairs.right]
    here = (left >= 0) & (right >= 0)
    beats = np.zeros((len(some), len(some)), dtype=bool)
    ahead, behind = here & (pairs.wins > pairs.losses), here & (pairs.wins < pairs.losses)
    beats[left[ahead], right[ahead]] = True
    beats[right[behind], left[behind]] = True
    return beats


def _cycles(view: View, margins: Floats, skipped: dict[str, str]) -> Cycles:
    groups = [some for some in strong_components(margins > 0) if len(some) > 1]
    within = np.concatenate([np.zeros(0, np.int64), *groups])
    largest = max(map(len, groups), default=0)
    triples: int | None = 0
    if largest > PRODUCT_LIMIT:
        skipped["cycles.triples"] = too_many("a component has", largest, PRODUCT_LIMIT)
        triples = None
    else:
        triples = sum(cyclic_triples(margins[np.ix_(some, some)] > 0) for some in groups)
    example: tuple[str, ...] = ()
    if len(within) > EXAMPLE_LIMIT:
        skipped["cycles.example"] = too_many("cycles hold", len(within), EXAMPLE_LIMIT)
    elif len(within):
        some = view.by_name(within)
        found = shortest_cycle(margins[np.ix_(some, some)])
        example = tuple(view.agents[code] for code in some[found].tolist())
    number = len(view.agents)
    every = number * (number - 1) * (number - 2) // 6
    return Cycles(
        components=largest_first(view.names(some) for some in groups),
        triples=triples,
        share=triples / every if triples is not None and every else None,
        example=example,
    )
