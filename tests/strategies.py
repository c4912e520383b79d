"""Random data for property tests: small, with ties, holes and weights, as users have them."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import Tally

NAMES = "abcdefgh"
OUT = -1
"""Level of an agent that a ballot leaves out."""

WEIGHTS = st.sampled_from([1.0, 1.0, 2.0, 3.0, 0.5])
"""Exact in binary, so that sums do not depend on their order."""


def steady(examples: int) -> settings:
    """Settings under which a test draws the same examples each time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )


def ballot_of(levels: tuple[int, ...]) -> list[list[str]]:
    """Turn a level for each agent, lowest first, into tie groups; `OUT` is left out.

    >>> ballot_of((1, 0, OUT, 1))
    [['b'], ['a', 'd']]
    """
    kept = sorted({level for level in levels if level != OUT})
    return [[NAMES[i] for i, own in enumerate(levels) if own == level] for level in kept]


@st.composite
def profiles(
    draw: st.DrawFn,
    *,
    agents: tuple[int, int] = (1, 5),
    ballots: tuple[int, int] = (0, 7),
    strict: bool = False,
    partial: bool = True,
    weights: st.SearchStrategy[float] = WEIGHTS,
) -> Profile:
    """Votes on a few agents: with ties and partial ballots unless told otherwise."""
    size = draw(st.integers(*agents))
    levels = st.integers(OUT if partial else 0, size - 1)
    order = st.permutations(range(size)) if strict else st.tuples(*[levels] * size)
    votes = draw(st.lists(st.tuples(weights, order), min_size=ballots[0], max_size=ballots[1]))
    cast = [(weight, ballot_of(tuple(levels))) for weight, levels in votes]
    return Profile.from_ballots(cast, list(NAMES[:size]))


@st.composite
def tallies(draw: st.DrawFn, *, agents: tuple[int, int] = (1, 5)) -> Tally:
    """Counts of any votes whatever: some pairs never met, some tied."""
    size = draw(st.integers(*agents))
    counts = draw(_table(st.integers(0, 4), size, size))
    wins = np.array(counts, dtype=np.float64).reshape(size, size)
    np.fill_diagonal(wins, 0.0)
    return Tally.from_matrix(wins, list(NAMES[:size]))


