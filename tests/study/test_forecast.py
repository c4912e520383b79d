"""Rounds to come: where the doubt lies, how it falls, and what is said of a goal."""

import math

import numpy as np
import pytest

from podium.errors import DataError
from podium.kernels.records import Records, Sizes, no_records, record
from podium.study.forecast import Doubt, Spend, spend_for
from podium.study.posterior import case_of, drawn
from podium.study.stop import Goal

RATINGS = np.arange(4.0)


def told(rounds: int, noise: float = 5.0, gap: float = 3.0, tasks: int = 12) -> Records:
    rng, records = np.random.default_rng(1), no_records(Sizes(agents=4, tasks=tasks))
    for _ in range(rounds):
        pair = rng.choice(4, 2, replace=False)
        record.plain(records, np.array([rng.integers(tasks), *pair]), rng.normal(gap * pair, noise))
    return records


def doubt_of(records: Records, noise: float | None = None) -> Doubt:
    known = None if noise is None else np.full(len(records.plays), noise)
    case = case_of(records, RATINGS, noise=known)
    return Doubt(case.known, drawn(case, 100))


def test_a_goal_that_is_met_needs_no_rounds() -> None:
    assert spend_for(told(400, 0.1, 10.0, 3), RATINGS, Goal(0.9)) == Spend(0.0, 0.0, 0.0)


def test_doubt_falls_from_all_to_nothing() -> None:
    doubt = doubt_of(told(20))
    left = [doubt.left(rounds) for rounds in range(0, 4_000, 10)]
    assert left[0] == pytest.approx(1.0)
    assert (np.diff(left) < 0.0).all()
    assert left[-1] < 0.05


@pytest.mark.parametrize("growth", [1.0, 1.5, 4.0, 100.0])
def test_the_rounds_for_a_growth_leave_that_much(growth: float) -> None:
    doubt = doubt_of(told(30))
    rounds = doubt.rounds_for(growth)
    assert doubt.left(rounds) * growth <= 1.0
    assert rounds <= 1 or doubt.left(rounds - 1.0) * growth > 1.0


def test_what_is_out_of_sight_takes_for_ever() -> None:
    assert math.isinf(doubt_of(told(30)).rounds_for(math.inf))


def test_without_noise_all_doubt_lies_in_unseen_cells() -> None:
    records = told(15)
    doubt = doubt_of(records, noise=0.0)
    assert doubt.unseen == 1.0
    assert doubt.cells == (records.plays == 0).sum() > 0
    assert doubt.left(doubt.cells) == 0.0


def test_where_all_is_seen_all_doubt_lies_in_noise() -> None:
    records = told(400)
    assert (records.plays > 0).all()
    doubt = doubt_of(records)
    assert doubt.unseen == 0.0
    assert doubt.left(400 / doubt.pace) == pytest.approx(0.5)


def test_nothing_told_yet() -> None:
    spend = spend_for(no_records(Sizes(4, 5)), RATINGS, Goal(0.95, top=1))
    assert 0.0 < spend.low <= spend.rounds <= spend.high


def test_more_confidence_takes_more_rounds_and_the_band_holds_the_middle() -> None:
    records, spends = told(24, noise=15.0), []
    for confidence in (0.8, 0.9, 0.99):
        spend = spend_for(records, RATINGS, Goal(confidence), seed=3)
        assert spend.low <= spend.rounds <= spend.high
        spends.append(spend.rounds)
    assert 0 < spends[0] < spends[1] < spends[2]


def test_the_same_seed_gives_the_same_forecast() -> None:
    one, same = (spend_for(told(24), RATINGS, Goal(0.9, 2), seed=3) for _ in range(2))
    assert one == same


def test_more_agents_than_there_are_cannot_be_the_goal() -> None:
    with pytest.raises(DataError, match="k is 5"):
        spend_for(told(16), RATINGS, Goal(0.9, top=5))
