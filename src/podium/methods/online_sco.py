"""Online SCO: after each vote, one step down the sigmoid loss of that vote alone."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from podium.arrays import Floats, Ints
from podium.data.matches import LOSS, TIE, Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.kernels.sco_batches import Votes, soft_steps
from podium.methods._order import check_later, in_order, until
from podium.methods._registry import method
from podium.methods._sco import Box, box_of, rated
from podium.methods._sco_steps import votes_of
from podium.methods.online_elo import ORDERS
from podium.words import check_choice, check_number


def _resumed(data: Profile | Matches, so_far: Ratings, options: Mapping[str, Any]) -> Ratings:
    """Go on from some ratings with later votes."""
    if isinstance(data, Matches):
        check_later(data, options.get("order", "time"), so_far.info)
    return _rated(data, so_far, **options)


@method(
    "online-sco",
    reads=(Matches, Profile),
    cite="Lanctot et al. 2025 (Soft Condorcet Optimization), appendix E.4",
    cost="n k^2; k agents on a vote",
    cheap_up_to=1_000,
    votes=False,
    resume=_resumed,
)
def online_sco(
    data: Profile | Matches,
    *,
    temperature: float = 1.0,
    low: float = 0.0,
    high: float = 100.0,
    step_size: float = 0.5,
    order: Literal["time", "listed"] = "time",
) -> Ratings:
    r"""Make one step of gradient descent on the sigmoid loss of each vote, in their order.

    .. math:: \theta_a \leftarrow \theta_a + \alpha w \frac{1}{\tau}
              \sum_{b \text{ below } a} s'\left(\frac{\theta_b - \theta_a}{\tau}\right)

    and less as much for those above, clipped to the range; :math:`w` is the weight of the
    vote. All start in the middle. Only the agents of a vote move. Votes count in
    the order in which they are listed, matches in that of their times.

    Args:
        data: The votes, or matches.
        temperature: The unit in which differences of ratings count.
        low: Lowest rating.
        high: Highest rating.
        step_size: :math:`\alpha`; on few votes a larger one does better.
        order: "time" sorts matches by time, where there is one, and leaves matches
            of one time as listed; "listed" takes them as they come.

    >>> online_sco(Profile.from_ballots([(1.0, "abc")])).values
    array([50.25, 50.  , 49.75])
    """
    check_number("online-sco:step_size", step_size, low=0.0, high=1e12)
    check_choice("online-sco:order", order, ORDERS)
    more = {"temperature": temperature, "low": low, "high": high}
    return _rated(data, None, step_size=step_size, order=order, **more)


def _rated(
    data: Profile | Matches,
    so_far: Ratings | None,
    *,
    temperature: float = 1.0,
    low: float = 0.0,
    high: float = 100.0,
    step_size: float = 0.5,
    order: str = "time",
) -> Ratings:
    box = box_of("online-sco", "temperature", temperature, low, high)
    votes, weights, note = _in_order(data, order)
    ratings = _start(data.agents, so_far, box)
    rows = np.arange(len(weights))[:, None]
    soft_steps(votes, ratings, rows, step_size * weights / box.unit**2, box.width)
    made = {"iterations": len(weights), "unique": True, "notes": [note]}
    if isinstance(data, Matches):
        made |= until(data, order, {} if so_far is None else so_far.info)
    return rated(data.agents, ratings, box, **made)


def _start(agents: tuple[str, ...], so_far: Ratings | None, box: Box) -> Floats:
    middle = box.start(len(agents))
    if so_far is None:
        return middle
    known = dict(zip(so_far.agents, box.inside(so_far.values).tolist(), strict=True))
    return np.array([known.get(agent, middle[0]) for agent in agents])


def _in_order(data: Profile | Matches, order: str) -> tuple[Votes, Floats, str]:
    if isinstance(data, Profile):
        return votes_of(data), data.weights, "votes count in the order in which they are listed"
    rows, note = in_order(data, order)
    rows = rows[data.score[rows] != TIE]
    return _pairs(data, rows), data.weight[rows], note


def _pairs(matches: Matches, rows: Ints) -> Votes:
    """See each match as a vote, the winner above."""
    lost = matches.score[rows] == LOSS
    left, right = matches.left[rows], matches.right[rows]
    who = np.stack([np.where(lost, right, left), np.where(lost, left, right)], axis=1)
    return Votes.strict(who.ravel(), 2 * np.arange(len(rows) + 1))
