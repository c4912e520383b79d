"""Approval: count the ballots on which an agent is among the first k."""

import numpy as np

from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.methods._points import total_points
from podium.methods._registry import method
from podium.words import check_number


@method(
    "approval",
    reads=Profile,
    cite="Brams and Fishburn 1978; k-approval as in Lanctot et al. 2025",
    cost="m n",
    holds={"population"},
    cheap_up_to=2_000,
    remarks={
        "iia": "Table 4 of the paper ticks this. It is true of approval with free sets, "
        "not of the first k places: who is approved depends on who else stands."
    },
)
def approval(profile: Profile, *, k: int | None = None) -> Ratings:
    r"""Count the ballots on which an agent stands among the first k.

    .. math:: r_i = \sum_v w_v \min\left(1, \frac{\max(0, k - b_{vi})}{g_{vi}}\right)

    where :math:`b_{vi}` is the number of agents in better tie groups of ballot
    v and :math:`g_{vi}` the size of i's group: a group that reaches across
    place k shares what is left.

    Args:
        profile: The ballots.
        k: How many places are approved; by default 3, or all of fewer agents.

    >>> approval(Profile.from_ballots([(2, "abcd"), (1, "dbca")]), k=2).values
    array([2., 3., 0., 1.])
    """
    places = min(3, len(profile.agents)) if k is None else k
    check_number("approval:k", places, low=min(1, len(profile.agents)))
    left = np.maximum(0, places - profile.group_start)
    shares = np.minimum(1.0, left / profile.group_size)
    return Ratings.by_value(profile.agents, total_points(profile, shares), unique=True)
