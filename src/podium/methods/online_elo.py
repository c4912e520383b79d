"""Online Elo: move two ratings after each match, in the order in which they were played."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from podium.arrays import Floats, Ints
from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.errors import DataError
from podium.kernels.compiled import kernel
from podium.kernels.elo import elo_step
from podium.methods._order import check_later, in_order, known, until
from podium.methods._registry import method
from podium.words import check_choice, check_number

ORDERS = ("time", "listed")

PLAIN = 20_000
"""Up to this many matches a loop in Python ends before a compiler is loaded."""

SAME = 1e-9
"""Ratings within this many points are equal."""


@kernel
def play(left: Ints, right: Ints, score: Floats, weight: Floats, k: float, ratings: Floats) -> None:
    """Go through matches and move the ratings of both sides. Ratings are changed."""
    for row in range(len(left)):
        elo_step(ratings, left[row], right[row], score[row], k * weight[row])


def _resumed(matches: Matches, so_far: Ratings, options: Mapping[str, Any]) -> Ratings:
    """Go on from some ratings with later matches."""
    order = options.get("order", "time")
    check_later(matches, order, so_far.info)
    return _rated(matches, known(so_far, matches), so_far.info, **options)


@method(
    "online-elo",
    reads=Matches,
    cite="Elo 1978; Lanctot et al. 2026",
    cost="n",
    cheap_up_to=1_000,
    votes=False,
    resume=_resumed,
)
def online_elo(
    matches: Matches, *, k: float = 32.0, order: Literal["time", "listed"] = "time"
) -> Ratings:
    r"""Move two ratings after each match, in the order in which they were played.

    .. math:: r_i \leftarrow r_i + K w \left( s - \frac{1}{1 + 10^{(r_j - r_i) / 400}} \right)

    and :math:`r_j` by as much the other way, where :math:`s` is the score of i and
    :math:`w` the weight of the match. All start at 0. The answer depends on the
    order of matches; `elo` is the fit to all at once, which does not. `until` in the
    info is the last time seen, before which `podium.update` takes no more.

    Args:
        matches: The matches.
        k: The most points that one match moves, before its weight.
        order: "time" sorts by time, where there is one, and leaves matches of
            one time as listed; "listed" takes them as they come.

    >>> online_elo(Matches.from_records([("a", "b", 1.0), ("a", "c", 0.5)])).values.round(2)
    array([ 15.26, -16.  ,   0.74])
    """
    check_number("online-elo:k", k, low=0.0, high=1e6)
    check_choice("online-elo:order", order, ORDERS)
    return _rated(matches, np.zeros(len(matches.agents)), {}, k=k, order=order)


def _rated(
    matches: Matches,
    start: Floats,
    so_far: Mapping[str, Any],
    *,
    k: float = 32.0,
    order: str = "time",
) -> Ratings:
    rows, note = in_order(matches, order)
    run = play.plain if len(rows) <= PLAIN else play
    ratings = start.copy()
    left, right = matches.left[rows], matches.right[rows]
    with np.errstate(over="ignore", invalid="ignore"):  # told below
        run(left, right, matches.score[rows], matches.weight[rows], k, ratings)
    if not np.isfinite(ratings).all():
        msg = f"online-elo:k is {k:g}, with which ratings grow without end; give a smaller one"
        raise DataError(msg)
    gap = max(SAME, 1e-12 * float(np.abs(ratings).max(initial=0.0)))
    more = until(matches, order, so_far)
    return Ratings.by_value(
        matches.agents, ratings, tolerance=gap, unique=True, notes=[note], **more
    )
