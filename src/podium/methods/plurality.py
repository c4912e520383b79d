"""Plurality: count the ballots that an agent tops."""

from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.methods._points import total_points
from podium.methods._registry import method


@method(
    "plurality",
    reads=Profile,
    cite="folklore; Lanctot et al. 2025",
    cost="m n",
    holds={"population"},
    cheap_up_to=2_000,
)
def plurality(profile: Profile) -> Ratings:
    r"""Count the ballots that an agent tops.

    .. math:: r_i = \sum_v w_v \frac{[b_{vi} = 0]}{g_{vi}}

    where :math:`b_{vi}` is the number of agents above i on ballot v; the
    :math:`g_{vi}` agents tied for the first place share it.

    >>> plurality(Profile.from_ballots([(2, "ab"), (1, [["a", "b"]])])).values
    array([2.5, 0.5])
    """
    shares = (profile.group_start == 0) / profile.group_size
    return Ratings.by_value(profile.agents, total_points(profile, shares), unique=True)
