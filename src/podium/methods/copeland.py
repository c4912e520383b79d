"""Copeland: count the rivals that an agent beats by majority."""

from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.methods._registry import method
from podium.words import check_number


@method(
    "copeland",
    reads=Tally,
    cite="Copeland 1951; Lanctot et al. 2025",
    cost="m^2",
    holds={"condorcet"},
    cheap_up_to=1_000,
    remarks={
        "condorcet": "Of an agent that beats every other. One that is only never beaten can come "
        "after one that beats more."
    },
)
def copeland(
    tally: Tally, *, tie_credit: float = 0.5, unmet_credit: float | None = None
) -> Ratings:
    r"""Count the rivals that an agent beats by majority.

    .. math:: r_i = \sum_{j \ne i} [\delta_{ij} > 0] + c \, [\delta_{ij} = 0]

    where :math:`\delta` is the margin and :math:`c` the tie credit.

    Args:
        tally: Pairwise counts.
        tie_credit: Worth of a rival with margin 0, from 0 to 1.
        unmet_credit: Worth of a rival never met, by default the tie credit;
            0 keeps agents that met few rivals from drifting to the middle.

    >>> copeland(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc")).values
    array([1., 0., 2.])
    """
    check_number("copeland:tie_credit", tie_credit, low=0.0, high=1.0)
    unmet = tie_credit if unmet_credit is None else unmet_credit
    check_number("copeland:unmet_credit", unmet, low=0.0, high=1.0)
    size = len(tally.agents)
    won, lost, met = tally.record
    credit = tie_credit * (met - won - lost) + unmet * (size - 1 - met)
    return Ratings.by_value(tally.agents, won + credit, unique=True)
