"""Doubts: neighbours in a ranking whose order rests on least evidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from podium.data.tally import DENSE_LIMIT, Tally
from podium.kernels.shares import sign_test


@dataclass(frozen=True)
class Doubt:
    """Two agents that follow one another in a ranking.

    Attributes:
        above: The one above, or the first by name where they are tied.
        below: The other.
        place: Place of the one above.
        wins: Weight of the meetings that it won.
        ties: Weight of the ties.
        losses: Weight of the meetings that it lost.
        p_value: Chance of a record as uneven if neither is better, by the sign test.
    """

    above: str
    below: str
    place: int
    wins: float
    ties: float
    losses: float
    p_value: float


def doubts(tally: Tally, order: Sequence[str]) -> tuple[Doubt, ...]:
    """Test each two neighbours, and give those first whose order is least sure.

    A pair whose order goes against its own record is less sure than any other.

    >>> tally = Tally.from_matrix([[0, 9, 9], [0, 0, 5], [0, 4, 0]], "abc")
    >>> [(one.above, one.below, one.p_value) for one in doubts(tally, "abc")][0]
    ('b', 'c', 1.0)
    """
    if len(order) > DENSE_LIMIT:
        return ()
    some = tally.only(order)
    wins, met = some.wins, some.met
    found = []
    for place in range(len(order) - 1):
        won, lost = float(wins[place, place + 1]), float(wins[place + 1, place])
        tied = max(float(met[place, place + 1]) - won - lost, 0.0)
        pair = order[place], order[place + 1]
        found.append(Doubt(*pair, place + 1, won, tied, lost, sign_test(won, lost)))
    return tuple(sorted(found, key=_firmness))


def _firmness(one: Doubt) -> tuple[float, float, int]:
    signed = 1.0 - one.p_value if one.wins >= one.losses else one.p_value - 1.0
    return signed, one.wins + one.ties + one.losses, one.place