@st.composite
def score_tables(
    draw: st.DrawFn,
    *,
    agents: tuple[int, int] = (1, 5),
    tasks: tuple[int, int] = (1, 5),
    complete: bool = False,
) -> Scores:
    """Scores with equal values, weights, missing cells and cells of several samples."""
    size, rows = draw(st.integers(*agents)), draw(st.integers(*tasks))
    value = st.integers(-8, 8).map(lambda whole: whole / 2)
    cells = st.lists(value, min_size=int(complete), max_size=3)
    table = draw(_table(cells, rows, size))
    names = [f"task {row + 1}" for row in range(rows)]
    records = [
        (names[cell // size], NAMES[cell % size], score)
        for cell, samples in enumerate(table)
        for score in samples
    ]
    return Scores.from_records(
        records,
        agents=list(NAMES[:size]),
        tasks=names,
        weights={name: draw(WEIGHTS) for name in names},
        lower_is_better=[name for name in names if draw(st.booleans())],
    )


@st.composite
def match_lists(
    draw: st.DrawFn, *, agents: tuple[int, int] = (2, 5), rows: tuple[int, int] = (0, 12)
) -> Matches:
    """Matches with ties, repeats and weights."""
    size = draw(st.integers(*agents))
    row = st.tuples(
        st.integers(0, size - 1),
        st.integers(1, size - 1),
        st.sampled_from([1.0, 0.5, 0.0]),
        WEIGHTS,
    )
    drawn = draw(st.lists(row, min_size=rows[0], max_size=rows[1]))
    records = [
        (NAMES[left], NAMES[(left + step) % size], score, weight)
        for left, step, score, weight in drawn
    ]
    return Matches.from_records(records, agents=list(NAMES[:size]))


@st.composite
def games(draw: st.DrawFn, *, players: int = 2) -> Game:
    """Games of a few strategies with small whole payoffs, so that many are equal."""
    shape = tuple(draw(st.integers(1, 3)) for _ in range(players))
    cells = _table(st.integers(-2, 2), *shape)
    payoffs = [np.reshape(draw(cells), shape) for _ in range(players)]
    labels = [
        [f"{NAMES[player]}{number}" for number in range(size)] for player, size in enumerate(shape)
    ]
    return Game.from_payoffs(payoffs, labels)


def _table(cell: st.SearchStrategy[Any], *shape: int) -> st.SearchStrategy[list[Any]]:
    size = int(np.prod(shape))
    return st.lists(cell, min_size=size, max_size=size)


ANY_DATA: dict[type, st.SearchStrategy[Any]] = {
    Scores: score_tables(),
    Matches: match_lists(),
    Profile: profiles(),
    Tally: tallies(),
    Game: games(),
}
"""Random data of each kind."""


Rename: TypeAlias = Callable[[str], str]


def shuffled(data: Any, rng: np.random.Generator, rename: Rename, *, rows: bool = True) -> Any:
    """Tell the same with the agents renamed and listed in another order.

    Args:
        data: What to tell again.
        rng: Source of chance.
        rename: Gives an agent its new name.
        rows: Whether ballots, tasks and matches come in another order, too.
    """
    if isinstance(data, Tally):
        return _shuffled_tally(data, rng, rename)
    if isinstance(data, Game):
        return _shuffled_game(data, rng, rename)

    def mixed(count: int) -> list[int]:
        return rng.permutation(count).tolist() if rows else list(range(count))

    agents = [rename(agent) for agent in rng.permutation(data.agents).tolist()]
    if isinstance(data, Profile):
        return _shuffled_profile(data, rng, rename, mixed, agents)
    if isinstance(data, Scores):
        return _shuffled_scores(data, rename, mixed, agents)
    return _shuffled_matches(data, rng, rename, mixed, agents)


Mixed: TypeAlias = Callable[[int], list[int]]


def _shuffled_profile(
    data: Profile, rng: np.random.Generator, rename: Rename, mixed: Mixed, agents: list[str]
) -> Profile:
    votes = list(data.ballots())
    ballots = [
        (
            votes[vote][0],
            [[rename(a) for a in rng.permutation(group).tolist()] for group in votes[vote][1]],
        )
        for vote in mixed(len(votes))
    ]
    return Profile.from_ballots(ballots, agents)


def _shuffled_scores(data: Scores, rename: Rename, mixed: Mixed, agents: list[str]) -> Scores:
    columns = (data.task.tolist(), data.agent.tolist(), data.value.tolist())
    records = [
        (data.tasks[task], rename(data.agents[agent]), value)
        for task, agent, value in zip(*columns, strict=True)
    ]
    return Scores.from_records(
        [records[row] for row in mixed(len(records))],
        agents=agents,
        tasks=[data.tasks[task] for task in mixed(len(data.tasks))],
        weights=dict(zip(data.tasks, data.weights.tolist(), strict=True)),
        lower_is_better=[t for t, on in zip(data.tasks, data.lower_is_better, strict=True) if on],
    )


def _shuffled_matches(
    data: Matches, rng: np.random.Generator, rename: Rename, mixed: Mixed, agents: list[str]
) -> Matches:
    """Mix matches, half of them told from the other side."""
    columns = (data.left, data.right, data.score, data.weight)
    records = []
    for row in mixed(len(data.left)):
        left, right, score, weight = (column[row].item() for column in columns)
        names = rename(data.agents[left]), rename(data.agents[right])
        turned = rng.random() < 0.5
        records.append((*names[::-1], 1.0 - score, weight) if turned else (*names, score, weight))
    return Matches.from_records(records, agents=agents)


def _shuffled_tally(data: Tally, rng: np.random.Generator, rename: Rename) -> Tally:
    order = rng.permutation(len(data.agents))
    grid = np.ix_(order, order)
    names = [rename(data.agents[code]) for code in order]
    return Tally.from_matrix(data.wins[grid], names, data.met[grid])


def _shuffled_game(data: Game, rng: np.random.Generator, rename: Rename) -> Game:
    orders = [rng.permutation(len(row)) for row in data.strategies]
    labels = [
        [row[code] for code in order] for row, order in zip(data.strategies, orders, strict=True)
    ]
    labels[0] = [rename(name) for name in labels[0]]
    return Game.from_payoffs([payoff[np.ix_(*orders)] for payoff in data.payoffs], labels)
