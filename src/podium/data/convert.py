"""Bridges: one function for each way to see one kind of data as another."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from podium.arrays import Array, Floats, add_up, floats, ints, locked
from podium.data.game import Game
from podium.data.matches import LOSS, TIE, WIN, Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Pairs, Tally
from podium.errors import DataError
from podium.kernels.pairs import count_entries, count_table, list_entries, merge_pairs

Data: TypeAlias = Scores | Matches | Profile | Tally | Game

KINDS: dict[type, str] = {
    Scores: "scores",
    Matches: "matches",
    Profile: "ballots",
    Tally: "tally",
    Game: "game",
}


def scores_to_profile(scores: Scores) -> Profile:
    """Read one ballot off each task: agents by their mean score, equal means tied.

    An agent without a score on a task is not on its ballot. Tasks of weight 0
    give no ballot.

    >>> scores = Scores.from_records([("t", "a", 1), ("t", "b", 2), ("t", "c", 2)])
    >>> list(scores_to_profile(scores).ballots())
    [(1.0, (('b', 'c'), ('a',)))]
    """
    voting = scores.weights > 0
    places, lengths = dense_places(scores.means[voting])
    who = np.argsort(places, axis=1, kind="stable")
    listed = np.arange(who.shape[1]) < lengths[:, None]
    return Profile(
        agents=scores.agents,
        who=ints(who[listed]),
        place=ints(np.take_along_axis(places, who, axis=1)[listed]),
        start=ints(np.concatenate(([0], np.cumsum(lengths)))),
        weights=floats(scores.weights[voting]),
        sources=tuple(task for task, on in zip(scores.tasks, voting, strict=True) if on),
        notes=scores.notes,
    )


def dense_places(values: Floats) -> tuple[Array, Array]:
    """Number the distinct values of each row from the highest down, and count them.

    NaN gets a place behind all others.

    >>> places, lengths = dense_places(np.array([[1.0, 3.0, 3.0, np.nan]]))
    >>> places.tolist(), lengths.tolist()
    ([[1, 0, 0, 2]], [3])
    """
    order = np.argsort(-values, axis=1, kind="stable")
    ranked = np.take_along_axis(values, order, axis=1)
    steps = np.ones(values.shape, dtype=np.int64)
    steps[:, :1] = 0
    steps[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    places = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(places, order, np.cumsum(steps, axis=1), axis=1)
    return places, (~np.isnan(values)).sum(axis=1)


def scores_to_tally(scores: Scores) -> Tally:
    """Count over tasks which of two agents has the higher mean score."""
    wins, met = count_table(-scores.means, scores.weights)
    return Tally.of_arrays(scores.agents, wins, met)


def profile_to_tally(profile: Profile) -> Tally:
    """Count over ballots which of two agents stands above.

    >>> profile = Profile.from_ballots([(2.0, "ab"), (1.0, ["b"])])
    >>> profile_to_tally(profile).wins.tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    size = len(profile.agents)
    parts = (profile.who, profile.place, profile.start, profile.weights, size)
    if size > DENSE_LIMIT:
        return _sparse(profile.agents, list_entries(*parts))
    if np.square(profile.lengths).sum() * 4 < len(profile) * size * size:
        wins, met = count_entries(*parts)
    else:
        wins, met = count_table(profile.places(), profile.weights)
    return Tally.of_arrays(profile.agents, wins, met)


def matches_to_tally(matches: Matches) -> Tally:
    """Count over matches who won; a tie is a meeting without a win.

    >>> tally = matches_to_tally(Matches.from_records([("a", "b", 1), ("b", "a", 0.5)]))
    >>> tally.wins.tolist(), tally.met.tolist()
    ([[0.0, 1.0], [0.0, 0.0]], [[0.0, 2.0], [2.0, 0.0]])
    """
    size = len(matches.agents)
    if size > DENSE_LIMIT:
        won = np.where(matches.score == WIN, matches.weight, 0.0)
        lost = np.where(matches.score == LOSS, matches.weight, 0.0)
        rows = (matches.left, matches.right, won, lost, matches.weight, size)
        return _sparse(matches.agents, merge_pairs(*rows))
    outcome = (2 * matches.score).astype(np.int64)  # 0 lost, 1 tied, 2 won
    key = (matches.left * size + matches.right) * 3 + outcome
    lost, tied, won = np.moveaxis(
        add_up(key, matches.weight, 3 * size**2).reshape(size, size, 3), 2, 0
    )
    wins, met = won + lost.T, lost + tied + won
    return Tally.of_arrays(matches.agents, wins, met + met.T)


def matches_to_profile(matches: Matches) -> Profile:
    """Read one ballot of two agents off each match, equal matches put together."""
    swap = (matches.score == LOSS) | ((matches.score == TIE) & (matches.left > matches.right))
    upper = np.where(swap, matches.right, matches.left)
    lower = np.where(swap, matches.left, matches.right)
    size = len(matches.agents)
    key = (upper * size + lower) * 2 + (matches.score == TIE)
    kinds, index = np.unique(key, return_inverse=True)
    pair, tied = np.divmod(kinds, 2)
    weights = add_up(index, matches.weight, len(kinds))
    played = weights > 0
    places = np.stack([np.zeros(len(kinds), np.int64), 1 - tied], axis=1)
    return Profile(
        agents=matches.agents,
        who=ints(np.stack([pair // size, pair % size], axis=1)[played].ravel()),
        place=ints(places[played].ravel()),
        start=ints(2 * np.arange(int(played.sum()) + 1)),
        weights=floats(weights[played]),
        notes=matches.notes,
    )


def _sparse(agents: tuple[str, ...], columns: Iterable[Array]) -> Tally:
    return Tally(agents, sparse=Pairs(*(locked(column) for column in columns)))


BRIDGES: dict[tuple[type, type], Callable[[Any], Any]] = {
    (Scores, Profile): scores_to_profile,
    (Scores, Tally): scores_to_tally,
    (Profile, Tally): profile_to_tally,
    (Matches, Tally): matches_to_tally,
    (Matches, Profile): matches_to_profile,
}


def readable(kind: type, wanted: Iterable[type]) -> type | None:
    """Name the first of the wanted kinds that this kind of data is or has a bridge to.

    >>> readable(Scores, (Tally,)).__name__, readable(Game, (Tally,))
    ('Tally', None)
    """
    targets = tuple(wanted)
    if kind in targets:
        return kind
    return next((target for target in targets if (kind, target) in BRIDGES), None)


def convert(data: Data, wanted: type) -> Any:
    """See data as the wanted kind."""
    if isinstance(data, wanted):
        return data
    bridge = BRIDGES.get((type(data), wanted))
    if bridge is None:
        readers = [KINDS[source] for source, target in BRIDGES if target is wanted]
        msg = (
            f"{KINDS[type(data)]} cannot be read as {KINDS[wanted]}; "
            f"give {' or '.join([KINDS[wanted], *readers])}"
        )
        raise DataError(msg)
    return bridge(data)


def summary(data: Data) -> dict[str, Any]:
    """Say in figures what data there are, as every JSON answer does."""
    return {
        "kind": KINDS[type(data)],
        "agents": len(data.agents),
        "tasks": 0 if isinstance(data, Tally) else len(data.tasks),
        "records": _records(data),
        "missing": data.missing if isinstance(data, Scores) else 0,
    }


def _records(data: Data) -> int:
    if isinstance(data, Scores):
        return len(data.value)
    if isinstance(data, Matches):
        return len(data.left)
    if isinstance(data, Profile):
        return len(data)
    return len(data.pairs.left) if isinstance(data, Tally) else data.payoffs[0].size
