"""Elo: published and hand-made numbers, its defining equations, peers, and what it refuses."""

import json
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from hypothesis import assume, given
from hypothesis import strategies as st

import podium
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.data.terms import Term
from podium.errors import DataError, NotConverged
from podium.methods._elo_fit import SCALE
from podium.methods._registry import METHODS
from podium.methods.elo import elo
from shared import shared
from strategies import match_lists, steady

Named = dict[str, float]


def rated(data: Any, **options: Any) -> Named:
    return podium.rank(data, "elo", **options).ratings


def info(data: Any, **options: Any) -> dict[str, Any]:
    return podium.rank(data, "elo", **options).info


def connected(data: Matches) -> bool:
    try:
        elo(data)
    except DataError:
        return False
    return True


# What it says


def test_two_agents_stand_as_far_apart_as_their_odds() -> None:
    ratings = rated(Matches.from_records([("a", "b", 1, 3), ("b", "a", 1, 1)]))
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * np.log10(3), abs=1e-9)
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-9)


def test_the_pentathlon_of_the_paper_gives_two_agents_the_same_rating() -> None:
    # Lanctot et al. (2025), figure 3: A and C tie, though C beats both others by majority
    wins = [[0, 0.8, 0.4], [0.2, 0, 0.4], [0.6, 0.6, 0]]
    ranking = podium.rank(Tally.from_matrix(wins, "ABC"), "elo")
    assert ranking.tiers == (("A", "C"), ("B",))
    assert ranking.info["condorcet_winner"] == "C"
    gap = json.loads(shared("golden/votes_published.json").read_text())["pentathlon"]["elo"]
    assert ranking.ratings["A"] - ranking.ratings["B"] == pytest.approx(
        gap["gap_to_B_by_bradley_terry"], abs=0.005
    )


def test_elo_puts_another_than_the_condorcet_winner_first() -> None:
    # Soft Condorcet Optimization, equation 11 in section 4.1
    ranking = podium.rank(Profile.from_ballots([(2, "ABC"), (3, "CAB")]), "elo")
    assert ranking.tiers[0] == ("A",)
    assert ranking.info["condorcet_winner"] == "C"


def test_copies_of_one_agent_move_the_others() -> None:
    # Lanctot et al. (2025), figure 2, with the gap of the golden file (see its status there)
    case = json.loads(shared("golden/votes_published.json").read_text())["vase_elo_clones"]
    copies = case["n_copies_B"]
    names = ["A", "C", *(f"B{i}" for i in range(copies))]
    chances = np.full((len(names), len(names)), 0.5)
    chances[0, 1], chances[0, 2:], chances[2:, 1] = case["p_AC"], case["p_AB"], case["p_BC"]
    chances[1, 0], chances[2:, 0], chances[1, 2:] = (
        1 - case["p_AC"],
        1 - case["p_AB"],
        1 - case["p_BC"],
    )
    np.fill_diagonal(chances, 0)
    ratings = rated(Tally.from_matrix(chances, names))
    assert ratings["A"] - ratings["C"] == pytest.approx(case["reference_gap"], abs=0.05)
    assert 1 / (1 + 10 ** ((ratings["C"] - ratings["A"]) / 400)) == pytest.approx(
        case["reference_p_AC"], abs=5e-4
    )


def test_rock_paper_scissors_has_one_rating_until_one_is_copied() -> None:
    # Balduzzi et al. (2018): A beats B beats C beats A; a second C lifts B and lowers A
    ring = [("A", "B", 1, 7), ("B", "A", 1, 3), ("B", "C", 1, 7), ("C", "B", 1, 3)]
    ring += [("C", "A", 1, 7), ("A", "C", 1, 3)]
    assert list(rated(Matches.from_records(ring)).values()) == pytest.approx([0, 0, 0], abs=1e-9)
    copied = [
        (a.replace("C", "D"), b.replace("C", "D"), s, w) for a, b, s, w in ring if "C" in a + b
    ]
    ratings = rated(Matches.from_records([*ring, *copied]))
    assert ratings["A"] < 0 < ratings["B"]


