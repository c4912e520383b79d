"""Zero-sum games of two players: the most even of the optimal strategies of both."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, add_up
from podium.errors import NotConverged
from podium.kernels import linprog
from podium.kernels.entropy import most_even
from podium.kernels.working_sets import middle_of

CLEAR = 1e-10
"""A loss, as a share of the span of payoffs, that is more than rounding."""

APART = 2.0
"""A probability and the loss that goes with it differ at least by this factor; one of them is 0."""

ZERO = 1e-12
"""Probabilities this far below 0 are rounding."""

LOOSE = 1e-6
"""A corner solved for may lie this far from where the solver puts it."""

RANK = 1e-9
"""Singular values below this share of the largest count as 0."""


class Solution(NamedTuple):
    """An optimal strategy of each player, and what is known of all of them.

    Attributes:
        first: Probabilities of the first player, who wants much.
        second: Probabilities of the second player, who wants little.
        value: What the first player can be sure of on average.
        gap: How much more the two players would win in all by playing something else.
        used_first: Whether some optimal strategy uses each strategy of the first.
        used_second: The same of the second player.
        unique: Whether these are shown to be the only optimal strategies.
        even: Whether these are shown to be those of highest entropy; if not,
            they are a corner of the set of optimal strategies.
    """

    first: Floats
    second: Floats
    value: float
    gap: float
    used_first: Bools
    used_second: Bools
    unique: bool
    even: bool


class _Groups(NamedTuple):
    """Equal strategies: one of each group, the group of each, and how many copies each counts."""

    chosen: Ints
    group: Ints
    copies: Floats

    @property
    def sizes(self) -> Floats:
        return add_up(self.group, self.copies, len(self.chosen))

    def spread(self, chances: Floats) -> Floats:
        """Share the probability of each group among its members."""
        return (chances / self.sizes)[self.group] * self.copies


class _Side(NamedTuple):
    """One player's part.

    Attributes:
        chances: Probability of each strategy.
        used: Whether some optimal strategy uses it.
        unique: Whether no other strategy is optimal.
        even: Whether this is the optimal strategy of highest entropy.
    """

    chances: Floats
    used: Bools
    unique: bool
    even: bool


def zero_sum(
    payoffs: Floats, first: Floats | None = None, second: Floats | None = None
) -> Solution:
    r"""Find the optimal strategies of highest entropy of both players.

    .. math:: \max_p \min_q \; p^\top S q, \quad \text{with}
              -\textstyle\sum_i p_i \log \frac{p_i}{a_i} \text{ and }
              -\sum_j q_j \log \frac{q_j}{b_j} \text{ as high as can be}

    A strategy either is used by some optimal strategy, or falls short of the
    value against one of the opponent, and not both (Goldman and Tucker 1956).
    The middle of all optimal strategies shows which. Against a player's optimal
    strategy, all that the opponent uses are worth the same; where these
    equations leave a choice, entropy decides. Equal strategies are solved for as
    one, which stands for all their copies.

    Args:
        payoffs: Payoff to the first player of each pair of strategies.
        first: How many copies each strategy of the first player stands for; 1
            where left out.
        second: The same of the second player.

    >>> found = zero_sum(np.array([[1.0, -1.0], [-1.0, 0.0]]))
    >>> found.first * 3, round(found.value, 9), found.unique
    (array([1., 2.]), -0.333333333, True)
    """
    low, high = float(payoffs.min()), float(payoffs.max())
    scaled = (payoffs - (low / 2 + high / 2)) / (high / 2 - low / 2 or 1.0) + 0.0
    rows, columns = _grouped(scaled, first), _grouped(scaled.T, second)
    game = scaled[np.ix_(rows.chosen, columns.chosen)]
    inner = middle_of(game)
    used = _apart(inner.first, inner.first_loss), _apart(inner.second, inner.second_loss)
    one = _side(-game.T, inner.first, used, rows.sizes)
    two = _side(game, inner.second, (used[1], used[0]), columns.sizes)
    if not (one.even and two.even):
        one, two = _corner(-game.T), _corner(game)
    return _solution(payoffs, (one, two), (rows, columns))


def symmetric(payoffs: Floats, copies: Floats | None = None) -> Solution:
    """Find the optimal strategy of highest entropy of a symmetric game, which is that of both.

    Args:
        payoffs: Antisymmetric, above 0 where the row agent beats the column agent.
        copies: How many copies each agent stands for; 1 where left out.

    >>> symmetric(np.array([[0.0, 1, -2], [-1, 0, 3], [2, -3, 0]])).first * 6
    array([3., 2., 1.])
    """
    scaled = (payoffs - payoffs.T) / (2 * (np.abs(payoffs).max(initial=0.0) or 1.0)) + 0.0
    groups = _grouped(scaled, copies)
    game = scaled[np.ix_(groups.chosen, groups.chosen)]
    inner = middle_of(game, symmetric=True)
    used = _apart(inner.first, inner.first_loss)
    side = _side(game, inner.first, (used, used), groups.sizes)
    if not side.even:
        side = _corner(game)
    return _solution(payoffs, (side, side), (groups, groups))


def _grouped(game: Floats, copies: Floats | None) -> _Groups:
    _, chosen, group = np.unique(game, axis=0, return_index=True, return_inverse=True)
    each = np.ones(len(game)) if copies is None else copies
    return _Groups(chosen, group.ravel(), each)


def _solution(
    payoffs: Floats, sides: tuple[_Side, _Side], groups: tuple[_Groups, _Groups]
) -> Solution:
    p, q = (group.spread(side.chances) for side, group in zip(sides, groups, strict=True))
    won, given = payoffs @ q, p @ payoffs
    used = [side.used[group.group] for side, group in zip(sides, groups, strict=True)]
    alone = all(
        side.unique and int(some.sum()) == int(side.used.sum())
        for side, some in zip(sides, used, strict=True)
    )
    return Solution(
        first=p,
        second=q,
        value=float(p @ won),
        gap=max(float(won.max() - given.min()), 0.0),
        used_first=used[0],
        used_second=used[1],
        unique=alone,
        even=sides[0].even and sides[1].even,
    )


def _apart(chances: Floats, losses: Floats) -> Bools | None:
    """Tell who is used, or None where probabilities and losses do not tell."""
    more, less = np.maximum(chances, losses), np.minimum(chances, losses)
    return chances > losses if bool((more > APART * less).all()) else None


def _side(
    game: Floats, inner: Floats, used: tuple[Bools | None, Bools | None], copies: Floats
) -> _Side:
    """Find the most even optimal strategy of one player.

    Args:
        game: Payoff to each strategy of the opponent from each of the player.
        inner: The middle of the player's optimal strategies.
        used: Who is used of the player's and of the opponent's strategies.
        copies: How many each of the player's strategies stands for.
    """
    own, tight = used
    if own is None or tight is None:
        return _Side(inner, inner > 0, unique=False, even=False)
    face = game[np.ix_(tight, own)]
    level = face.mean(axis=0)
    rows = np.vstack([face - level, np.ones(len(level))])
    values = np.linalg.svd(rows, compute_uv=False)
    unique = int((values > RANK * values[0]).sum()) == len(level)
    if unique:
        target = np.append(np.zeros(len(face)), 1.0)
        found: Floats | None = np.linalg.lstsq(rows, target)[0]
    else:
        equations = _row_space(face - level)
        start = inner[own] / inner[own].sum()
        found = most_even(start, equations, game[np.ix_(~tight, own)] - level, copies[own])
    if found is None or found.min() < -ZERO:
        return _Side(inner, own, unique=False, even=False)
    chances = np.zeros(len(inner))
    chances[own] = np.maximum(found, 0.0)
    short = bool((game @ chances - level @ found).max() <= CLEAR)
    return _Side(chances, own, unique and short, short)


def _row_space(rows: Floats) -> Floats:
    _, values, directions = np.linalg.svd(rows)
    return np.asarray(directions[: int((values > RANK).sum())])


def _corner(game: Floats) -> _Side:
    """Find some corner of the player's optimal strategies, by a linear programme.

    Payoffs are nearly tied where this is needed, so that nobody can tell which
    strategies are used by others.
    """
    rows, size = game.shape
    program = linprog.solver(tolerance=1e-10, presolve=False)
    cost = np.append(np.zeros(size), 1.0)
    bounds = np.append(np.zeros(size), -np.inf), np.append(np.ones(size), np.inf)
    linprog.add_columns(program, *bounds, cost)
    columns: Array = np.tile(np.arange(size + 1), (rows + 1, 1))
    system = np.ones((rows + 1, size + 1))
    system[:rows, :size], system[:rows, size], system[rows, size] = game, -1.0, 0.0
    target = np.append(np.zeros(rows), 1.0)
    lower = np.append(np.full(rows, -np.inf), 1.0)
    linprog.add_rows(program, lower, target, columns, system)
    if not linprog.solved(program) and not linprog.solved_loosely(program):
        msg = f"the solver found no optimal strategy among {size}, though there is one"
        raise NotConverged(msg)
    found = linprog.point(program)
    held, tight = linprog.basis(program)[0], ~linprog.basis(program)[1]
    exact = np.linalg.lstsq(system[np.ix_(tight, held)], target[tight])[0]
    if np.abs(exact - found[held]).max() <= LOOSE:  # take the solver's tolerance out of it
        found = np.zeros(size + 1)
        found[held] = exact
    chances = np.clip(found[:size], 0.0, 1.0)
    chances /= chances.sum()
    return _Side(chances, chances > CLEAR, unique=False, even=False)
