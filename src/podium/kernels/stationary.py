"""The stationary distribution of a Markov chain, without a subtraction."""

import numpy as np

from podium.arrays import Floats

BLOCK = 48
"""States that are eliminated together, so that most of the work is one product of matrices."""

LARGE = 1e100
"""States so much likelier than the first make it smaller, so that nothing overflows."""


def stationary(rates: Floats) -> Floats | None:
    r"""Find the distribution that a chain keeps, by eliminating states (GTH).

    .. math:: \pi_j \sum_k q_{jk} = \sum_i \pi_i q_{ij}

    The algorithm of Grassmann, Taksar and Heyman (1985) only adds, multiplies
    and divides numbers that are not negative, so that every probability has
    a small relative error, however small it is. States are taken away from the last on:
    what flowed through a state is led past it.

    Args:
        rates: How fast, or how likely, each state goes to each other; the
            diagonal does not count.

    Returns:
        The distribution, or None where numbers became too small to tell where
        the chain goes.

    >>> stationary(np.array([[0.0, 1.0], [3.0, 0.0]]))
    array([0.75, 0.25])
    """
    flow = rates.astype(np.float64)
    size = len(flow)
    leaving = np.ones(size)
    for end in range(size, 1, -BLOCK):
        start = max(end - BLOCK, 1)
        for state in range(end - 1, start - 1, -1):
            leaving[state] = flow[state, :state].sum()
            if not leaving[state] > 0:
                return None
            column = flow[:state, state]
            column /= leaving[state]
            flow[:state, start:state] += np.outer(column, flow[state, start:state])
            flow[start:state, :start] += np.outer(column[start:], flow[state, :start])
        flow[:start, :start] += flow[:start, start:end] @ flow[start:end, :start]
    mass = np.zeros(size)
    mass[0] = 1.0
    for state in range(1, size):
        mass[state] = mass[:state] @ flow[:state, state]
        if mass[state] > LARGE:
            mass[: state + 1] /= mass[state]
    return np.asarray(mass / mass.sum())
