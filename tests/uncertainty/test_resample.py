"""Resampling: counts give what literally repeated rows give, and nothing depends on listing."""

from typing import Any

import numpy as np
import pytest

from podium.analysis.rank import registered
from podium.data.convert import Data
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError, PodiumError
from podium.methods._registry import METHODS
from podium.uncertainty.resample import Counted, TwoStages, plan_for
from podium.uncertainty.urns import Strata, Urn
from podium.uncertainty.views import RepeatedMatches, TableTallies, rounded, seen

registered()
NAMES = [card.name for card in METHODS]
AGENTS = ("a", "b", "c", "d")
TASKS = ("s", "t", "u", "v", "w")


def some_scores(*, holes: bool = False, samples: int = 1) -> Scores:
    rng = np.random.default_rng(11)
    records = [
        (task, agent, float(rng.integers(0, 9)) + 0.25 * row)
        for task in TASKS
        for row, agent in enumerate(AGENTS)
        for _ in range(samples)
        if not (holes and (task, agent) in {("s", "a"), ("u", "c"), ("v", "c")})
    ]
    weights = {"s": 2.0, "t": 0.5}
    return Scores.from_records(records, weights=weights, lower_is_better=["u"])


def said(name: str, data: Data) -> tuple[list[float], list[int]] | str:
    """What a method says, or that it cannot."""
    card = METHODS[name]
    try:
        ratings = card.call(card.view(data))
    except PodiumError as error:
        return type(error).__name__
    order = np.argsort(np.array(ratings.agents))
    return ratings.values[order].round(9).tolist(), ratings.tiers[order].tolist()


def same(one: object, other: object) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return bool(np.allclose(one[0], other[0], rtol=1e-7, atol=1e-7)) and one[1] == other[1]


def of(kind: type) -> list[str]:
    return [name for name in NAMES if METHODS[name].can_read(kind)]


def repeated_tasks(scores: Scores, times: dict[str, int]) -> Scores:
    """The slow twin: every task that was drawn twice is there twice, under two names."""
    records, weights, lower = [], {}, []
    for task, count in times.items():
        code = scores.roster.task_index[task]
        for copy in range(count):
            name = f"{task}/{copy}"
            rows = np.flatnonzero(scores.task == code)
            records += [
                (name, scores.agents[scores.agent[row]], float(scores.value[row])) for row in rows
            ]
            weights[name] = float(scores.weights[code])
            lower += [name] if scores.lower_is_better[code] else []
    return Scores.from_records(
        records, agents=scores.agents, weights=weights, lower_is_better=lower
    )


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("name", of(Scores))
def test_drawn_tasks_are_repeated_tasks(name: str, holes: bool) -> None:
    scores = some_scores(holes=holes)
    plan = plan_for(scores, METHODS[name], "task")
    assert isinstance(plan, Counted)
    times = plan.urn.draw(np.random.default_rng(3), 6)
    checked = 0
    for row, view in zip(times, plan.data.of(times), strict=True):
        twin = repeated_tasks(scores, dict(zip(sorted(TASKS), row.tolist(), strict=True)))
        if not seen(METHODS[name].view(view)).all():
            continue
        assert same(said(name, view), said(name, twin))
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("name", of(Profile))
@pytest.mark.parametrize("whole", [True, False])
def test_drawn_ballots_are_repeated_ballots(name: str, whole: bool) -> None:
    each = [3.0, 1.0, 2.0, 1.0] if whole else [2.5, 1.25, 0.5, 1.0]
    orders: list[list[Any]] = [
        ["a", "b", "c", "d"],
        ["b", ["c", "a"], "d"],
        ["d", "a"],
        [["c", "d"], "b"],
    ]
    profile = Profile.from_ballots(list(zip(each, orders, strict=True)), AGENTS)
    plan = plan_for(profile, METHODS[name])
    assert isinstance(plan, Counted)
    assert plan.size == (7 if whole else 4)
    times = plan.urn.draw(np.random.default_rng(0), 5)
    for row, view in zip(times, plan.data.of(times), strict=True):
        weights = [1.0] * 4 if whole else each
        literal = [
            (weight, order)
            for count, weight, order in zip(row, weights, orders, strict=True)
            for _ in range(count)
        ]
        assert same(said(name, view), said(name, Profile.from_ballots(literal, AGENTS)))