@given(match_lists(rows=(3, 30)))
@steady(150)
def test_rows_of_predicted_and_observed_wins_have_equal_sums(data: Matches) -> None:
    # Balduzzi et al. (2018), section 2: this is what batch Elo solves
    assume(connected(data))
    ratings = elo(data).values
    observed, predicted = np.zeros((2, len(data.agents)))
    for left, right, score, weight in zip(
        data.left, data.right, data.score, data.weight, strict=True
    ):
        chance = 1 / (1 + 10 ** ((ratings[right] - ratings[left]) / 400))
        observed[left] += weight * score
        observed[right] += weight * (1 - score)
        predicted[left] += weight * chance
        predicted[right] += weight * (1 - chance)
    assert np.allclose(observed, predicted, atol=1e-8)


@given(match_lists(rows=(3, 30)))
@steady(60)
def test_a_tie_is_half_a_win_each_and_a_weight_so_many_matches(data: Matches) -> None:
    assume(connected(data))
    names = data.agents
    literal = []
    for left, right, score, weight in zip(
        data.left, data.right, data.score, data.weight, strict=True
    ):
        literal += [(names[left], names[right], 1.0, weight * score)] * int(score > 0)
        literal += [(names[right], names[left], 1.0, weight * (1 - score))] * int(score < 1)
    single = Matches.from_records(literal, agents=names)
    assert np.allclose(elo(data).values, elo(single).values, atol=1e-8)
    thousand = data.with_weight(data.weight * 1000)
    assert np.allclose(elo(data).values, elo(thousand).values, atol=1e-7)


def test_weights_across_sixty_orders_of_magnitude() -> None:
    data = Matches.from_records([("a", "b", 1, 1e-30), ("b", "a", 1, 1e30)])
    assert rated(data)["b"] == pytest.approx(12_000, abs=1e-6)


def test_a_fit_that_does_not_end_is_no_answer() -> None:
    data = Matches.from_records([("a", "b", 1, 1e-300), ("b", "a", 1, 1e300)])
    with pytest.raises(NotConverged, match=r"residual of 0.5; .* prior=0.1"):
        elo(data)


# Peers


def battles(agents: int = 30, rows: int = 6_000) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(7)
    strength = rng.normal(0, 1.0, agents)
    left = rng.integers(0, agents, rows)
    right = (left + rng.integers(1, agents, rows)) % agents
    chance = 1 / (1 + np.exp(strength[right] - strength[left]))
    score = np.where(rng.random(rows) < 0.1, 0.5, rng.random(rows) < chance)
    return left, right, score


def of_battles() -> Named:
    left, right, score = battles()
    names = [f"m{code:02d}" for code in range(30)]
    return rated(Matches.from_columns([names[i] for i in left], [names[i] for i in right], score))


def test_numbers_that_a_general_optimiser_finds() -> None:
    left, right, score = battles()

    def loss(x: Any) -> tuple[float, Any]:
        gap = x[left] - x[right]
        rest = 1 / (1 + np.exp(-gap)) - score
        gradient = np.bincount(left, rest, 30) - np.bincount(right, rest, 30)
        return float((np.logaddexp(0, gap) - score * gap).sum()), gradient

    best = scipy.optimize.minimize(
        loss, np.zeros(30), jac=True, method="L-BFGS-B", options={"ftol": 0, "gtol": 1e-9}
    )
    expected = (best.x - best.x.mean()) * SCALE
    ours = of_battles()
    assert max(abs(ours[f"m{code:02d}"] - expected[code]) for code in range(30)) < 1e-3


STORED = [79.64486466000864, 173.32789794611276, 101.4681690606284]


def test_numbers_that_choix_and_evalica_gave() -> None:
    # choix 0.4.1 ilsr_pairwise_dense (tolerance 1e-13) and evalica 0.4.2 bradley_terry (1e-14),
    # which agree with one another to 2e-12 on these battles.
    ours = of_battles()
    assert [ours["m00"], ours["m15"], ours["m29"]] == pytest.approx(STORED, abs=1e-6)


def test_choix_gives_the_same() -> None:
    choix = pytest.importorskip("choix")
    left, right, score = battles()
    wins = np.zeros((30, 30))
    np.add.at(wins, (left, right), score)
    np.add.at(wins, (right, left), 1 - score)
    theirs = choix.ilsr_pairwise_dense(wins, tol=1e-13) * SCALE
    ours = of_battles()
    assert max(abs(ours[f"m{i:02d}"] - theirs[i] + theirs.mean()) for i in range(30)) < 1e-6


