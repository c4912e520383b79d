"""Other readings of what Lanctot et al. (2026) leave open, made of the same parts."""

from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners import _rules as rule
from podium.learners._learner import Belief, Learner
from podium.learners._rules import Rule
from podium.learners.mean_model import mean_model
from podium.strategies.representation import represent, representation, write_ballot

Unseen: TypeAlias = Literal["abstain", "zero"]
Ties: TypeAlias = Literal["half", "code"]

inner: Any = None
rate: Any = None
"""The learner and the rule inside; the functions below put them in."""


class Shared(NamedTuple):
    """A learner's belief and state, and the share of an even policy in its ratings."""

    belief: Belief
    state: Any
    share: float


class Chosen(NamedTuple):
    """Ballots of a mean model, and the set of tasks that represents them.

    Attributes:
        belief: What is thought of the agents.
        ballots: The state of the mean model, its rule's among it.
        tasks: The state of the strategy that chooses such a set.
        wins: Ballots of the set that put the row agent above the column agent.
    """

    belief: Belief
    ballots: Any
    tasks: Any
    wins: Floats


@kernel
def credit_by_code(plays: Ints, means: Floats, agent: int, rival: int, zero: bool) -> float:  # noqa: FBT001, kernels have no keywords
    """Tell what a ballot says of an agent against a rival, where a tie goes to the lower code."""
    if not zero and (plays[agent] == 0 or plays[rival] == 0):
        return 0.0
    if means[agent] == means[rival]:
        return 1.0 if agent < rival else 0.0
    return 1.0 if means[agent] > means[rival] else 0.0


@kernel
def update_shared(
    state: Shared, records: Records, query: Ints, scores: Floats, stream: Stream
) -> None:
    """Let the learner learn, and mix its ratings with those against an even policy over tasks."""
    inner(state.state, records, query, scores, stream)
    tasks, agents = records.means.shape
    for agent in range(agents):
        even = records.means[:, agent].sum() / tasks
        rated = state.state.belief.ratings[agent]
        state.belief.ratings[agent] = (1.0 - state.share) * rated + state.share * even
    state.belief.agents[:] = state.state.belief.agents
    state.belief.rivals[:] = state.state.belief.rivals
    state.belief.tasks[:] = state.state.belief.tasks


@kernel
def update_chosen(
    state: Chosen, records: Records, query: Ints, scores: Floats, stream: Stream
) -> None:
    """Bring ballots and the set of tasks up to date, and ask the rule about those of the set."""
    inner(state.ballots, records, query, scores, stream)
    task = query[0]
    if write_ballot(state.tasks.places[task], records.plays[task], records.means[task]):
        represent(state.tasks)
    state.wins[:] = 0.0
    for other in range(len(state.tasks.chosen)):
        if state.tasks.chosen[other] or state.tasks.members[0] == 0:
            state.wins[:] += state.ballots.credit[other]
    rate(state.ballots.rule, state.wins, state.belief, stream)


def by_code(learner: Learner) -> Learner:
    """Let a mean model break ties of equal means by code, which is dealt by lot."""
    return replace(learner, update=learner.update.having(ballot_credit=credit_by_code))


def shared(learner: Learner, share: float) -> Learner:
    """Rate by the policy that is asked by: with a share of an even one.

    Args:
        learner: Nash averaging, batch or online.
        share: Share of the even policy.
    """

    def start(sizes: Sizes) -> Shared:
        state = learner.start(sizes)
        belief = Belief(*(np.array(part) for part in state.belief))
        return Shared(belief, state, share)

    update = update_shared.having(inner=learner.update)
    return Learner(f"{learner.name}-shared", start, update)


def chosen_only(learner: Learner, group: int, order: Rule | None = None) -> Learner:
    """Rate by a rule for the ballots of the representing set alone.

    Args:
        learner: A mean model.
        group: Tasks that one task of the set stands for.
        order: The rule; ranked pairs by default.
    """
    asked = order or rule.ranked_pairs()

    def start(sizes: Sizes) -> Chosen:
        ballots = learner.start(sizes)
        tasks = representation(group=group).start(sizes, 0)
        belief = Belief(*(np.array(part) for part in ballots.belief))
        return Chosen(belief, ballots, tasks, np.zeros((sizes.agents, sizes.agents)))

    update = update_chosen.having(inner=learner.update, rate=asked.rate)
    return Learner(f"{learner.name}-chosen", start, update)


def ballots(order: Rule, unseen: Unseen, ties: Ties) -> Learner:
    """Make a mean model of a rule."""
    made = mean_model(order, unseen=unseen)
    return by_code(made) if ties == "code" else made
