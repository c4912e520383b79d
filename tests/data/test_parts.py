"""Parts of data: some agents, some rows, drawn tasks; and the record of a tally."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from podium.data import roster
from podium.data.convert import profile_to_tally
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from strategies import NAMES, profiles, score_tables, steady, tallies


@steady(80)
@given(profiles(agents=(2, 5)))
def test_some_agents_of_a_profile_are_its_ballots_without_the_others(profile: Profile) -> None:
    kept = profile.agents[::-1][:-1]
    part = profile.only(kept)
    expected = Profile.from_ballots(
        [
            (weight, [rest for group in order if (rest := [a for a in group if a in kept])])
            for weight, order in profile.ballots()
        ],
        kept,
    )
    assert part == expected
    assert (part.group_start == expected.group_start).all()
    assert (part.place == expected.place).all()


@steady(40)
@given(profiles())
def test_other_weights_carry_the_structure_over(profile: Profile) -> None:
    _ = profile.group_start, profile.group_size
    other = profile.with_vote_weights(np.zeros(len(profile)))
    assert other.group_start is profile.group_start
    assert other.vote_of_entry is profile.vote_of_entry
    fresh = Profile(other.agents, other.who, other.place, other.start, other.weights)
    assert (fresh.group_size == other.group_size).all()


@steady(60)
@given(tallies())
def test_the_record_of_a_tally_is_the_same_in_both_forms(tally: Tally) -> None:
    sparse = Tally(tally.agents, sparse=tally.pairs)
    for one, two in zip(tally.record, sparse.record, strict=True):
        assert (one == two).all()
    assert (tally.record.won == (tally.margins > 0).sum(axis=1)).all()
    assert (tally.record.lost == (tally.margins < 0).sum(axis=1)).all()
    assert (tally.record.met == (tally.met > 0).sum(axis=1)).all()


@steady(40)
@given(profiles(agents=(2, 5)))
def test_some_agents_of_a_tally_are_the_same_in_both_forms(profile: Profile) -> None:
    tally, kept = profile_to_tally(profile), profile.agents[::-1][:-1]
    sparse = Tally(tally.agents, sparse=tally.pairs).only(kept)
    dense = tally.only(kept)
    assert sparse.dense is None
    assert (sparse.wins == dense.wins).all()
    assert (sparse.met == dense.met).all()


@steady(60)
@given(score_tables())
def test_drawn_tasks_keep_what_was_counted(scores: Scores) -> None:
    _ = scores.means
    times = np.arange(len(scores.tasks)) % 3
    drawn = scores.drawn(times)
    fresh = scores.only(tasks=[t for t, n in zip(scores.tasks, times, strict=True) if n])
    assert drawn.tasks == fresh.tasks
    assert np.array_equal(drawn.means, fresh.means, equal_nan=True)
    assert (drawn.value == fresh.value).all()
    assert (drawn.weights == fresh.weights * times[times > 0]).all()


def test_some_agents_and_rows_of_matches() -> None:
    rows = [("a", "b", 1, 2, "t", 5), ("c", "a", 0.5, 1, "u", 6), ("b", "c", 0, 1, "t", 7)]
    matches = Matches.from_records(rows, agents=NAMES[:4])
    part = matches.only(["c", "b"])
    assert part.agents == ("c", "b")
    assert (part.left.tolist(), part.right.tolist()) == ([1], [0])
    assert part.time is not None
    assert part.time.tolist() == [7.0]
    twice = matches.taken([2, 0, 2])
    assert twice.weight.tolist() == [1.0, 2.0, 1.0]
    assert twice.task is not None
    assert twice.task.tolist() == [0, 0, 0]


@pytest.mark.parametrize("cells", [0, 1, 2, 3, 4, 7])
def test_names_are_coded_block_by_block(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "BLOCK", 3)
    column = list("cabacca")[:cells]
    (codes,), names = roster.encoded(column)
    assert names == tuple(dict.fromkeys(column))
    assert [names[code] for code in codes.tolist()] == column
    (left, right), both = roster.encoded(iter_only(column), tuple("dab"))
    assert [both[code] for code in (*left.tolist(), *right.tolist())] == [*column, *"dab"]


def iter_only(cells: list[str]) -> Any:
    """Give a column of a library that knows arrays: not a list, and with `tolist`."""
    return np.array(cells, dtype=object)
