r"""Errors of a ranking against the truth: among the first k, and of all agents.

Rankings come as places: `places[..., i]` is the place, from 0, of the agent that
the truth has at place i. So the truth itself is 0, 1, 2, ..., and agents have no
names here. All functions take one ranking or a table of them.
"""

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Array, Floats, Ints
from podium.words import check_number


def places_of(orders: ArrayLike, truth: ArrayLike) -> Ints:
    """Write orders of agents, best first, as places by true rank.

    Agents that the truth leaves out are left out of the orders too.

    >>> places_of([2, 0, 3, 1], truth=[0, 1, 2]).tolist()
    [1, 2, 0]
    """
    listed, best_first = np.asarray(orders), np.asarray(truth)
    judged = np.isin(listed, best_first)
    kept = listed[judged].reshape(*listed.shape[:-1], len(best_first))
    rank = np.zeros(int(listed.max(initial=0)) + 1, dtype=np.int64)
    rank[best_first] = np.arange(len(best_first))
    return np.argsort(rank[kept], axis=-1)


def identification_error(places: ArrayLike, k: int) -> Floats:
    r"""Give the share of the true first k that are not reported among the first k (IDE).

    .. math:: 1 - |A_{\succ[k]} \cap A_{\succ^*[k]}| / k

    (Lanctot et al. 2026, definition 3.1).

    >>> float(identification_error([0, 3, 1, 2], k=2))
    0.5
    """
    table = _checked(places, k)
    return np.asarray(1.0 - (table[..., :k] < k).sum(axis=-1) / k)


def kendall_distance(places: ArrayLike, k: int | None = None) -> Array:
    """Count the pairs among the true first k that are reported the other way around (K_d).

    (Lanctot et al. 2026, definition 2.1). Without k, all pairs.

    >>> int(kendall_distance([0, 3, 1, 2]))
    2
    """
    size = np.asarray(places).shape[-1] if k is None else k
    first = _checked(places, size)[..., :size]
    wrong = first[..., :, None] > first[..., None, :]
    counts: Array = np.triu(wrong, 1).sum(axis=(-2, -1))
    return counts


def normalized_kendall(places: ArrayLike, k: int | None = None) -> Floats:
    r"""Give the share of the pairs among the true first k that are reported wrong (K_n).

    .. math:: 2 K_d / (k (k - 1))

    (Lanctot et al. 2026, definition 2.2), 0 for k = 1.

    >>> float(normalized_kendall([0, 2, 1], k=3) * 3)
    1.0
    """
    size = np.asarray(places).shape[-1] if k is None else k
    return np.asarray(kendall_distance(places, k) / max(size * (size - 1) / 2, 1.0))


def ranking_error(places: ArrayLike, k: int) -> Floats:
    r"""Give the generalized ranking error of the first k (GRE).

    .. math:: \alpha \, \mathrm{IDE} + (1 - \alpha) K_n, \quad \alpha = \frac{m - k}{m - 1}

    (Lanctot et al. 2026, definition 3.2): for k = 1 all is identification, for
    k = m all is order.

    >>> float(ranking_error([1, 0, 2], k=1)), float(ranking_error([1, 0, 2], k=3) * 3)
    (1.0, 1.0)
    """
    table = _checked(places, k)
    agents = table.shape[-1]
    alpha = (agents - k) / max(agents - 1, 1)
    identified, ordered = identification_error(table, k), normalized_kendall(table, k)
    return np.asarray(alpha * identified + (1.0 - alpha) * ordered)


def kemeny_score(places: ArrayLike, tally: Floats) -> Floats:
    r"""Add up the tasks that agree with a ranking, over all pairs.

    .. math:: \sum_{a \succ b} N(a, b)

    (Lanctot et al. 2026, appendix B.1).

    Args:
        places: The ranking.
        tally: Tasks that put the row agent above the column agent, agents by true rank.

    >>> float(kemeny_score([1, 0], np.array([[0.0, 3.0], [2.0, 0.0]])))
    2.0
    """
    table = np.asarray(places)
    above = table[..., :, None] < table[..., None, :]
    return np.asarray((above * tally).sum(axis=(-2, -1)))


def kemeny_score_distance(places: ArrayLike, tally: Floats) -> Floats:
    """Give how far the Kemeny score of a ranking is from that of the truth (KSD).

    >>> float(kemeny_score_distance([1, 0], np.array([[0.0, 3.0], [2.0, 0.0]])))
    1.0
    """
    truth = kemeny_score(np.arange(len(tally)), tally)
    return np.asarray(np.abs(kemeny_score(places, tally) - truth))


def _checked(places: ArrayLike, k: int) -> Array:
    table = np.asarray(places)
    check_number("k", k, low=1, high=table.shape[-1])
    return table
