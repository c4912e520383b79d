"""Equilibria of symmetric zero-sum games: the most even of the optimal strategies."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints
from podium.errors import NotConverged
from podium.kernels import linprog
from podium.kernels.entropy import most_even
from podium.kernels.majority import dominance_tiers

ZERO = 1e-12
"""Payoffs below this share of the largest are rounding, and count as 0."""

POSITIVE = 1e-9
"""A probability, or a loss as a share of the largest payoff, that is more than rounding."""

RANK = 1e-9
"""Singular values below this share of the largest count as 0."""

LARGEST_DENOMINATOR = 1_000_000
"""Probabilities with a smaller common denominator are looked for as fractions."""

LARGEST_RANGED = 200
"""Most agents in the support for which ranges are sought: each needs two programmes."""


class Equilibrium(NamedTuple):
    """The optimal strategy of highest entropy, and what is known of all optimal ones.

    Attributes:
        strategy: Probability of each agent.
        support: Whether some optimal strategy uses the agent.
        unique: Whether this is proven to be the only optimal strategy.
        gain: The most that any agent wins against the strategy, as a share of
            the largest payoff; 0 up to rounding.
        proven: Whether the support is certified: every agent is used by some
            optimal strategy, or loses to one.
    """

    strategy: Floats
    support: Bools
    unique: bool
    gain: float
    proven: bool


def equilibrium(payoffs: Floats) -> Equilibrium:
    r"""Find the optimal strategy of highest entropy of a symmetric zero-sum game.

    .. math:: \max_p -\sum_i p_i \log p_i, \quad
              p \ge 0, \; \textstyle\sum_i p_i = 1, \; A p \le 0

    An agent outside the smallest set whose members beat everybody outside is
    never used: else, the rest of the strategy alone would win against it. In
    that set an agent either is used by some optimal strategy, or loses to one,
    and not both (Goldman and Tucker 1956). The agents used make the equations
    :math:`(A p)_i = 0`; where these leave a choice, entropy decides.

    Args:
        payoffs: Antisymmetric, above 0 where the row agent beats the column agent.

    >>> scissors = np.array([[0.0, 1, -2], [-1, 0, 3], [2, -3, 0]])
    >>> found = equilibrium(scissors)
    >>> found.strategy * 6, found.unique
    (array([3., 2., 1.]), True)
    >>> equilibrium(np.zeros((2, 2))).strategy
    array([0.5, 0.5])
    """
    size = len(payoffs)
    if not size:
        return Equilibrium(np.zeros(0), np.zeros(0, np.bool_), unique=True, gain=0.0, proven=True)
    scaled, top = _top(payoffs)
    game = scaled[np.ix_(top, top)]
    inner, used, proven = _used(game)
    face = game[np.ix_(used, used)]
    single = _rank(face) == len(face) - 1
    if single:
        weights: Floats | None = _solved(payoffs[np.ix_(top[used], top[used])], face)
    else:
        weights = most_even(inner[used], _row_space(face), game[np.ix_(~used, used)])
    exact = np.zeros(len(game))
    exact[used] = 0.0 if weights is None else weights
    if weights is None or exact.min() < -ZERO or (game @ exact).max() > POSITIVE:
        # Payoffs nearly tied: what the solver found is an equilibrium, if not the most even.
        exact, proven = inner, False
    strategy, support = np.zeros(size), np.zeros(size, dtype=np.bool_)
    strategy[top], support[top[used]] = np.maximum(exact, 0.0), True
    gain = max(float((scaled @ strategy).max()), 0.0)
    return Equilibrium(strategy, support, single and proven, gain, proven)


def ranges(payoffs: Floats, found: Equilibrium) -> Floats | None:
    """Find the least and the highest probability of each agent over all optimal strategies.

    Args:
        payoffs: The game.
        found: Its equilibrium.

    Returns:
        Agents x 2, or None where more than 200 agents are used.

    >>> game = np.zeros((2, 2))
    >>> ranges(game, equilibrium(game)).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    result = np.stack([found.strategy, found.strategy], axis=1)
    used = np.flatnonzero(found.support)
    if found.unique:
        return result
    if len(used) > LARGEST_RANGED:
        return None
    scaled, top = _top(payoffs)
    game = scaled[np.ix_(top, used)]
    tight = found.support[top]
    if not game.any():
        result[used] = 0.0, 1.0
        return result
    program = _simplex(game, np.where(tight, 0.0, -np.inf))
    for place, agent in enumerate(used.tolist()):
        for side, sign in enumerate((1.0, -1.0)):
            cost = np.zeros(len(used))
            cost[place] = sign
            vertex = _optimum(program, game, cost)
            if vertex is None:
                return None
            result[agent, side] = vertex[place]
    return result


