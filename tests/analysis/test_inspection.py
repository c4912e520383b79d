"""Inspection: each finding on data made for it, then on published data."""

import csv
import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.inspection import Completion, Coverage, Inspection, Zero, inspect
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from shared import shared
from strategies import ANY_DATA, profiles, shuffled, steady

NAN = float("nan")
KEYS = [
    *("schema", "data", "coverage", "samples", "ties"),
    *("condorcet_winner", "weak_condorcet_winners", "condorcet_loser", "weak_condorcet_losers"),
    *("smith_set", "schwartz_set", "uncovered_set", "cycles"),
    *("completion", "ballots", "duplicate_tasks", "clones", "suspicious_zeros", "hodge", "nash"),
    *("notes", "warnings", "left_out"),
]


def table(rows: Any, agents: str, **options: Any) -> Scores:
    return Scores.from_matrix(rows, [f"t{i}" for i in range(len(rows))], list(agents), **options)


def votes(*ballots: tuple[float, str], agents: str | None = None) -> Profile:
    return Profile.from_ballots(
        [(weight, [list(group) for group in text.split(">")]) for weight, text in ballots],
        None if agents is None else list(agents),
    )


def warned(found: Inspection, *words: str) -> bool:
    return any(all(word in text for word in words) for text in found.warnings)


# Coverage, samples, ties


def covered(data: Any) -> Coverage:
    found = inspect(data).coverage
    assert found is not None
    return found


def test_coverage_of_scores() -> None:
    found = covered(table([[1, 2, NAN], [3, 4, 5], [NAN, NAN, 6], [1, 2, NAN]], "abc"))
    assert found.agents == {"a": 0.75, "b": 0.75, "c": 0.5}
    assert found.tasks == {"t0": 2 / 3, "t1": 1.0, "t2": 1 / 3, "t3": 2 / 3}
    assert (found.cells, found.missing, found.unit) == (12, 4, "tasks")
    assert (found.pairs, found.never_met, found.least_met) == (3, 0, 1.0)
    assert found.groups == (("a", "b", "c"),)
    assert found.thin == ()


def test_coverage_names_pairs_that_never_met_and_groups() -> None:
    found = inspect(votes((1, "b>a"), (1, "d>c"), (1, "c>e"), agents="abcdef"))
    assert found.coverage is not None
    assert found.coverage.groups == (("c", "d", "e"), ("a", "b"), ("f",))
    assert found.coverage.never_met == 12
    assert ("d", "e") in found.coverage.never_met_pairs
    assert ("c", "d") not in found.coverage.never_met_pairs
    assert len(found.coverage.never_met_pairs) == 12
    assert warned(found, "{a, b}", "{f}", "rests on nothing")


def test_an_agent_with_few_comparisons_is_told() -> None:
    rows = np.arange(40.0).reshape(10, 4)
    rows[2:, 3] = NAN
    found = inspect(table(rows, "abcd"))
    assert found.coverage is not None
    assert found.coverage.thin == ("d",)
    assert warned(found, "few comparisons", "d")
    assert not inspect(table(rows[:2], "abcd")).warnings


def test_matches_are_covered_by_rivals() -> None:
    found = covered(Matches.from_records([("a", "b", 1), ("b", "c", 0.5)]))
    assert found.unit == "rivals"
    assert found.agents == {"a": 0.5, "b": 1.0, "c": 0.5}
    assert found.never_met_pairs == (("a", "c"),)


def test_samples_of_cells() -> None:
    rows = [("t", "a", 1.0)] * 12 + [("t", "b", 2.0), ("u", "a", 1.0), ("u", "b", 0.0)]
    found = inspect(Scores.from_records(rows))
    assert found.samples is not None
    assert (found.samples.total, found.samples.least, found.samples.most) == (15, 1, 12)
    assert found.samples.repeated == 1
    assert warned(found, "1 to 12 samples")


def test_ties_and_constant_tasks() -> None:
    found = inspect(table([[1, 1, 1], [2, 2, 1], [1, 2, 3], [NAN, NAN, 3]], "abc"))
    assert found.ties is not None
    assert found.ties.share == pytest.approx(4 / 9)
    assert found.ties.constant_tasks == ("t0",)
    assert found.ties.lone_tasks == ("t3",)
    assert found.ties.level_pairs == 2  # a and c, b and c: one win each
    assert warned(found, "t0", "tells nothing")


# Majority


