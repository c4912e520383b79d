"""Borda: count the rivals that an agent is placed above, over all ballots."""

from typing import Literal

from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.methods._points import total_points
from podium.methods._registry import method
from podium.words import check_choice

VARIANTS = ("listed", "full", "symmetric")


@method(
    "borda",
    reads=Profile,
    cite="Borda 1781; Lanctot et al. 2025",
    cost="m n",
    holds={"population"},
    cheap_up_to=2_000,
)
def borda(
    profile: Profile, *, variant: Literal["listed", "full", "symmetric"] = "listed"
) -> Ratings:
    r"""Count the rivals that an agent is placed above, over all ballots.

    .. math:: r_i = \sum_v w_v (\ell_v - 1 - \bar b_{vi})

    where :math:`\ell_v` is the length of ballot v and :math:`\bar b_{vi}` the
    mean place, from 0, over i's tie group. The three variants agree, up to an
    affine map, where every ballot lists every agent.

    Args:
        profile: The ballots.
        variant: "listed" gives points for the listed rivals below; "full" counts
            every agent left out as below too, :math:`m - 1 - \bar b_{vi}`;
            "symmetric" gives wins less losses within the ballot.

    >>> ballots = Profile.from_ballots([(1, "abc"), (2, "bc")])
    >>> borda(ballots).values
    array([2., 3., 0.])
    >>> borda(ballots, variant="symmetric").values
    array([ 2.,  2., -4.])
    """
    check_choice("borda:variant", variant, VARIANTS)
    place = profile.group_start + (profile.group_size - 1) / 2
    listed = profile.lengths[profile.vote_of_entry]
    if variant == "full":
        points = len(profile.agents) - 1 - place
    elif variant == "symmetric":
        points = listed - 1 - 2 * place
    else:
        points = listed - 1 - place
    return Ratings.by_value(profile.agents, total_points(profile, points), unique=True)
