"""Agents and tasks by the policies of an equilibrium, with some chance for all others."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.records import Sizes, View
from podium.kernels.stream import Stream, pick
from podium.learners._learner import Belief
from podium.strategies._strategy import Strategy, strategy
from podium.words import check_number


class Policy(NamedTuple):
    """The share of chance that goes to all alike, and room for mixed policies."""

    epsilon: float
    agents: Floats
    tasks: Floats


@kernel
def choose(state: Policy, _: View, belief: Belief, stream: Stream, query: Ints) -> None:
    """Draw a task and two different agents, each from its policy."""
    _mix(belief.tasks, state.epsilon, state.tasks)
    query[0] = pick(stream, state.tasks)
    _mix(belief.agents, state.epsilon, state.agents)
    query[1] = pick(stream, state.agents)
    _mix(belief.rivals, state.epsilon, state.agents)
    state.agents[query[1]] = 0.0
    query[2] = pick(stream, state.agents)


@kernel
def _mix(policy: Floats, epsilon: float, mixed: Floats) -> None:
    even = epsilon / len(policy)
    for action in range(len(policy)):
        mixed[action] = even + (1.0 - epsilon) * policy[action]


@strategy("policy", cite="Lanctot et al. 2026, Table 1")
def policy(*, epsilon: float = 0.1) -> Strategy:
    r"""Draw a task and two different agents, each from the policy of an equilibrium.

    .. math:: \sigma'(a) = \frac{\epsilon}{m} + (1 - \epsilon) \, \sigma(a)

    A learner that has no policy over agents, or none over tasks, believes in a
    uniform one.

    Args:
        epsilon: Share of chance that goes to all alike, above 0.
    """
    check_number("epsilon", epsilon, low=1e-9, high=1.0)

    def start(sizes: Sizes, _: int) -> Policy:
        return Policy(epsilon, np.zeros(sizes.agents), np.zeros(sizes.tasks))

    return Strategy("policy", start, choose, why="drawn by the policies of an equilibrium")
