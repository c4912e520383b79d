"""Maximal lottery: the paper's numbers, ties, and what holds of it as a set."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.data.convert import convert
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.methods._margins import clean_margins
from podium.methods.maximal_lottery import maximal_lottery
from shared import shared
from strategies import profiles, shuffled, steady

SLACK = 1e-9


def rated(ratings: Ratings) -> dict[str, float]:
    return dict(zip(ratings.agents, ratings.values.tolist(), strict=True))


def is_maximal(chances: dict[str, float], tally: Tally) -> bool:
    """No agent wins against the lottery."""
    drawn = np.array([chances.get(agent, 0.0) for agent in tally.agents])
    return bool((drawn @ tally.margins >= -SLACK * max(1.0, tally.wins.max(initial=0.0))).all())


def test_pentathlon_of_the_paper() -> None:
    # Evaluating Agents using Social Choice Theory, appendix: C alone.
    golden = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]
    tally = Tally.from_matrix(golden["N"], golden["names"])
    assert maximal_lottery(tally).values.tolist() == golden["maximal_lottery"]
    assert maximal_lottery(tally).info["unique"]


def test_figure_12_of_the_paper() -> None:
    # Figure 12: 0.8333 and twice 0.0833.
    golden = json.loads(shared("golden/votes_published.json").read_text())
    golden = golden["vase_fig12_margin_subgame"]
    tally = Tally.from_matrix(np.maximum(golden["M"], 0), "abcdefghi")
    first = maximal_lottery(tally)
    assert {a: p for a, p in rated(first).items() if p} == pytest.approx(
        {"abcdefghi"[int(code)]: p for code, p in golden["maximal_lottery"].items()}, abs=1e-7
    )
    assert first.info["unique"]
    assert first.info["ranges"]["f"] == (10 / 12, 10 / 12)


def test_a_tie_is_half_and_half() -> None:
    result = maximal_lottery(Tally.from_matrix([[0, 27], [27, 0]], "ab"))
    assert result.values.tolist() == [0.5, 0.5]
    assert result.info == {"ranges": {"a": (0.0, 1.0), "b": (0.0, 1.0)}, "unique": False}
    assert result.tiers.tolist() == [0, 0]


def test_an_agent_never_met_takes_a_share() -> None:
    wins = np.zeros((3, 3))
    wins[0, 1] = 1.0
    assert maximal_lottery(Tally.from_matrix(wins, "abc")).values == pytest.approx([0.5, 0, 0.5])


def test_rounding_of_weights_makes_no_majority() -> None:
    profile = Profile.from_ballots([(0.1, "ab"), (0.2, "ab"), (0.3, "ba")])
    assert maximal_lottery(convert(profile, Tally)).values.tolist() == [0.5, 0.5]


def test_very_many_tied_agents_go_without_ranges() -> None:
    names = [f"agent {number}" for number in range(201)]
    result = maximal_lottery(Tally.from_matrix(np.zeros((201, 201)), names))
    assert result.info["ranges"] is None
    assert result.values == pytest.approx(1 / 201)
    assert result.tiers.max() == 0


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_names_and_order_of_agents_and_ballots_do_not_matter(profile: Profile) -> None:
    rng = np.random.default_rng(len(profile))
    turned = convert(shuffled(profile, rng, lambda name: f"{name}{name}"), Tally)
    ratings = rated(maximal_lottery(convert(profile, Tally)))
    expected = {f"{agent}{agent}": rating for agent, rating in ratings.items()}
    assert rated(maximal_lottery(turned)) == pytest.approx(expected, abs=1e-9)


@steady(60)
@given(profile=profiles(agents=(1, 6)))
def test_lottery_is_maximal_and_within_its_ranges(profile: Profile) -> None:
    tally = convert(profile, Tally)
    result = maximal_lottery(tally)
    assert is_maximal(rated(result), tally)
    for agent, chance in rated(result).items():
        low, high = result.info["ranges"][agent]
        assert low - SLACK <= chance <= high + SLACK
        assert result.info["unique"] <= (low == high)


@steady(60)
@given(tally=profiles(agents=(4, 4), strict=True).map(lambda p: convert(p, Tally)), data=st.data())
def test_clones_leave_the_ranges_of_others_alone(tally: Tally, data: st.DataObject) -> None:
    """Agent a gets two clones with any votes among the three."""
    code = {"a": 0, "x": 0, "y": 0, "b": 1, "c": 2, "d": 3}
    names = list(code)
    grid = [code[name] for name in names]
    wins = tally.wins[np.ix_(grid, grid)].copy()
    for i in range(3):
        for j in range(3):
            wins[i, j] = data.draw(st.integers(0, 3)) if i != j else 0.0
    before, after = maximal_lottery(tally), maximal_lottery(Tally.from_matrix(wins, names))
    for agent in "bcd":
        assert after.info["ranges"][agent] == pytest.approx(before.info["ranges"][agent], abs=1e-9)
    if before.info["unique"]:
        together = sum(rated(after)[agent] for agent in "axy")
        assert together == pytest.approx(rated(before)["a"], abs=1e-9)


@steady(60)
@given(one=profiles(agents=(4, 4)), other=profiles(agents=(4, 4)))
def test_lottery_maximal_for_two_electorates_is_maximal_for_their_union(
    one: Profile, other: Profile
) -> None:
    first: Tally = convert(one, Tally)
    second: Tally = convert(other, Tally)
    union = Tally.from_matrix(first.wins + second.wins, first.agents)
    for tally in (first, second):
        chances = rated(maximal_lottery(tally))
        if is_maximal(chances, first) and is_maximal(chances, second):
            assert is_maximal(chances, union)
            span = maximal_lottery(union).info["ranges"]
            assert all(span[a][0] - SLACK <= p <= span[a][1] + SLACK for a, p in chances.items())


@steady(60)
@given(tally=profiles(agents=(2, 6)).map(lambda p: convert(p, Tally)), data=st.data())
def test_lottery_stays_maximal_among_fewer_agents(tally: Tally, data: st.DataObject) -> None:
    chances = rated(maximal_lottery(tally))
    kept = [agent for agent in tally.agents if chances[agent] or data.draw(st.booleans())]
    assert is_maximal(chances, tally.only(kept))
    span = maximal_lottery(tally.only(kept)).info["ranges"]
    assert all(low - SLACK <= chances[a] <= high + SLACK for a, (low, high) in span.items())


def test_margins_are_antisymmetric_after_cleaning() -> None:
    wins = np.array([[0, 0.3, 2], [0.1 + 0.2, 0, 1], [1, 2, 0]])
    tally = Tally.from_matrix(wins, "abc")
    margins = clean_margins(tally)
    assert (margins == -margins.T).all()
    assert margins[0].tolist() == [0.0, 0.0, 1.0]
