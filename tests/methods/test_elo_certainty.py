"""How sure Elo is: covariances against sums by the match, and intervals that hold the truth."""

from typing import Any

import numpy as np
import pytest

import podium
from podium.arrays import Floats
from podium.data.convert import convert
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._certainty import Normal, Wish
from podium.methods._elo_certainty import posterior, sandwich
from podium.methods._elo_fit import SCALE
from podium.methods.elo import elo

DICE = np.random.default_rng(0)


def normal(kind: str, data: Any, unit: str | None = None, **options: Any) -> Normal:
    ratings = elo(data if isinstance(data, Matches | Tally) else convert(data, Tally), **options)
    make = posterior if kind == "posterior" else sandwich
    return make(data, ratings, options, Wish(unit, 10, DICE))


def battles(seed: int = 3, rows: int = 120, ties: float = 0.2, weights: bool = False) -> Matches:
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, rows)
    right = (left + rng.integers(1, 4, rows)) % 4
    score = (rng.random(rows) < 1 / (1 + np.exp((right - left) * 0.4))) * 1.0
    score[rng.random(rows) < ties] = 0.5
    names = np.array(list("abcd"))
    weight = rng.choice([0.5, 1.5, 2.25], rows) if weights else None
    return Matches.from_columns(
        names[left].tolist(),
        names[right].tolist(),
        score,
        weight=weight,
        cluster=rng.integers(0, 25, rows).tolist(),
        terms={"length": rng.normal(0, 1, rows).tolist()},
    )


def without_clusters(data: Matches) -> Matches:
    return Matches.from_codes(
        data.roster, data.left, data.right, data.score, weight=data.weight, terms=data.terms
    )


def log_chance(params: Floats, data: Matches, row: int, *, length: bool, own_ties: bool) -> float:
    """Logarithm of the chance of one outcome; a tie as half of each where it has no own."""
    size = len(data.agents)
    odds = params[data.left[row]] - params[data.right[row]]
    if length:
        odds += params[size] * data.terms[0].values[row]
    parts = np.exp([odds / 2, params[-1] if own_ties else -np.inf, -odds / 2])
    shares = np.log(parts[[0, 2]] / parts.sum())
    score = data.score[row]
    if score == 0.5:
        return float(np.log(parts[1] / parts.sum()) if own_ties else shares.mean())
    return float(shares[0] if score == 1 else shares[1])


def by_the_match(
    data: Matches, params: Floats, units: Any, *, length: bool = False, own_ties: bool = False
) -> tuple[Floats, Floats]:
    """The two covariances of ratings from numerical gradients of each match; the mean is 0."""
    moves = np.eye(len(params)) * 1e-4

    def chances(x: Floats) -> Floats:
        rows = range(len(data.left))
        each = [log_chance(x, data, row, length=length, own_ties=own_ties) for row in rows]
        return np.asarray(data.weight * np.array(each))

    gradients = np.array([(chances(params + m) - chances(params - m)) / 2e-4 for m in moves]).T
    bend = np.array(
        [
            [
                (
                    chances(params + m + n)
                    - chances(params + m - n)
                    - chances(params - m + n)
                    + chances(params - m - n)
                ).sum()
                / 4e-8
                for n in moves
            ]
            for m in moves
        ]
    )
    sums = np.array([gradients[np.asarray(units) == unit].sum(axis=0) for unit in np.unique(units)])
    bread = np.linalg.pinv(-bend, rcond=1e-6)
    size = len(data.agents)
    centre = np.eye(size) - 1 / size
    return tuple(  # type: ignore[return-value]  # a pair
        SCALE**2 * centre @ inner[:size, :size] @ centre
        for inner in (bread, bread @ sums.T @ sums @ bread)
    )


def close(found: Floats, expected: Floats) -> bool:
    return bool(np.allclose(found, expected, atol=2e-3 * np.abs(expected).max()))