def _top(payoffs: Floats) -> tuple[Floats, Ints]:
    """Scale payoffs to at most 1, and find the smallest set that beats all outside."""
    game = (payoffs - payoffs.T) / 2
    game = game / (np.abs(game).max(initial=0.0) or 1.0)
    game[np.abs(game) <= ZERO] = 0.0
    won, lost = (game > 0).sum(axis=1), (game < 0).sum(axis=1)
    return game, np.flatnonzero(dominance_tiers(won, lost) == 0)


def _used(game: Floats) -> tuple[Floats, Bools, bool]:
    """Find an optimal strategy of all agents that any uses; say who, and whether that is proven.

    Each programme asks for as much as can be of what the agents that are still
    open are used or lose; the mean of the answers is optimal too, and each
    answer closes at least one agent.
    """
    size = len(game)
    if not game.any():
        return np.full(size, 1 / size), np.ones(size, dtype=np.bool_), True
    program = _simplex(game, np.full(size, -np.inf))
    total, lost = np.zeros(size), np.zeros(size)
    unsettled = np.ones(size, dtype=np.bool_)
    rounds = 0
    while unsettled.any() and rounds <= size:
        cost = game[unsettled].sum(axis=0) - unsettled
        vertex = _optimum(program, game, cost)
        rounds += 1
        if vertex is None and rounds == 1:
            msg = f"the solver found no equilibrium of a game of {size} agents, though there is one"
            raise NotConverged(msg)
        if vertex is None:
            break
        total += vertex
        lost -= game @ vertex
        unsettled = (total <= POSITIVE) & (lost <= POSITIVE)
    used = total > lost
    inner = np.where(used, total, 0.0)
    clear = (total > POSITIVE) != (lost > POSITIVE)
    return inner / inner.sum(), used, bool(clear.all())


def _simplex(game: Floats, lower: Floats) -> linprog.Solver:
    """Make the programme of all strategies against which no row wins."""
    rows, size = game.shape
    program = linprog.solver(tolerance=1e-10, presolve=False)
    linprog.add_columns(program, np.zeros(size), np.ones(size), np.zeros(size))
    columns = np.tile(np.arange(size), (rows + 1, 1))
    values = np.vstack([game, np.ones(size)])
    upper = np.append(np.zeros(rows), 1.0)
    linprog.add_rows(program, np.append(lower, 1.0), upper, columns, values)
    return program


def _optimum(program: linprog.Solver, game: Floats, cost: Floats) -> Floats | None:
    """Find a strategy of least cost, with the solver's tolerance taken out of it."""
    size = len(cost)
    program.changeColsCost(size, np.arange(size, dtype=np.int32), cost)
    if not linprog.solved(program) and not linprog.solved_loosely(program):
        return None
    columns, rows = linprog.basis(program)
    system = np.vstack([game, np.ones(size)])[np.ix_(~rows, columns)]
    target = np.append(np.zeros(len(game)), 1.0)[~rows]
    vertex = np.zeros(size)
    rough = np.abs(np.clip(linprog.point(program), 0.0, 1.0))
    try:
        vertex[columns] = np.linalg.solve(system, target)
    except np.linalg.LinAlgError:
        return np.asarray(rough / rough.sum())
    close = bool(np.abs(vertex - rough).max() <= 1e-6 and vertex.min() >= -POSITIVE)
    return np.asarray(np.abs(np.clip(vertex, 0.0, 1.0)) if close else rough / rough.sum())


def _rank(face: Floats) -> int:
    values = np.linalg.svd(face, compute_uv=False)
    return int((values > RANK * values[0]).sum()) if values[0] else 0


def _row_space(face: Floats) -> Floats:
    return np.asarray(np.linalg.svd(face)[2][: _rank(face)])


def _solved(payoffs: Floats, face: Floats) -> Floats:
    """Solve the equations of the agents used, which leave no choice."""
    system = np.vstack([face, np.ones(len(face))])
    target = np.append(np.zeros(len(face)), 1.0)
    weights = np.linalg.lstsq(system, target)[0]
    exact = _as_fractions(payoffs, weights)
    return np.asarray(weights) if exact is None else exact


def _as_fractions(face: Floats, weights: Floats) -> Floats | None:
    """Write probabilities as fractions where whole payoffs prove that they are these."""
    if not (face == np.round(face)).all() or np.abs(face).max(initial=0.0) > LARGEST_DENOMINATOR:
        return None
    near = [Fraction(weight).limit_denominator(LARGEST_DENOMINATOR) for weight in weights.tolist()]
    common = math.lcm(*(fraction.denominator for fraction in near))
    if common > LARGEST_DENOMINATOR:
        return None
    parts: Array = np.array([int(fraction * common) for fraction in near], dtype=np.int64)
    if (parts <= 0).any() or parts.sum() != common or (face.astype(np.int64) @ parts).any():
        return None
    return np.asarray(parts / common)