def test_a_strong_winner_and_loser() -> None:
    found = inspect(votes((2, "a>b>c"), (1, "b>c>a")))
    assert found.condorcet_winner == "a"
    assert found.weak_condorcet_winners == ("a",)
    assert found.condorcet_loser == "c"
    assert found.smith_set == ("a",)
    assert found.majority is not None
    assert found.majority.cycles is not None
    assert found.majority.cycles.components == ()


def test_weak_winners_only() -> None:
    found = inspect(votes((1, "a>b>c"), (1, "b>a>c")))
    assert found.condorcet_winner is None
    assert found.weak_condorcet_winners == ("a", "b")
    assert found.smith_set == ("a", "b")
    assert not found.warnings


def test_a_cycle_at_the_top() -> None:
    found = inspect(votes((4, "a>b>c>d"), (3, "b>c>a>d"), (2, "c>a>b>d")))
    majority = found.majority
    assert majority is not None
    assert majority.condorcet_winner is None
    assert majority.weak_condorcet_winners == ()
    assert majority.condorcet_loser == "d"
    for name in ("smith_set", "schwartz_set", "uncovered_set"):
        assert getattr(majority, name) == ("a", "b", "c")
    assert majority.cycles is not None
    assert majority.cycles.components == (("a", "b", "c"),)
    assert majority.cycles.triples == 1
    assert majority.cycles.share == 0.25
    assert majority.cycles.example == ("a", "b", "c")
    assert warned(found, "circle", "{a, b, c}", "compare")


def test_a_cycle_below_the_top_is_told_without_a_warning() -> None:
    found = inspect(votes((4, "d>a>b>c"), (3, "d>b>c>a"), (2, "d>c>a>b")))
    assert found.condorcet_winner == "d"
    assert found.majority is not None
    assert found.majority.cycles is not None
    assert found.majority.cycles.example == ("a", "b", "c")
    assert not warned(found, "circle")


def test_a_cycle_that_loses_to_nobody_but_ties_is_not_the_whole_smith_set() -> None:
    wins = np.array([[0, 2, 0, 1], [0, 0, 2, 1], [2, 0, 0, 1], [1, 1, 1, 0]], dtype=float)
    wins[3, 0] = 0.0
    found = inspect(Tally.from_matrix(wins, list("abcd")))
    assert found.smith_set == ("a", "b", "c", "d")
    assert found.majority is not None
    assert found.majority.schwartz_set == ("a", "b", "c")


def test_too_many_agents_are_said_to_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DENSE_LIMIT", "PRODUCT_LIMIT", "EXAMPLE_LIMIT"):
        monkeypatch.setattr(f"podium.analysis._majority.{name}", 2)
    found = inspect(votes((4, "a>b>c"), (3, "b>c>a"), (2, "c>a>b")))
    assert found.smith_set == ("a", "b", "c")
    assert set(found.left_out) >= {"schwartz_set", "uncovered_set", "cycles"}
    assert found.to_dict()["cycles"] is None


def test_sparse_tallies_have_winners_too() -> None:
    names = [f"agent {i}" for i in range(5_002)]
    star = [("agent 7", name, 1.0) for name in names if name != "agent 7"]
    ring = [("agent 1", "agent 2", 1.0), ("agent 2", "agent 3", 1.0), ("agent 3", "agent 1", 1.0)]
    found = inspect(Matches.from_records([*star, *ring], agents=names))
    assert found.condorcet_winner == "agent 7"
    assert found.smith_set == ("agent 7",)
    assert found.majority is not None
    assert found.majority.schwartz_set == ("agent 7",)
    assert "cycles" in found.left_out
    assert found.coverage is not None
    assert len(found.coverage.groups) == 1


# Missing votes


def completed(data: Any) -> Completion:
    found = inspect(data).completion
    assert found is not None
    return found


def test_missing_votes_leave_winners_open() -> None:
    found = inspect(table([[3, 2, 1], [3, NAN, 1], [NAN, NAN, 1]], "abc"))
    assert found.completion is not None
    assert found.condorcet_winner == "a"
    assert found.completion.possible_condorcet_winners == ("a", "b")
    assert found.completion.necessary_condorcet_winner is None
    assert found.completion.missing_share == pytest.approx(3 / 9)
    assert warned(found, "a, b", "missing")


