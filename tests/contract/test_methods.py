"""What every method promises, whatever it computes; the list of methods is the registry's."""

import dataclasses
import json
import pkgutil
import random
import typing
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium.methods
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings, plain
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._docs import arguments
from podium.methods._registry import METHODS, Card
from shared import ROOT
from strategies import ANY_DATA, shuffled, steady

CARDS = sorted(METHODS, key=lambda card: card.name)
READINGS = [(card, kind) for card in CARDS for kind in ANY_DATA if card.can_read(kind)]

every_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
every_reading = pytest.mark.parametrize(
    ("card", "kind"), READINGS, ids=lambda part: getattr(part, "name", None) or part.__name__
)


def answer(card: Card, data: Any, **options: Any) -> Ratings | None:
    """Rank data; None where the method says cleanly that it cannot."""
    try:
        ratings = card.call(card.view(data, options), **options)
    except DataError:
        return None
    assert ratings.agents == tuple(data.agents)
    assert np.isfinite(ratings.values).all()
    assert sorted(set(ratings.tiers.tolist())) == list(
        range(int(ratings.tiers.max(initial=-1)) + 1)
    )
    return ratings


def by_name(ratings: Ratings) -> tuple[list[tuple[str, int]], list[float]]:
    rows = sorted(zip(ratings.agents, ratings.tiers.tolist(), ratings.values.tolist(), strict=True))
    return [(agent, tier) for agent, tier, _ in rows], [value for _, _, value in rows]


def equal(first: Ratings | None, second: Ratings | None) -> bool:
    if first is None or second is None:
        return first is second
    (tiers, values), (other_tiers, other_values) = by_name(first), by_name(second)
    return tiers == other_tiers and np.allclose(values, other_values, rtol=1e-7, atol=1e-7)


def renamed(agent: str) -> str:
    """Give a name that sorts the other way round."""
    return (
        f"{'zyxwvutsr'['abcdefgh'.index(agent[0])]}{agent[1:]}" if agent[0] in "abcdefgh" else agent
    )


def test_the_registry_is_the_folder() -> None:
    files = {m.name for m in pkgutil.iter_modules(podium.methods.__path__)}
    public = {name for name in files if not name.startswith("_")}
    assert {card.name.replace("-", "_") for card in METHODS} == public
    tests = "".join(path.read_text() for path in (ROOT / "tests" / "methods").glob("test_*.py"))
    untested = {name for name in public if f"from podium.methods.{name} import" not in tests}
    assert untested == set(), "write tests/methods/test_<name>.py"


@every_card
def test_cards_say_what_users_need(card: Card) -> None:
    assert card.summary.endswith(".")
    assert len(card.summary) < 100
    assert card.cite
    assert card.cost
    assert card.cheap_up_to > 0
    assert card.reads
    assert set(arguments(card.call)) >= set(card.options), "describe each option under Args"
    assert ">>> " in (card.call.__doc__ or ""), "show a use of it"
    assert card.call.__module__ == f"podium.methods.{card.name.replace('-', '_')}"


@every_reading
def test_order_and_spelling_of_agents_do_not_matter(card: Card, kind: type) -> None:
    @steady(30)
    @given(ANY_DATA[kind], st.integers(0, 2**32 - 1))
    def check(data: Any, seed: int) -> None:
        rows = card.resume is None  # for an online method the order of matches is time
        other = shuffled(data, np.random.default_rng(seed), renamed, rows=rows)
        expected, got = answer(card, data), answer(card, other)
        if expected is not None:
            expected = dataclasses.replace(expected, agents=tuple(map(renamed, expected.agents)))
        assert equal(expected, got)

    check()


