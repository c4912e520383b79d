"""The observations of the paper: those on votes now, those on Nash averaging by golden answers."""

import json
from typing import Any

import pytest

from podium.data.ratings import Ranking, tiers_of
from podium.experiments import Finding, run, voting_alpha_rank, voting_observations
from podium.experiments._registry import Setting
from shared import SHARED, shared

GOLDEN = {
    "Observation 5": ("rainbow", "s003_rainbow_table5_human_starts"),
    "Observation 6": ("rainbow-plus", "s003_rainbow_table5_plus_human_random"),
    "Observation 8": ("agentbench", "s003_agentbench_v1_table3"),
}
PRINTED = {
    "Observation 5": (voting_observations.OBSERVATION_5, "0.3891"),
    "Observation 6": (voting_observations.OBSERVATION_6, "0.4253"),
    "Observation 8": (voting_observations.OBSERVATION_8, "0.889"),
}


@pytest.fixture(scope="module")
def findings() -> tuple[Finding, ...]:
    shared("data/atari/rainbow_noop_partial.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PODIUM_SHARED", str(SHARED))
        (result,) = run(["voting-observations"])
    return result.findings


def test_every_observation_has_a_verdict(findings: tuple[Finding, ...]) -> None:
    assert {finding.where for finding in findings} == {f"Observation {n}" for n in range(1, 9)}


def test_what_differs_is_what_the_paper_contradicts_itself(findings: tuple[Finding, ...]) -> None:
    differing = [finding for finding in findings if finding.verdict == "differs"]
    assert [(f.where, f.what) for f in differing] == [
        ("Observation 2", "order without a3c, STV(numwinners=3)")
    ]
    assert "Table 6 of the paper itself prints" in differing[0].why


def test_ballots_are_unique_and_rainbow_stays_first(findings: tuple[Finding, ...]) -> None:
    by_what = {finding.what: finding for finding in findings}
    assert by_what["distinct ballots"].ours == "54 of 54"
    assert by_what["strong Condorcet winner"].ours == "rainbow"
    assert by_what["levels"].ours == "17"


@pytest.mark.parametrize("where", sorted(GOLDEN))
def test_golden_equilibria_give_the_printed_weights(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, file = GOLDEN[where]
    text = shared(f"golden/{file}.json").read_text(encoding="utf-8")
    ranking = nash_of(json.loads(text))
    monkeypatch.setattr(voting_observations, "ready", lambda method: True)
    monkeypatch.setattr(voting_observations, "ranked", lambda data, method, **options: ranking)
    printed, value = PRINTED[where]
    found = list(voting_observations.nash(where, name, printed, value))
    assert {finding.verdict for finding in found} == {"equal"}


def nash_of(golden: dict[str, Any]) -> Ranking:
    """See a golden answer as the ranking that the method is to give."""
    import numpy as np

    skills = np.array(golden["skills"])
    numbers = tiers_of(skills, 1e-9).tolist()
    tiers: list[list[str]] = [[] for _ in range(max(numbers) + 1)]
    for agent, tier in zip(golden["agents"], numbers, strict=True):
        tiers[tier].append(agent)
    return Ranking(
        "nash-average",
        tuple(tuple(sorted(tier)) for tier in tiers),
        dict(zip(golden["agents"], skills.tolist(), strict=True)),
        info={
            "tasks": dict(zip(golden["tasks"], golden.get("q") or golden["p_tasks"], strict=True)),
            "value": golden["value"],
        },
    )


def test_alpha_rank_is_compared_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shared("golden/s003_rainbow_table5_human_starts.json").read_text(encoding="utf-8")
    golden = json.loads(text)
    found = golden["alpharank"]["None"]  # alpha without bound
    agents = dict(zip(golden["agents"], found["agents"], strict=True))
    tasks = dict(zip(golden["tasks"], found["tasks"], strict=True))
    order = sorted(agents, key=lambda agent: -agents[agent])
    fake = Ranking(
        "alpha-rank", tuple((a,) for a in order), agents, info={"players": [agents, tasks]}
    )
    monkeypatch.setattr(voting_alpha_rank, "ready", lambda method: True)
    monkeypatch.setattr(voting_alpha_rank, "ranked", lambda data, method: fake)
    result = voting_alpha_rank.voting_alpha_rank(Setting())
    assert [finding.verdict for finding in result.findings] == ["equal"] * 3