def test_a_winner_that_missing_votes_cannot_unseat() -> None:
    found = completed(table([[3, 2, 1], [3, 2, 1], [3, 1, NAN]], "abc"))
    assert found.possible_condorcet_winners == ("a",)
    assert found.necessary_condorcet_winner == "a"
    assert found.necessary_borda_winners == ("a",)
    assert found.borda == {"a": (5.0, 6.0), "b": (2.0, 3.0), "c": (0.0, 2.0)}


@given(profiles(partial=False))
@steady(60)
def test_without_missing_votes_possible_is_necessary(profile: Profile) -> None:
    found = inspect(profile)
    assert found.completion is not None
    expected = () if found.condorcet_winner is None else (found.condorcet_winner,)
    assert found.completion.possible_condorcet_winners == expected
    assert found.completion.necessary_condorcet_winner == found.condorcet_winner
    assert found.completion.borda is not None
    assert all(low == high for low, high in found.completion.borda.values())


def test_weighted_tasks_count_in_completion() -> None:
    rows = [[2, 1], [1, 2], [NAN, 1]]
    assert completed(table(rows, "ab")).necessary_condorcet_winner is None
    heavy = inspect(table(rows, "ab"), weights={"t0": 5.0})
    assert heavy.completion is not None
    assert heavy.completion.necessary_condorcet_winner == "a"


# Ballots and tasks


def test_repeated_ballots() -> None:
    found = inspect(
        votes((3, "a>b>c"), (2, "b>ac"), (1, "c>b>a"), (1, "a>b>c"), (1, "b>ca"))
    ).ballots
    assert found is not None
    assert (found.votes, found.distinct, found.unique) == (8.0, 3, 1)
    assert found.histogram == ((1.0, 1), (3.0, 1), (4.0, 1))
    assert [(r.ballot, r.times) for r in found.most_repeated] == [
        ("a > b > c", 4.0),
        ("b > a = c", 3.0),
    ]


def test_a_shorter_ballot_is_another_ranking() -> None:
    found = inspect(votes((1, "a>b"), (1, "a>b>c"), (1, "ab"))).ballots
    assert found is not None
    assert found.distinct == 3


def test_tasks_count_once_whatever_their_weight() -> None:
    data = table([[1, 2], [3, 4], [2, 1]], "ab", weights={"t0": 9.0})
    found = inspect(data).ballots
    assert found is not None
    assert (found.votes, found.distinct, found.unique) == (3.0, 2, 1)
    assert found.most_repeated[0].tasks == ("t0", "t1")


def test_duplicate_tasks() -> None:
    rows = [
        [1, 2, 3],
        [1, 2, 3],
        [10, 20, 30],
        [5, 5, 5],
        [5, 5, 5],
        [3, 2, 1],
        [0, 0, 1],
        [0, 0, 1],
    ]
    found = inspect(table(rows, "abc"))
    assert found.duplicate_tasks is not None
    assert found.duplicate_tasks.scores == (("t0", "t1"), ("t6", "t7"))
    assert found.duplicate_tasks.rankings == (("t0", "t1", "t2"), ("t6", "t7"))
    assert found.duplicate_tasks.telling == (("t0", "t1"),)
    assert warned(found, "{t0, t1}", "twice")
    assert not warned(found, "t6")


def test_a_missing_score_makes_another_task() -> None:
    found = inspect(table([[1, 2, 3], [1, 2, NAN]], "abc")).duplicate_tasks
    assert found is not None
    assert found.scores == ()


# Clones


def test_identical_agents_on_shared_tasks() -> None:
    rows = [[1, 1, 3, 3], [2, 2, 3, NAN], [4, NAN, 5, NAN], [0, 0, 9, NAN]]
    found = inspect(table(rows, "abcd"))
    assert found.clones is not None
    assert found.clones.identical == (("a", "b"),)  # c and d share one task only
    assert warned(found, "{a, b}", "apart")


def test_likeness_that_does_not_carry_on_is_told_in_pairs() -> None:
    rows = [[1, 1, NAN], [2, 2, NAN], [NAN, 3, 3], [NAN, 4, 4], [5, NAN, 6]]
    found = inspect(table(rows, "abc")).clones
    assert found is not None
    assert found.identical == (("a", "b"), ("b", "c"))


def test_clone_pairs_and_sets() -> None:
    found = inspect(votes((1, "e>a>b>c>d"), (1, "c>b>a>e>d"), (1, "d>e>b>a>c"), (1, "a>b>c>d>e")))
    assert found.clones is not None
    assert found.clones.pairs == (("a", "b"),)
    assert found.clones.sets == (("a", "b"), ("a", "b", "c"))