def test_two_agents_in_closed_form() -> None:
    # The log-odds of w wins and l losses have the variance 1/w + 1/l; each rating is half of them.
    data = Matches.from_records([("a", "b", 1, 30), ("b", "a", 1, 10)])
    variance = SCALE**2 * (1 / 30 + 1 / 10) / 4
    for kind in ("posterior", "sandwich"):
        covariance = normal(kind, data).covariance
        assert covariance == pytest.approx(variance * np.array([[1, -1], [-1, 1]]), rel=1e-9)


@pytest.mark.parametrize("weights", [False, True])
def test_matches_one_by_one(weights: bool) -> None:
    data = without_clusters(battles(weights=weights))
    params = elo(data).values / SCALE
    model, robust = by_the_match(data, params, np.arange(len(data.left)))
    assert close(normal("posterior", data).covariance, model)
    found = normal("sandwich", data)
    assert close(found.covariance, robust)
    assert (found.unit, found.size) == ("match", 120)


def test_matches_of_a_cluster_are_one_unit() -> None:
    data = battles(weights=True)
    params = elo(data).values / SCALE
    found = normal("sandwich", data)
    assert close(found.covariance, by_the_match(data, params, data.cluster)[1])
    assert found.size == 25
    assert "25 clusters" in found.notes[0]


def test_games_with_swapped_sides_that_repeat_one_another_count_once() -> None:
    single = without_clusters(battles())
    rows = np.repeat(np.arange(120), 2)
    pairs = single.taken(rows)
    pairs = Matches.from_codes(single.roster, pairs.left, pairs.right, pairs.score, cluster=rows)
    once, twice = (normal("sandwich", data).covariance for data in (single, pairs))
    assert np.allclose(once, twice)
    naive = normal("posterior", pairs)
    assert np.allclose(naive.covariance * 2, normal("posterior", single).covariance)
    assert "clusters play no part" in naive.notes[1]


def test_terms_take_part() -> None:
    data = battles()
    ranking = podium.rank(data, "elo", terms="length")
    slope = ranking.info["terms"]["length"]["estimate"]
    params = np.array([*ranking.ratings.values(), slope]) / SCALE
    model, robust = by_the_match(data, params, data.cluster, length=True)
    assert close(normal("posterior", data, terms="length").covariance, model)
    assert close(normal("sandwich", data, terms="length").covariance, robust)


def test_ties_of_their_own_take_part() -> None:
    data = without_clusters(battles())
    ranking = podium.rank(data, "elo", ties="davidson")
    params = np.array(
        [*(np.array(list(ranking.ratings.values())) / SCALE), np.log(ranking.info["nu"])]
    )
    model, robust = by_the_match(data, params, np.arange(120), own_ties=True)
    assert close(normal("posterior", data, ties="davidson").covariance, model)
    assert close(normal("sandwich", data, ties="davidson").covariance, robust)


def test_counts_are_as_good_as_matches() -> None:
    data = without_clusters(battles())
    pairs = normal("sandwich", data)
    counts = normal("sandwich", convert(data, Tally))
    assert np.allclose(pairs.covariance, counts.covariance)
    assert counts.size == 120
    heavy = Matches.from_records([("a", "b", 1, 30), ("b", "a", 1, 10)])
    assert "whole weights" in normal("sandwich", heavy).notes[0]


def ballots(*weights: float) -> Profile:
    rng = np.random.default_rng(8)
    cast = []
    for number in range(40):
        order = np.argsort(rng.gumbel(size=4) + np.array([0.6, 0.3, 0, 0]), kind="stable")[::-1]
        names = [["abcd"[i]] for i in order.tolist()]
        if number % 5 == 0:
            names = [names[0] + names[1], *names[2:]]
        cast.append((weights[number % len(weights)], names[: 3 + number % 2]))
    return Profile.from_ballots(cast, agents="abcd")


