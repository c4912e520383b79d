"""Reports tell what the analyses found, of any data and of studies."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from podium import Study, compare, rank, read
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.report.data import data_report
from podium.report.document import Document, Figure, Points, Prose, Table
from podium.report.findings import REACH, find
from podium.report.study import study_report
from podium.report.writing import written
from podium.store import open_store
from podium.study.past import past_of
from podium.study.spec import StudySpec

CIRCLE = Profile.from_ballots([(4, "abc"), (3, "bca"), (2, "cab")])


def table(document: Document, caption: str) -> Table:
    (found,) = [
        block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Table) and block.caption == caption
    ]
    return found


def sentences(document: Document) -> str:
    texts = list(document.lead)
    for section in document.sections:
        for block in section.blocks:
            texts += [block.text] if isinstance(block, Prose) else []
            texts += block.texts if isinstance(block, Points) else []
    return "\n".join(texts)


def titles(document: Document) -> list[str]:
    return [section.title for section in document.sections if section.blocks]


def test_ranks_are_those_of_the_methods() -> None:
    data = read("rainbow")
    document = data_report(data, ["borda", "schulze", "mean"], intervals="none")
    shown = table(document, "Rank by each method")
    assert shown.heads == ["agent", "average", "borda", "schulze", "mean"]
    ranks = compare(data, ["borda", "schulze", "mean"]).rankings
    for agent, average, *own in shown.rows:
        wanted = [ranks[name].ranks[str(agent)] for name in ("borda", "schulze", "mean")]
        assert own == wanted
        assert average == pytest.approx(np.mean(wanted))
    first = table(document, "Ranking by borda")
    assert [row[1] for row in first.rows] == list(rank(data, "borda").order)


def test_a_circle_is_told() -> None:
    document = data_report(CIRCLE)
    text = sentences(document)
    assert "Nobody beats every other agent by majority" in text
    assert "has 3 agents: a, b, c." in text
    assert "a > b > c > a" in text
    assert "methods put" in text


def test_clones_are_told_and_where_there_are_none_nothing_is() -> None:
    orders = ["abcxdefghy", "yhgfedxbca", "xcbahgdyef", "dbcyhaxgef", "gxehycbadf"]
    cloned = Profile.from_ballots([(2, order) for order in orders])
    assert "Clones: {b, c}" in sentences(data_report(cloned, ["borda", "schulze"]))
    assert "Clones:" not in sentences(data_report(CIRCLE, ["borda", "schulze"]))


@pytest.mark.parametrize(
    "data",
    [
        Scores.from_matrix([[3.0, 2.0, 1.0], [1.0, np.nan, 2.0]], ["s", "t"], "abc"),
        Scores.from_matrix([[1.0, 0.0]], ["t"], "ab"),
        Matches.from_records([("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.5)]),
        CIRCLE,
        Tally.from_matrix([[0, 2, 1], [1, 0, 2], [2, 1, 0]], "abc"),
        Game.from_payoffs([[[1.0, -1.0], [-1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]]),
        Profile.from_ballots([(1, "a")]),
    ],
    ids=["scores", "one task", "matches", "ballots", "tally", "game", "alone"],
)
@pytest.mark.parametrize("form", ["html", "md", "tex"])
def test_all_kinds_of_data_can_be_reported(data: object, form: str) -> None:
    document = data_report(data, name="some data")
    text = written(document, form)
    assert "some data" in text
    assert "No picture here" not in text


def test_the_same_data_in_another_order_make_the_same_report() -> None:
    data = read("rainbow-plus")
    assert isinstance(data, Scores)
    turned = data.only(agents=data.agents[::-1], tasks=data.tasks[::-1])
    names = ["copeland", "borda", "schulze", "hodge", "deviation"]
    one = data_report(data, names, seed=3)
    other = data_report(turned, names, seed=3)
    assert one.lead == other.lead
    assert table(one, "Rank by each method") == table(other, "Rank by each method")
    assert table(one, "Pairs in doubt") == table(other, "Pairs in doubt")


def test_methods_that_agree_share_a_column_and_are_named() -> None:
    text = sentences(data_report(read("rainbow"), ["copeland", "kemeny", "schulze", "plurality"]))
    wanted = "copeland +2: copeland, kemeny, schulze"
    assert f"Methods that order these agents the same way: {wanted}." in text


def test_methods_that_take_long_are_left_out_and_named() -> None:
    agents = [f"a{n}" for n in range(REACH * 20 + 1)]
    rng = np.random.default_rng(0)
    data = Scores.from_matrix(rng.random((3, len(agents))), ["s", "t", "u"], agents)
    document = data_report(data, intervals="none")
    left = {str(name): str(why) for name, why in table(document, "Not ranked by").rows}
    assert {"alpha-rank", "payoff-rating", "sco", "sco-exact"} <= set(left)
    assert "--method sco" in left["sco"]
    assert "copeland" not in left
    asked = find(data, ["sco"], intervals="none")
    assert list(asked.comparison.rankings) == ["sco"]
    assert asked.skipped == {}


def test_if_no_method_can_rank_the_error_says_why() -> None:
    with pytest.raises(DataError, match="mean"):
        data_report(CIRCLE, ["mean"])


@pytest.fixture
def study() -> Iterator[Study]:
    store = open_store("memory://")
    study = Study.create(
        "trial", agents=["a", "b", "c"], tasks=["s", "t"], store=store, budget=20, seed=1
    )
    yield study
    store.close()


def told(study: Study, rounds: int) -> Study:
    worth = {"a": 3.0, "b": 2.0, "c": 1.0}
    for number in range(rounds):
        query = study.ask()
        assert query is not None
        study.tell(query, {agent: worth[agent] + number % 2 for agent in query.agents})
    return study


def test_the_past_of_a_study_ends_where_it_stands(study: Study) -> None:
    told(study, 12)
    study.extend(agents=["d"])
    told_of = study.ask()
    assert told_of is not None
    study.tell(told_of, dict.fromkeys(told_of.agents, 0.5))
    past = past_of(study)
    status = study.status()
    assert past.looks[-1] == (status["told"], status["spent"], status["certainty"])
    assert [look.heard for look in past.looks] == sorted({look.heard for look in past.looks})
    assert past.agents == tuple(status["agents"])
    assert np.allclose(past.places.sum(axis=1), 1.0)
    assert np.allclose(past.pairs + past.pairs.T - np.diag(np.diag(past.pairs) * 2),
                       1.0 - np.eye(4))  # fmt: skip
    rows = [
        (entry.data["task"], agent, score)
        for entry in study.log()
        if entry.kind == "told"
        for agent, score in entry.data["scores"].items()
    ]
    wanted = Scores.from_records(rows, agents=past.agents, tasks=tuple(status["tasks"]))
    assert np.array_equal(past.scores.means, wanted.means, equal_nan=True)


def test_a_study_is_reported_at_any_time(study: Study) -> None:
    empty = study_report(study)
    assert empty.lead == ["Nothing was told yet, so nobody leads."]
    assert written(empty)
    told(study, 20)
    document = study_report(study)
    assert document.title == "Study trial"
    assert "It stopped: the budget of 20 is spent." in document.lead
    assert {"Ranking", "How sure, and for what", "Methods side by side"} <= set(titles(document))
    looks = table(document, "Certainty by spend")
    assert looks.rows[-1][0] == 20
    for form in ("html", "md", "tex"):
        assert "trial" in written(document, form)


def test_a_forecast_is_shown_while_a_study_goes_on(study: Study) -> None:
    told(study, 6)
    text = sentences(study_report(study))
    assert "To be right with probability 0.95" in text
    assert "Next:" in text
    assert not any(math.isnan(look.certainty) for look in past_of(study).looks)


def test_a_spec_without_a_store_is_enough(study: Study) -> None:
    """What a server gives of a study is its log and its specification."""

    class Afar:
        name = study.name
        spec = StudySpec.of(**study.store.load(study.name))

        def log(self) -> object:
            return study.log()

    told(study, 8)
    here, there = past_of(study), past_of(Afar())
    assert here.looks == there.looks
    assert np.array_equal(here.places, there.places)


def test_figures_are_drawn_only_when_wanted() -> None:
    document = data_report(CIRCLE, ["borda", "schulze"])
    figures = [b for s in document.sections for b in s.blocks if isinstance(b, Figure)]
    assert figures
    assert all(figure.says for figure in figures)
    assert written(document, "md").count("<svg") == 0