def test_evalica_gives_the_same() -> None:
    evalica = pytest.importorskip("evalica")
    left, right, score = battles()
    names = [f"m{code:02d}" for code in range(30)]
    words = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    found = evalica.bradley_terry(
        [names[i] for i in left],
        [names[i] for i in right],
        [words[s] for s in score.tolist()],
        tolerance=1e-14,
        limit=100_000,
    ).scores
    logs = {name: float(np.log(found[name])) * SCALE for name in names}
    mean = sum(logs.values()) / 30
    ours = of_battles()
    assert max(abs(ours[name] - logs[name] + mean) for name in names) < 1e-6


# What it refuses: each case at which a peer was silent (evalica: a tie of all; arena-rank: 3606)

UNDEFEATED = [("a", "b", 1), ("a", "c", 1), ("b", "c", 1)]
STRANGERS = [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]


@pytest.mark.parametrize(
    ("records", "agents", "says", "components"),
    [
        (UNDEFEATED, "abc", "'a' is undefeated; 'c' is winless", [("a",), ("b",), ("c",)]),
        (
            [*UNDEFEATED, ("c", "b", 1)],
            "abc",
            "'a' is undefeated; of 'b', 'c' nobody ever won or tied against anybody else",
            [("b", "c"), ("a",)],
        ),
        (
            STRANGERS,
            "abcd",
            "these groups never met: 'a', 'b' | 'c', 'd'",
            [("a", "b"), ("c", "d")],
        ),
        (STRANGERS[:2], "abc", "'c' is in no match", [("a", "b"), ("c",)]),
        ([], "ab", "nobody met anybody", [("a",), ("b",)]),
        ([("a", "b", 1), ("c", "d", 1)], "abcd", "'a', 'c' are undefeated", [*"abcd"]),
        ([("a", "b", 1, 0.0), ("b", "a", 1)], "ab", "'b' is undefeated", [("a",), ("b",)]),
    ],
)
def test_agents_without_a_finite_rating_are_named(
    records: list[Any], agents: str, says: str, components: list[Any]
) -> None:
    data = Matches.from_records(records, agents=[*agents])
    with pytest.raises(DataError) as caught:
        podium.rank(data)
    assert says in str(caught.value)
    assert "prior=0.1" in str(caught.value)
    assert caught.value.components == tuple(map(tuple, components))


def test_one_undefeated_agent_among_three_is_refused_and_with_a_prior_is_first() -> None:
    # 24 battles: evalica ties all at 1e-06, arena-rank gives 3606 with an interval of no width
    data = Matches.from_records(
        [("a", "b", 1, 8), ("a", "c", 1, 8), ("b", "c", 1, 5), ("c", "b", 1, 3)]
    )
    with pytest.raises(DataError, match="'a' is undefeated"):
        elo(data)
    ranking = podium.rank(data, "elo", prior=0.1, intervals="posterior")
    assert ranking.tiers == (("a",), ("b",), ("c",))
    low, high = ranking.intervals["a"]
    assert high - low > 300
    assert "'a' is undefeated" in ranking.info["notes"][0]
    assert ranking.info["components"] == (("b", "c"), ("a",))


def test_many_agents_apart_are_counted_and_not_all_listed() -> None:
    records = [(f"w{i:04d}", f"l{i:04d}", 1.0) for i in range(3_000)]
    with pytest.raises(DataError) as caught:
        elo(Matches.from_records(records))
    assert "and 2,996 groups more" in str(caught.value)
    assert len(str(caught.value)) < 1_000
    assert len(caught.value.components) == 6_000


def test_what_rounding_leaves_of_weights_is_no_tie() -> None:
    third = 0.1 + 0.2  # a little more than 0.3
    counts = Tally.from_matrix([[0.0, 0.3], [0.0, 0.0]], "ab", [[0.0, third], [third, 0.0]])
    with pytest.raises(DataError, match="'a' is undefeated"):
        elo(counts)


def test_a_misspelt_winner_is_an_error_and_no_tie() -> None:
    # arena-rank reads an unknown label as a tie, silently
    with pytest.raises(DataError, match="modelb"):
        Matches.from_columns(["x", "y"], ["y", "x"], winner=["model_a", "modelb"])