@pytest.mark.parametrize("own_ties", [False, True])
@pytest.mark.parametrize("weights", [(1.0,), (0.5, 1.0, 2.25)])
def test_a_ballot_is_a_cluster_of_its_pairs(own_ties: bool, weights: tuple[float, ...]) -> None:
    profile = ballots(*weights)
    records, units, heavy = [], [], []
    for number, (weight, groups) in enumerate(profile.ballots()):
        flat = [(name, level) for level, group in enumerate(groups) for name in group]
        for i, (one, high) in enumerate(flat):
            for other, low in flat[i + 1 :]:
                records.append((one, other, 0.5 if high == low else 1.0))
                units.append(number)
                heavy.append(weight)
    left, right, score = zip(*records, strict=True)
    pairs = Matches.from_columns(left, right, score, cluster=units, weight=heavy)
    options = {"ties": "davidson"} if own_ties else {}
    by_ballot = normal("sandwich", profile, **options)
    by_cluster = normal("sandwich", pairs, **options)
    order = [pairs.agents.index(agent) for agent in profile.agents]
    assert np.allclose(by_ballot.covariance, by_cluster.covariance[np.ix_(order, order)])
    assert by_ballot.size == 40
    assert "are taken as independent" in normal("posterior", profile).notes[1]


def test_whole_weights_of_ballots_are_numbers_of_voters() -> None:
    three = Profile.from_ballots([(3, "abc"), (2, "bca"), (2, "cab"), (1, "acb")])
    single = Profile.from_ballots(
        [(1, "abc")] * 3 + [(1, "bca")] * 2 + [(1, "cab")] * 2 + [(1, "acb")]
    )
    assert np.allclose(normal("sandwich", three).covariance, normal("sandwich", single).covariance)
    assert normal("sandwich", three).size == 8


def test_tasks_may_be_the_units() -> None:
    rng = np.random.default_rng(2)
    table = rng.normal(0, 1, (30, 4)) + np.array([0.5, 0.2, 0, 0])
    scores = Scores.from_matrix(table, [f"t{i}" for i in range(30)], list("abcd"))
    by_task = normal("sandwich", scores)
    profile = convert(scores, Profile)
    assert np.allclose(by_task.covariance, normal("sandwich", profile).covariance)
    assert np.allclose(by_task.covariance, normal("sandwich", profile, "task").covariance)
    assert (by_task.unit, by_task.size) == ("task", 30)
    rows = [
        ("a", "b", 1, 1, "x"),
        ("b", "a", 1, 1, "x"),
        ("b", "a", 1, 1, "y"),
        ("a", "b", 1, 1, "z"),
    ]
    found = normal("sandwich", Matches.from_records(rows), "task")
    assert found.size == 3
    assert "few units" in found.notes[-1]


def test_an_anchor_is_certain_and_differences_are_as_certain_as_before() -> None:
    data = without_clusters(battles())
    for kind in ("posterior", "sandwich"):
        free, held = normal(kind, data).covariance, normal(kind, data, anchor="b").covariance
        code = data.agents.index("b")
        assert held[code] == pytest.approx(np.zeros(4), abs=1e-9)

        def differences(inner: Floats) -> Floats:
            own = inner.diagonal()
            return own[:, None] + own - 2 * inner

        assert np.allclose(differences(free), differences(held))
    plain = podium.rank(data, "elo", intervals="sandwich")
    anchored = podium.rank(data, "elo", intervals="sandwich", anchor="b")
    assert plain.rank_intervals == anchored.rank_intervals


@pytest.mark.parametrize(
    ("data", "unit", "says"),
    [
        (Tally.from_matrix([[0.0, 1.5], [1.0, 0.0]], "ab"), None, "does not hold whole numbers"),
        (ballots(1.0), "task", "name no tasks"),
        (battles(), "task", "name no tasks"),
        (battles(), "ballot", "resample .for sandwich intervals of matches."),
        (
            Matches.from_columns(["a", "b"], ["b", "a"], [1, 1], cluster=[0, 0]),
            None,
            "1 match cannot tell how much",
        ),
    ],
)
def test_data_without_the_units_are_refused(data: Any, unit: str | None, says: str) -> None:
    with pytest.raises(DataError, match=says):
        normal("sandwich", data, unit)


