"""The five properties of Table 4 as functions that tell whether data break them.

A rule chooses a set: the top tier of a ranking, or for lotteries all lotteries
that are maximal. Each property is stated of these sets, so that ties need no
tie-breaking. Numbers of definitions are those of Lanctot et al. (2025).

A property that does not apply to some data is not broken by them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from cases import Case, Votes

from podium.data.convert import convert
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.methods._registry import METHODS, Card

Lottery: TypeAlias = dict[str, float]

NONZERO = 1e-6
"""Probabilities above this count: the methods' own threshold."""

EXACT = 1e-9


@dataclass(frozen=True)
class Rule:
    """A method with its options, asked for what it chooses."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def card(self) -> Card:
        return METHODS[self.name]

    @cached_property
    def lottery(self) -> bool:
        """Whether it chooses lotteries, or starts its ranking with one."""
        if not self.card.can_read(Profile):
            return False
        info = self.rate(Profile.from_ballots([(1.0, "ab"), (1.0, "ba")])).info
        return "ranges" in info or "levels" in info

    def rate(self, data: Votes | Tally) -> Ratings:
        return self.card.call(self.card.view(data), **self.options)

    def winners(self, data: Votes) -> frozenset[str]:
        """Name the top tier; of lotteries, all agents that some maximal one holds."""
        if self.lottery:
            return _support(self.chosen(data))
        ratings = self.rate(data)
        return frozenset(a for a, t in zip(ratings.agents, ratings.tiers, strict=True) if t == 0)

    def chosen(self, data: Votes | Tally) -> Lottery:
        """Give the lottery that it chooses: of several levels, the first."""
        ratings = self.rate(data)
        levels = ratings.info.get("levels", [ratings.agents])
        return {
            agent: value - (len(levels) - 1) if agent in levels[0] else 0.0
            for agent, value in zip(ratings.agents, ratings.values.tolist(), strict=True)
        }

    def ranges(self, data: Votes | Tally) -> dict[str, tuple[float, float]]:
        """Give the lowest and highest probability of each agent over all it could choose."""
        found = self.rate(data).info.get("ranges") or Rule("maximal-lottery").ranges(data)
        return dict(found)

    def order(self, data: Votes, pair: Sequence[str]) -> int:
        """Say whether the first of two agents is above (1), level (0) or below (-1)."""
        ratings = self.rate(data)
        first, second = (ratings.tiers[ratings.agents.index(agent)] for agent in pair)
        return int(np.sign(second - first))


def violates(rule: Rule, case: Case) -> bool:
    """Tell whether a case breaks its property under a rule."""
    checks = LOTTERY_CHECKS if rule.lottery else CHECKS
    return checks[case.claim](rule, case)


def clear(rule: Rule, case: Case) -> bool:
    """Tell whether a case is free of ties, so that no way to break them matters."""
    datas: list[Votes] = list(case.parts)
    if case.claim == "population":
        datas.append(case.union)
    elif case.claim == "clones":
        datas.append(without(case.data, case.groups[1]))
    elif case.claim == "agenda":
        datas += [only(case.data, group) for group in case.groups]
    if any(rule.rate(data).info.get("unique") is False for data in datas):
        return False
    if case.claim == "iia":
        return all(rule.order(data, case.groups[0]) for data in datas)
    return all(len(rule.winners(data)) == 1 for data in datas)


def condorcet_winner(data: Votes) -> str | None:
    """Name the agent that beats every other by majority (definition 1, strong)."""
    tally = convert(data, Tally)
    beaten = (tally.margins > 0).sum(axis=1)
    best = np.flatnonzero(beaten == len(tally.agents) - 1)
    return tally.agents[best[0]] if best.size else None


def condorcet(rule: Rule, case: Case) -> bool:
    """Definition 2: a strong Condorcet winner is the only winner."""
    winner = condorcet_winner(case.data)
    return winner is not None and rule.winners(case.data) != {winner}


def clones(rule: Rule, case: Case) -> bool:
    """Definition 4: without one clone, a clone wins iff one did, and so does every other."""
    group, dropped = frozenset(case.groups[0]), frozenset(case.groups[1])
    if not is_clone_set(case.data, sorted(group)) or not dropped < group:
        return False
    before, after = rule.winners(case.data), rule.winners(without(case.data, dropped))
    return bool(before & group) != bool(after & group) or before - group != after - group


def population(rule: Rule, case: Case) -> bool:
    """Definition 3, with equality: winners of both parts are the winners of the union."""
    first, second = (rule.winners(data) for data in case.parts)
    return bool(first & second) and rule.winners(case.union) != first & second


def agenda(rule: Rule, case: Case) -> bool:
    """Definition 5 for lotteries on one agent: it wins both agendas iff it wins their union."""
    one, two = (frozenset(group) for group in case.groups)
    if one | two != set(case.data.agents):
        return False
    both = rule.winners(only(case.data, one)) & rule.winners(only(case.data, two))
    return both != rule.winners(case.data) & one & two


def iia(rule: Rule, case: Case) -> bool:
    """Arrow: votes that agree on two agents, whatever they say of others, order them alike."""
    pair = case.groups[0]
    if not same(*(only(data, pair) for data in case.parts)):
        return False
    first, second = (rule.order(data, pair) for data in case.parts)
    return first != second


def lottery_condorcet(rule: Rule, case: Case) -> bool:
    """A strong Condorcet winner has probability 1, and stands alone on top."""
    winner = condorcet_winner(case.data)
    if winner is None:
        return False
    low, _ = rule.ranges(case.data)[winner]
    alone = int((rule.rate(case.data).tiers == 0).sum()) == 1
    return not (alone and low >= 1 - EXACT and rule.chosen(case.data)[winner] >= 1 - EXACT)


def lottery_clones(rule: Rule, case: Case) -> bool:
    """Definition 4 of supports; and the range of each other agent's probability stays.

    The second part is composition consistency (Brandl, Brandt and Seedig 2016).
    """
    if clones(rule, case):
        return True
    group = case.groups[0]
    if not is_clone_set(case.data, group):
        return False
    before, after = rule.ranges(case.data), rule.ranges(without(case.data, case.groups[1]))
    rest = [agent for agent in case.data.agents if agent not in group]
    return not all(np.allclose(before[a], after[a], atol=NONZERO) for a in rest)


def lottery_population(rule: Rule, case: Case) -> bool:
    """A lottery that is maximal for both parts is so for the union (Brandl et al. 2016)."""
    lottery = common_lottery([convert(data, Tally) for data in case.parts])
    if lottery is None:
        return False
    return not all(contains(rule, data, lottery) for data in (*case.parts, case.union))


def lottery_agenda(rule: Rule, case: Case) -> bool:
    """Definition 5: a lottery on B and C alone is chosen from both iff from their union."""
    one, two = (frozenset(group) for group in case.groups)
    if one | two != set(case.data.agents):
        return False
    parts = [only(case.data, one), only(case.data, two)]
    for data in (*parts, case.data):
        lottery = rule.chosen(data)
        if _support(lottery) <= one & two:
            inside = {agent: lottery[agent] for agent in one & two}
            both = all(contains(rule, part, inside) for part in parts)
            if both != contains(rule, case.data, inside):
                return True
    return False


def lottery_iia(rule: Rule, case: Case) -> bool:
    """Brandl and Brandt 2020: votes that agree on a set order the lotteries over it alike.

    The collective preference between lotteries p and q is the sign of p'Mq;
    what it chooses from the set is asked of the method.
    """
    group = case.groups[0]
    if not same(*(only(data, group) for data in case.parts)):
        return False
    first, second = (rule.ranges(convert(data, Tally).only(group)) for data in case.parts)
    return not all(np.allclose(first[a], second[a], atol=NONZERO) for a in group)


Check: TypeAlias = Callable[[Rule, Case], bool]
CHECKS: dict[str, Check] = {
    "condorcet": condorcet,
    "clones": clones,
    "population": population,
    "agenda": agenda,
    "iia": iia,
}
LOTTERY_CHECKS: dict[str, Check] = {
    "condorcet": lottery_condorcet,
    "clones": lottery_clones,
    "population": lottery_population,
    "agenda": lottery_agenda,
    "iia": lottery_iia,
}


def maximal(tally: Tally, lottery: Lottery) -> bool:
    """Tell whether no lottery is preferred to this one: p'M >= 0."""
    chances = np.array([lottery.get(agent, 0.0) for agent in tally.agents])
    scale = max(1.0, float(np.abs(tally.margins).max(initial=0.0)))
    return bool((chances @ tally.margins >= -NONZERO * scale).all())