def arrays_of(value: Any) -> Iterator[np.ndarray]:
    """Go through all arrays that a value holds."""
    if isinstance(value, np.ndarray):
        yield value
    elif dataclasses.is_dataclass(value):
        for part in dataclasses.fields(value):
            yield from arrays_of(getattr(value, part.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_of(part)


@every_reading
def test_data_stay_as_they_are_and_chance_is_handed_in(card: Card, kind: type) -> None:
    @steady(12)
    @given(ANY_DATA[kind])
    def check(data: Any) -> None:
        before = [array.tobytes() for array in arrays_of(data)]
        np.random.seed(1)  # noqa: NPY002, the global state is what is tested
        random.seed(1)
        first = answer(card, data)
        np.random.seed(2)  # noqa: NPY002
        random.seed(2)
        state = random.getstate()
        second = answer(card, data)
        assert random.getstate() == state
        assert [array.tobytes() for array in arrays_of(data)] == before
        if first is None or second is None:
            assert first is second
        else:
            assert first.values.tobytes() == second.values.tobytes()
            assert first.tiers.tobytes() == second.tiers.tobytes()

    check()


@every_reading
def test_answers_cannot_be_changed(card: Card, kind: type) -> None:
    ratings = answer(card, SYMMETRIC[kind])
    assert ratings is not None
    assert not ratings.values.flags.writeable
    assert not ratings.tiers.flags.writeable


@every_reading
def test_what_is_told_beside_ratings_fits_into_json(card: Card, kind: type) -> None:
    for data in (SYMMETRIC[kind], ALL_TIED[kind]):
        ratings = answer(card, data)
        assert ratings is not None
        assert json.loads(json.dumps(plain(ratings.info), allow_nan=False)) is not None
        assert not card.votes or ratings.info["unique"] in (True, False, None)


CYCLE = [(1.0, "abc"), (1.0, "bca"), (1.0, "cab")]
PAIRS = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
ROCK = [[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]
LATIN = [[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 0.0, 2.0]]
SYMMETRIC: dict[type, Any] = {
    Profile: Profile.from_ballots(CYCLE),
    Matches: Matches.from_records(PAIRS),
    Scores: Scores.from_matrix(LATIN, ["t", "u", "v"], ["a", "b", "c"]),
    Tally: Tally.from_matrix([[0, 2, 1], [1, 0, 2], [2, 1, 0]], ["a", "b", "c"]),
    Game: Game.from_payoffs([ROCK, np.negative(ROCK)], [["a", "b", "c"]] * 2),
}
ALL_TIED: dict[type, Any] = {
    Profile: Profile.from_ballots([(2.0, [["a", "b", "c"]])]),
    Matches: Matches.from_records([(left, right, 0.5) for left, right, _ in PAIRS]),
    Scores: Scores.from_matrix([[4.0, 4.0, 4.0]], ["t"], ["a", "b", "c"]),
    Tally: Tally.from_matrix(np.zeros((3, 3)), ["a", "b", "c"], 1.0 - np.eye(3)),
    Game: Game.from_payoffs([np.zeros((3, 3))] * 2, [["a", "b", "c"]] * 2),
}
ALONE: dict[type, Any] = {
    Profile: Profile.from_ballots([(1.0, "a")]),
    Scores: Scores.from_matrix([[4.0]], ["t"], ["a"]),
    Tally: Tally.from_matrix([[0.0]], ["a"]),
    Matches: Matches.from_records([], agents=["a"]),
    Game: Game.from_payoffs([[[1.0]], [[1.0]]], [["a"], ["b"]]),
}
NOTHING: dict[type, Any] = {
    Profile: Profile.from_ballots([], ["a", "b", "c"]),
    Scores: Scores.from_records([], agents=["a", "b", "c"]),
    Tally: Tally.from_matrix(np.zeros((3, 3)), ["a", "b", "c"]),
    Matches: Matches.from_records([], agents=["a", "b", "c"]),
}
NOBODY: dict[type, Any] = {
    Profile: Profile.from_ballots([], []),
    Scores: Scores.from_records([]),
    Tally: Tally.from_matrix(np.zeros((0, 0)), []),
    Matches: Matches.from_records([]),
}


def skip_where_order_counts(card: Card) -> None:
    if card.resume is not None:
        pytest.skip("the order of matches counts")


@every_reading
def test_symmetric_data_give_one_tier(card: Card, kind: type) -> None:
    skip_where_order_counts(card)
    ratings = answer(card, SYMMETRIC[kind])
    assert ratings is not None, "an answer exists where every agent beats as many as it loses to"
    assert set(ratings.tiers.tolist()) == {0}
    assert np.ptp(ratings.values) <= 1e-9


@every_reading
def test_agents_that_are_tied_everywhere_share_a_tier(card: Card, kind: type) -> None:
    ratings = answer(card, ALL_TIED[kind])
    assert ratings is not None
    assert set(ratings.tiers.tolist()) == {0}


@every_reading
def test_one_agent_is_first_or_refused(card: Card, kind: type) -> None:
    ratings = answer(card, ALONE[kind])
    assert ratings is None or ratings.tiers.tolist() == [0]


@every_reading
def test_no_data_tie_everybody_or_are_refused(card: Card, kind: type) -> None:
    if kind is Game:
        pytest.skip("a game without payoffs cannot be made")
    ratings = answer(card, NOTHING[kind])
    assert ratings is None or set(ratings.tiers.tolist()) == {0}
    nobody = answer(card, NOBODY[kind])
    assert nobody is None or nobody.values.tolist() == []


APART: dict[type, Any] = {
    Profile: Profile.from_ballots([(1.0, "ab"), (1.0, "cd")]),
    Matches: Matches.from_records([("a", "b", 1.0), ("c", "d", 1.0)]),
    Scores: Scores.from_records([("t", "a", 2), ("t", "b", 1), ("u", "c", 2), ("u", "d", 1)]),
    Tally: Tally.from_matrix(np.diag([1.0, 0.0, 1.0], 1), ["a", "b", "c", "d"]),
}


@every_reading
def test_groups_that_never_met_are_ranked_alike_or_refused(card: Card, kind: type) -> None:
    if kind is Game:
        pytest.skip("in a game everybody meets everybody")
    ratings = answer(card, APART[kind])
    if ratings is not None:
        tier = dict(zip(ratings.agents, ratings.tiers.tolist(), strict=True))
        assert tier["a"] == tier["c"] <= tier["b"] == tier["d"]


UNSEEN: dict[type, Any] = {
    Profile: Profile.from_ballots([(2.0, "ab"), (1.0, "ba")], ["a", "b", "unseen"]),
    Matches: Matches.from_records(
        [("a", "b", 1.0, 2.0), ("b", "a", 1.0)], agents=["a", "b", "unseen"]
    ),
    Scores: Scores.from_records([("t", "a", 2), ("t", "b", 1)], agents=["a", "b", "unseen"]),
    Tally: Tally.from_matrix([[0, 2, 0], [1, 0, 0], [0, 0, 0]], ["a", "b", "unseen"]),
}


@every_reading
def test_an_agent_without_data_is_ranked_or_refused_by_name(card: Card, kind: type) -> None:
    if kind is Game:
        pytest.skip("every strategy of a game has payoffs")
    ratings = answer(card, UNSEEN[kind])
    if ratings is None:
        with pytest.raises(DataError, match="unseen"):
            card.call(card.view(UNSEEN[kind]))
    else:
        assert ratings.tiers[0] <= ratings.tiers[1]


CLONED = [[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]]
FINITE: dict[str, dict[str, Any]] = {"elo": {"prior": 0.1}}
"""Options with which a method rates agents that never lose, too."""


@every_reading
def test_a_clone_can_be_added(card: Card, kind: type) -> None:
    skip_where_order_counts(card)
    more: dict[type, Any] = {
        Profile: Profile.from_ballots([(2.0, [["a", "c"], ["b"]]), (1.0, [["b"], ["a", "c"]])]),
        Matches: Matches.from_records(
            [(x, "b", s, w) for x in "ac" for s, w in ((1.0, 2.0), (0.0, 1.0))]
        ),
        Scores: Scores.from_matrix([[2, 2, 1], [1, 1, 0]], ["t", "u"], ["a", "c", "b"]),
        Tally: Tally.from_matrix([[0, 2, 0], [1, 0, 1], [0, 2, 0]], ["a", "b", "c"]),
        Game: Game.from_payoffs([CLONED, np.negative(CLONED)], [["a", "c", "b"], ["t", "u"]]),
    }
    ratings = answer(card, more[kind], **FINITE.get(card.name, {}))
    assert ratings is not None
    tier = dict(zip(ratings.agents, ratings.tiers.tolist(), strict=True))
    value = dict(zip(ratings.agents, ratings.values.tolist(), strict=True))
    assert tier["a"] == tier["c"]
    assert value["a"] == pytest.approx(value["c"])


def doubled(data: Any) -> Any:
    """Give every vote twice its weight."""
    if isinstance(data, Tally):
        return Tally.from_matrix(2 * data.wins, data.agents, 2 * data.met)
    if isinstance(data, Scores):
        return data.with_task_weights(2 * data.weights)
    if isinstance(data, Matches):
        return data.with_weight(2 * data.weight)
    return data.with_vote_weights(2 * data.weights)


NOT_SCALED = {
    "stv": "its quota is a whole number of votes: 1 of 1, but 2 of 2",
    "online-elo": "a match of twice the weight moves ratings twice as far",
    "online-sco": "a vote of twice the weight moves ratings twice as far",
}
"""Methods for which twice the weight is not the same, and why."""


@every_reading
def test_votes_of_twice_the_weight_give_the_same_tiers(card: Card, kind: type) -> None:
    if kind is Game:
        pytest.skip("a game has no weights")
    if card.name in NOT_SCALED:
        pytest.skip(NOT_SCALED[card.name])

    @steady(20)
    @given(ANY_DATA[kind])
    def check(data: Any) -> None:
        once, twice = answer(card, data), answer(card, doubled(data))
        if once is None or twice is None:
            assert once is twice
        else:
            assert once.tiers.tolist() == twice.tiers.tolist()

    check()


def hints_of(card: Card) -> Mapping[str, Any]:
    hints = typing.get_type_hints(card.call)
    return {name: hints[name] for name in card.options}


def choices(hint: Any) -> tuple[str, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


@every_reading
def test_every_choice_of_every_option_runs(card: Card, kind: type) -> None:
    data, hints = SYMMETRIC[kind], hints_of(card)
    agents = [name for name, hint in hints.items() if hint == str | None and name != "terms"]
    named = dict(zip(agents, (data.agents[0], data.agents[-1]), strict=False))
    for name, hint in hints.items():
        for choice in choices(hint):
            ratings = answer(card, data, **card.bind({name: choice} | named))
            assert ratings is not None


@every_card
def test_options_are_read_from_text(card: Card) -> None:
    for name, default in card.options.items():
        assert card.bind({name: str(default)}) == {name: default}
        assert card.bind({name: default}) == {name: default}


@every_card
def test_wrong_options_are_refused_with_what_is_allowed(card: Card) -> None:
    with pytest.raises(DataError, match=r"no option of|has no options"):
        card.bind({"no_such_option": 1})
    for name, hint in hints_of(card).items():
        if choices(hint):
            with pytest.raises(DataError, match=choices(hint)[0]):
                card.bind({name: "no such choice"})
            with pytest.raises(DataError, match=choices(hint)[0]):
                answer_loudly(card, name)
        elif str not in (hint, *typing.get_args(hint)):
            with pytest.raises(DataError, match=f"{card.name}:{name} is 'nonsense'"):
                card.bind({name: "nonsense"})


def answer_loudly(card: Card, name: str) -> Ratings:
    kind = next(kind for kind in SYMMETRIC if card.can_read(kind))
    return card.call(card.view(SYMMETRIC[kind]), **{name: "no such choice"})


def test_text_becomes_numbers_truths_and_nothing() -> None:
    approval, copeland = METHODS["approval"], METHODS["copeland"]
    assert approval.bind({"k": "3"}) == {"k": 3}
    assert approval.bind({"k": "none"}) == {"k": None}
    assert copeland.bind({"tie_credit": "0.25"}) == {"tie_credit": 0.25}
    assert copeland.bind({"tie_credit": 1}) == {"tie_credit": 1.0}
    for wrong in ("2.5", "", 2.5, True):
        with pytest.raises(DataError, match="whole number"):
            approval.bind({"k": wrong})
    with pytest.raises(DataError, match="did you mean 'tie_credit'"):
        copeland.bind({"tie_credits": 1})
    with pytest.raises(DataError, match="plurality has no options"):
        METHODS["plurality"].bind({"k": 1})
