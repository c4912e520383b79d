"""Table 1: each property of ratings of games is claimed and tested, or broken by a stored game."""

import json
from random import Random
from typing import Any

import numpy as np
import pytest
from game_properties import Case, drawn, extended, rate, read, stored, violates
from hypothesis import given
from hypothesis import strategies as st

import podium.methods
from podium.methods._registry import GAME_PROPERTIES, METHODS
from shared import shared
from strategies import steady

PLAYING = sorted(card.name for card in METHODS if card.plays)
CLAIMS = [(n, claim) for n in PLAYING for claim in sorted(METHODS[n].holds & set(GAME_PROPERTIES))]
STORED = stored()

PRINTED = {
    "nash-average": {"dominance", "copies", "mixtures"},
    "uniform": {"dominance", "n-player", "general-sum"},
    "payoff-rating": {"dominance", "n-player", "general-sum"},
    "deviation": set(GAME_PROPERTIES),
}
"""Marris et al. (2025), table 1: the ticks of its rows, without Elo, which reads no game."""

DIFFERENT = {
    ("nash-average", "copies"),
    ("nash-average", "mixtures"),
    ("deviation", "mixtures"),
}
"""Ticks of the paper that do not hold in general: each is stored as a counterexample."""


def test_the_methods_are_registered() -> None:
    assert podium.methods.__name__ == "podium.methods"
    assert "deviation" in PLAYING


@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claimed_properties_of_games_hold(name: str, claim: str) -> None:
    @steady(150)
    @given(st.randoms(use_true_random=True))
    def check(random: Random) -> None:
        case = drawn(random, claim, METHODS[name])
        assert not violates(name, case), case

    check()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), CLAIMS)
def test_claimed_properties_hold_of_many_games(name: str, claim: str) -> None:
    random = Random(1)
    for _ in range(3_000):
        case = drawn(random, claim, METHODS[name])
        assert not violates(name, case), case


@pytest.mark.parametrize("claim", ["dominance", "copies", "mixtures", "offsets"])
def test_drawn_games_can_break_each_property(claim: str) -> None:
    # A test of the tests: among these methods some breaks each of them.
    random = Random(2)
    foils = {"dominance": "alpha-rank"}
    card = METHODS[foils.get(claim, "payoff-rating")]
    assert any(violates(card.name, drawn(random, claim, card)) for _ in range(500))


@pytest.mark.parametrize("entry", STORED, ids=lambda e: f"{e['method']}-{e['property']}")
def test_stored_games_break_what_they_say(entry: dict[str, Any]) -> None:
    assert violates(entry["method"], read(entry))


def test_no_property_of_games_is_left_unsettled() -> None:
    broken = {(entry["method"], entry["property"]) for entry in STORED}
    for name in PLAYING:
        card = METHODS[name]
        for claim in GAME_PROPERTIES:
            asked = card.remarks.get(claim, "").startswith("Open:")
            settled = [claim in card.holds, (name, claim) in broken, asked]
            assert sum(settled) == 1, f"{name} {claim}: claimed, broken, open = {settled}"


def test_table_1_of_the_paper() -> None:
    differences = {
        (name, claim)
        for name, printed in PRINTED.items()
        if name in METHODS.cards
        for claim in printed ^ (METHODS[name].holds & set(GAME_PROPERTIES))
    }
    assert differences <= DIFFERENT
    assert ("deviation", "mixtures") in differences


def test_a_mixture_can_change_deviation_ratings() -> None:
    # In fractions: (0, -1/2 | -1, -1/2) becomes (0, -2/3, -1/3 | -4/3, -1/3).
    golden = json.loads(shared("golden/s004_mixture_counterexample.json").read_text())
    payoffs = tuple(np.array(golden[name], dtype=np.float64) for name in ("G1", "G2"))
    case = Case("mixtures", payoffs, golden["player"], (0, 1), tuple(golden["weights"]))
    assert violates("deviation", case)
    before, after = rate("deviation", payoffs), rate("deviation", extended(case))
    assert np.concatenate(before) == pytest.approx([0, -1 / 2, -1, -1 / 2], abs=1e-9)
    assert np.concatenate(after) == pytest.approx([0, -2 / 3, -1 / 3, -4 / 3, -1 / 3], abs=1e-9)


def test_deviation_is_not_nash_averaging_where_equilibria_are_many() -> None:
    # Property 8 of the paper: S = [[0, 0], [-1, -2]]. All equilibria play the first row; against
    # the most even one, half and half, the second loses 1.5; its deviation rating is -2.
    table = np.array([[0.0, 0.0], [-1.0, -2.0]])
    first, _ = rate("deviation", (table, -table))
    assert first == pytest.approx([0.0, -2.0], abs=1e-9)
    assert (table @ [0.5, 0.5])[1] == -1.5