def contains(rule: Rule, data: Votes, lottery: Lottery) -> bool:
    """Tell whether a lottery is maximal, and the method's ranges allow it.

    Where the method calls its lottery the only one, it has to be this one.
    """
    if not maximal(convert(data, Tally), lottery):
        return False
    for agent, (low, high) in rule.ranges(data).items():
        if not low - NONZERO <= lottery.get(agent, 0.0) <= high + NONZERO:
            return False
    own, only_one = rule.chosen(data), rule.rate(data).info["unique"]
    return not only_one or all(abs(own[a] - lottery.get(a, 0.0)) <= NONZERO for a in own)


def common_lottery(tallies: Sequence[Tally]) -> Lottery | None:
    """Find a lottery that is maximal for each tally, if there is one."""
    from scipy.optimize import linprog

    agents = tallies[0].agents
    columns = np.hstack([tally.margins for tally in tallies])
    answer = linprog(
        np.zeros(len(agents)),
        A_ub=-columns.T,
        b_ub=np.zeros(columns.shape[1]),
        A_eq=np.ones((1, len(agents))),
        b_eq=[1.0],
    )
    return dict(zip(agents, answer.x.tolist(), strict=True)) if answer.status == 0 else None


def is_clone_set(data: Votes, group: Sequence[str]) -> bool:
    """Tell whether each vote puts all of a group on the same side of every other agent.

    Left out of a vote is a side, too.
    """
    profile = convert(data, Profile)
    table = profile.places()
    inside = np.array([agent in group for agent in profile.agents])
    if inside.sum() < 2:
        return False
    sides = np.sign(table[:, :, None] - table[:, None, :])
    sides = np.where(np.isnan(sides), 9.0, sides)[:, inside][:, :, ~inside]
    return bool((sides == sides[:, :1]).all())


def only(data: Votes, agents: Sequence[str] | frozenset[str]) -> Votes:
    """Keep some agents, in the order of the data."""
    kept = [agent for agent in data.agents if agent in agents]
    return data.only(agents=kept)


def without(data: Votes, agents: Sequence[str] | frozenset[str]) -> Votes:
    """Leave some agents out."""
    return only(data, [agent for agent in data.agents if agent not in agents])


def same(first: Votes, second: Votes) -> bool:
    """Tell whether two sets of votes say the same, vote by vote."""
    if isinstance(first, Scores) and isinstance(second, Scores):
        tables = (first.means, second.means)
        return np.array_equal(*tables, equal_nan=True) and bool(
            (first.weights == second.weights).all()
        )
    return first == second


def _support(lottery: Lottery) -> frozenset[str]:
    return frozenset(agent for agent, chance in lottery.items() if chance > NONZERO)
