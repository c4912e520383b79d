"""Kemeny-Young: the ranking that agrees with the most of the votes, pair by pair."""

from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.kernels.kemeny import kemeny as solved
from podium.methods._registry import method
from podium.words import check_number


@method(
    "kemeny",
    reads=Tally,
    cite="Kemeny 1959; Young and Levenglick 1978; Lanctot et al. 2025",
    cost="m^2, and in a majority cycle of k agents up to k 2^k",
    holds={"condorcet"},
    cheap_up_to=30,
)
def kemeny(tally: Tally, *, limit: float = 60.0) -> Ratings:
    r"""Rank so that as many votes as can be agree with the order of each pair.

    .. math:: \max_{\succ} \sum_{a \succ b} N(a, b), \quad
              r_a = \sum_{b \,:\, a \succ b} N(a, b)

    Where several rankings reach the maximum, none of them is picked: the rating
    is the mean over all of them, and agents are ranked by their mean place,
    those of equal mean place tied. So an agent that stands above another in all
    of them is ranked above it. With one best ranking this is that ranking.
    `info` holds the `value`, an upper `bound` of it (equal when proven), whether
    the value is `optimal`, whether the ranking is `unique`, and the number of
    `optima`.

    Agents are split at the majorities that no optimal ranking goes against;
    what is left in a cycle is solved exactly, up to about 60 agents whatever
    the votes and far more where they agree. Where optimal rankings are too many
    to count, `optima` is None and a pair that they order either way counts half
    each way. Where `limit` ends the search, the best ranking so far is given as
    it is, `optimal` is false and `unique` None.

    Args:
        tally: Pairwise counts.
        limit: Seconds to spend on each majority cycle of more than 16 agents.

    >>> ratings = kemeny(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    >>> ratings.values, ratings.tiers, ratings.info["value"]
    (array([4., 0., 6.]), array([1, 2, 0]), 10.0)
    """
    check_number("kemeny:limit", limit, low=0.0)
    answer = solved(tally.wins, limit)
    return Ratings.by_key(
        tally.agents,
        (answer.share * tally.wins).sum(axis=1),
        answer.share.sum(axis=0),
        value=answer.value,
        bound=answer.bound,
        optimal=answer.bound == answer.value,
        unique=answer.unique,
        optima=answer.optima,
    )
