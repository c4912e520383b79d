"""Tallies as payoffs of agents against agents."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats
from podium.data.tally import Tally
from podium.errors import DataError
from podium.words import check_number, counted


class Odds(NamedTuple):
    """Payoffs between agents, antisymmetric.

    Attributes:
        payoffs: Above 0 where the row agent wins more than half.
        met: Which pairs met; the others are 0.
        notes: What was made of the data.
    """

    payoffs: Floats
    met: Bools
    notes: tuple[str, ...]


def shares(tally: Tally) -> tuple[Floats, Bools]:
    r"""Give the share of its meetings that each row agent won, a tie half; and who met at all.

    Shares of those that never met are 1/2.

    >>> shares(Tally.from_matrix([[0, 3], [1, 0]], "ab"))[0].tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    if not tally.agents:
        msg = "there are no agents; give matches or votes on one agent at least"
        raise DataError(msg)
    met = tally.met > 0
    won = tally.wins + (tally.met - tally.wins - tally.wins.T) / 2
    half = np.full_like(won, 0.5)
    return np.divide(won, tally.met, out=half, where=met), met


def log_odds(tally: Tally, clip: float, who: str) -> Odds:
    r"""Give the log-odds of each pair, :math:`A_{ij} = \log (p_{ij} / p_{ji})`.

    Args:
        tally: Pairwise counts.
        clip: Shares of wins below this, or above 1 less this, are moved there;
            else a pair that one side always won has no finite log-odds.
        who: The method that asks, for messages.

    >>> log_odds(Tally.from_matrix([[0, 3], [1, 0]], "ab"), 0.01, "x").payoffs.round(4)
    array([[ 0.    ,  1.0986],
           [-1.0986,  0.    ]])
    """
    check_number(f"{who}:clip", clip, low=1e-9, high=0.49)
    share, met = shares(tally)
    kept = np.log(np.clip(share, clip, 1.0 - clip))
    cut = int(((share < clip) & met).sum())
    notes = unmet(tally, met)
    if cut:
        won = f"{counted(cut, 'pair')} won by one side nearly always"
        notes += (f"{won}: its share counts as {1 - clip:g} (clip={clip:g})",)
    return Odds(kept - kept.T, met, notes)


def win_rates(tally: Tally) -> Odds:
    """Give the share of wins less 1/2 of each pair.

    >>> win_rates(Tally.from_matrix([[0, 3], [1, 0]], "ab")).payoffs.tolist()
    [[0.0, 0.25], [-0.25, 0.0]]
    """
    share, met = shares(tally)
    return Odds((share - share.T) / 2, met, unmet(tally, met))


def unmet(tally: Tally, met: Bools) -> tuple[str, ...]:
    """Say how many pairs never met."""
    size = len(tally.agents)
    missing = size * (size - 1) // 2 - int(np.triu(met, 1).sum())
    return (f"{counted(missing, 'pair')} never met and count as even",) if missing else ()