def test_clones_that_chance_explains_are_no_warning() -> None:
    assert not warned(inspect(votes((1, "a>b>c>d"))), "clones")
    rng = np.random.default_rng(0)
    orders = [rng.permutation(list("cdefgh")).tolist() for _ in range(8)]
    twins = [
        (1.0, [name for agent in order for name in (["a", "b"] if agent == "c" else [agent])])
        for order in orders
    ]
    found = inspect(Profile.from_ballots(twins))
    assert found.clones is not None
    assert found.clones.pairs == (("a", "b"),)
    assert warned(found, "clones: a and b")


def relations(profile: Profile, member: str, outsider: str) -> list[str]:
    """How a member of a set stands to an outsider, ballot by ballot."""
    found = []
    for _, order in profile.ballots():
        place = {agent: number for number, group in enumerate(order) for agent in group}
        if member not in place:
            found.append("left out")
        elif outsider not in place:
            found.append("alone")
        else:
            found.append(str(np.sign(place[member] - place[outsider])))
    return found


def clone_sets(profile: Profile) -> set[frozenset[str]]:
    """All sets, of agents on any ballot, whose members are alike to every outsider."""
    listed = sorted({a for _, order in profile.ballots() for group in order for a in group})
    return {
        frozenset(some)
        for number in range(2, len(listed))
        for some in combinations(listed, number)
        if all(
            relations(profile, member, outsider) == relations(profile, some[0], outsider)
            for outsider in set(listed) - set(some)
            for member in some
        )
    }


@given(profiles(agents=(3, 5), ballots=(1, 4)))
@steady(150)
def test_clone_sets_are_their_definition(profile: Profile) -> None:
    every = clone_sets(profile)
    found = inspect(profile).clones
    assert found is not None
    if found.pairs is None or found.sets is None:
        assert not len(profile.who)
        return
    assert set(map(frozenset, found.pairs)) == {some for some in every if len(some) == 2}
    apart = {a for a in every if all(a <= b or b <= a or not a & b for b in every)}
    assert set(map(frozenset, found.sets)) == apart


def test_all_agents_together_are_no_clone_set() -> None:
    found = inspect(votes((1, "ab"), (2, "ab"))).clones
    assert found is not None
    assert found.identical == (("a", "b"),)
    assert (found.pairs, found.sets) == ((), ())


def test_equal_strategies_of_a_game() -> None:
    found = inspect(Game.from_payoffs([[[1, 2], [1, 2], [0, 0]], [[0, 1], [0, 1], [0, 1]]]))
    assert found.clones is not None
    assert found.clones.identical == (("1", "2"),)
    assert found.majority is None
    assert "game" in found.left_out["majority"]


# Zeros


def zeros(rows: Any, agents: str, **options: Any) -> tuple[tuple[str, str], ...]:
    found = inspect(table(rows, agents, **options)).suspicious_zeros
    assert found is not None
    return tuple((cell.task, cell.agent) for cell in found.cells)


def test_a_zero_among_large_scores_is_suspicious() -> None:
    rows = [[80, 75, 82], [70, 72, 69], [90, 0, 85], [60, 61, 66]]
    found = inspect(table(rows, "abc"))
    assert found.suspicious_zeros is not None
    assert found.suspicious_zeros.cells == (Zero("t2", "b", 87.5),)
    assert warned(found, "failed run?", "b on t2")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([[80, 75, 82], [70, 72, 69], [0, 0, 85], [60, 61, 66]], "others have 0 there too"),
        ([[80, 75, 82], [70, 72, 69], [-3, 0, 4], [60, 61, 66]], "scores below 0 are usual there"),
        ([[80, 3, 82], [70, 9, 69], [90, 0, 85], [60, 61, 66]], "the agent is weak elsewhere"),
        ([[80, 75, 82], [90, 0, 85]], "one other task says too little"),
    ],
)
def test_a_zero_that_something_explains_is_not(rows: Any, why: str) -> None:
    assert zeros(rows, "abc") == (), why


def test_a_zero_is_seen_across_scales_and_where_low_is_better() -> None:
    rows = [[8000, 7500, 8200], [0.7, 0.72, 0.69], [900, 0, 850], [6, 6.1, 6.6]]
    assert zeros(rows, "abc") == (("t2", "b"),)
    assert zeros(rows, "abc", lower_is_better=["t2"]) == (("t2", "b"),)


