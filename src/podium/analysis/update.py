"""Update: a ranking that goes on with later data, without the rows of the earlier ones."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from podium.analysis._sampling import Sampling, loaded
from podium.analysis.rank import Subject, registered
from podium.arrays import ints
from podium.data.convert import KINDS, Data, convert, readable, summary
from podium.data.matches import Matches
from podium.data.ratings import Ranking, Ratings, ranking_of
from podium.data.roster import Roster, first_seen
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.methods._registry import METHODS, Card


def update(ranking: Ranking, new: Any) -> Ranking:
    """Rank anew with later data, as if all data had been ranked at once.

    A method that reads counts of pairs goes on from the counts that the ranking
    keeps, and an online method from its ratings; new agents may come. Intervals
    are not carried over: ask `rank` for them, with the `counts` of the ranking.

    Args:
        ranking: What `rank` or `update` gave.
        new: Later matches, ballots or counts; or where they are, as for `rank`.

    >>> first = Matches.from_records([("a", "b", 1), ("b", "a", 1)])
    >>> from podium.analysis.rank import rank
    >>> so_far = rank(first, "elo")
    >>> more = Matches.from_records([("a", "b", 1), ("a", "c", 0.5)])
    >>> {agent: round(value, 1) for agent, value in update(so_far, more).ratings.items()}
    {'a': 40.1, 'b': -80.3, 'c': 40.1}
    """
    registered()
    card = METHODS[ranking.method]
    data: Data = loaded(new, None)
    bare = Ratings.by_value(tuple(ranking.ratings), list(ranking.ratings.values()))
    so_far = replace(bare, info=ranking.info)
    if card.goes_on(ranking.options):
        return _resumed(card, ranking, so_far, data)
    counts = _merged(ranking, data)
    return Subject(counts).ranked(card.name, ranking.options, Sampling(), so_far)


def _merged(ranking: Ranking, data: Data) -> Tally:
    """Add the counts of later data to those that a ranking keeps."""
    if ranking.counts is None:
        msg = (
            f"{ranking.method} was given more than counts of pairs here, so this ranking does not "
            "hold what later data could be added to; put all data together and rank them"
        )
        raise DataError(msg)
    if isinstance(data, Scores):
        msg = (
            "more scores of a task change who was ahead on it, so they cannot be added to counts; "
            "put all scores together and rank them"
        )
        raise DataError(msg)
    if readable(type(data), (Tally,)) is None:
        msg = f"a {KINDS[type(data)]} holds no counts of pairs; give matches, ballots or a tally"
        raise DataError(msg)
    counts: Tally = convert(data, Tally)
    return ranking.counts.merged(counts)


def _resumed(card: Card, ranking: Ranking, so_far: Ratings, data: Data) -> Ranking:
    """Let an online method go on with later matches."""
    if card.resume is None or not isinstance(data, Matches):
        msg = f"{card.name} goes on with matches alone, one after the other; give matches"
        raise DataError(msg)
    everybody = Roster(first_seen((*so_far.agents, *data.agents)), data.tasks)
    code = np.array([everybody.agent_index[agent] for agent in data.agents], dtype=np.int64)
    left, right = ints(code[data.left]), ints(code[data.right])
    later = replace(data, roster=everybody, left=left, right=right)
    start = time.perf_counter()
    ratings = card.resume(later, so_far, ranking.options)
    seconds = time.perf_counter() - start
    return ranking_of(ratings, card.name, ranking.options, data=summary(later), seconds=seconds)