def test_weights_of_a_half_count_as_a_half() -> None:
    # OpenSpiel's add_vote takes whole numbers alone
    half = Profile.from_ballots([(0.5, "ab"), (0.25, "ba")])
    assert rated(half)["a"] * 2 == pytest.approx(400 * np.log10(2), abs=1e-9)


@given(match_lists(rows=(0, 8)), st.permutations("abcde"))
@steady(60)
def test_what_is_refused_does_not_depend_on_names(data: Matches, order: list[str]) -> None:
    other = dict(zip("abcde", order, strict=True))
    renamed = Matches.from_records(
        [
            (other[data.agents[left]], other[data.agents[right]], score, weight)
            for left, right, score, weight in zip(
                data.left, data.right, data.score, data.weight, strict=True
            )
        ],
        agents=sorted(other[agent] for agent in data.agents),
    )
    answers: list[Any] = []
    for matches, names in ((data, other), (renamed, {agent: agent for agent in order})):
        try:
            found = elo(matches)
            answers.append(
                {
                    names[a]: round(v, 6)
                    for a, v in zip(found.agents, found.values.tolist(), strict=True)
                }
            )
        except DataError as error:
            answers.append({frozenset(names[a] for a in group) for group in error.components})
    assert answers[0] == (
        pytest.approx(answers[1], abs=1e-5) if isinstance(answers[1], dict) else answers[1]
    )


# Options


def test_a_prior_makes_groups_that_never_met_comparable_and_says_so() -> None:
    data = Matches.from_records([("a", "b", 1, 3), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)])
    ratings = rated(data, prior=0.5)
    assert ratings["c"] == pytest.approx(ratings["d"])
    assert ratings["a"] > ratings["c"] > ratings["b"]
    assert "come from the prior alone" in info(data, prior=0.5)["notes"][0]


def test_a_prior_is_that_many_wins_and_losses_against_a_rival_of_rating_0() -> None:
    data = Matches.from_records(UNDEFEATED)
    beside = [(agent, "rival", score, 0.3) for agent in "abc" for score in (1.0, 0.0)]
    against = rated(
        Matches.from_records([*((*row, 1.0) for row in UNDEFEATED), *beside]), anchor="rival"
    )
    mean = (against["a"] + against["b"] + against["c"]) / 3
    ours = rated(data, prior=0.3)
    for agent in "abc":
        assert ours[agent] == pytest.approx(against[agent] - mean, abs=1e-7)


def test_a_smaller_prior_leads_to_the_plain_fit() -> None:
    data = Matches.from_records([("a", "b", 1, 3), ("b", "a", 1), ("b", "c", 1), ("c", "a", 1)])
    assert rated(data, prior=1e-9) == pytest.approx(rated(data), abs=1e-4)


def test_an_anchor_shifts_and_changes_nothing_else() -> None:
    data = Matches.from_records([("a", "b", 1, 3), ("b", "a", 1), ("b", "c", 1), ("c", "a", 1)])
    plain, shifted = rated(data), rated(data, anchor="b")
    assert shifted["b"] == 0
    assert {a: v + plain["b"] for a, v in shifted.items()} == pytest.approx(plain, abs=1e-9)
    with pytest.raises(DataError, match="elo:anchor: no agent named 'x'"):
        elo(data, anchor="x")
    for wrong in (-0.1, float("nan"), float("inf")):
        with pytest.raises(DataError, match="elo:prior is"):
            elo(data, prior=wrong)


def test_ties_of_their_own_have_the_rate_that_was_seen() -> None:
    # Davidson (1970): of two agents with wins w, losses l and ties t, nu = t / sqrt(w l)
    data = Matches.from_records([("a", "b", 1, 6), ("b", "a", 1, 2), ("a", "b", 0.5, 5)])
    ratings, told = rated(data, ties="davidson"), info(data, ties="davidson")
    assert ratings["a"] - ratings["b"] == pytest.approx(400 * np.log10(3), abs=1e-8)
    assert told["nu"] == pytest.approx(5 / np.sqrt(12), abs=1e-10)
    assert told["tie_rate"] == pytest.approx(told["nu"] / (2 + told["nu"]))


