"""The bootstrap: seeds, workers, neutrality, draws that fail, and how often it is right."""

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from podium.analysis.rank import registered
from podium.data.convert import Data
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings, ranks_of
from podium.data.scores import Scores
from podium.errors import DataError
from podium.methods._registry import METHODS
from podium.uncertainty.bootstrap import bootstrap, cheap
from podium.uncertainty.spread import Spread
from podium.worlds.mallows import mallows

registered()
PAIRS = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
CHEAP = ["approval", "borda", "copeland", "iqm", "mean", "median", "plurality"]


def made(data: Data, name: str, options: Mapping[str, Any] | None = None, **more: Any) -> Spread:
    card, given = METHODS[name], options or {}
    return bootstrap(data, card, given, card.call(card.view(data), **given), **more)


def table(agents: int = 6, tasks: int = 15, phi: float = 0.7, seed: int = 0) -> Scores:
    return mallows(agents, tasks, phi).drawn(seed).scores()


@pytest.mark.parametrize("name", CHEAP)
def test_the_same_seed_gives_the_same_and_another_another(name: str) -> None:
    scores = table()
    one, two, other = (made(scores, name, seed=seed) for seed in (3, 3, 4))
    assert one == two
    assert one.intervals != other.intervals


@pytest.mark.parametrize("name", ["copeland", "mean"])
def test_workers_do_not_matter(name: str) -> None:
    scores = table().with_weights({"task 01": 0.1, "task 02": 0.7})
    assert made(scores, name, jobs=2, replicates=120) == made(scores, name, replicates=120)


@pytest.mark.parametrize("name", CHEAP)
def test_the_order_of_agents_and_tasks_does_not_matter(name: str) -> None:
    scores = table(seed=2)
    other = scores.only(agents=scores.agents[::-1], tasks=scores.tasks[3:] + scores.tasks[:3])
    one, two = made(scores, name), made(other, name)
    assert one.rank_intervals == two.rank_intervals
    assert one.groups == two.groups
    for agent, interval in one.intervals.items():
        assert two.intervals[agent] == pytest.approx(interval)


def test_the_names_of_agents_do_not_matter() -> None:
    scores = table(seed=3)
    names = ["zoe", "ann", "bob", "m", "x", "k"]
    other = Scores.from_matrix(scores.means, scores.tasks, names)
    one, two = made(scores, "copeland"), made(other, "copeland")
    assert [*one.rank_intervals.values()] == [*two.rank_intervals.values()]
    rows = [(a, b, float(i % 3 > 0)) for i in range(40) for a, b in PAIRS[: i % 4]]
    renamed = [(a.translate({97: 122}), b.translate({97: 122}), score) for a, b, score in rows]
    first, second = (made(Matches.from_records(data), "copeland") for data in (rows, renamed))
    assert [*first.intervals.values()] == [*second.intervals.values()]


def test_equal_matches_in_another_order_or_orientation_are_the_same() -> None:
    rows = [("a", "b", 1.0)] * 5 + [("b", "c", 0.5)] * 3 + [("a", "c", 0.0)] * 4
    turned = [(b, a, 1.0 - score) for a, b, score in reversed(rows)]
    one = made(Matches.from_records(rows), "copeland")
    assert one.intervals == made(Matches.from_records(turned), "copeland").intervals


def test_intervals_hold_the_rating_and_the_rank_with_its_ties() -> None:
    profile = Profile.from_ballots([(1, [["a", "b"], "c"]), (1, [["a", "b"], "c"]), (1, "cab")])
    ratings = METHODS["plurality"].call(profile)
    spread = made(profile, "plurality")
    for agent, value in zip(ratings.agents, ratings.values, strict=True):
        low, high = spread.intervals[agent]
        assert low <= value <= high
    ranks = dict(zip(ratings.agents, ranks_of(ratings.tiers).tolist(), strict=True))
    for agent, (best, worst) in spread.rank_intervals.items():
        assert 1 <= best <= ranks[agent] <= worst <= 3


def test_agents_that_all_tasks_order_alike_are_told_apart() -> None:
    scores = Scores.from_matrix([[3, 2, 1]] * 9, [f"t{i}" for i in range(9)], "abc")
    spread = made(scores, "borda")
    assert spread.rank_intervals == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert spread.groups == (("a",), ("b",), ("c",))
    assert spread.intervals["a"] == (18.0, 18.0)


def test_agents_that_are_equal_share_everything() -> None:
    scores = Scores.from_matrix([[1, 1]] * 4, list("stuv"), "ab")
    spread = made(scores, "copeland")
    assert spread.rank_intervals == {"a": (1, 2), "b": (1, 2)}
    assert spread.groups == (("a", "b"),)


