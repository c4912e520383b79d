"""Table 4: each property is claimed and tested, or broken by a stored counterexample."""

from random import Random
from typing import Any

import pytest
from cases import Case, Domain, drawn, read
from find_counterexamples import shrunk, stored
from hypothesis import given
from hypothesis import strategies as st
from properties import Rule, violates

from podium.data.profile import Profile
from podium.data.scores import Scores
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

    @steady(300)
    @given(st.randoms(use_true_random=True))
    def check(random: Random) -> None:
        case = drawn(random, claim, domain)
        assert holds_on(rule, case), shrunk(case, lambda less: not holds_on(rule, less))

    check()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claimed_properties_hold_on_many_votes(name: str, claim: str) -> None:
    rule, domain, random = Rule(name), domain_of(name), Random(1)
    for _ in range(20_000):
        case = drawn(random, claim, domain)
        assert holds_on(rule, case), shrunk(case, lambda less: not holds_on(rule, less))


@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claims_are_tested_on_votes_to_which_they_apply(name: str, claim: str) -> None:
    # A rule that breaks the property on the same draws shows that these say something.
    domain, random = domain_of(name), Random(2)
    foils = ["plurality", "copeland", "uniform"] if domain.kind is Profile else ["foil"]
    tried = [drawn(random, claim, domain) for _ in range(2_000)]
    assert any(_breaks(foil, case) for case in tried for foil in foils)


def _breaks(foil: str, case: Case) -> bool:
    rule = Rule("mean", {"scaling": "minmax"}) if foil == "foil" else Rule(foil)
    try:
        return violates(rule, case)
    except DataError:
        return False


@pytest.mark.parametrize("entry", STORED, ids=lambda e: f"{e['method']}-{e['property']}")
def test_stored_counterexamples_break_what_they_say(entry: dict[str, Any]) -> None:
    case = read(entry["property"], entry)
    assert violates(Rule(entry["method"], entry["options"]), case)


def test_no_property_is_left_unsettled() -> None:
    broken = {(entry["method"], entry["property"]) for entry in STORED if not entry["options"]}
    for card in METHODS:
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