def test_where_nobody_ties_both_ways_to_count_ties_agree() -> None:
    data = Matches.from_records([("a", "b", 1, 3), ("b", "a", 1), ("b", "c", 1), ("c", "a", 1)])
    assert rated(data, ties="davidson") == rated(data)
    assert info(data, ties="davidson")["nu"] == 0


@pytest.mark.parametrize("records", [[("a", "b", 0.5)], [("a", "b", 0.5), ("a", "b", 1)]])
def test_ties_that_explain_all_have_no_finite_rate(records: list[Any]) -> None:
    data = Matches.from_records(records)
    with pytest.raises(DataError, match=r"no finite rate of ties .*ties=half"):
        elo(data, ties="davidson")


# Terms


def sided(rng: np.random.Generator, rows: int = 400) -> Matches:
    left = rng.integers(0, 4, rows)
    right = (left + rng.integers(1, 4, rows)) % 4
    judge = rng.choice(["ann", "bob", "eve"], rows)
    length = rng.normal(0, 1, rows)
    odds = (left - right) * 0.5 + 0.4 + 0.8 * length + (judge == "ann") * 0.6
    score = (rng.random(rows) < 1 / (1 + np.exp(-odds))) * 1.0
    score[rng.random(rows) < 0.1] = 0.5
    names = np.array(list("abcd"))
    return Matches.from_columns(
        names[left].tolist(),
        names[right].tolist(),
        score,
        terms={"judge": judge.tolist(), "length": length.tolist()},
    )