@pytest.mark.parametrize("name", of(Matches))
def test_drawn_matches_are_repeated_matches(name: str) -> None:
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(60):
        one, two = rng.choice(4, 2, replace=False)
        rows.append(
            (AGENTS[one], AGENTS[two], float(rng.choice([0, 0.5, 1])), float(rng.choice([1, 2.5])))
        )
    matches = Matches.from_records(rows, agents=AGENTS)
    plan = plan_for(matches, METHODS[name])
    assert isinstance(plan, Counted)
    assert plan.size == 60
    assert isinstance(plan.data, RepeatedMatches) or plan.entries < 60
    times = plan.urn.draw(np.random.default_rng(1), 4)
    kept = plan.data.matches  # type: ignore[attr-defined]  # of matches, both kinds of views
    for row, view in zip(times, plan.data.of(times), strict=True):
        assert row.sum() == 60
        literal = [
            (AGENTS[kept.left[i]], AGENTS[kept.right[i]], kept.score[i], kept.weight[i])
            for i in range(len(row))
            for _ in range(row[i])
        ]
        assert same(said(name, view), said(name, Matches.from_records(literal, agents=AGENTS)))


def test_matches_of_whole_weights_are_that_many_matches() -> None:
    counts = Matches.from_records([("a", "b", 1, 30), ("b", "a", 1, 20), ("b", "a", 0.5, 50)])
    single = counts.taken(np.repeat(np.arange(3), [30, 20, 50])).with_weight(np.ones(100))
    plans = [plan_for(data, METHODS["copeland"]) for data in (counts, single)]
    assert plans[0].size == plans[1].size == 100
    assert "numbers of matches" in plans[0].notes[0]
    draws = [[*plan.views(np.random.default_rng(2), 5)] for plan in plans]
    for one, two in zip(*draws, strict=True):
        assert isinstance(one, Tally)
        assert isinstance(two, Tally)
        assert (one.wins.tolist(), one.met.tolist()) == (two.wins.tolist(), two.met.tolist())
        assert one.met[0, 1] == 100


def test_matches_of_one_cluster_are_drawn_together() -> None:
    roster = Matches.from_records([("a", "b", 1)], agents="abc").roster
    matches = Matches.from_codes(
        roster, [0, 1, 0, 1], [1, 0, 2, 2], [1, 0, 1, 0.5], cluster=[7, 7, 3, 9]
    )
    plan = plan_for(matches, METHODS["copeland"])
    assert plan.size == 3
    assert "3 clusters" in plan.notes[0]
    for view in plan.views(np.random.default_rng(0), 20):
        assert isinstance(view, Matches)
        assert view.weight[0] == view.weight[1]
        assert view.weight[[0, 2, 3]].sum() == 3


def test_tasks_of_matches_and_ballots_are_drawn_whole() -> None:
    rows = [("a", "b", 1, 1, "x"), ("b", "a", 1, 1, "y"), ("a", "b", 0.5, 1, "x")]
    plan = plan_for(Matches.from_records(rows), METHODS["copeland"], "task")
    assert plan.size == 2
    for view in plan.views(np.random.default_rng(0), 10):
        assert isinstance(view, Matches)
        assert view.weight[0] == view.weight[2] == 2 - view.weight[1]
    ballots = [(0.5, "ab"), (1.5, "ba"), (1, "ab")]
    profile = Profile.from_ballots(ballots, sources=["x", "y", "x"])
    plan = plan_for(profile, METHODS["borda"], "task")
    for view in plan.views(np.random.default_rng(0), 10):
        assert isinstance(view, Profile)
        assert view.weights[0] * 2 == view.weights[2]


