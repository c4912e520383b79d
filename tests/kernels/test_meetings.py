"""Meetings: the two forms of a tally tell the same."""

from typing import Any

import numpy as np
from hypothesis import given

from podium.data.convert import convert
from podium.data.tally import Tally
from podium.kernels.meetings import dense_meetings, listed_meetings
from strategies import match_lists, profiles, steady


@given(profiles() | match_lists())
@steady(100)
def test_arrays_and_pairs_tell_the_same(data: Any) -> None:
    tally: Tally = convert(data, Tally)
    size = len(tally.agents)
    dense = dense_meetings(tally.wins, tally.met)
    listed = listed_meetings(*tally.pairs, size)
    for name in ("won", "lost", "rivals", "weight"):
        assert getattr(dense, name).tolist() == getattr(listed, name).tolist(), name
    assert dense[4:8] == listed[4:8]
    assert [column.tolist() for column in dense.twins] == [
        column.tolist() for column in listed.twins
    ]
    together = dense.group[:, None] == dense.group
    assert (together == (listed.group[:, None] == listed.group)).all()
    reach = np.linalg.matrix_power(np.eye(size) + (tally.met > 0), size) > 0
    assert (together == reach).all()
