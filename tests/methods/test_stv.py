"""STV: the papers' numbers, and a literal count in exact fractions."""

import csv
import itertools
import json
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.convert import convert
from podium.data.profile import Profile
from podium.data.ratings import plain, tiers_of
from podium.data.scores import Scores
from podium.errors import DataError
from podium.kernels import stv as kernel
from podium.methods.stv import stv
from shared import shared
from strategies import profiles, steady

WHOLE = st.sampled_from([1.0, 1.0, 2.0, 3.0])


class Step(NamedTuple):
    elected: bool
    agents: frozenset[str]
    votes: Fraction


def literal(profile: Profile, seats: int, *, ordered: bool, fill: bool = False) -> list[Step]:
    """Count by hand: every ballot a list, every number exact."""
    ballots = [[set(group) for group in ballot] for _, ballot in profile.ballots()]
    weights = [Fraction(weight) for weight in profile.weights.tolist()]
    total = sum(weights, Fraction(0))
    quota = total // (seats + 1) + 1
    racing = set(profile.agents)
    steps: list[Step] = []
    past: list[dict[str, Fraction]] = []
    while racing:
        tops = [next((g & racing for g in groups if g & racing), set()) for groups in ballots]
        counts = {
            agent: sum(
                (w / len(top) for w, top in zip(weights, tops, strict=True) if agent in top),
                Fraction(0),
            )
            for agent in racing
        }
        past.append(counts)
        full = max(counts.values()) >= quota or (fill and len(racing) <= seats)
        elected = seats > 0 and full
        turn = set(racing)
        for earlier in reversed(past):
            edge = (max if elected else min)(earlier[agent] for agent in turn)
            turn = {agent for agent in turn if earlier[agent] == edge}
        steps.append(Step(elected, frozenset(turn), counts[min(turn)]))
        if elected:
            seats -= len(turn)
            spent = [Fraction(0)] * len(weights)
            for agent in turn:
                need = Fraction(quota)
                for row, top in enumerate(tops):
                    if agent in top:
                        part = weights[row] / len(top)
                        share = part * Fraction(quota) / max(Fraction(quota), counts[agent])
                        used = min(part, need) if ordered else share
                        need -= used
                        spent[row] += used
            weights = [weight - used for weight, used in zip(weights, spent, strict=True)]
        racing -= turn
    return steps


def steps_of(profile: Profile, **options: object) -> list[tuple[bool, frozenset[str], float]]:
    rounds = stv(profile, **options).info["rounds"]
    return [
        ("elected" in row, frozenset(row.get("elected", row.get("eliminated"))), row["votes"])
        for row in rounds
    ]


def same(found: list[tuple[bool, frozenset[str], float]], slow: list[Step]) -> bool:
    return [row[:2] for row in found] == [step[:2] for step in slow] and all(
        row[2] == pytest.approx(float(step.votes)) for row, step in zip(found, slow, strict=True)
    )


@pytest.mark.parametrize("transfer", ["gregory", "ordered"])
@pytest.mark.parametrize("fill", [False, True])
def test_rounds_are_those_of_a_literal_count(transfer: str, fill: bool) -> None:
    @steady(250)
    @given(profiles(agents=(1, 7), ballots=(0, 12), weights=WHOLE), st.data())
    def check(profile: Profile, data: st.DataObject) -> None:
        seats = data.draw(st.integers(1, len(profile.agents)))
        slow = literal(profile, seats, ordered=transfer == "ordered", fill=fill)
        assert same(steps_of(profile, winners=seats, transfer=transfer, fill=fill), slow)

    check()


@steady(60)
@given(profiles(agents=(1, 6), ballots=(0, 9)), st.data())
def test_weights_need_not_be_whole(profile: Profile, data: st.DataObject) -> None:
    seats = data.draw(st.integers(1, len(profile.agents)))
    assert same(steps_of(profile, winners=seats), literal(profile, seats, ordered=False))


