"""What the rules that hand out points for places have in common."""

from podium.arrays import Array, Floats, add_up
from podium.data.profile import Profile


def total_points(profile: Profile, points: Array) -> Floats:
    """Add up points over all ballots, a ballot's points times its weight.

    Args:
        profile: The ballots.
        points: Points of each entry of `profile.who`.
    """
    weighted = points * profile.weights[profile.vote_of_entry]
    return add_up(profile.who, weighted, len(profile.agents))
