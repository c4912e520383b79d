"""Ratings of least sigmoid loss, as far as descent from several starts can find them.

The loss is not convex. What is done about it: agents that the counts cannot
tell apart are rated as one, so that nothing has to be broken up by chance; the
temperature falls from a quarter of the range to its value, which lets the
coarse order come first; agents then jump to their best place, one by one, and
descent goes on from there, until no jump helps. All of it runs in an order
that counts alone decide.
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.kernels.alike import Majorities, apart, kinds_of, merged, met, scaled
from podium.kernels.sco import Point, at, loss, residual, steepest
from podium.kernels.sco_polish import polished
from podium.kernels.sco_sweeps import Rows, rows_of, sweep

SMALL = 200
"""Up to this many agents, several starts are tried and their results polished."""

GRID = 129
"""Places that an agent looks at before it jumps."""

BETTER = 1e-9
"""A loss is better from this share of all margins on."""

LOOSE = 1e-3
"""Tolerance at temperatures that are only passed through."""

PASSED = 30
"""Sweeps at such a temperature, at most."""

MEMORY = 10
"""A step may raise the loss above the last one, but not above that many before."""


class Fit(NamedTuple):
    """Where descent ended.

    Attributes:
        ratings: In units of the temperature, from 0 to the width.
        iterations: Times that the loss and its slopes were computed, or sweeps made.
        residual: Largest slope not held by a bound, as a share of the steepest possible.
    """

    ratings: Floats
    iterations: int
    residual: float


def fit(pairs: Majorities, width: float, *, tolerance: float, limit: int) -> Fit:
    """Find ratings at which the loss cannot be lowered by small steps or single jumps.

    Args:
        pairs: Who beats whom.
        width: Upper bound of the ratings, in units of the temperature.
        tolerance: Largest slope to stop at, as a share of the steepest possible.
        limit: Most iterations.

    >>> chain = Majorities(np.array([0, 1, 0]), np.array([1, 2, 2]), np.ones(3), 4)
    >>> fit(chain, 40.0, tolerance=1e-9, limit=1_000).ratings.round(6).tolist()
    [40.0, 20.0, 0.0, 20.0]
    """
    even = scaled(pairs)
    kinds = kinds_of(even)
    if not kinds.settled:
        kinds = apart(even)
    few = merged(even, kinds)
    best = from_starts(few, width, tolerance, limit) if few.size <= SMALL else None
    if best is None:
        best = _of_many(few, width, tolerance, limit)
    ratings = np.where(met(few), best.ratings, width / 2)[kinds.kind]
    return Fit(ratings, best.iterations, residual(at(even, ratings), steepest(even), width))


def from_starts(pairs: Majorities, width: float, tolerance: float, limit: int) -> Fit:
    """Descend from several starts, and keep the best place."""
    steep = steepest(pairs)
    middle = np.full(pairs.size, width / 2)
    net = at(pairs, middle).slopes
    place = np.searchsorted(np.sort(-net), -net) + np.searchsorted(np.sort(-net), -net, "right")
    spread = width * (place - 1) / (2 * max(1, pairs.size - 1))
    cooled, work = cool(pairs, middle, width, limit)
    ends = []
    for start in (cooled, np.clip(spread, 0.0, width), middle):
        point, more = settle(pairs, start, steep, width, tolerance, limit - work)
        ends.append(point)
        work += more
    most = min(end.loss for end in ends) + BETTER * float(pairs.margin.sum())
    best = next(end for end in ends if end.loss <= most)
    ratings, more = polished(pairs, best.ratings, width)
    return Fit(ratings, work + more, 0.0)


def cool(pairs: Majorities, start: Floats, width: float, limit: int) -> tuple[Floats, int]:
    """Descend at falling temperatures, from a quarter of the width down to 1."""
    ratings, work, warmth = start, 0, width / 4
    steep = steepest(pairs)
    while warmth > 1 and work < limit:
        point, more = descended(pairs, ratings / warmth, steep, width / warmth, LOOSE, limit - work)
        ratings, work, warmth = np.clip(point.ratings * warmth, 0, width), work + more, warmth / 2
    return ratings, work


def settle(
    pairs: Majorities, start: Floats, steep: Floats, width: float, tolerance: float, limit: int
) -> tuple[Point, int]:
    """Descend, let agents jump, descend again, until no jump helps."""
    point, work = descended(pairs, start, steep, width, tolerance, limit)
    rows = rows_of(pairs)
    while work < limit:
        jumped = jumps(rows, point.ratings, width)
        if loss(pairs, jumped) >= point.loss - BETTER * float(pairs.margin.sum()):
            break
        point, more = descended(pairs, jumped, steep, width, tolerance, limit - work)
        work += more
    return point, work


def jumps(rows: Rows, ratings: Floats, width: float) -> Floats:
    """Let each agent in turn jump to its best place, if that is clearly better.

    >>> rows = rows_of(Majorities(np.array([0]), np.array([1]), np.ones(1), 2))
    >>> jumps(rows, np.array([0.0, 40.0]), 50.0).tolist()
    [50.0, 0.0]
    """
    ratings = ratings.copy()
    grid = np.linspace(0.0, width, GRID)
    for agent in range(len(ratings)):
        span = slice(rows.start[agent], rows.start[agent + 1])
        margin = rows.margin[span]
        others = ratings[rows.other[span]]
        tried = np.append(ratings[agent], grid)
        gap = others - tried[:, None]
        small = np.exp(-np.abs(gap))
        total = (np.where(gap >= 0, 1.0, small) / (1.0 + small)) @ margin
        best = int(np.argmin(total))
        if total[best] < total[0] - BETTER * np.abs(margin).sum():
            ratings[agent] = tried[best]
    return ratings


def descended(
    pairs: Majorities, start: Floats, steep: Floats, width: float, tolerance: float, limit: int
) -> tuple[Point, int]:
    """Follow the spectral projected gradient (Birgin, Martinez and Raydan 2000).

    Each agent's steps are measured by the steepest slope that it can have.
    """
    point, step, work = at(pairs, start), 4.0, 1
    recent = [point.loss]
    while work < limit and residual(point, steep, width) > tolerance:
        way = np.clip(point.ratings - step * point.slopes / steep, 0.0, width) - point.ratings
        falls, share = float(point.slopes @ way), 1.0
        while True:
            fresh = at(pairs, point.ratings + share * way)
            work += 1
            if fresh.loss <= max(recent) + 1e-4 * share * falls or share < 1e-8:
                break
            share /= 2
        moved, turned = fresh.ratings - point.ratings, fresh.slopes - point.slopes
        bend = float(moved @ turned)
        step = float(steep @ (moved * moved)) / bend if bend > 0 else 2 * step
        step = min(max(step, 1e-3), 1e6)
        point, recent = fresh, [*recent, fresh.loss][-MEMORY:]
    return point, work


def _of_many(pairs: Majorities, width: float, tolerance: float, limit: int) -> Fit:
    """Sweep over the agents at falling temperatures, then until no slope is left."""
    rows, steep = rows_of(pairs), steepest(pairs)
    ratings = np.full(pairs.size, width / 2)
    work, warmth = 0, max(1.0, width / 4)
    while work < limit:
        last = warmth == 1
        scaled_ratings = ratings / warmth
        waiting = np.ones(pairs.size, dtype=np.uint8)
        most = limit - work if last else min(PASSED, limit - work)
        allowed = tolerance if last else LOOSE
        for _ in range(most):
            work += 1
            moves = sweep(scaled_ratings, *rows, steep, waiting, width / warmth, allowed)
            if not moves:
                break
        ratings = np.clip(scaled_ratings * warmth, 0.0, width)
        if last:
            break
        warmth = max(1.0, warmth / 2)
    return Fit(ratings, work, 0.0)