@steady(150)
@given(profiles(agents=(1, 7), ballots=(0, 12), weights=WHOLE), st.data())
def test_ballots_too_many_for_a_table_are_counted_alike(
    profile: Profile, data: st.DataObject
) -> None:
    seats = data.draw(st.integers(1, len(profile.agents)))
    ordered = data.draw(st.booleans())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "LARGEST_TABLE", -1)
        found = steps_of(profile, winners=seats, transfer="ordered" if ordered else "gregory")
    assert same(found, literal(profile, seats, ordered=ordered))


@pytest.mark.parametrize("largest", [-1, kernel.LARGEST_TABLE])
def test_many_agents_are_counted_as_by_hand(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "LARGEST_TABLE", largest)
    rng = np.random.default_rng(3)
    agents = [f"agent {number}" for number in range(40)]
    ballots = [(1.0, rng.permutation(agents)[: rng.integers(1, 41)].tolist()) for _ in range(120)]
    profile = Profile.from_ballots(ballots, agents)
    for transfer in ("gregory", "ordered"):
        slow = literal(profile, 12, ordered=transfer == "ordered")
        assert same(steps_of(profile, winners=12, transfer=transfer), slow)


@steady(100)
@given(profiles(agents=(1, 6), ballots=(0, 9)))
def test_ranking_and_rating_follow_from_the_rounds(profile: Profile) -> None:
    result = stv(profile)
    rounds = result.info["rounds"]
    winners = [row["elected"] for row in rounds if "elected" in row]
    losers = [row["eliminated"] for row in rounds if "eliminated" in row][::-1]
    for tier, agents in enumerate([*winners, *losers]):
        assert {profile.agents[i] for i in np.flatnonzero(result.tiers == tier)} == set(agents)
    assert tiers_of(result.values, 1e-6).tolist() == result.tiers.tolist()
    assert list(result.info["winners"]) == list(itertools.chain.from_iterable(winners))
    assert len(result.info["winners"]) <= max(1, len(profile.agents) // 2)
    assert (result.values > len(profile.agents)).sum() >= len(result.info["winners"])
    left = set(profile.agents)
    for row in rounds:
        assert set(row["counts"]) == left
        left -= set(row.get("elected", row.get("eliminated")))


def test_pentathlon_of_the_paper() -> None:
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    names = golden["names"]
    votes = [(weight, [names[code] for code in order]) for weight, order in golden["votes"]]
    for transfer in ("gregory", "ordered"):
        profile = Profile.from_ballots(votes, names)
        result = stv(profile, winners=1, transfer=transfer)
        assert list(result.info["labels"].values()) == golden["stv_k1"]["scores"]
        assert np.argsort(result.tiers).tolist() == golden["stv_k1"]["ranking"]
        assert result.info["winners"] == ("C",)


def printed(table: str) -> dict[str, str]:
    with shared("data/published/voting_as_evaluation_tables.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == table]
    return {row["agent"]: row["score"] for row in rows if row["method"].startswith("STV")}


def atari(name: str) -> Profile:
    with shared(f"data/atari/{name}.csv").open() as file:
        rows = [(row["task"], row["agent"], float(row["score"])) for row in csv.DictReader(file)]
    result: Profile = convert(Scores.from_records(rows), Profile)
    return result


def test_table_7_of_the_paper_but_for_the_agents_without_votes() -> None:
    labels = stv(atari("rainbow_table5_plus_human_random"), winners=3, transfer="ordered").info[
        "labels"
    ]
    none = {"random", "noisy_dqn", "dqn"}
    assert {a: v for a, v in labels.items() if a not in none} == {
        a: v for a, v in printed("7").items() if a not in none
    }
    # The paper lists these three one by one, 6.0, 5.0 and 4.0; nothing tells them apart.
    assert {labels[agent] for agent in none} == {"6.0"}


def test_table_6_of_the_paper_is_one_way_to_break_the_ties_in_its_ballots() -> None:
    profile = atari("rainbow_table5_human_starts")
    ways = []
    for weight, ballot in profile.ballots():
        orders = itertools.product(*(itertools.permutations(group) for group in ballot))
        ways.append([(weight, list(itertools.chain.from_iterable(order))) for order in orders])
    found = [
        stv(Profile.from_ballots(strict, profile.agents), winners=3, transfer="ordered")
        for strict in itertools.product(*ways)
    ]
    assert len(found) == 8
    assert printed("6") in [result.info["labels"] for result in found]


def test_a_tie_group_shares_its_ballot() -> None:
    profile = Profile.from_ballots([(3.0, [["a", "b", "c"]]), (2.0, ["c"])])
    result = stv(profile, winners=1)
    assert result.info["rounds"][0]["counts"] == {"a": 1.0, "b": 1.0, "c": 3.0}
    assert result.info["winners"] == ("c",)


def test_equals_never_apart_leave_together() -> None:
    # Quota 5 of 8. c and d have 1 each; in turn, the first to leave would lift the other to 2.
    result = stv(
        Profile.from_ballots([(4.0, "a"), (2.0, "b"), (1.0, "cb"), (1.0, "dc")]), winners=1
    )
    assert result.info["rounds"][0]["eliminated"] == ["c", "d"]
    assert not result.info["unique"]


def test_equals_are_told_apart_by_an_earlier_round() -> None:
    # d leaves first and passes on half a vote to c, who then has 2 as b does, but had less.
    ballots = [(4.0, "a"), (2.0, "b"), (1.5, "c"), (0.5, "dc")]
    result = stv(Profile.from_ballots(ballots), winners=1)
    assert [row.get("eliminated") for row in result.info["rounds"]][:2] == [["d"], ["c"]]
    assert not result.info["unique"]


def test_the_order_of_ballots_matters_only_where_it_is_asked_to() -> None:
    # Quota 3 of 8: a has 6, and half of them are surplus.
    ballots = [(3.0, "ab"), (3.0, "ac"), (1.0, "b"), (1.0, "c")]
    one, two = (Profile.from_ballots(rows, "abc") for rows in (ballots, ballots[::-1]))
    assert stv(one, winners=2).tiers.tolist() == stv(two, winners=2).tiers.tolist() == [0, 1, 1]
    ordered = [stv(p, winners=2, transfer="ordered").tiers.tolist() for p in (one, two)]
    assert ordered == [[0, 2, 1], [0, 1, 2]]


def test_seats_can_stay_empty_and_be_filled() -> None:
    # Quota 3 of 8 for 2 seats: after a nobody reaches it, as the others' ballots end.
    profile = Profile.from_ballots([(4.0, "a"), (2.0, "b"), (1.0, "c"), (1.0, "d")])
    assert stv(profile, winners=2).info["winners"] == ("a",)
    assert stv(profile, winners=2, fill=True).info["winners"] == ("a", "b")


def test_labels_write_fractions_to_two_decimals() -> None:
    labels = stv(Profile.from_ballots([(1.0, [["a", "b", "c"]]), (1.0, "ab")])).info["labels"]
    assert labels == {"a": "6.2", "b": "3.0.33", "c": "3.0.33"}


def test_info_can_be_written_as_json() -> None:
    result = stv(Profile.from_ballots([(2.0, "abc"), (1.0, "bca")]), winners=1)
    told = json.loads(json.dumps(plain(result.info)))
    assert told["labels"] == {"a": "6.2", "b": "3.1", "c": "2.0"}
    assert told["rounds"][0] == {
        "elected": ["a"],
        "votes": 2.0,
        "counts": {"a": 2.0, "b": 1.0, "c": 0.0},
    }


def test_wrong_options_are_refused() -> None:
    profile = Profile.from_ballots([(1.5, "ab")])
    for winners in (0, 3):
        with pytest.raises(DataError, match="from 1 to 2"):
            stv(profile, winners=winners)
    with pytest.raises(DataError, match="whole weights"):
        stv(profile, transfer="ordered")
    with pytest.raises(DataError, match="gregory"):
        stv(profile, transfer="meek")
