"""Resampling: what is drawn anew, for each kind of data and each unit.

Which unit is right is a question about the world: draw tasks if other tasks
could have been asked, samples if the tasks are the ones that matter and only
the noise of playing them does not, ballots or matches if other voters could
have voted. Draws do not depend on the order in which agents or tasks are
listed, nor (but for exact ties) on the names of agents.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from podium.arrays import Array, Ints, add_up, locked
from podium.data.convert import KINDS, Data, convert
from podium.data.game import Game
from podium.data.matches import LOSS, TIE, WIN, Matches
from podium.data.profile import Profile
from podium.data.roster import Roster
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Tally
from podium.errors import DataError
from podium.methods._registry import NO_OPTIONS, Card
from podium.uncertainty.urns import Strata, Urn
from podium.uncertainty.views import (
    Ballots,
    RepeatedBallots,
    RepeatedMatches,
    ScoresOfSamples,
    ScoresOfTasks,
    TableTallies,
    TalliedPairs,
    Views,
    WeightedMatches,
)
from podium.words import check_choice, counted

UNITS: dict[type, tuple[str, ...]] = {
    Scores: ("task", "sample", "task+sample"),
    Profile: ("ballot", "task"),
    Matches: ("match", "task"),
    Tally: ("match",),
}
"""What can be drawn anew from each kind of data, the default first."""


@dataclass(frozen=True)
class Counted:
    """A plan that draws how often each unit comes up, and no rows.

    Attributes:
        unit: What is drawn.
        urn: Draws counts.
        data: Turns counts into data.
        entries: About how many numbers one draw handles.
        notes: What the reader of the intervals should know.
    """

    unit: str
    urn: Urn | Strata
    data: Views
    entries: int
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> float:
        """How many units a draw takes."""
        return self.urn.size

    def views(self, rng: np.random.Generator, count: int) -> Iterator[Data]:
        """Draw some times, and give the data as they then look."""
        return self.data.of(self.urn.draw(rng, count))


@dataclass(frozen=True)
class TwoStages:
    """A plan that draws tasks, and within each draw of a task its samples.

    Attributes:
        scores: The scores.
        tasks: Draws tasks.
        samples: Draws units of samples within a task (and agent).
        row_unit: The unit of samples that each row belongs to.
    """

    scores: Scores
    tasks: Urn
    samples: Strata
    row_unit: Ints
    notes: tuple[str, ...] = ()
    unit: str = "task+sample"

    @property
    def size(self) -> float:
        """How many tasks a draw takes."""
        return self.tasks.size

    @property
    def entries(self) -> int:
        """Number of rows."""
        return len(self.scores.value)

    def views(self, rng: np.random.Generator, count: int) -> Iterator[Data]:
        """Draw some times; each time a task comes up it is a task of its own."""
        by_unit = np.argsort(self.row_unit, kind="stable")
        sizes = np.bincount(self.row_unit)
        starts = np.cumsum(sizes) - sizes
        tasks = np.arange(len(self.scores.tasks))
        task_of_unit = self.scores.task[by_unit][starts]
        first = np.searchsorted(task_of_unit, tasks)
        held = np.searchsorted(task_of_unit, tasks, side="right") - first
        for times in self.tasks.draw(rng, count):
            slots = np.repeat(tasks, times)
            places, slot = spans(first[slots], held[slots])
            units = self.samples.pick(rng, places)
            entries, which = spans(starts[units], sizes[units])
            yield self._copies(by_unit[entries], slot[which], slots)

    def _copies(self, rows: Ints, slot: Ints, slots: Ints) -> Scores:
        """Lay drawn rows out under one task for each time that a task came up."""
        whole = self.scores
        names = tuple(f"{whole.tasks[task]} #{number}" for number, task in enumerate(slots))
        return replace(
            whole.taken(rows, slot),
            roster=Roster(whole.agents, names),
            weights=locked(whole.weights[slots]),
            lower_is_better=locked(whole.lower_is_better[slots]),
            stds=None if whole.stds is None else locked(whole.stds[slots]),
        )


Plan: TypeAlias = Counted | TwoStages
"""A way to draw data anew."""


def spans(first: Array, lengths: Array) -> tuple[Ints, Ints]:
    """List the numbers of many spans end to end, and which span each comes from.

    >>> [part.tolist() for part in spans(np.array([5, 0]), np.array([2, 3]))]
    [[5, 6, 0, 1, 2], [0, 0, 1, 1, 1]]
    """
    span = np.repeat(np.arange(len(lengths)), lengths)
    offset = np.arange(len(span)) - (np.cumsum(lengths) - lengths)[span]
    return first[span] + offset, span


def plan_for(
    data: Data, card: Card, unit: str | None = None, options: Mapping[str, Any] = NO_OPTIONS
) -> Plan:
    """Choose how to draw data anew for a method.

    Args:
        data: The data.
        card: The method; which kind of data it reads decides what is counted.
        unit: What to draw, or None for what suits the data.
        options: The options of the method.
    """
    if isinstance(data, Game):
        msg = (
            "a game's payoffs are given and not sampled, so there is nothing to draw anew; "
            "use intervals=none, or give the scores or matches that the payoffs come from"
        )
        raise DataError(msg)
    if unit is not None:
        check_choice(f"resample (for {KINDS[type(data)]})", unit, UNITS[type(data)])
    target = card.target(type(data), options)
    if isinstance(data, Scores):
        return _of_scores(data, target, unit, in_order=card.goes_on(options))
    if isinstance(data, Profile):
        return _of_profile(data, target, unit, in_order=card.goes_on(options))
    if isinstance(data, Matches):
        return _of_matches(data, "order" if card.goes_on(options) else KINDS[target], unit)
    return _of_tally(data, ("the pairs of the tally were drawn as matches of two, each alone",))


def _of_scores(whole: Scores, target: type, unit: str | None, *, in_order: bool) -> Plan:
    used = (whole.weights > 0) & (whole.counts > 0).any(axis=1)
    scores = whole.only(tasks=sorted(t for t, on in zip(whole.tasks, used, strict=True) if on))
    if unit is None:  # a single task cannot be drawn anew
        unit = "task" if len(scores.tasks) > 1 else "sample"
    if unit == "sample":
        return _samples(scores)
    if len(scores.tasks) < 2:
        msg = f"{counted(len(scores.tasks), 'task')} cannot be drawn anew; use resample=sample"
        raise DataError(msg)
    urn = Urn.of(np.ones(len(scores.tasks)))
    if unit == "task+sample":
        row_unit, group = _sample_units(scores)
        return TwoStages(scores, urn, Strata.of(group), row_unit)
    several = scores.counts.max(initial=0) > 1
    hint = "cells hold several samples; resample=sample asks how sure the ranks on these tasks are"
    views = _task_views(scores, target)
    if in_order:
        each = np.arange(len(scores.tasks))
        views = RepeatedBallots(convert(scores, Profile), scores.weights, each)
    return Counted(unit, urn, views, scores.means.size, (hint,) if several else ())


def _task_views(scores: Scores, target: type) -> Views:
    unit = np.arange(len(scores.tasks))
    if target is Tally and len(scores.agents) <= DENSE_LIMIT:
        return TableTallies(scores.agents, -scores.means, scores.weights, unit)
    if target is Profile:
        return _ballots(convert(scores, Profile), scores.weights, unit)
    _ = scores.means  # once, for all draws
    return ScoresOfTasks(scores)


def _samples(scores: Scores) -> Plan:
    row_unit, group = _sample_units(scores)
    strata = Strata.of(group)
    if strata.width.max(initial=0) < 2:
        msg = "no cell has more than one sample, so samples cannot be drawn anew; "
        raise DataError(msg + ("use resample=task" if len(scores.tasks) > 1 else "give more data"))
    fixed = int((strata.width == 1).sum())
    words = f"{counted(fixed, 'group')} of a single sample stay as they are in every draw"
    data = ScoresOfSamples(scores, row_unit)
    return Counted("sample", strata, data, len(scores.value), (words,) if fixed else ())


def _sample_units(scores: Scores) -> tuple[Ints, Ints]:
    """Tell samples apart: the unit of each row, and the group within which a unit is drawn.

    Rows of one task under one identifier (a seed, an instance) are one unit,
    and a task is the group; rows without are each on their own within a cell.
    """
    if scores.sample is None:
        cell = scores.task * len(scores.agents) + _place(scores)[scores.agent]
        order = np.lexsort((scores.value, cell))
        row_unit = np.empty(len(order), dtype=np.int64)
        row_unit[order] = np.arange(len(order))
        return locked(row_unit), locked(cell[order])
    span = int(scores.sample.max(initial=0)) + 1
    found, row_unit = np.unique(scores.task * span + scores.sample, return_inverse=True)
    totals = add_up(row_unit, scores.value, len(found))
    order = np.lexsort((totals, found // span))
    place = np.empty(len(found), dtype=np.int64)
    place[order] = np.arange(len(found))
    return locked(place[row_unit]), locked((found // span)[order])


def _place(scores: Scores) -> Ints:
    """Number agents by what they scored, so that neither listing nor names matter."""
    return _numbered(scores.agents, *np.nan_to_num(scores.means, nan=-np.inf))


def _numbered(agents: tuple[str, ...], *keys: Array) -> Ints:
    """Number agents by some keys, the first one first; equal agents go by name."""
    names = np.argsort(np.argsort(np.array(agents, dtype=object)))
    place = np.empty(len(agents), dtype=np.int64)
    place[np.lexsort((names, *reversed(keys)))] = np.arange(len(agents))
    return place


def _ballots(profile: Profile, each: Array, unit: Ints) -> Views:
    _ = profile.group_start, profile.group_size  # once, for all draws
    return Ballots(profile, each, unit)


def _of_profile(profile: Profile, target: type, unit: str | None, *, in_order: bool) -> Plan:
    votes = np.arange(len(profile))
    if unit == "task":
        urn, votes = _task_urn(profile.tasks, np.array(profile.sources, dtype=object))
        each = profile.weights
    elif (profile.weights == np.floor(profile.weights)).all():
        urn, each = Urn.of(profile.weights), np.ones(len(profile))
    else:
        urn, each = Urn.of(np.sign(profile.weights)), profile.weights
    if urn.size < 2:
        msg = f"{counted(int(urn.size), 'ballot')} cannot be drawn anew; use intervals=none"
        raise DataError(msg)
    size = len(profile.agents)
    listing = np.square(profile.lengths).sum() * 4 < len(profile) * size * size
    data: Views
    if in_order:
        data = RepeatedBallots(profile, each, votes)
    elif target is Tally and size <= DENSE_LIMIT and not listing:
        data = TableTallies(profile.agents, profile.places(), each, votes)
    else:
        data = _ballots(profile, each, votes)
    return Counted(unit or "ballot", urn, data, len(profile.who))


def _task_urn(tasks: tuple[str, ...], task: Array) -> tuple[Urn, Ints]:
    """Fill an urn with tasks, and tell the task of each row."""
    if len(tasks) < 2:
        msg = f"the data name {counted(len(tasks), 'task')}, which cannot be drawn anew; "
        raise DataError(msg + "leave resample= out")
    names, code = np.unique(task, return_inverse=True)
    return Urn.of(np.ones(len(names))), locked(code)


def _of_matches(whole: Matches, reading: str, unit: str | None) -> Plan:
    """Choose how to draw matches: for a method that heeds their order, or reads them as a kind."""
    matches = whole.taken(np.flatnonzero(whole.weight > 0))
    rows, copies = np.arange(len(matches.left)), np.ones(len(matches.left))
    notes: tuple[str, ...] = ()
    if unit == "task":
        names = () if matches.task is None else matches.tasks
        codes = np.empty(0, np.int64) if matches.task is None else matches.task
        urn, rows = _task_urn(names, np.array(names, dtype=object)[codes])
    elif matches.cluster is not None:
        _, rows = np.unique(matches.cluster, return_inverse=True)
        urn = Urn.of(np.ones(int(rows.max(initial=-1)) + 1))
        notes = (f"matches that belong together were drawn together, {int(urn.size):,} clusters",)
    else:
        whole_weights = bool((matches.weight == np.floor(matches.weight)).all())
        if reading != "order" and whole_weights and (matches.weight > 1).any():
            notes = ("whole weights count as numbers of matches",)
        if reading == KINDS[Tally] and whole_weights and matches.weight.sum() >= 2:
            return _of_tally(convert(matches, Tally), notes)
        if reading != "order":
            matches, copies = _kinds(matches, by_row=reading == KINDS[Matches])
            rows = np.arange(len(copies))
            if whole_weights:
                copies = copies * matches.weight
                matches = matches.with_weight(np.ones(len(rows)))
        urn = Urn.of(copies)
    if urn.size < 2:
        msg = f"{counted(int(urn.size), 'match')} cannot be drawn anew; use intervals=none"
        raise DataError(msg)
    data = (RepeatedMatches if reading == "order" else WeightedMatches)(matches, rows)
    return Counted(unit or "match", urn, data, len(rows), notes)


def _kinds(matches: Matches, *, by_row: bool) -> tuple[Matches, Array]:
    """Keep one of each kind of equal matches, in a neutral order, with their numbers.

    For a method that reads row by row, who came first and all terms are part of the kind.
    """
    size, weight = len(matches.agents), matches.weight
    points = add_up(matches.left, weight * matches.score, size)
    points += add_up(matches.right, weight * (WIN - matches.score), size)
    met = add_up(matches.left, weight, size) + add_up(matches.right, weight, size)
    place = _numbered(matches.agents, points, met)
    left, right = place[matches.left], place[matches.right]
    score = np.where(left < right, matches.score, WIN - matches.score)
    _, heavy = np.unique(weight, return_inverse=True)
    outcome = np.select([score == LOSS, score == TIE], [0, 1], default=2)
    pair = np.minimum(left, right) * size + np.maximum(left, right)
    key = (pair * 3 + outcome) * (int(heavy.max(initial=0)) + 1) + heavy
    if by_row:
        key = np.unique(key, return_inverse=True)[1] * 2 + (left < right)
        for term in matches.terms:
            cells = np.array(term.labels)[term.values] if term.labels else term.values
            _, codes = np.unique(cells, return_inverse=True)
            key = np.unique(key, return_inverse=True)[1] * (int(codes.max(initial=0)) + 1) + codes
    _, first, copies = np.unique(key, return_index=True, return_counts=True)
    return matches.taken(first), copies


def _of_tally(tally: Tally, notes: tuple[str, ...]) -> Plan:
    pairs = tally.pairs
    ties = pairs.met - pairs.wins - pairs.losses
    outcomes = np.concatenate([pairs.wins, pairs.losses, ties])
    if (outcomes != np.floor(outcomes)).any() or outcomes.sum() < 2:
        msg = (
            "this tally does not hold whole numbers of wins, losses and ties (or fewer than two), "
            "so it does not say how many matches there were; give the votes or matches themselves"
        )
        raise DataError(msg)
    size = len(tally.agents)
    won = add_up(pairs.left, pairs.wins, size) + add_up(pairs.right, pairs.losses, size)
    met = add_up(pairs.left, pairs.met, size) + add_up(pairs.right, pairs.met, size)
    place = _numbered(tally.agents, won, met)
    left, right = place[pairs.left], place[pairs.right]
    ahead = np.where(left < right, [[0], [1]], [[1], [0]])  # the outcome for the lower number
    pair = np.minimum(left, right) * size + np.maximum(left, right)
    rows = np.concatenate([ahead, np.full((1, len(pair)), 2)]) * len(pair) + np.arange(len(pair))
    order = rows[:, np.argsort(pair)].T.ravel()
    data = TalliedPairs(tally.agents, pairs, tally.dense is not None)
    return Counted("match", Urn.of(outcomes, order), data, len(outcomes), notes)
