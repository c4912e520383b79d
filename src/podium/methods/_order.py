"""The order in which matches count, for methods that go match by match."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.arrays import Floats, Ints
from podium.data.matches import Matches
from podium.data.ratings import Ratings
from podium.errors import DataError


def in_order(matches: Matches, order: str) -> tuple[Ints, str]:
    """List the rows in the order of play, and say which it is."""
    listed = np.arange(len(matches.left))
    if order == "listed" or matches.time is None:
        why = "" if order == "listed" else ", as they have no times"
        return listed, f"matches count in the order in which they are listed{why}; it matters"
    rows = np.argsort(matches.time, kind="stable")
    same = int((np.diff(matches.time[rows]) == 0).sum())
    note = "matches count in the order of their times, which matters"
    if same:
        note += f"; {same:,} of them at the time of the one before count as listed"
    return rows, note


def until(matches: Matches, order: str, so_far: Mapping[str, Any]) -> dict[str, Any]:
    """Name the last time of the matches so far, where they count in the order of their times."""
    times = _times(matches, order)
    last = float(times.max()) if times.size else so_far.get("until")
    return {} if last is None else {"until": last}


def check_later(matches: Matches, order: str, so_far: Mapping[str, Any]) -> None:
    """Refuse matches that were played before the last one that ratings know of."""
    last, first = so_far.get("until"), _times(matches, order).min(initial=np.inf)
    if last is not None and first < last:
        msg = (
            f"a new match is of time {first:g}, and ratings so far go until {last:g}; an online "
            "method cannot go back in time: rank all matches together"
        )
        raise DataError(msg)


def known(so_far: Ratings, matches: Matches) -> Floats:
    """Give the ratings so far of the agents of new matches, 0 for those who are new."""
    ratings = dict(zip(so_far.agents, so_far.values.tolist(), strict=True))
    return np.array([ratings.get(agent, 0.0) for agent in matches.agents])


def _times(matches: Matches, order: str) -> Floats:
    """List the times by which matches are put in order; none where they are not."""
    timeless = matches.time is None or order == "listed"
    return np.zeros(0) if matches.time is None or timeless else matches.time