def test_samples_are_drawn_within_their_cell() -> None:
    scores = some_scores(samples=3)
    plan = plan_for(scores, METHODS["mean"], "sample")
    assert plan.size == pytest.approx(3)
    for view in plan.views(np.random.default_rng(0), 10):
        assert isinstance(view, Scores)
        assert (view.counts == scores.counts).all()
        for cell in {*zip(view.task.tolist(), view.agent.tolist(), strict=True)}:
            task, agent = cell
            code = scores.roster.task_index[view.tasks[task]]
            own = scores.value[(scores.task == code) & (scores.agent == agent)]
            assert set(view.value[(view.task == task) & (view.agent == agent)]) <= set(own)


def shared_instances() -> Scores:
    """Two tasks of 4 and 3 instances; the score tells task and instance."""
    rows = [
        (task, agent, i) for task, n in ((0, 4), (1, 3)) for agent in range(2) for i in range(n)
    ]
    task, agent, sample = np.array(rows).T
    roster = Scores.from_matrix(np.zeros((2, 2)), ["s", "t"], ["a", "b"]).roster
    return Scores.from_codes(roster, task, agent, 10 * task + sample + 100 * agent, sample=sample)


def test_instances_are_drawn_jointly_for_all_agents() -> None:
    plan = plan_for(shared_instances(), METHODS["mean"], "sample")
    for view in plan.views(np.random.default_rng(0), 10):
        assert isinstance(view, Scores)
        for task in (0, 1):
            rows = [np.sort(view.value[(view.task == task) & (view.agent == a)]) for a in (0, 1)]
            assert (rows[1] - rows[0] == 100).all()
            assert len(rows[0]) == (4, 3)[task]


@pytest.mark.parametrize("joint", [True, False])
def test_two_stages_draw_tasks_and_then_their_samples(joint: bool) -> None:
    scores = shared_instances() if joint else some_scores(samples=2, holes=True)
    plan = plan_for(scores, METHODS["mean"], "task+sample")
    assert isinstance(plan, TwoStages)
    varied = set()
    for view in plan.views(np.random.default_rng(2), 20):
        assert isinstance(view, Scores)
        assert len(view.tasks) == len(scores.tasks)
        for slot, name in enumerate(view.tasks):
            code = scores.roster.task_index[name.partition(" #")[0]]
            assert view.weights[slot] == scores.weights[code]
            assert view.lower_is_better[slot] == scores.lower_is_better[code]
            assert (view.counts[slot] == scores.counts[code]).all()
            for agent in range(len(scores.agents)):
                drawn = view.value[(view.task == slot) & (view.agent == agent)]
                own = scores.value[(scores.task == code) & (scores.agent == agent)]
                assert set(drawn) <= set(own)
                varied.add(tuple(np.sort(drawn)))
    assert len(varied) > scores.counts.size


def test_a_tally_is_drawn_by_its_outcomes() -> None:
    tally = Tally.from_matrix(
        [[0, 3, 1], [1, 0, 0], [0, 2, 0]], "abc", [[0, 5, 1], [5, 0, 2], [1, 2, 0]]
    )
    plan = plan_for(tally, METHODS["copeland"])
    assert isinstance(plan, Counted)
    assert plan.size == 8
    pairs = tally.pairs
    own = np.concatenate([pairs.wins, pairs.losses, pairs.met - pairs.wins - pairs.losses])
    (again,) = plan.data.of(own.astype(np.int64)[None, :])
    assert isinstance(again, Tally)
    assert (again.wins == tally.wins).all()
    assert (again.met == tally.met).all()
    for view in plan.views(np.random.default_rng(0), 10):
        assert isinstance(view, Tally)
        assert view.met.sum() == 16
        assert not (view.wins[tally.wins == 0]).any()


