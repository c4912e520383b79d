"""Tally.merged: counts of two sets of votes are the counts of all of them."""

import pytest
from hypothesis import given

import podium.data.tally as module
from podium.data.convert import profile_to_tally
from podium.data.profile import Profile
from podium.data.tally import Tally
from strategies import profiles, steady


def sparse(tally: Tally) -> Tally:
    """Hold the same counts as a list of pairs."""
    return Tally(tally.agents, sparse=tally.pairs)


def table(tally: Tally) -> tuple[object, object]:
    return tally.wins.tolist(), tally.met.tolist()


@given(profiles(agents=(4, 4)), profiles(agents=(4, 4)))
@steady(40)
def test_merged_counts_are_those_of_all_ballots(one: Profile, other: Profile) -> None:
    both = Profile.from_ballots([*one.ballots(), *other.ballots()], one.agents)
    wanted = table(profile_to_tally(both))
    first, second = profile_to_tally(one), profile_to_tally(other)
    for left in (first, sparse(first)):
        for right in (second, sparse(second)):
            assert table(left.merged(right)) == wanted


@given(profiles(agents=(2, 4)), profiles(agents=(2, 4)))
@steady(40)
def test_agents_of_either_are_agents_of_both(one: Profile, other: Profile) -> None:
    named = Profile.from_ballots(
        [
            (w, [[name + "'" if name > "b" else name for name in g] for g in b])
            for w, b in other.ballots()
        ],
        [name + "'" if name > "b" else name for name in other.agents],
    )
    merged = profile_to_tally(one).merged(profile_to_tally(named))
    assert merged.agents == tuple(dict.fromkeys((*one.agents, *named.agents)))
    every = Profile.from_ballots([*one.ballots(), *named.ballots()], merged.agents)
    assert table(merged) == table(profile_to_tally(every))


def test_many_agents_stay_a_list_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DENSE_LIMIT", 3)
    one = Tally.from_matrix([[0, 1], [0, 0]], "ab")
    other = Tally.from_matrix([[0, 2], [0, 0]], "cd")
    merged = one.merged(other)
    assert merged.dense is None
    assert merged.pairs.wins.tolist() == [1, 2]


def test_notes_are_kept_once_and_inputs_untouched() -> None:
    one = Tally.from_matrix([[0, 1], [0, 0]], "ab").with_notes("n")
    both = one.merged(one.with_notes("m"))
    assert both.notes == ("n", "m")
    assert both.wins.tolist() == [[0, 2], [0, 0]]
    assert one.wins.tolist() == [[0, 1], [0, 0]]
    assert not both.wins.flags.writeable
