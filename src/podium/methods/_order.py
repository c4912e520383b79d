"""The order in which matches count, for methods that go match by match."""

import numpy as np

from podium.arrays import Ints
from podium.data.matches import Matches


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
