"""A picture shows by names what a study has learned by codes of its own."""

import numpy as np

from podium.store import open_store
from podium.study.path import Path
from podium.study.study import Study


def make() -> Study:
    agents, tasks = [f"agent {n}" for n in range(6)], ["t", "u", "v"]
    study = Study.create("s", agents=agents, tasks=tasks, store=open_store("memory://"), seed=4)
    rng = np.random.default_rng(0)
    for _ in range(30):
        (query,) = study.ask(1)
        means = [len(query.task) + float(agent[-1]) for agent in query.agents]
        noisy = [round(float(mean + rng.normal()), 6) for mean in means]
        study.tell(query, dict(zip(query.agents, noisy, strict=True)))
    study.add([("v", "agent 5", 9.0)])
    return study


def test_scores_are_those_of_the_log() -> None:
    study = make()
    told = [
        (entry.data["task"], agent, score)
        for entry in study.log()
        if entry.kind in ("told", "added")
        for agent, score in entry.data["scores"].items()
    ]
    scores = study.picture().scores
    found = [
        (scores.tasks[task], scores.agents[agent], value)
        for task, agent, value in zip(scores.task, scores.agent, scores.value, strict=True)
    ]
    assert sorted(found) == sorted(told)


def test_tables_are_in_the_order_of_the_roster() -> None:
    picture = make().picture()
    scores = picture.scores
    assert picture.plays.tolist() == scores.counts.tolist()
    seen = picture.plays > 0
    np.testing.assert_allclose(picture.means[seen], scores.means[seen], rtol=1e-12)
    best, last = (picture.spec.agents.index(picture.ranking.order[place]) for place in (0, -1))
    assert picture.pairs[best, last] > 0.5 > picture.pairs[last, best]
    both = (picture.pairs + picture.pairs.T)[~np.eye(6, dtype=bool)]
    np.testing.assert_allclose(both, 1.0, rtol=1e-12)


def test_a_picture_stays_as_it_is() -> None:
    study = make()
    picture = study.picture()
    before = picture.plays.copy()
    study.add([("t", "agent 0", 1.0)])
    assert picture.plays.tolist() == before.tolist()
    assert study.picture().plays.sum() == before.sum() + 1


def test_a_path_that_grows_is_a_path_made_at_once() -> None:
    study = make()
    path = Path(study.store, "s")
    first = path.points()
    study.add([("t", f"agent {n}", 1.0) for n in range(6)] * 4)
    study.extend(agents=["late"])
    study.add([("t", "late", 1.0)])
    grown = path.points()
    assert grown == Path(study.store, "s").points()
    assert grown[: len(first) - 1] == first[:-1]
    heard = [point.heard for point in grown]
    assert heard == sorted(set(heard))
    assert grown[-1].certainty == study.status()["certainty"]


def test_worth_is_told_of_tasks_that_may_be_asked_and_changes_nothing() -> None:
    study = Study.create(
        "s",
        agents=["a", "b", "c"],
        tasks=["t", "u", "closed"],
        store=open_store("memory://"),
        forbidden=[("closed", agent) for agent in "abc"],
    )
    study.add([("t", agent, at + 3.0 * n) for n in range(3) for at, agent in enumerate("abc")])
    before = study.next()
    worths = study.worths()
    assert set(worths) == {"t", "u"}
    assert worths["u"] > worths["t"] > 0.0, "what was never asked settles more"
    assert study.next() == before


def test_a_learner_without_doubt_has_no_worth() -> None:
    store = open_store("memory://")
    study = Study.create(
        "s", agents=["a", "b"], tasks=["t"], store=store, preset="uniform-averaging"
    )
    assert study.worths() == {}