def test_an_agent_that_a_draw_lacks_gets_no_rating_in_it() -> None:
    matrix = np.tile([4.0, 2.0, 3.0], (8, 1))
    matrix[1:, 2] = np.nan
    scores = Scores.from_matrix(matrix, [f"t{i}" for i in range(8)], "abc")
    for name in ("mean", "borda", "copeland"):
        spread = made(scores, name)
        assert any("many draws hold nothing of 'c'" in note for note in spread.notes)
        assert spread.rank_intervals["a"][0] == 1
    assert made(scores, "mean").intervals["c"] == (3.0, 3.0)


def test_an_agent_without_any_data_stays() -> None:
    profile = Profile.from_ballots([(5, "ab"), (3, "ba")], "abc")
    assert set(made(profile, "borda").rank_intervals) == set("abc")


def test_a_method_that_fails_on_many_draws_is_an_error_and_on_few_a_note() -> None:
    def picky(scores: Scores, *, limit: int = 0) -> Ratings:
        if scores.weights.max() >= limit:
            msg = "too heavy"
            raise DataError(msg)
        return Ratings.by_value(scores.agents, scores.means.sum(axis=0))

    from podium.methods._registry import method

    scores = table(tasks=12)
    method("picky", reads=Scores, cite="this test", cost="", votes=False)(picky)
    try:
        point = picky(scores, limit=9)
        with pytest.raises(DataError, match=r"picky could not rank .* of 200 draws.*too heavy"):
            bootstrap(scores, METHODS["picky"], {"limit": 3}, point)
        spread = bootstrap(scores, METHODS["picky"], {"limit": 5}, point)
        assert "could not be ranked and are left out: too heavy" in spread.notes[0]
    finally:
        del METHODS.cards["picky"]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"level": 1.0}, "level is 1.0"),
        ({"level": 95}, "level is 95"),
        ({"replicates": 1}, "replicates is 1"),
        ({"seed": -1}, "seed is -1"),
        ({"jobs": 0}, "jobs is 0"),
        ({"unit": "game"}, "resample .for scores. is 'game'"),
    ],
)
def test_impossible_wishes_are_refused(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(DataError, match=says):
        made(table(), "borda", **wrong)


def test_few_draws_for_a_high_level_are_noted() -> None:
    assert "take 1000" in made(table(), "borda", level=0.99).notes[0].replace(",", "")


def test_what_is_cheap_depends_on_the_method_and_the_data() -> None:
    assert cheap(table(), METHODS["borda"])
    many = Scores.from_matrix(np.ones((2, 2_100)), "st", [f"a{i}" for i in range(2_100)])
    assert not cheap(many, METHODS["borda"])


def test_wider_levels_give_wider_intervals() -> None:
    scores = table(agents=10, tasks=20)
    widths = []
    for level in (0.6, 0.8, 0.95, 0.99):
        spread = made(scores, "borda", level=level, replicates=400)
        widths.append(sum(worst - best for best, worst in spread.rank_intervals.values()))
    assert widths == sorted(widths)
    assert widths[0] < widths[-1]


def covered(name: str, tables: int, agents: int, tasks: int, phi: float) -> float:
    """Share of the agents of Mallows tables whose interval holds their true rank."""
    world, held = mallows(agents, tasks, phi), 0
    for number in range(tables):
        drawn = world.drawn(number)
        scores = drawn.scores()
        bounds = made(scores, name, seed=number).rank_intervals
        for agent, rank in zip(scores.agents, drawn.ranks.tolist(), strict=True):
            best, worst = bounds[agent]
            held += best <= rank <= worst
    return held / (tables * agents)


@pytest.mark.parametrize(("agents", "tasks"), [(8, 10), (5, 20)])
@pytest.mark.parametrize("name", ["borda", "copeland"])
def test_rank_intervals_hold_the_truth(name: str, agents: int, tasks: int) -> None:
    # 480 and 300 agents of correlated errors: two standard errors are about 0.02
    assert covered(name, 60, agents, tasks, 0.8) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("phi", [0.3, 0.6, 0.8])
@pytest.mark.parametrize("tasks", [10, 20, 57])
@pytest.mark.parametrize("name", ["borda", "copeland"])
def test_rank_intervals_hold_the_truth_on_500_tables(name: str, tasks: int, phi: float) -> None:
    assert covered(name, 500, 8, tasks, phi) >= 0.93


def test_joblib_is_loaded_only_for_several_jobs() -> None:
    code = (
        "import sys, podium; from podium.data.scores import Scores\n"
        "s = Scores.from_matrix([[1, 2, 3], [2, 1, 4], [1, 3, 2]], 'stu', 'abc')\n"
        "podium.rank(s); podium.rank(s, 'borda', intervals='auto')\n"
        "heavy = {'scipy', 'numba', 'duckdb', 'highspy', 'joblib', 'narwhals', 'altair'}\n"
        "sys.exit(' '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
