"""Table 4: each property is claimed and tested, or broken by a stored counterexample."""

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from cases import Case, Domain, drawn, joined, read
from find_counterexamples import reads_ballots_or_scores, shrunk, stored
from hypothesis import given
from hypothesis import strategies as st
from properties import Rule, clear, contains, violates

from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._registry import METHODS, PROPERTIES
from strategies import steady

CLAIMS = sorted((card.name, name) for card in METHODS for name in card.holds)
STORED = stored()

PRINTED = {
    "approval": {"population", "iia"},
    "borda": {"population"},
    "plurality": {"population"},
    "stv": set[str](),
    "copeland": {"condorcet"},
    "ranked-pairs": {"condorcet", "clones"},
    "kemeny": {"condorcet"},
    "schulze": {"condorcet", "clones"},
    "maximal-lottery": set(PROPERTIES),
}
"""Lanctot et al. (2025), table 4: the ticks of its nine columns."""

DIFFERENT = {
    ("approval", "iia"): "approval of the first k places is meant, and a third agent can take one",
}
"""Ticks of the paper that are not ours, or the other way round, and why."""


FOILS = {
    Profile: (Rule("plurality"), Rule("copeland")),
    Scores: (Rule("median"), Rule("mean", {"scaling": "minmax"})),
}
"""Rules that break the properties claimed by others."""


def domain_of(name: str) -> Domain:
    """Name the votes on which a method's claims are made: all, or complete tables of scores."""
    card = METHODS[name]
    if not card.can_read(Profile):
        return Domain(kind=Scores, agents=(2, 4), votes=4)
    return Domain(wide=Rule(name).lottery)


def holds_on(rule: Rule, case: Case) -> bool:
    """Tell whether a case keeps a property; votes that a method refuses break none."""
    try:
        return not violates(rule, case)
    except DataError:
        return True


@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claimed_properties_hold(name: str, claim: str) -> None:
    rule, domain = Rule(name), domain_of(name)

    @steady(60 if rule.lottery else 300)
    @given(st.randoms(use_true_random=True))
    def check(random: Random) -> None:
        case = drawn(random, claim, domain)
        assert holds_on(rule, case), shrunk(case, lambda less: not holds_on(rule, less))

    check()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claimed_properties_hold_on_many_votes(name: str, claim: str) -> None:
    rule, random = Rule(name), Random(1)
    domain = replace(domain_of(name), agents=(2, 5), votes=9)
    for _ in range(2_000 if rule.lottery else 20_000):
        case = drawn(random, claim, domain)
        assert holds_on(rule, case), shrunk(case, lambda less: not holds_on(rule, less))


@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claims_are_tested_on_votes_to_which_they_apply(name: str, claim: str) -> None:
    # A rule that breaks the property on the same draws shows that these say something.
    domain, random = replace(domain_of(name), wide=False), Random(2)
    foils = FOILS[domain.kind]
    assert any(
        not holds_on(foil, drawn(random, claim, domain)) for _ in range(1_000) for foil in foils
    )


@pytest.mark.parametrize("entry", STORED, ids=lambda e: f"{e['method']}-{e['property']}")
def test_stored_counterexamples_break_what_they_say(entry: dict[str, Any]) -> None:
    case = read(entry["property"], entry)
    assert violates(Rule(entry["method"], entry["options"]), case)


def test_no_property_is_left_unsettled() -> None:
    broken = {(entry["method"], entry["property"]) for entry in STORED if not entry["options"]}
    for card in filter(reads_ballots_or_scores, METHODS):
        for name in PROPERTIES:
            claimed = name in card.holds
            shown = (card.name, name) in broken
            asked = card.remarks.get(name, "").startswith("Open:")
            settled = [claimed, shown, asked]
            assert sum(settled) == 1, f"{card.name} {name}: claimed, broken, open = {settled}"


def test_cards_speak_of_known_properties() -> None:
    for card in METHODS:
        assert card.holds <= set(PROPERTIES)
        assert set(card.remarks) <= set(PROPERTIES)


def test_table_4_of_the_paper() -> None:
    differences = {
        (name, claim)
        for name, printed in PRINTED.items()
        for claim in METHODS[name].holds ^ printed
    }
    assert differences == set(DIFFERENT)
    for name, claim in differences:
        assert claim in METHODS[name].remarks


WITHOUT_TIES = Domain(agents=(2, 4), votes=9, strict=True)


@pytest.mark.parametrize("draws", [300, pytest.param(100_000, marks=pytest.mark.slow)])
def test_stv_with_one_winner_is_consistent_with_clones_unless_counts_are_equal(draws: int) -> None:
    # Tideman 1987. The paper has no tick, and its default of several winners is not (stored).
    rule, random, tried = Rule("stv", {"winners": 1}), Random(3), 0
    for _ in range(draws):
        case = drawn(random, "clones", WITHOUT_TIES)
        if clear(rule, case):
            tried += 1
            assert not violates(rule, case), shrunk(case, partial(violates, rule))
    assert tried > draws / 10


def test_copeland_may_pass_over_a_weak_condorcet_winner() -> None:
    # Definition 1 of the paper has weak winners, too: b is not beaten, and a beats more.
    wins = [[0, 1, 2, 2], [1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]
    tally = Tally.from_matrix(wins, ["a", "b", "c", "d"])
    tiers = METHODS["copeland"].call(tally).tiers
    assert (tally.margins[1] >= 0).all()
    assert tiers[1] > tiers[0]


def test_population_of_lotteries_is_an_inclusion() -> None:
    # Definition 3 as printed wants nothing new in the union. Here only lotteries without c,
    # then only those without b, are maximal; together all are, as b and c are tied at last.
    rule = Rule("maximal-lottery")
    tie = (1.0, [["a", "b", "c"]])
    first, second = (
        Profile.from_ballots([tie, (1.0, order)], ["a", "b", "c"]) for order in ("bc", "cb")
    )
    assert contains(rule, first, {"b": 1.0})
    assert not contains(rule, second, {"b": 1.0})
    assert all(contains(rule, data, {"a": 1.0}) for data in (first, second))
    assert contains(rule, joined([first, second]), {"b": 1.0})


def test_two_probabilities_can_change_order_with_a_third_agent() -> None:
    # "iia" is claimed of lotteries over some agents, not of the order of the ratings:
    # votes on a and b are the same in both, and only c does better against a.
    higher = []
    for over_c, under_c in ((3.0, 1.0), (1.0, 3.0)):
        wins = [[0.0, 2.0, 0.0], [0.0, 0.0, over_c], [under_c, 0.0, 0.0]]
        tally = Tally.from_matrix(wins, ["a", "b", "c"])
        values = METHODS["maximal-lottery"].call(tally).values
        higher.append("a" if values[0] > values[1] else "b")
    assert higher == ["a", "b"]
