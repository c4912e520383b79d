"""Bootstrap: rank data drawn anew, many times, by any method."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arrays import Array, Bools
from podium.data.convert import Data
from podium.data.ratings import Ratings
from podium.data.tally import DENSE_LIMIT
from podium.errors import DataError, NotConverged
from podium.methods._registry import METHODS, NO_OPTIONS, Card
from podium.uncertainty.resample import Plan, plan_for
from podium.uncertainty.spread import (
    Spread,
    expanded,
    groups_of,
    named_groups,
    rank_bounds,
    rating_bounds,
    surely_above,
)
from podium.uncertainty.views import seen
from podium.words import check_number, counted, listed

CHUNK = 50
"""Draws that share one generator, so that workers need not know of each other."""

LARGEST_CHUNK = 1 << 22
"""Counts held by the draws of one chunk, at most."""

FAILED = 0.1
"""Share of draws on which a method may fail."""

MODERATE = 200_000
"""Numbers that one draw may handle where nobody asked for intervals."""


@dataclass(frozen=True, eq=False)
class Draws:
    """What a method said of many draws.

    Attributes:
        values: Draws x agents, ratings; NaN where the draw held nothing of an agent.
        tiers: Draws x agents, numbers of tiers; NaN likewise.
        failures: What the method said of each draw that it could not rank; such
            draws are in neither array.
        apart: Number of draws that fell apart into groups, and were rated by the
            options that the method has for such data.
    """

    values: Array
    tiers: Array
    failures: tuple[str, ...]
    apart: int = 0


def bootstrap(
    data: Data,
    card: Card,
    options: Mapping[str, Any],
    point: Ratings,
    *,
    unit: str | None = None,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
    jobs: int = 1,
) -> Spread:
    """Give intervals around the ratings and ranks of a method, by drawing the data anew.

    Args:
        data: The data.
        card: The method.
        options: Its options, checked.
        point: What it said of the data as they are.
        unit: What to draw anew, or None for what suits the data.
        level: Share that an interval should hold, such as 0.95.
        replicates: How many times to draw.
        seed: Start of all chance; the answer does not depend on `jobs`.
        jobs: Processes that work at the same time, -1 for one a core.
    """
    check_number("level", level, low=0.5, high=0.9999)
    check_number("replicates", replicates, low=2, high=1_000_000)
    check_number("seed", seed, low=0)
    check_number("jobs", jobs, low=-1)
    if not jobs:
        msg = "jobs is 0; give the number of processes, or -1 for one a core"
        raise DataError(msg)
    plan = plan_for(data, card, unit, options)
    chance = {"replicates": replicates, "seed": seed, "jobs": jobs}
    draws = drawn(plan, data, card, options, near=point, **chance)
    _demand_draws(draws, card, replicates)
    tail = 1 - level
    low, high = rating_bounds(draws.values, point.values, expanded(tail / 2, plan.size))
    notes = [*plan.notes, *_notes(draws, card, point, replicates, tail)]
    ranks: dict[str, tuple[int, int]] = {}
    groups: tuple[tuple[str, ...], ...] = ()
    if len(point.agents) > DENSE_LIMIT:
        notes.append(f"ranks of more than {DENSE_LIMIT:,} agents get no intervals")
    else:
        sure = surely_above(draws.tiers, point.tiers, expanded(tail, plan.size))
        ranks = _paired(point.agents, *rank_bounds(sure))
        groups = named_groups(point.agents, groups_of(sure, point.tiers))
    return Spread(
        kind="bootstrap",
        unit=plan.unit,
        draws=replicates,
        level=level,
        intervals=_paired(point.agents, low, high),
        rank_intervals=ranks,
        groups=groups,
        notes=tuple(notes),
    )


def cheap(
    data: Data, card: Card, unit: str | None = None, options: Mapping[str, Any] = NO_OPTIONS
) -> bool:
    """Tell whether a method may be bootstrapped on these data without being asked to."""
    if card.cheap_up_to < len(data.agents):
        return False
    return plan_for(data, card, unit, options).entries <= MODERATE


def drawn(
    plan: Plan,
    data: Data,
    card: Card,
    options: Mapping[str, Any],
    *,
    replicates: int,
    seed: int,
    jobs: int = 1,
    near: Ratings | None = None,
) -> Draws:
    """Draw the data anew and rank them, in chunks that each have their own generator.

    With the ratings of the data themselves, given as `near`, a method may start there.
    """
    step = max(1, min(CHUNK, LARGEST_CHUNK // max(1, plan.entries)))
    known = seen(card.view(data, options))
    tasks = [
        (
            plan,
            card.name,
            dict(options),
            near,
            known,
            (seed, first // step),
            min(step, replicates - first),
        )
        for first in range(0, replicates, step)
    ]
    if jobs == 1:
        parts = [_chunk(*task) for task in tasks]
    else:
        import joblib

        parts = joblib.Parallel(n_jobs=jobs)(joblib.delayed(_chunk)(*task) for task in tasks)
    return Draws(
        values=np.concatenate([part.values for part in parts]),
        tiers=np.concatenate([part.tiers for part in parts]),
        failures=tuple(said for part in parts for said in part.failures),
        apart=sum(part.apart for part in parts),
    )


def _chunk(
    plan: Plan,
    name: str,
    options: Mapping[str, Any],
    near: Ratings | None,
    known: Bools,
    key: tuple[int, int],
    count: int,
) -> Draws:
    """Rank some draws; all that comes in can be sent to another process."""
    importlib.import_module("podium.methods")  # another process may not have loaded them
    card, rng = METHODS[name], np.random.default_rng(key)
    values = np.full((count, len(known)), np.nan)
    tiers = np.full((count, len(known)), np.nan, dtype=np.float32)
    failures: list[str] = []
    row = apart = 0
    for data in plan.views(rng, count):
        view = card.view(data, options)
        here = ~known | seen(view)
        try:
            ratings, fell = _rated(card, _without(view, here), near, options)
        except (DataError, NotConverged) as error:
            failures.append(str(error))
            continue
        values[row, here], tiers[row, here] = ratings.values, ratings.tiers
        row, apart = row + 1, apart + fell
    return Draws(values[:row], tiers[:row], tuple(failures), apart)


def _rated(
    card: Card, view: Any, near: Ratings | None, options: Mapping[str, Any]
) -> tuple[Ratings, bool]:
    """Rank one draw, and tell whether it fell apart into groups that cannot be compared."""
    try:
        return card.again(view, near, options), False
    except DataError as error:
        if not (error.components and card.apart):
            raise
        return card.again(view, near, {**options, **card.apart}), True


def _without(view: Any, here: Bools) -> Any:
    """Leave out the agents of whom a draw holds nothing."""
    if here.all():
        return view
    return view.only(agents=[name for name, on in zip(view.agents, here, strict=True) if on])


def _demand_draws(draws: Draws, card: Card, replicates: int) -> None:
    failed = len(draws.failures)
    if failed > FAILED * replicates:
        msg = (
            f"{card.name} could not rank {failed:,} of {replicates:,} draws, so intervals from the "
            f"others would be too narrow; it said: {draws.failures[0]}"
        )
        raise DataError(msg)


def _notes(draws: Draws, card: Card, point: Ratings, replicates: int, tail: float) -> list[str]:
    """Say what went wrong, and what the number of draws allows."""
    notes = []
    if draws.apart:
        helped = ", ".join(f"{name}={value}" for name, value in card.apart.items())
        notes.append(
            f"{counted(draws.apart, 'draw')} of {replicates:,} fell apart into groups that cannot "
            f"be compared; {helped} held these together, and far ends of intervals depend on it"
        )
    if draws.failures:
        words = f"{counted(len(draws.failures), 'draw')} of {replicates:,} could not be ranked"
        notes.append(f"{words} and are left out: {draws.failures[0]}")
    gone = np.isnan(draws.tiers).mean(axis=0)
    rare = [agent for agent, share in zip(point.agents, gone, strict=True) if share > FAILED]
    if rare:
        words = f"many draws hold nothing of {listed(sorted(rare))}"
        notes.append(f"{words}; their intervals rest on the other draws and are too narrow")
    if replicates * tail < 5:
        notes.append(f"{replicates:,} draws are few for this level; take {round(10 / tail):,}")
    return notes


def _paired(agents: tuple[str, ...], low: Array, high: Array) -> dict[str, Any]:
    return dict(zip(agents, zip(low.tolist(), high.tolist(), strict=True), strict=True))
