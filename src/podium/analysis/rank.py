"""Rank: any data, by any method, with intervals if wanted."""

import importlib
import os
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from podium.analysis._sampling import Sampling, loaded
from podium.data.convert import KINDS, Data, convert, readable, summary
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.ratings import Ranking, Ratings, ranking_of
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.majority import condorcet
from podium.methods._registry import METHODS, Card
from podium.uncertainty.spread import Spread

DEFAULTS: dict[type, tuple[str, ...]] = {
    Matches: ("elo", "copeland"),
    Game: ("deviation", "uniform"),
}
"""The method for a kind of data; a later one where the first is not there."""

DEFAULT = "copeland"


def rank(
    data: Any,
    method: str | None = None,
    *,
    intervals: str | None = None,
    resample: str | None = None,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
    jobs: int = 1,
    weights: Mapping[str, float] | None = None,
    **options: Any,
) -> Ranking:
    """Rank the agents of some data.

    Args:
        data: Scores, matches, a profile, a tally or a game; or a frame or a
            path, which is read first. Many files (a pattern or a list), and
            rows of a relation or a lazy frame, are counted where they are if
            the method needs counts alone.
        method: Name of the method; by default copeland, elo for matches,
            deviation for games.
        intervals: "none" (the default), "bootstrap", or "auto": bootstrap where
            that is quick.
        resample: What the bootstrap draws anew: "task", "sample",
            "task+sample", "match" or "ballot"; by default what suits the data.
        level: Share that an interval holds.
        replicates: How many times to draw.
        seed: Start of all chance: same data, same seed, same answer.
        jobs: Processes that work at the same time.
        weights: Weights of tasks, by name; 1 where not named.
        **options: Options of the method.

    >>> from podium.data.profile import Profile
    >>> ranking = rank(Profile.from_ballots([(3, "abc"), (1, "bca")]), "borda")
    >>> ranking.tiers, ranking.info["condorcet_winner"]
    ((('a',), ('b',), ('c',)), 'a')
    """
    sampling = Sampling(intervals, resample, level, replicates, seed, jobs).checked()
    subject = Subject(_in_place(data, method, options, sampling, weights))
    return subject.ranked(method or subject.default, options, sampling)


def _in_place(
    data: Any,
    method: str | None,
    options: Mapping[str, Any],
    sampling: Sampling,
    weights: Mapping[str, float] | None,
) -> Data:
    """Count the rows of a relation or a lazy frame where they are, if the method asks no more."""
    if type(data) not in KINDS and not isinstance(data, str | os.PathLike | list | tuple):
        from podium.importers.counting import count, rows_of

        registered()
        rows = rows_of(data)
        if rows is not None and not (rows.clustered and sampling.wanted):
            card = METHODS[method or default_for(rows.kind)]
            if card.target(rows.kind, card.bind(options)) is Tally:
                return count(data, weights=weights)
    return loaded(data, weights, options.get("terms"))


def default_for(kind: type) -> str:
    """Name the method that suits data of a kind."""
    return next(name for name in DEFAULTS.get(kind, (DEFAULT,)) if name in METHODS.cards)


def registered() -> None:
    """Load the methods, which come into the registry by that."""
    importlib.import_module("podium.methods")


class Subject:
    """Data that are to be ranked, each view of them made once for all methods."""

    def __init__(self, data: Data) -> None:
        registered()
        self.data = data
        self._views: dict[type, Any] = {}

    @property
    def default(self) -> str:
        """Name of the method that suits these data."""
        counted_matches = isinstance(self.data, Tally) and self.data.matches
        return default_for(Matches if counted_matches else type(self.data))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The data in figures."""
        return summary(self.data)

    @cached_property
    def standing(self) -> dict[str, Any]:
        """Who wins and who loses against every other agent, if anybody."""
        if readable(type(self.data), (Tally,)) is None:
            return {}
        won, lost, _ = self._seen_as(Tally).record
        agents = self.data.agents
        found = condorcet(won, lost)
        return {
            "condorcet_winner": None if found.winner is None else agents[found.winner],
            "weak_condorcet_winners": sorted(agents[code] for code in found.weak_winners),
            "condorcet_loser": None if found.loser is None else agents[found.loser],
        }

    def ranked(
        self,
        name: str,
        options: Mapping[str, Any],
        sampling: Sampling,
        near: Ratings | None = None,
    ) -> Ranking:
        """Rank by a method, with the intervals that are wanted; from some ratings if that helps."""
        card = METHODS[name]
        bound = card.bind(sampling.seeded(card, options))
        start = time.perf_counter()
        view = self._view(card, bound)
        ratings = card.again(view, near, bound)
        seconds = time.perf_counter() - start
        spread = sampling.spread(self.data, card, bound, ratings)
        info = {**(self.standing if card.votes else {}), **ratings.info}
        notes = [*self.data_notes, *ratings.info.get("notes", ())]
        if notes:
            info["notes"] = notes
        more: dict[str, Any] = {"counts": view if isinstance(view, Tally) else None}
        if isinstance(spread, Spread):
            more |= {"intervals": spread.intervals, "rank_intervals": spread.rank_intervals}
            info["intervals"] = _told(spread)
        elif spread is not None:
            info["intervals"] = {"kind": None, "notes": [spread]}
        ranking = ranking_of(ratings, name, bound, data=self.summary, seconds=seconds, **more)
        ranking.info.update(info)
        return ranking

    @property
    def data_notes(self) -> tuple[str, ...]:
        """What the reader of the data should know."""
        return getattr(self.data, "notes", ())

    def _view(self, card: Card, options: Mapping[str, Any]) -> Any:
        try:
            return self._seen_as(card.target(type(self.data), options))
        except DataError as error:
            if card.can_read(type(self.data), options):
                raise
            known = [other.name for other in METHODS if other.can_read(type(self.data))]
            msg = f"{card.name}: {error}; methods that read these data: {', '.join(known)}"
            raise DataError(msg) from None

    def _seen_as(self, kind: type) -> Any:
        if kind not in self._views:
            self._views[kind] = convert(self.data, kind)
        return self._views[kind]


def _told(spread: Spread) -> dict[str, Any]:
    return {
        "kind": spread.kind,
        "unit": spread.unit,
        "replicates": spread.draws or None,
        "level": spread.level,
        "groups": [list(group) for group in spread.groups],
        "notes": list(spread.notes),
    }