def test_the_advantage_of_the_first_agent_in_closed_form() -> None:
    # a first: 6 to 2; b first: 3 to 4. Odds are d + s and -d + s in logs.
    data = Matches.from_records(
        [("a", "b", 1, 6), ("a", "b", 0, 2), ("b", "a", 1, 3), ("b", "a", 0, 4)]
    )
    first, second = np.log(3), np.log(3 / 4)
    told = info(data, side=True)["terms"]["side"]
    assert told["estimate"] == pytest.approx(SCALE * (first + second) / 2, abs=1e-7)
    ratings = rated(data, side=True)
    assert ratings["a"] - ratings["b"] == pytest.approx(SCALE * (first - second) / 2, abs=1e-7)
    # Variance of half the sum of two log-odds, each with 1/wins + 1/losses.
    variance = (1 / 6 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert told["error"] == pytest.approx(SCALE * np.sqrt(variance), abs=1e-6)


def test_terms_are_those_of_a_logistic_regression() -> None:
    data = sided(np.random.default_rng(4))
    judges, length = data.terms
    design = np.zeros((len(data.left), 8))
    rows = np.arange(len(data.left))
    design[rows, data.left] += 1
    design[rows, data.right] -= 1
    design[rows, 4 + judges.values.astype(int)] = 1  # a column a judge: side is their mean
    design[:, 7] = length.values

    def loss(x: Any) -> float:
        odds = design @ x
        return float((np.logaddexp(0, odds) - data.score * odds).sum())

    best = scipy.optimize.minimize(loss, np.zeros(8), method="BFGS", options={"gtol": 1e-7}).x
    ranking = podium.rank(data, "elo", side=True, terms="judge + length")
    agents = (best[:4] - best[:4].mean()) * SCALE
    assert [ranking.ratings[a] for a in data.agents] == pytest.approx(agents, abs=0.01)
    told = ranking.info["terms"]
    assert told["side"]["estimate"] == pytest.approx(best[4:7].mean() * SCALE, abs=0.01)
    assert told["length"]["estimate"] == pytest.approx(best[7] * SCALE, abs=0.01)
    ours = [told["judge"][label]["estimate"] for label in judges.labels]
    assert ours == pytest.approx((best[4:7] - best[4:7].mean()) * SCALE, abs=0.01)
    assert sum(ours) == pytest.approx(0, abs=1e-7)


def test_the_unit_of_a_term_does_not_matter() -> None:
    data = sided(np.random.default_rng(4))
    length = data.terms[1].values
    grown = Matches.from_codes(
        data.roster,
        data.left,
        data.right,
        data.score,
        terms=(Term.of("length", (1e6 * length).tolist()),),
    )
    small = podium.rank(data, "elo", terms="length")
    large = podium.rank(grown, "elo", terms="length")
    assert large.ratings == pytest.approx(small.ratings, abs=1e-7)
    ratio = small.info["terms"]["length"]["estimate"] / large.info["terms"]["length"]["estimate"]
    assert ratio == pytest.approx(1e6, rel=1e-9)


def test_terms_need_matches_and_known_columns() -> None:
    data = sided(np.random.default_rng(4))
    cases = [
        ({"terms": "lenght"}, r"did you mean 'length'.*podium.read\(..., terms=\('lenght',\)\)"),
        ({"terms": "length+length"}, "each once"),
        ({"terms": "+"}, "joined by"),
        ({"terms": "side"}, "side=true"),
    ]
    for options, says in cases:
        with pytest.raises(DataError, match=says):
            elo(data, **options)
    counts = Tally.from_matrix([[0, 1], [1, 0]], "ab")
    with pytest.raises(DataError, match="give matches, not counts"):
        elo(counts, side=True)
    with pytest.raises(DataError, match="these matches have no terms"):
        elo(Matches.from_records([("a", "b", 1), ("b", "a", 1)]), terms="judge")


def with_terms(records: list[Any], **terms: list[Any]) -> Matches:
    left, right, score = zip(*records, strict=True)
    return Matches.from_columns(left, right, score, terms=terms)


def test_terms_that_say_nothing_of_their_own_are_refused() -> None:
    records = [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("c", "a", 1)] * 3
    one = with_terms(records, judge=["ann"] * 12)
    with pytest.raises(DataError, match="'judge' holds 'ann' alone"):
        elo(one, terms="judge")
    twice = with_terms(records, x=[1.0, 2.0] * 6, y=[2.0, 4.0] * 6)
    with pytest.raises(DataError, match="'x', 'y' would add"):
        elo(twice, terms="x+y")
    nothing = with_terms(records, x=[0.0] * 12)
    with pytest.raises(DataError, match="'x' would add"):
        elo(nothing, terms="x")


def test_a_judge_who_always_says_the_same_has_no_finite_estimate() -> None:
    records = [("a", "b", 1), ("b", "a", 1), ("a", "b", 0), ("b", "a", 0)] * 5
    judges = ["ann", "ann", "ann", "ann"] * 5
    stubborn = with_terms([*records, ("a", "b", 1), ("b", "a", 1)], judge=[*judges, "bob", "bob"])
    with pytest.raises(
        DataError, match=r"no finite estimate for 'judge', 'side'.*give the column as cluster"
    ):
        elo(stubborn, terms="judge")


def test_an_empty_label_is_a_label() -> None:
    records = [("a", "b", 1), ("b", "a", 1), ("a", "b", 0), ("b", "a", 0)] * 2
    judges = ["", "", "x", "x", "x", "x", "", ""]
    told = info(with_terms(records, judge=judges), terms="judge")["terms"]["judge"]
    assert set(told) == {"", "x"}


def test_matches_of_weight_0_tell_nothing() -> None:
    records = [("a", "b", 1), ("b", "a", 1), ("a", "b", 0), ("b", "a", 0)] * 2
    judges = ["ann", "ann", "bob", "bob", "bob", "bob", "ann", "ann", "zoe"]
    data = with_terms([*records, ("a", "b", 1)], judge=judges)
    quiet = data.with_weight([*[1] * 8, 0])
    assert set(info(quiet, terms="judge")["terms"]["judge"]) == {"ann", "bob"}


# Starting from other ratings


@given(match_lists(rows=(4, 30)), match_lists(rows=(4, 30)))
@steady(40)
def test_a_warm_start_changes_nothing(data: Matches, near: Matches) -> None:
    assume(connected(data) and connected(near))
    start: Ratings = elo(near)
    warm = METHODS["elo"].again(data, start, {})
    assert np.allclose(warm.values, elo(data).values, atol=1e-8)
    assert warm.tiers.tolist() == elo(data).tiers.tolist()


def test_small_data_have_an_answer_or_an_error() -> None:
    assert rated(Matches.from_records([])) == {}
    assert rated(Matches.from_records([], agents=["a"])) == {"a": 0.0}
    assert rated(Tally.from_matrix([[0.0]], ["a"]), prior=1.0) == {"a": 0.0}
