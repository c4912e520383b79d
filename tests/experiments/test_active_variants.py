"""Other readings of the paper: at their ends they are what is known already."""

import numpy as np
import pytest

from podium import simulate, worlds
from podium.experiments import _active, run
from podium.experiments._active import cells
from podium.experiments._active_variants import ballots, chosen_only, credit_by_code, shared
from podium.experiments.active_choices import choices, columns
from podium.learners import _rules as rule
from podium.learners._learner import Learner
from podium.learners.growing_nash import growing_nash
from podium.learners.mean_model import mean_model
from podium.simulation.result import Simulation
from podium.strategies._wrap import burn_in
from podium.strategies.uniform import uniform
from podium.study.presets import PRESETS, Preset

WORLD = worlds.mallows(agents=4, tasks=6, phi=0.6)


def played(learner: Learner) -> Simulation:
    return simulate(Preset("own", learner, burn_in(uniform())), WORLD, rounds=60, seeds=range(3))


def same(one: Learner, other: Learner) -> bool:
    pairs = zip(played(one).runs, played(other).runs, strict=True)
    return all(
        a.since.tolist() == b.since.tolist() and a.places.tolist() == b.places.tolist()
        for a, b in pairs
    )


def test_ties_go_to_the_lower_code() -> None:
    plays, means = np.array([1, 1, 0]), np.array([5.0, 5.0, 0.0])
    credit = credit_by_code.plain
    assert (credit(plays, means, 0, 1, False), credit(plays, means, 1, 0, False)) == (1.0, 0.0)
    assert (credit(plays, means, 0, 2, False), credit(plays, means, 0, 2, True)) == (0.0, 1.0)


def test_without_ties_it_does_not_matter_how_they_are_broken() -> None:
    order = rule.ranked_pairs()
    assert same(ballots(order, "abstain", "half"), ballots(order, "abstain", "code"))


def test_a_set_that_stands_for_every_task_is_all_tasks() -> None:
    learner = mean_model(rule.ranked_pairs())
    assert same(chosen_only(learner, group=1), learner)
    assert not same(chosen_only(learner, group=3), learner)


def test_no_share_changes_nothing_and_all_of_it_rates_by_plain_means() -> None:
    assert same(shared(growing_nash(), 0.0), growing_nash())
    assert not same(shared(growing_nash(), 1.0), growing_nash())
    # With means known well, an even policy over tasks is the order of mean scores.
    clear = worlds.table([[3.0, 2.0, 1.0], [0.0, 2.5, 1.0]], 0.0, truth=[1, 0, 2])
    even = Preset("own", shared(growing_nash(), 1.0), burn_in(uniform()))
    assert not simulate(even, clear, rounds=100, seeds=[0]).kd()[:, -1].any()


def test_every_reading_is_of_an_algorithm_that_is_printed() -> None:
    tried = list(choices())
    assert len({(choice.preset, choice.text) for choice in tried}) == len(tried)
    for choice in tried:
        assert choice.preset in PRESETS.cards
        assert columns(choice.preset)
    printed = [cell for table in "235" for cell in cells(table)]
    assert len(printed) == sum(len(columns(name)) for name in {cell.preset for cell in printed})


def test_readings_are_judged_in_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_active, "ROUNDS", 300)
    few = [choice for choice in choices() if choice.preset == "online-elo"][:2]
    monkeypatch.setattr("podium.experiments.active_choices.choices", lambda: few)
    (result,) = run(["active-choices"], seeds=2)
    (finding,) = result.findings
    assert finding.printed == "4 columns"
    assert [row["reading"] for row in result.tables["online-elo"]] == ["K = 0.5", "K = 1"]
