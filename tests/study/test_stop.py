"""When a study looks at its goal, when it stops, and whether it is then right as often as it says."""

import itertools
from typing import Any

import numpy as np
import pytest

from podium import worlds
from podium.errors import DataError
from podium.kernels.kemeny import kemeny
from podium.kernels.records import Records, Sizes, no_records, record
from podium.study import stop
from podium.study.evaluator import Evaluator
from podium.study.posterior import case_of, drawn, posterior_of
from podium.study.presets import PRESETS
from podium.study.stop import Goal, next_checkpoint, reached
from podium.worlds._instance import counts_of_means


def told(rounds: int, noise: float = 5.0, gap: float = 3.0) -> Records:
    rng, records = np.random.default_rng(1), no_records(Sizes(agents=4, tasks=5))
    for _ in range(rounds):
        pair = rng.choice(4, 2, replace=False)
        record.plain(records, np.array([rng.integers(5), *pair]), rng.normal(gap * pair, noise))
    return records


@pytest.mark.parametrize("agents", [2, 3, 8, 50])
def test_checkpoints_follow_from_the_rounds_alone(agents: int) -> None:
    at = [rounds for rounds in range(3_000) if next_checkpoint(rounds - 1, agents) == rounds]
    assert at[0] == 4 * agents
    steps = np.diff(at)
    assert (steps >= max(agents // 2, 1)).all()
    assert (steps <= np.maximum(agents // 2 + 1, np.ceil(0.05 * np.array(at[:-1])) + 1)).all()
    for one, other in itertools.pairwise(at):
        assert next_checkpoint(one, agents) == next_checkpoint(other - 1, agents) == other


def test_a_study_that_is_sure_stops() -> None:
    records = told(next_checkpoint(200, 4), noise=0.01, gap=10.0)
    answer = reached(Goal(0.95), records, np.arange(4.0))
    assert answer is not None
    assert answer.whole >= 0.95
    assert reached(Goal(0.95), records, np.arange(4.0)[::-1]) is None
    assert reached(Goal(0.95, top=1), records, [0.0, 1.0, 3.0, 2.0]) is None


def test_to_give_up_early_changes_no_decision() -> None:
    for rounds in (16, 40, 84):
        records = told(next_checkpoint(rounds, 4))
        full = posterior_of(records, np.arange(4.0), draws=stop.DRAWS[0])
        more = posterior_of(records, np.arange(4.0), draws=stop.DRAWS[1])
        for confidence, top in itertools.product((0.3, 0.5, 0.7, 0.9), (1, 2, None)):
            goal = Goal(confidence, top)
            expected = goal.met(full) and goal.met(more)
            assert (reached(goal, records, np.arange(4.0)) is not None) == expected


def test_draws_end_when_the_goal_is_out_of_reach() -> None:
    case = case_of(told(20), [3.0, 2.0, 1.0, 0.0])  # the wrong way around
    answer = drawn(case, 400, top=1, misses=20)
    assert len(answer.margins) < 60
    assert round((1.0 - answer.top(1)) * len(answer.margins)) == 21


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"confidence": 1.0}, "confidence is 1"),
        ({"confidence": 0.0}, "confidence is 0"),
        ({"confidence": 0.9, "top": 0}, "top is 0"),
    ],
)
def test_goals_out_of_bounds_are_told(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Goal(**arguments)


def test_more_agents_than_there_are_cannot_be_the_goal() -> None:
    with pytest.raises(DataError, match="top is 5"):
        reached(Goal(0.9, top=5), told(16), np.arange(4.0))


def stopped(seed: int, goal: Goal) -> tuple[int, bool]:
    """Run a study in a small world until it stops; say when, and whether it is right."""
    world = worlds.mallows(agents=4, tasks=10, phi=0.4)
    instance, rng = world.drawn(seed), np.random.default_rng(seed)
    evaluator = Evaluator(PRESETS["podium"], world.sizes, seed=seed, compiled=True)
    answer = None
    for _ in range(800):
        query = evaluator.ask()
        scores = rng.normal(instance.means[query[0], list(query[1:])], 20.0)
        evaluator.tell(query, (float(scores[0]), float(scores[1])))
        inner = evaluator.learning.belief.ratings  # in the codes of the records
        answer = reached(goal, evaluator.records, inner, seed=seed)
        if answer is not None:
            break
    counts = counts_of_means(instance.means)
    order = np.argsort(-evaluator.ratings).tolist()
    value = sum(counts[a, b] for a, b in itertools.combinations(order, 2))
    right = value == pytest.approx(kemeny(counts, 10.0).value)
    return int(evaluator.records.rounds[0]), right


def test_studies_that_stop_are_right_about_as_often_as_they_say() -> None:
    ended = [stopped(seed, Goal(0.8)) for seed in range(50)]
    rounds, right = zip(*[one for one in ended if one[0] < 800], strict=True)
    assert len(rounds) >= 35
    assert len(set(rounds)) > 5
    assert 0.66 < np.mean(right) < 0.99  # 0.8 and more; three standard errors are 0.17