def test_a_lone_agent_is_held_against_itself() -> None:
    assert zeros([[80], [75], [0], [90]], "a") == (("t2", "a"),)
    assert zeros([[80], [0], [0], [0]], "a") == ()


# The whole


def test_what_the_reader_noted_is_passed_on() -> None:
    data = table([[1, 2]], "ab").with_notes("2 exact duplicates were dropped")
    assert inspect(data).notes == ("2 exact duplicates were dropped",)


@pytest.mark.parametrize("kind", list(ANY_DATA), ids=lambda kind: kind.__name__)
def test_every_kind_is_inspected(kind: type) -> None:
    @given(ANY_DATA[kind], st.integers(0, 1000))
    @steady(60)
    def check(data: Any, seed: int) -> None:
        found = inspect(data)
        answer = found.to_dict()
        assert list(answer) == KEYS
        assert answer["schema"] == "podium.inspect/1"
        json.dumps(answer, allow_nan=False)
        assert str(found)
        assert "<table>" in found._repr_html_()
        mixed = shuffled(data, np.random.default_rng(seed), lambda name: name)
        assert inspect(mixed).to_dict() == answer

    check()


@given(profiles(), st.integers(0, 1000))
@steady(60)
def test_names_do_not_matter(profile: Profile, seed: int) -> None:
    new = dict(zip(profile.agents, reversed("pqrstuvw"[: len(profile.agents)]), strict=True))
    before = inspect(profile)
    after = inspect(shuffled(profile, np.random.default_rng(seed), new.__getitem__))
    assert before.majority is not None
    assert after.majority is not None
    for name in ("weak_condorcet_winners", "smith_set", "schwartz_set", "uncovered_set"):
        expected = {new[agent] for agent in getattr(before.majority, name)}
        assert set(getattr(after.majority, name)) == expected
    assert before.clones is not None
    assert after.clones is not None
    renamed = {frozenset(new[a] for a in some) for some in before.clones.sets or ()}
    assert set(map(frozenset, after.clones.sets or ())) == renamed
    assert before.majority.cycles is not None
    assert after.majority.cycles is not None
    assert len(before.majority.cycles.example) == len(after.majority.cycles.example)


def test_html_is_escaped() -> None:
    text = inspect(Profile.from_ballots([(1.0, ["<b>", "c"])]))._repr_html_()
    assert "&lt;b&gt;" in text
    assert "<b>" not in text


def test_nothing_at_all_is_inspected() -> None:
    for data in (Scores.from_records([]), Matches.from_records([]), Profile.from_ballots([])):
        found = inspect(data)
        assert found.condorcet_winner is None
        assert found.smith_set == ()
        assert str(found)


def test_weights_need_tasks() -> None:
    with pytest.raises(DataError, match="no tasks"):
        inspect(Tally.from_matrix([[0, 1], [0, 0]], ["a", "b"]), weights={"t": 2.0})
    with pytest.raises(DataError, match="no task named"):
        inspect(table([[1, 2]], "ab"), weights={"x": 2.0})


def test_a_task_of_weight_zero_has_no_say() -> None:
    data = votes((1, "a>b"), (1, "b>a"), agents="ab")
    silent = inspect(data.with_vote_weights([1.0, 0.0]))
    assert silent.condorcet_winner == "a"
    assert silent.ballots is not None
    assert silent.ballots.distinct == 1


# Published data


def test_rainbow_rankings_are_all_unique() -> None:
    # Lanctot et al. 2025, Observation 1 and Table 2: no repeated votes, Rainbow the strong winner
    found = podium.inspect(shared("data/atari/rainbow_table5_human_starts.csv"))
    assert found.ballots is not None
    assert (found.ballots.distinct, found.ballots.unique) == (54, 54)
    assert found.condorcet_winner == "rainbow"
    assert found.weak_condorcet_winners == ("rainbow",)
    assert found.suspicious_zeros is not None
    assert found.suspicious_zeros.cells == ()


def test_agentbench_winner() -> None:
    # Lanctot et al. 2025, section 5.2: gpt-4 is the strong Condorcet winner
    found = podium.inspect(shared("data/agentbench/agentbench_v1_table3.csv"))
    assert found.condorcet_winner == "gpt-4"


def index_rows() -> list[dict[str, str]]:
    with shared("data/preflib/index.csv").open() as lines:
        return list(csv.DictReader(lines))


