"""Regret matching for one player of a game whose payoffs are seen one at a time."""

from podium.arrays import Floats
from podium.kernels.compiled import kernel


@kernel
def match_regrets(regrets: Floats, policy: Floats, total: Floats) -> None:
    r"""Write the policy that goes with some regrets, and add it to the sum of all policies.

    .. math:: \sigma(a) = R^+(a) / \sum_b R^+(b)

    and uniform where no regret is above 0 (Hart and Mas-Colell 2000).
    """
    positive = 0.0
    for regret in regrets:
        positive += max(regret, 0.0)
    for action in range(len(regrets)):
        if positive > 0.0:
            policy[action] = max(regrets[action], 0.0) / positive
        else:
            policy[action] = 1.0 / len(regrets)
        total[action] += policy[action]
