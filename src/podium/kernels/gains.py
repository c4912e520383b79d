"""What players gain by deviating in a normal-form game, with everything that is alike merged."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from podium.arrays import Array, Floats, Ints

LARGEST_GROUP = 5
"""Most players that are averaged over all of their orders."""

SAME = 1e13
"""Gains that agree when multiplied by this and cut are equal."""

BETWEEN = 0.4863
"""Where numbers are cut: not where multiples of the usual quanta lie."""


def expected_gains(payoffs: Sequence[Floats], joint: Floats) -> list[Floats]:
    r"""Give what each player gains in expectation by playing a strategy whatever it is told.

    .. math:: \delta_p(a'_p) = \sum_a \sigma(a) \, [G_p(a'_p, a_{-p}) - G_p(a)]

    Args:
        payoffs: One array a player, one axis a player.
        joint: Probability of each joint strategy.

    Returns:
        The gain of each strategy, a player.

    >>> pennies = np.array([[1.0, -1], [-1, 1]])
    >>> expected_gains([pennies, -pennies], np.array([[0.5, 0.0], [0.0, 0.5]]))
    [array([-1., -1.]), array([1., 1.])]
    """
    found = []
    for player, payoff in enumerate(payoffs):
        others = joint.sum(axis=player).ravel()
        turned = np.moveaxis(payoff, player, 0).reshape(payoff.shape[player], -1)
        found.append(turned @ others - float((payoff * joint).sum()))
    return found


def every_gain(payoffs: Sequence[Floats]) -> Floats:
    """Write all gains down: a row for each strategy of each player, a column a joint strategy.

    >>> every_gain([np.array([[0.0, 1.0]]), np.array([[2.0, 0.0]])]).tolist()
    [[0.0, 0.0], [0.0, 2.0], [-2.0, 0.0]]
    """
    blocks = [_gains(payoff, player) for player, payoff in enumerate(payoffs)]
    return np.vstack([block.reshape(len(block), -1) for block in blocks])


def cce_gap(payoffs: Sequence[Floats], joint: Floats) -> float:
    r"""Say how far a joint distribution is from a coarse correlated equilibrium.

    .. math:: \sum_p \max(0, \max_{a'_p} \delta_p(a'_p))

    >>> pennies = np.array([[1.0, -1], [-1, 1]])
    >>> cce_gap([pennies, -pennies], np.array([[0.5, 0.0], [0.0, 0.5]]))
    1.0
    """
    return float(sum(max(0.0, gain.max()) for gain in expected_gains(payoffs, joint)))


def without_offsets(payoffs: Sequence[Floats]) -> tuple[tuple[Floats, ...], float]:
    """Measure each payoff from the least that the player could have had, in units of the widest.

    What the others do decides an offset, which no deviation changes.

    Returns:
        Payoffs from 0 to 1, and the unit; the unit is 1 where no payoff matters.

    >>> without_offsets([np.array([[5.0, 1], [7, 1]]), np.zeros((2, 2))])[0][0].tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """
    plain = [payoff - payoff.min(axis=p, keepdims=True) for p, payoff in enumerate(payoffs)]
    unit = max(float(payoff.max()) for payoff in plain) or 1.0
    return tuple(payoff / unit for payoff in plain), unit


def exchangeable(payoffs: Sequence[Floats]) -> list[list[int]]:
    """Group players whose names could be swapped without changing the game.

    >>> rock = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> exchangeable([rock, rock.T]), exchangeable([rock, rock])
    ([[0, 1]], [[0], [1]])
    """
    groups: list[list[int]] = []
    for player in range(len(payoffs)):
        for group in groups:
            if _swappable(payoffs, group[0], player):
                group.append(player)
                break
        else:
            groups.append([player])
    return groups


def _swappable(payoffs: Sequence[Floats], one: int, two: int) -> bool:
    shape = payoffs[0].shape
    if shape[one] != shape[two]:
        return False
    renamed = {one: two, two: one}
    return all(
        np.array_equal(payoff.swapaxes(one, two), payoffs[renamed.get(player, player)])
        for player, payoff in enumerate(payoffs)
    )


@dataclass(frozen=True, eq=False)
class Merged:
    """The gains of a game, each distinct row and column once.

    Attributes:
        table: Distinct rows x distinct columns.
        row_of: The row of each strategy, a player.
        first: For each column the place, in the flat array of joint strategies, of one that has it.
        shape: Numbers of strategies.
        groups: Players that can be swapped.
    """

    table: Floats
    row_of: tuple[Ints, ...]
    first: Ints
    shape: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    def joint(self, keys: Ints, weights: Floats) -> Floats:
        """Spread weights of columns over a joint distribution that treats like players alike."""
        full = np.zeros(self.shape)
        full.ravel()[self.first[keys]] = weights
        for group in self.groups:
            turns = list(_turns(group, len(self.shape)))
            full = np.mean([full.transpose(turn) for turn in turns], axis=0)
        return np.asarray(full)


def merged(payoffs: Sequence[Floats]) -> Merged:
    """Write the gains of a game down, averaged over players that can be swapped.

    Args:
        payoffs: One array a player, one axis a player, at most about 1 in size.

    Of players that can be swapped the rows of one are kept, and each of ITS
    entries is averaged over the joint strategies that differ by a swap: the
    best weights are then found among those that treat such players alike,
    which changes no gain, as the gains are unique.
    """
    shape = payoffs[0].shape
    groups = [group for group in exchangeable(payoffs) if len(group) <= LARGEST_GROUP]
    alone = [[p] for p in range(len(shape)) if not any(p in group for group in groups)]
    blocks: list[Floats] = []
    start: dict[int, int] = {}
    height = 0
    for group in sorted(groups + alone):
        block = _gains(payoffs[group[0]], group[0])
        for other in groups:
            turns = [(0, *(axis + 1 for axis in turn)) for turn in _turns(other, len(shape))]
            block = np.mean([block.transpose(turn) for turn in turns], axis=0)
        blocks.append(block.reshape(len(block), -1))
        start |= dict.fromkeys(group, height)
        height += len(block)
    table = np.vstack(blocks)
    whole = np.floor(table * SAME + BETWEEN)
    _, kept, row_of = np.unique(whole, axis=0, return_index=True, return_inverse=True)
    _, first = np.unique(whole[kept], axis=1, return_index=True)
    places = tuple(
        row_of.ravel()[start[p] : start[p] + size].astype(np.int64) for p, size in enumerate(shape)
    )
    distinct = np.ascontiguousarray(table[np.ix_(kept, first)])
    return Merged(distinct, places, first.astype(np.int64), shape, tuple(map(tuple, groups)))


def _gains(payoff: Floats, player: int) -> Array:
    """Give what a player gains: one axis for where it goes, then one for each player."""
    moved = np.expand_dims(np.moveaxis(payoff, player, 0), player + 1)
    return np.asarray(moved - payoff)


def _turns(group: Sequence[int], players: int) -> Iterator[tuple[int, ...]]:
    """List the orders of the axes in which only those of a group are permuted."""
    for order in itertools.permutations(group):
        axes = list(range(players))
        for place, player in zip(group, order, strict=True):
            axes[place] = player
        yield tuple(axes)