def test_methods_that_read_counts_get_counts() -> None:
    plan = plan_for(some_scores(), METHODS["copeland"])
    assert isinstance(plan, Counted)
    assert isinstance(plan.data, TableTallies)


@pytest.mark.parametrize("names", ["dcba", "bdca"])
def test_the_order_of_agents_and_tasks_changes_no_draw(names: str) -> None:
    for unit in ("task", "sample", "task+sample"):
        scores = some_scores(samples=3)
        other = scores.only(agents=list(names), tasks=["v", "s", "w", "u", "t"])
        drawn = [
            [said("mean", view) for view in plan_for(data, METHODS["mean"], unit).views(rng, 5)]
            for data, rng in ((scores, np.random.default_rng(4)), (other, np.random.default_rng(4)))
        ]
        assert all(same(one, two) for one, two in zip(*drawn, strict=True)), unit


def test_a_task_without_weight_or_scores_is_not_drawn() -> None:
    scores = some_scores().with_weights({"v": 0.0})
    plan = plan_for(scores, METHODS["borda"])
    assert plan.size == 4
    table = np.array([[1, 2], [np.nan, np.nan], [2, 1]])
    empty = Scores.from_matrix(table, ["x", "y", "z"], ["a", "b"])
    assert plan_for(empty, METHODS["copeland"]).size == 2


@pytest.mark.parametrize(
    ("data", "unit", "says"),
    [
        (Game.from_payoffs([[[1.0]], [[1.0]]]), None, "payoffs are given"),
        (some_scores(), "sample", "no cell has more than one sample.*resample=task"),
        (some_scores(), "ballot", "choose from 'task', 'sample'"),
        (some_scores().only(tasks=["s"]), "task", "1 task cannot be drawn anew; use resample=s"),
        (some_scores().only(tasks=["s"]), None, "no cell has more than one sample.*give more"),
        (Profile.from_ballots([(1, "ab")]), None, "1 ballot cannot be drawn"),
        (Profile.from_ballots([(1, "ab"), (1, "ba")]), "task", "name 0 tasks"),
        (Matches.from_records([("a", "b", 1)]), None, "1 match cannot be drawn"),
        (Matches.from_records([("a", "b", 1)] * 2), "task", "name 0 tasks"),
        (
            Tally.from_matrix(np.array([[0, 1.5], [1, 0]]), "ab"),
            None,
            "does not hold whole numbers",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(data: Data, unit: str | None, says: str) -> None:
    name = "uniform" if isinstance(data, Game) else "copeland"
    with pytest.raises(DataError, match=says):
        plan_for(data, METHODS[name], unit)


def test_several_samples_are_worth_a_note_and_one_task_means_samples() -> None:
    scores = some_scores(samples=2)
    assert "resample=sample" in plan_for(scores, METHODS["borda"]).notes[0]
    assert plan_for(scores.only(tasks=["s"]), METHODS["borda"]).unit == "sample"


def test_urns_draw_as_they_should() -> None:
    urn = Urn.of(np.array([1.0, 0.0, 3.0]), np.array([2, 0, 1]))
    times = urn.draw(np.random.default_rng(0), 4_000)
    assert (times.sum(axis=1) == 4).all()
    assert times.mean(axis=0) == pytest.approx([1, 0, 3], abs=0.06)
    strata = Strata.of(np.array([5, 5, 5, 2, 8, 8]))
    drawn = strata.draw(np.random.default_rng(0), 4_000)
    assert (drawn[:, :3].sum(axis=1) == 3).all()
    assert (drawn[:, 3] == 1).all()
    assert drawn.mean(axis=0) == pytest.approx(1, abs=0.06)
    assert strata.size == pytest.approx(2 / (1 / 3 + 1 / 2))


def test_fractions_are_rounded_so_that_sums_are_exact() -> None:
    rng = np.random.default_rng(0)
    weights = rounded(rng.random(500))
    sums = {float(np.sum(rng.permutation(weights))) for _ in range(20)}
    assert len(sums) == 1
