"""Numbers, widths and bars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.cli._ranking import WIDEST_BAR, bar, in_figures
from podium.cli._screen import MOST_DECIMALS, decimals_for, number


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([], 0),
        ([3.0], 0),
        ([1500.123, 1488.7, 1100.2], 0),
        ([0.8333, 0.0833, 0.0833], 3),
        ([0.1 + 0.2, 0.3], 1),
        ([1e-9, 2e-9], MOST_DECIMALS),
        ([None, 2.5], 1),
    ],
)
def test_decimals(values: list[float | None], decimals: int) -> None:
    assert decimals_for(values) == decimals


@given(st.lists(st.floats(-1e6, 1e6)))
def test_decimals_are_few(values: list[float]) -> None:
    assert 0 <= decimals_for(values) <= MOST_DECIMALS


def test_no_negative_zero() -> None:
    assert number(-0.01, 0) == "0"
    assert number(None, 2) == ""
    assert number(-12345.678, 1) == "-12,345.7"


@given(st.data(), st.integers(1, 60))
def test_a_bar_holds_its_rank(data: st.DataObject, agents: int) -> None:
    low, rank, high = sorted(data.draw(st.tuples(*[st.integers(1, agents)] * 3)))
    drawn = bar({"rank": rank, "rank_low": low, "rank_high": high}, agents)
    assert len(drawn) == min(agents, WIDEST_BAR)
    assert drawn.count("●") == 1
    if low == 1:
        assert drawn[0] != " "
    if high == agents:
        assert drawn[-1] != " "


def test_missing_cells_are_told() -> None:
    data = {"kind": "scores", "agents": 4, "tasks": 5, "records": 15, "missing": 5}
    assert in_figures(data) == "4 agents, 5 tasks, 15 scores, 5 missing cells (25.0%)"