LEFT_OUT_LAST = {"00032-00000006.toi", "00056-00003286.soi"}
"""Files whose flag holds only if a ballot puts those it leaves out last.

PrefLib's own tool does not compare them, as podium does not, and 00053-00000187.soi
is flagged that way; these two flags were made by another rule.
"""


def last(profile: Profile) -> Profile:
    """Put on each ballot those that it leaves out, tied behind the others."""
    full = []
    for weight, order in profile.ballots():
        behind = set(profile.agents) - {agent for group in order for agent in group}
        full.append((weight, [*order, sorted(behind)] if behind else order))
    return Profile.from_ballots(full, profile.agents)


def test_preflib_condorcet_flags_and_unique_orders() -> None:
    flagged = 0
    for row in index_rows():
        if int(row["alternatives"]) > 500:
            continue
        profile = podium.read(shared(f"data/preflib/{row['file']}"))
        assert isinstance(profile, Profile)
        found = inspect(profile)
        assert found.ballots is not None
        assert found.ballots.distinct == int(row["unique_orders"]), row["file"]
        assert found.ballots.votes == float(row["votes"]), row["file"]
        if row["condorcet_winner_per_metadata"] != "N/A" and int(row["alternatives"]) > 1:
            expected = row["condorcet_winner_per_metadata"] == "True"
            if row["file"] in LEFT_OUT_LAST:
                assert found.coverage is not None
                assert found.coverage.never_met > 0
                found = inspect(last(profile))
            assert (found.condorcet_winner is not None) == expected, row["file"]
            flagged += 1
    assert flagged == 56


# Ratings and circles, Nash equilibrium


def test_few_tasks_in_the_equilibrium_are_warned_of() -> None:
    # Lanctot et al. (2025), observation 5: four of 54 games.
    found = inspect(podium.read("rainbow"))
    assert found.nash is not None
    assert list(found.nash.tasks) == ["assault", "boxing", "breakout", "venture"]
    assert sorted(found.nash.agents) == ["a3c", "dist_dqn", "duel_ddqn", "rainbow"]
    assert found.nash.value == pytest.approx(0.3891, abs=5e-5)
    assert found.nash.unique
    assert warned(found, "adversarial task selection", "4 of 54 tasks", "assault 36%")


def test_tasks_that_all_matter_are_not_warned_of() -> None:
    found = inspect(table(np.eye(5), "abcde"))
    assert found.nash is not None
    assert found.nash.effective_tasks == pytest.approx(5)
    assert not warned(found, "adversarial")


def test_a_circle_is_not_explained_by_ratings() -> None:
    found = inspect(votes((1.0, "a>b>c"), (1.0, "b>c>a"), (1.0, "c>a>b")))
    assert found.hodge is not None
    assert found.hodge.cyclic_share == pytest.approx(1)
    assert warned(found, "only 0% of who beats whom")
    assert found.nash is not None
    assert found.nash.agents == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    assert (found.nash.tasks, found.nash.all_tasks) == ({}, 0)


def test_tasks_that_ask_one_skill_are_one_skill() -> None:
    skill, other = np.array([0.0, 1.0, 2.0, 4.0]), np.array([1.0, 0.0, 1.0, 0.0])
    one = inspect(table(np.outer(np.arange(1, 6), skill), "abcd"))
    assert one.hodge is not None
    assert (one.hodge.latent_skills, one.hodge.tasks) == (1, 5)
    assert one.hodge.cyclic_share == pytest.approx(0, abs=1e-12)
    two = inspect(table([skill, skill, other, other], "abcd"))
    assert two.hodge is not None
    assert two.hodge.latent_skills == 2


def test_what_cannot_be_split_or_solved_says_why() -> None:
    apart = inspect(Matches.from_records([("a", "b", 1.0), ("c", "d", 1.0)]))
    assert "nothing compares" in apart.left_out["hodge"]
    assert apart.nash is not None
    many = inspect(Tally.from_matrix(np.zeros((501, 501)), [f"a{i}" for i in range(501)]))
    assert "501 agents" in many.left_out["nash"]
    assert "501 agents" in many.left_out["hodge"]
    game = inspect(Game.from_payoffs([[[1.0]], [[1.0]]]))
    assert "nash-average" in game.left_out["nash"]
    assert "no table" in game.left_out["hodge"]
    alone = inspect(Scores.from_records([("t", "a", 1), ("u", "b", 2)]))
    assert "leaves none" in alone.left_out["nash"]
