"""Maximal lottery: the lottery over agents that no agent beats in expectation."""

from podium.data.ratings import Ratings, labelled
from podium.data.tally import Tally
from podium.kernels.equilibrium import equilibrium, ranges
from podium.methods._margins import PROPERTIES, REMARKS, clean_margins
from podium.methods._registry import method


@method(
    "maximal-lottery",
    reads=Tally,
    cite="Kreweras 1965; Fishburn 1984; Lanctot et al. 2025",
    cost="a linear programme of m agents",
    holds=PROPERTIES,
    cheap_up_to=100,
    remarks=REMARKS,
)
def maximal_lottery(tally: Tally) -> Ratings:
    r"""Find the lottery over agents that no agent, and no lottery, beats in expectation.

    .. math:: p \ge 0, \quad \textstyle\sum_i p_i = 1, \quad p^\top \delta \ge 0

    where :math:`\delta` holds the margins. The rating of an agent is its
    probability. An agent that beats every other has probability 1. Where several
    lotteries are maximal (an exact tie between two agents is enough), the
    rating is the one of highest entropy, `unique` in `info` is false, and
    `ranges` gives the lowest and highest probability of each agent over all of
    them; `ranges` is None where more than 200 agents are drawn.

    An agent that never met those that beat the others loses to nobody, and so
    takes a share.

    Args:
        tally: Pairwise counts.

    >>> cycle = Tally.from_matrix([[0, 3, 1], [1, 0, 4], [2, 1, 0]], "abc")
    >>> maximal_lottery(cycle).values * 6
    array([3., 1., 2.])
    """
    margins = clean_margins(tally)
    lottery = equilibrium(margins)
    span = ranges(margins, lottery)
    chances = {} if span is None else labelled(tally.agents, span)
    return Ratings.by_value(
        tally.agents,
        lottery.strategy,
        ranges=None if span is None else {agent: tuple(pair) for agent, pair in chances.items()},
        unique=lottery.unique,
    )
