"""The experiments on Nash averaging: what is equal, what differs, and why."""

import pytest

from podium.experiments import Finding, run
from podium.experiments.nash_atari import difficulty, older


def findings_of(name: str) -> tuple[Finding, ...]:
    (result,) = run([name])
    for finding in result.findings:
        assert finding.verdict == "equal" or finding.why or finding.verdict == "consistent"
    return result.findings


def test_examples_come_out_as_printed_but_for_theorem_1_1() -> None:
    found = findings_of("nash-examples")
    differing = [finding for finding in found if finding.verdict == "differs"]
    assert [finding.where for finding in differing] == ["Theorem 1.1"]
    assert differing[0].ours == "-2 before, -2.333 after"
    merged = next(finding for finding in found if "clones=merge" in finding.what)
    assert merged.verdict == "equal"


def test_numbers_of_the_voting_paper_are_equal_where_the_data_are_public() -> None:
    found = findings_of("nash-observations")
    assert {finding.verdict for finding in found} == {"equal", "no data"}
    assert {f.where for f in found if f.verdict == "no data"} == {"Section on prompts"}
    assert len([f for f in found if f.verdict == "equal"]) == 20


def test_human_is_tied_first_on_the_older_agents() -> None:
    # The value is that of the specification's own calculation on the same table: .3407.
    (result,) = run(["nash-atari"])
    assert {finding.verdict for finding in result.findings} == {"consistent", "no data"}
    rows = result.tables["Averages of agents"]
    assert {row["agent"] for row in rows if row["Nash"] == pytest.approx(0.3407)} == {
        "human",
        "popart",
        "prior_dqn",
        "rainbow",
    }
    assert [picture.name[-6:] for picture in result.pictures] == ["agents", "-games"] * 2
    for picture in result.pictures:
        assert picture.draw().to_dict()["title"]["text"] == picture.title


def test_difficulties_are_averages_of_what_is_missed() -> None:
    scores = older()
    found = difficulty(scores)
    assert set(found) == set(scores.tasks)
    assert all(0 < value < 1 for value in found.values())
