"""Update: going on with later data is ranking all of them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import podium
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.errors import DataError, PodiumError
from podium.methods._registry import METHODS, Card
from strategies import match_lists, profiles, steady

podium.rank(Matches.from_records([("a", "b", 1)]), "copeland")  # loads the methods
COUNTING = [card for card in METHODS if card.target(Matches) is Tally and card.can_read(Matches)]
ONLINE: list[tuple[Card, dict[str, Any]]] = [(card, {}) for card in METHODS if card.goes_on()] + [
    (METHODS["melo"], {"online": True})
]
named = pytest.mark.parametrize("card", COUNTING, ids=lambda card: card.name)


def said(data: Any, card: Card) -> podium.Ranking | None:
    try:
        return podium.rank(data, card.name)
    except PodiumError:
        return None


def same(one: podium.Ranking, other: podium.Ranking) -> bool:
    close = {agent: pytest.approx(value, abs=1e-6) for agent, value in other.ratings.items()}
    return one.tiers == other.tiers and one.ratings == close


def test_there_are_methods_to_test() -> None:
    assert {"elo", "copeland", "schulze", "kemeny"} <= {card.name for card in COUNTING}
    assert "online-elo" in {card.name for card, _ in ONLINE}


@named
def test_matches_in_two_parts_are_ranked_as_one(card: Card) -> None:
    @steady(25)
    @given(match_lists(rows=(6, 24)), st.integers(1, 20))
    def check(data: Matches, cut: int) -> None:
        rows = np.arange(len(data.left))
        first, whole = said(data.taken(rows[:cut]), card), said(data, card)
        assume(first is not None and whole is not None)
        assert first is not None
        assert whole is not None
        assert same(podium.update(first, data.taken(rows[cut:])), whole)

    check()


@named
def test_ballots_in_three_parts_are_ranked_as_one(card: Card) -> None:
    @steady(15)
    @given(st.lists(profiles(agents=(3, 3), ballots=(3, 6)), min_size=3, max_size=3))
    def check(parts: list[Profile]) -> None:
        ballots = [ballot for part in parts for ballot in part.ballots()]
        whole = said(Profile.from_ballots(ballots, parts[0].agents), card)
        ranking = said(parts[0], card)
        assume(ranking is not None and whole is not None)
        assert ranking is not None
        assert whole is not None
        for part in parts[1:]:
            ranking = podium.update(ranking, part)
        assert same(ranking, whole)

    check()


@pytest.mark.parametrize(("card", "options"), ONLINE)
def test_online_methods_go_on_and_meet_new_agents(card: Card, options: dict[str, Any]) -> None:
    rows = [("a", "b", 1), ("b", "c", 0.5), ("d", "a", 1), ("b", "d", 0), ("c", "e", 1)]
    whole = podium.rank(Matches.from_records(rows), card.name, **options)
    for cut in range(1, 5):
        first = podium.rank(Matches.from_records(rows[:cut]), card.name, **options)
        assert same(podium.update(first, Matches.from_records(rows[cut:])), whole)
    with pytest.raises(DataError, match="goes on with matches alone"):
        podium.update(first, Profile.from_ballots([(1, "ab")]))


RING = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]


def test_options_stay_and_the_ranking_can_go_on_again() -> None:
    ranking = podium.rank(Matches.from_records(RING), "elo", anchor="b", prior=0.5)
    for row in [("a", "b", 1), ("d", "a", 1)]:
        ranking = podium.update(ranking, Matches.from_records([row]))
    whole = podium.rank(
        Matches.from_records([*RING, ("a", "b", 1), ("d", "a", 1)]), "elo", anchor="b", prior=0.5
    )
    assert same(ranking, whole)
    assert ranking.options == whole.options
    assert ranking.counts is not None
    assert podium.rank(ranking.counts, "elo", prior=0.5, intervals="sandwich").intervals


def test_day_by_day_from_counts_alone() -> None:
    # Where a first day alone has no finite ratings, counts go on without a ranking.
    days = [Matches.from_records([row]) for row in RING]
    counts = podium.count(days[0])
    with pytest.raises(DataError, match="undefeated"):
        podium.rank(counts, "elo")
    for day in days[1:]:
        counts = counts.merged(podium.count(day))
    assert podium.rank(counts, "elo").tiers == (("a", "b", "c"),)


def test_what_counts_do_not_hold_cannot_be_updated() -> None:
    data = Matches.from_columns(["a", "b"] * 4, ["b", "a"] * 4, [1, 1, 0, 0, 1, 0, 0.5, 1])
    sided = podium.rank(data, "elo", side=True)
    with pytest.raises(DataError, match=r"elo was given more than counts.*put all data together"):
        podium.update(sided, data)
    scores = podium.Scores.from_records([("t", "a", 2), ("t", "b", 1)])
    by_task = podium.rank(scores, "copeland")
    with pytest.raises(DataError, match="more scores of a task change who was ahead"):
        podium.update(by_task, scores)
    game = podium.Game.from_payoffs([[[1, 0], [0, 2]], [[1, 0], [0, 2]]])
    with pytest.raises(DataError, match="a game holds no counts"):
        podium.update(by_task, game)
    mean = podium.rank(scores, "mean")
    with pytest.raises(DataError, match="mean was given more than counts"):
        podium.update(mean, scores)
