"""What is written is read back as an equal value."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.data.convert import scores_to_profile
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.importers import read, write

Folder: TypeAlias = Callable[[str], Path]

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6)
NAMES = st.lists(
    TEXT.filter(str.strip), min_size=2, max_size=5, unique_by=str.strip
)  # names that differ only in blanks are refused
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
ENDINGS = st.sampled_from([".csv", ".tsv", ".jsonl", ".json", ".parquet", ".csv.gz", ".jsonl.gz"])


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    base = tmp_path_factory.mktemp("written")
    return lambda name: base / name


@st.composite
def some_scores(draw: st.DrawFn) -> Scores:
    tasks, agents = draw(NAMES), draw(NAMES)
    cell = st.tuples(st.sampled_from(tasks), st.sampled_from(agents), NUMBER)
    scores = Scores.from_records(
        draw(st.lists(cell, min_size=1, max_size=8)),
        agents=agents,
        tasks=tasks,
        weights={tasks[0]: draw(st.floats(0, 9))},
        lower_is_better=tasks[: draw(st.integers(0, 1))],
    )
    if not draw(st.booleans()):
        return scores
    return Scores.from_codes(
        scores.roster, scores.task, scores.agent, scores.value, sample=np.arange(len(scores.value))
    )


@st.composite
def some_matches(draw: st.DrawFn) -> Matches:
    agents, tasks = draw(NAMES), draw(NAMES)
    pair = st.lists(st.sampled_from(agents), min_size=2, max_size=2, unique=True)
    rows = draw(st.lists(st.tuples(pair, st.sampled_from([0, 0.5, 1])), min_size=1, max_size=8))
    if draw(st.booleans()):
        return Matches.from_records([(a, b, score) for (a, b), score in rows])
    weight = draw(st.floats(0, 1e6))
    return Matches.from_records(
        [(a, b, score, weight, tasks[i % 2], float(i)) for i, ((a, b), score) in enumerate(rows)]
    )


@st.composite
def some_ballots(draw: st.DrawFn, *, whole: bool = False) -> Profile:
    agents = draw(NAMES)
    order = st.permutations(agents).flatmap(
        lambda names: st.integers(1, len(names)).map(lambda size: names[:size])
    )
    weight = st.integers(1, 99).map(float) if whole else st.floats(1e-3, 1e6)
    ballots = []
    for names in draw(st.lists(order, min_size=1, max_size=6, unique_by=tuple)):
        tied = draw(st.booleans())
        groups = [names[:2], *([name] for name in names[2:])] if tied else [[n] for n in names]
        ballots.append((draw(weight), groups))
    return Profile.from_ballots(ballots, agents)


def _rows(scores: Scores) -> list[tuple[str, str, float]]:
    cells = zip(scores.task.tolist(), scores.agent.tolist(), scores.value.tolist(), strict=True)
    return [(scores.tasks[task], scores.agents[agent], value) for task, agent, value in cells]


def _about_tasks(scores: Scores) -> dict[str, tuple[float, bool]]:
    marks = zip(scores.weights.tolist(), scores.lower_is_better.tolist(), strict=True)
    return dict(zip(scores.tasks, marks, strict=True))


@settings(deadline=None)
@given(scores=some_scores(), ending=ENDINGS)
def test_scores_come_back(folder: Folder, scores: Scores, ending: str) -> None:
    back = read(write(scores, folder(f"scores{ending}")))
    assert isinstance(back, Scores)
    assert _rows(back) == _rows(scores)
    assert _about_tasks(back) == _about_tasks(scores)
    assert sorted(back.agents) == sorted(scores.agents)
    if scores.sample is None:
        assert back.sample is None
    else:
        assert back.sample is not None
        assert back.sample.tolist() == scores.sample.tolist()


@settings(deadline=None)
@given(matches=some_matches(), ending=ENDINGS)
def test_matches_come_back(folder: Folder, matches: Matches, ending: str) -> None:
    back = read(write(matches, folder(f"matches{ending}")))
    assert isinstance(back, Matches)

    def told(value: Matches) -> object:
        left, right = (
            [value.agents[i] for i in side.tolist()] for side in (value.left, value.right)
        )
        task = [] if value.task is None else [value.tasks[i] for i in value.task.tolist()]
        time = [] if value.time is None else value.time.tolist()
        return left, right, value.score.tolist(), value.weight.tolist(), task, time

    assert told(back) == told(matches)


@settings(deadline=None)
@given(profile=some_ballots(), ending=ENDINGS)
def test_ballots_come_back(folder: Folder, profile: Profile, ending: str) -> None:
    assert read(write(profile, folder(f"ballots{ending}"))) == profile


@given(profile=some_ballots(whole=True), packed=st.booleans())
def test_ballots_come_back_from_preflib(folder: Folder, profile: Profile, packed: bool) -> None:
    ending = f".{'s' if profile.strict else 't'}o{'c' if profile.complete else 'i'}"
    target = folder(f"ballots{ending}{'.gz' if packed else ''}")
    if any(name != name.strip() or len(name.splitlines()) > 1 for name in profile.agents):
        with pytest.raises(DataError, match="outer blanks"):
            write(profile, target)
        return
    back = read(write(profile, target))
    assert isinstance(back, Profile)
    assert back.agents == profile.agents
    told = [(weight, tuple(map(frozenset, ballot))) for weight, ballot in back.ballots()]
    assert [weight for weight, _ in told] == sorted((weight for weight, _ in told), reverse=True)
    added: Counter[tuple[frozenset[str], ...]] = Counter()
    for weight, ballot in profile.ballots():
        added[tuple(map(frozenset, ballot))] += int(weight)
    assert {ballot: weight for weight, ballot in told} == added
    assert len(told) == len(added)


@given(
    shape=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    seed=st.integers(0, 99),
    ending=st.sampled_from([".npz", ".json", ".json.gz"]),
)
def test_games_come_back(folder: Folder, shape: list[int], seed: int, ending: str) -> None:
    rng = np.random.default_rng(seed)
    labels = [[f"é{player} {i}" for i in range(size)] for player, size in enumerate(shape)]
    game = Game.from_payoffs(
        [rng.normal(size=shape) for _ in shape], labels, players=labels_of(shape)
    )
    back = read(write(game, folder(f"game{ending}")))
    assert isinstance(back, Game)
    assert (back.strategies, back.players) == (game.strategies, game.players)
    for one, other in zip(back.payoffs, game.payoffs, strict=True):
        np.testing.assert_array_equal(one, other)


def labels_of(shape: list[int]) -> list[str]:
    return [f"player of {i}" for i in range(len(shape))]


def test_published_deviations_come_back(tmp_path: Path) -> None:
    stds = np.array([[0.5, np.nan], [np.nan, 0.0]])
    scores = Scores.from_matrix(np.array([[1, 2], [np.nan, 3]]), ["s", "t"], ["a", "b"], stds=stds)
    for ending in (".csv", ".parquet", ".json"):
        back = read(write(scores, tmp_path / f"x{ending}"))
        assert isinstance(back, Scores)
        assert back.stds is not None
        np.testing.assert_array_equal(back.stds, stds)
        np.testing.assert_array_equal(back.means, scores.means)


def test_the_text_is_plain(tmp_path: Path) -> None:
    scores = Scores.from_records([("t", "=1+1", 1.5), ("t", "a,b", -2)])
    path = write(scores, tmp_path / "x.csv")
    assert path.read_text() == 'task,agent,score\nt,=1+1,1.5\nt,"a,b",-2.0\n'
    rows = json.loads(write(scores, tmp_path / "x.json").read_text())
    assert rows[0] == {"task": "t", "agent": "=1+1", "score": 1.5}
    packed = write(scores, tmp_path / "x.csv.gz").read_bytes()
    assert gzip.decompress(packed) == path.read_bytes()
    assert packed == write(scores, tmp_path / "x.csv.gz").read_bytes()


def test_scores_become_ballots_in_preflib(tmp_path: Path) -> None:
    scores = Scores.from_records([("s", "a", 1), ("s", "b", 2), ("t", "a", 1), ("t", "b", 1)])
    back = read(write(scores, tmp_path / "x.toc"))
    assert sorted(back.ballots()) == sorted(scores_to_profile(scores).ballots())  # type: ignore[union-attr] # a .toc file holds ballots


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (Profile.from_ballots([(1.0, ["a", "b"])]), "x.toi", "these ballots are .soc"),
        (Profile.from_ballots([(0.5, ["a", "b"])]), "x.soc", "ballot 1 has weight 0.5"),
        (Profile.from_ballots([(1.0, ["a", "b"])]), "x.npz", "only a game"),
        (Profile.from_ballots([(1.0, ["a", "b"])]), "x.doc", "'.doc'"),
        (
            Scores.from_records([("t", "a", 1)]),
            "x.eval",
            "nothing is written as .eval; give '.csv'",
        ),
        (Profile.from_ballots([(1.0, [])], ["a"]), "x.csv", "names an agent"),
        (Game.from_payoffs([[1.0, 2.0]]), "x.csv", "written as .npz or .json"),
        (Game.from_payoffs([[1.0, 2.0]]), "x.soc", "written as .npz or .json"),
        (
            Matches.from_records([("a", "b", 1)], agents=["a", "b", "c"]),
            "x.csv",
            "'c' has no match",
        ),
        (Scores.from_matrix([[np.nan]], ["t"], ["a"]), "x.csv", "no score"),
        (Tally.from_matrix([[0, 1], [0, 0]], ["a", "b"]), "x.csv", "Tally has no rows"),
        (Scores.from_records([("t", "a", 1)]), "none/x.csv", "cannot be written"),
        (Scores.from_records([("t", "a", 1)]), "x.parquet.gz", "plain .parquet"),
    ],
)
def test_what_cannot_be_written_is_an_error(
    data: Scores | Matches | Profile | Tally | Game, name: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as caught:
        write(data, tmp_path / name)
    assert says in str(caught.value)
    assert list(tmp_path.iterdir()) == []