def test_a_posterior_draws_no_units() -> None:
    with pytest.raises(DataError, match="resample='match' has no use"):
        normal("posterior", battles(), "match")


def test_a_covariance_of_too_many_agents_is_refused() -> None:
    size = 5_001
    names = [f"a{i}" for i in range(size)]
    ring = Matches.from_columns(names, [*names[1:], names[0]], np.ones(size))
    with pytest.raises(DataError, match="Use intervals=bootstrap"):
        normal("sandwich", ring)


def drawn(rng: np.random.Generator, truth: Floats, each: int) -> Matches:
    left, right = (np.repeat(part, each) for part in np.triu_indices(len(truth), 1))
    score = (rng.random(len(left)) < 1 / (1 + np.exp(truth[right] - truth[left]))) * 1.0
    names = np.array([f"m{i}" for i in range(len(truth))])
    return Matches.from_columns(names[left].tolist(), names[right].tolist(), score)


@pytest.mark.parametrize("kind", ["posterior", "sandwich"])
def test_intervals_hold_the_truth_as_often_as_they_say(kind: str) -> None:
    # 300 tables of 5 agents give a standard error of 0.6 points of 95 %.
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(300):
        truth = rng.normal(0, 0.7, 5)
        truth -= truth.mean()
        data = drawn(rng, truth, 30)
        intervals = podium.rank(data, "elo", intervals=kind).intervals
        inside += [
            low <= SCALE * truth[int(agent[1:])] <= high for agent, (low, high) in intervals.items()
        ]
    assert np.mean(inside) == pytest.approx(0.95, abs=0.02)


def test_bootstrap_and_sandwich_agree_on_many_matches() -> None:
    data = battles(rows=3_000)
    closed = podium.rank(data, "elo", intervals="sandwich").intervals
    drawn_anew = podium.rank(data, "elo", intervals="bootstrap", replicates=2_000).intervals
    for agent, (low, high) in closed.items():
        assert drawn_anew[agent] == pytest.approx((low, high), abs=0.15 * (high - low))


FEW = Matches.from_records([("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("a", "c", 1)])


def test_draws_that_fall_apart_are_rated_and_told() -> None:
    ranking = podium.rank(FEW, "elo", intervals="bootstrap", replicates=100, seed=3)
    told = " ".join(ranking.info["intervals"]["notes"])
    assert "fell apart into groups that cannot be compared; prior=0.1 held these" in told
    assert "could not be ranked" not in told
    assert ranking.rank_intervals["a"] == (1, 3)
    assert all(np.isfinite(ends).all() for ends in ranking.intervals.values())
    again = podium.rank(FEW, "elo", intervals="bootstrap", replicates=100, seed=3, jobs=2)
    assert again.intervals == ranking.intervals
    assert again.info["intervals"]["notes"] == ranking.info["intervals"]["notes"]


def test_with_a_prior_no_draw_falls_apart() -> None:
    ranking = podium.rank(FEW, "elo", intervals="bootstrap", replicates=100, prior=0.1)
    assert "fell apart" not in " ".join(ranking.info["intervals"]["notes"])


def test_clusters_are_drawn_whole() -> None:
    # Each game is there twice; taken one by one, the intervals are too narrow by the root of two.
    single = without_clusters(battles())
    rows = np.repeat(np.arange(120), 2)
    twice = single.taken(rows)
    pairs = Matches.from_codes(single.roster, twice.left, twice.right, twice.score, cluster=rows)
    width = {
        name: np.mean(
            [
                high - low
                for low, high in podium.rank(
                    data, "elo", intervals="bootstrap", replicates=600
                ).intervals.values()
            ]
        )
        for name, data in (("single", single), ("pairs", pairs), ("naive", without_clusters(pairs)))
    }
    assert width["pairs"] == pytest.approx(width["single"], rel=0.1)
    assert width["naive"] == pytest.approx(width["single"] / np.sqrt(2), rel=0.1)
