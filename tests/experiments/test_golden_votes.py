"""The published voting numbers of golden/votes_published.json, exactly."""

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.experiments import voting_clones
from podium.experiments._elo import smoothed_elo
from podium.experiments._sources import bundled, ranked, tally, winners
from podium.kernels.majority import condorcet, head_to_head
from shared import shared


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    text = shared("golden/votes_published.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def profile_of(case: dict[str, Any]) -> Profile:
    names = case.get("names") or [chr(ord("A") + i) for i in range(case["m"])]
    return Profile.from_ballots(
        [(weight, [names[i] for i in order]) for weight, order in case["votes"]], names
    )


def values(data: Profile | Tally, method: str, **options: Any) -> list[float]:
    ratings = ranked(data, method, **options).ratings
    return [ratings[agent] for agent in data.agents]


def order(data: Profile | Tally, method: str, **options: Any) -> list[int]:
    ranking = ranked(data, method, **options)
    assert all(len(tier) == 1 for tier in ranking.tiers)
    return [data.agents.index(agent) for agent in ranking.order]


def test_pentathlon_counts(golden: dict[str, Any]) -> None:
    case = golden["pentathlon"]
    counts = tally(profile_of(case))
    assert counts.wins.tolist() == case["N"]
    assert counts.margins.tolist() == case["M"]
    assert condorcet(*head_to_head(counts.margins)).winner == case["condorcet_winner"]


@pytest.mark.parametrize(
    ("method", "options", "key"),
    [("approval", {"k": 2}, "approval_2"), ("plurality", {}, "plurality"), ("borda", {}, "borda"),
     ("copeland", {}, "copeland"), ("maximal-lottery", {}, "maximal_lottery"),
     ("iterated-lottery", {}, "iml_scores")],
)  # fmt: skip
def test_pentathlon_scores(
    golden: dict[str, Any], method: str, options: dict[str, Any], key: str
) -> None:
    case = golden["pentathlon"]
    assert values(profile_of(case), method, **options) == pytest.approx(case[key], abs=1e-12)


@pytest.mark.parametrize("transfer", ["ordered", "gregory"])
def test_pentathlon_stv(golden: dict[str, Any], transfer: str) -> None:
    case = golden["pentathlon"]
    profile, expected = profile_of(case), case["stv_k1"]
    labels = ranked(profile, "stv", winners=1, transfer=transfer).info["labels"]
    assert [labels[agent] for agent in profile.agents] == expected["scores"]
    assert order(profile, "stv", winners=1, transfer=transfer) == expected["ranking"]


def test_pentathlon_kemeny(golden: dict[str, Any]) -> None:
    case = golden["pentathlon"]
    profile, expected = profile_of(case), case["kemeny"]
    assert order(profile, "kemeny") == expected["ranking"]
    assert values(profile, "kemeny") == expected["scores"]
    assert ranked(profile, "kemeny").info["value"] == expected["value"]
    for names in permutations("ABC"):
        wins = tally(profile).only(names).wins
        assert np.triu(wins, 1).sum() == expected["all_values"]["".join(names)]


def test_pentathlon_schulze(golden: dict[str, Any]) -> None:
    case = golden["pentathlon"]
    profile, expected = profile_of(case), case["schulze"]
    paths = ranked(profile, "schulze").info["paths"]
    assert [[paths[a, b] if a != b else 0 for b in "ABC"] for a in "ABC"] == expected["P"]
    assert order(profile, "schulze") == expected["ranking"]
    assert values(profile, "schulze") == expected["scores_printed"]
    assert values(profile, "schulze", scores="sum") == expected["scores_by_printed_formula"]


def test_pentathlon_ranked_pairs(golden: dict[str, Any]) -> None:
    case = golden["pentathlon"]
    profile, expected = profile_of(case), case["ranked_pairs"]
    assert order(profile, "ranked-pairs") == expected["ranking"]
    assert values(profile, "ranked-pairs") == expected["scores"]


def test_pentathlon_elo(golden: dict[str, Any]) -> None:
    case = golden["pentathlon"]
    ratings = smoothed_elo(profile_of(case), smoothing=0.0)
    first, second = (case["names"][i] for i in case["elo"]["equal"])
    assert ratings[first] == pytest.approx(ratings[second], abs=1e-6)
    gap = ratings[first] - ratings["B"]
    assert gap == pytest.approx(case["elo"]["gap_to_B_by_bradley_terry"], abs=0.005)


def test_figure_12_lottery(golden: dict[str, Any]) -> None:
    case = golden["vase_fig12_margin_subgame"]
    margins = np.array(case["M"])
    names = [str(i) for i in range(len(margins))]
    counts = Tally.from_matrix(np.maximum(margins, 0), names)
    ranking = ranked(counts, "maximal-lottery")
    expected = [case["maximal_lottery"].get(name, 0.0) for name in names]
    assert [ranking.ratings[name] for name in names] == pytest.approx(expected, abs=5e-9)
    assert ranking.info["unique"] is case["unique"]
    levels = ranked(counts, "iterated-lottery").info["levels"]
    assert [sorted(map(int, level)) for level in levels] == case["iml_levels"]


def test_soft_condorcet_example(golden: dict[str, Any]) -> None:
    # Soft Condorcet Optimization, equation 11; its ratings are tested with that method
    case = golden["sco_example_eq11"]
    profile = profile_of(case)
    assert tally(profile).wins.tolist() == case["N"]
    assert order(profile, "kemeny") == case["optimal_ranking"]
    assert winners(profile)[0] == profile.agents[case["condorcet_winner"]]
    elo = smoothed_elo(profile, smoothing=0.1)
    assert max(elo, key=lambda agent: elo[agent]) == profile.agents[case["elo_top"]]


def test_elo_tables(golden: dict[str, Any]) -> None:
    case = golden["vase_elo_tables"]
    ten, bench = bundled("rainbow-plus"), bundled("agentbench")
    assert round(max(smoothed_elo(ten).values())) == case["atari10_top_minus_bottom"]
    assert round(max(smoothed_elo(bench).values())) == case["agentbench_v1_top_minus_bottom"]
    plain = [
        max(smoothed_elo(bundled(n), smoothing=0).values())
        for n in ("rainbow-plus", "agentbench", "rainbow")
    ]
    assert plain == pytest.approx([1056.9, 1319.8, 422.8], abs=0.05)  # the file's status line


def test_elo_clones(golden: dict[str, Any]) -> None:
    case = golden["vase_elo_clones"]
    gap = voting_clones.gap(case["n_copies_B"])
    assert gap == pytest.approx(case["reference_gap"], abs=0.05)
    assert voting_clones.predicted(gap) == pytest.approx(case["reference_p_AC"], abs=5e-5)
    assert voting_clones.predicted(case["printed_gap"]) != pytest.approx(
        case["printed_p_AC"], abs=0.001
    )
