"""A rule asked about ballots of mean scores: "MeanModel..." in the paper."""

from typing import Any, Literal, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes
from podium.kernels.stream import Stream
from podium.learners import _rules
from podium.learners._learner import Belief, Learner, learner, no_belief
from podium.learners._rules import Rule
from podium.words import check_choice

rate: Any = None
"""The rule; `mean_model` puts it in."""

UNSEEN = ("abstain", "zero")


class MeanModel(NamedTuple):
    """A belief, the ballots, and the state of the rule.

    Attributes:
        belief: What is thought of the agents.
        wins: Ballots that put the row agent above the column agent; a tie is half a ballot.
        credit: What each ballot adds to each entry of that table.
        zero: Whether a cell without a score counts as a score of 0.
        rule: The state of the rule.
    """

    belief: Belief
    wins: Floats
    credit: Floats
    zero: bool
    rule: Any


@kernel
def update(state: MeanModel, records: Records, query: Ints, _: Floats, stream: Stream) -> None:
    """Bring the ballot of one task up to date, and ask the rule if it changed."""
    task, changed = query[0], False
    plays, means = records.plays[task], records.means[task]
    for side in range(1, len(query)):
        agent = query[side]
        for rival in range(len(state.wins)):
            if rival != agent:
                credit = ballot_credit(plays, means, agent, rival, state.zero)
                against = ballot_credit(plays, means, rival, agent, state.zero)
                if (
                    credit != state.credit[task, agent, rival]
                    or against != state.credit[task, rival, agent]
                ):
                    state.wins[agent, rival] += credit - state.credit[task, agent, rival]
                    state.wins[rival, agent] += against - state.credit[task, rival, agent]
                    state.credit[task, agent, rival] = credit
                    state.credit[task, rival, agent] = against
                    changed = True
    if changed:
        rate(state.rule, state.wins, state.belief, stream)


@kernel
def ballot_credit(plays: Ints, means: Floats, agent: int, rival: int, zero: bool) -> float:  # noqa: FBT001, kernels have no keywords
    """Tell what a task's ballot says of an agent against a rival: 1 above, 1/2 even, else 0."""
    both = plays[agent] > 0 and plays[rival] > 0
    if not both and not zero:
        return 0.0
    if means[agent] == means[rival]:
        return 0.5 if both else 1.0 if agent < rival else 0.0
    return 1.0 if means[agent] > means[rival] else 0.0


@learner("mean-model", cite="Lanctot et al. 2026, section 4.2")
def mean_model(
    rule: Rule | None = None, *, unseen: Literal["abstain", "zero"] = "abstain"
) -> Learner:
    """Rate agents by a rule for ballots, where each task orders agents by their mean score.

    Args:
        rule: The rule; Copeland's by default.
        unseen: What a task says of an agent without a score there: nothing, or as
            if its score were 0, ties in the order of codes, as the paper seems to.
    """
    chosen = rule or _rules.copeland()
    check_choice("unseen", unseen, UNSEEN)
    zero = unseen == "zero"

    def start(sizes: Sizes) -> MeanModel:
        credit = np.zeros((sizes.tasks, sizes.agents, sizes.agents))
        if zero:
            credit[:] = np.triu(np.ones((sizes.agents, sizes.agents)), 1)
        return MeanModel(
            belief=no_belief(sizes, chosen.rating),
            wins=credit.sum(axis=0),
            credit=credit,
            zero=zero,
            rule=chosen.start(sizes.agents),
        )

    return Learner(
        f"mean-model-{chosen.name}", start, update.having(rate=chosen.rate), chosen.refits
    )
