"""Rank by groups: a ranking for each part of the data, and the average rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.analysis.rank import rank
from podium.data.ratings import Ranking, Ratings, ranking_of
from podium.errors import DataError
from podium.words import counted


@dataclass(frozen=True)
class GroupedRanking:
    """A ranking for each group, and the agents by their average rank.

    Attributes:
        rankings: Name of the group to its ranking.
        average: The agents by average rank over the groups that hold them; the
            ratings are the average ranks with the sign turned, so that higher
            is better here, too.
        average_ranks: Agent to average rank.
    """

    rankings: dict[str, Ranking]
    average: Ranking
    average_ranks: dict[str, float]


def rank_by(
    groups: Mapping[str, Any], method: str | None = None, **settings: Any
) -> GroupedRanking:
    r"""Rank each group of data by a method, and the agents by their average rank.

    .. math:: \bar r_i = \frac{1}{|G_i|} \sum_{g \in G_i} r_{gi}

    over the groups that hold agent i; tied agents have the lower rank, as in
    each ranking.

    Args:
        groups: Name of each group to its data.
        method: Name of the method, as for `rank`.
        **settings: Anything else that `rank` takes.

    >>> from podium.data.profile import Profile
    >>> parts = {"x": Profile.from_ballots([(1, "ab")]), "y": Profile.from_ballots([(1, "ba")])}
    >>> rank_by(parts, "borda").average.tiers
    (('a', 'b'),)
    """
    if not groups:
        msg = "there is no group to rank; give at least one"
        raise DataError(msg)
    rankings = {str(name): rank(data, method, **settings) for name, data in groups.items()}
    places: dict[str, list[int]] = {}
    for ranking in rankings.values():
        for agent, place in ranking.ranks.items():
            places.setdefault(agent, []).append(place)
    averages = {agent: float(np.mean(ranks)) for agent, ranks in places.items()}
    ratings = Ratings.by_value(tuple(averages), [-value for value in averages.values()])
    partial = sum(len(ranks) < len(rankings) for ranks in places.values())
    first = next(iter(rankings.values()))
    average = ranking_of(ratings, first.method, first.options)
    if partial:
        words = f"{counted(partial, 'agent')} missing from some groups: averaged over the others"
        average.info["notes"] = [words]
    return GroupedRanking(rankings, average, averages)
