"""How `elo` fits: plainly by counts of pairs, or with terms and ties of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from podium.arrays import Floats
from podium.data.matches import Matches
from podium.data.tally import Tally
from podium.errors import NotConverged
from podium.kernels.bradley_terry import Counts, fit
from podium.kernels.outcomes import (
    ModelFit,
    Point,
    Rows,
    Slopes,
    fit_outcomes,
    log_odds,
    separated,
    slopes,
    told_apart,
    unexplained,
)
from podium.methods._connection import connection, held_by_prior, is_whole, refusal
from podium.methods._elo_rows import (
    TIES,
    Design,
    collinear,
    design_of,
    played,
    rows_of,
    term_names,
    unbounded,
)

SCALE = 400 / float(np.log(10))
"""Points of Elo for one unit of the logistic."""

ENOUGH = 1e-6
"""A larger residual than this, in units of the logistic, is no fit."""

SUSPICIOUS = 8.0
"""Log-odds beyond this may be on their way to infinity; a linear program finds out."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fit, on the scale of the logistic.

    Attributes:
        rows: What was fitted.
        point: The parameters.
        prior: The weight of the prior.
        design: What the terms stand for, or None.
        info: What there is to say beside ratings.
    """

    rows: Rows
    point: Point
    prior: float
    design: Design | None
    info: dict[str, Any]

    @property
    def ratings(self) -> Floats:
        """Rating of each agent; with a prior, against its rival of rating 0."""
        return self.point.ratings

    @cached_property
    def slopes(self) -> Slopes:
        """Derivatives of the likelihood at the fit."""
        return slopes(self.rows, self.point, self.prior)


def fitted(
    data: Tally | Matches,
    *,
    prior: float = 0.0,
    ties: str = "half",
    side: bool = False,
    terms: str | None = None,
    start: Floats | None = None,
) -> Fitted:
    """Fit the model to counts or matches; options are those of `elo`."""
    names = term_names(terms)
    if isinstance(data, Matches):
        data = played(data)
    rows = rows_of(data, davidson=ties == "davidson", side=side, terms=terms)
    held: dict[str, Any] = {}
    if len(data.agents) > 1:
        found = connection(rows)
        if prior <= 0 and not is_whole(found):
            raise refusal(data.agents, found)
        held = held_by_prior(data.agents, found)
    design = (
        design_of(data, side=side, names=names)
        if isinstance(data, Matches) and (side or names)
        else None
    )
    if design is not None:
        rows = rows._replace(terms=design.columns)
    if design is None and rows.tied is None:
        return _plain(rows, prior, ties, start, held)
    return _full(rows, prior, design, start, held)


def _plain(
    rows: Rows, prior: float, ties: str, start: Floats | None, held: dict[str, Any]
) -> Fitted:
    done = fit(
        Counts(rows.left, rows.right, rows.won, rows.lost, rows.size), prior=prior, start=start
    )
    info = _told(done.iterations, done.residual) | held
    if ties == "davidson":  # nobody tied
        info |= {"nu": 0.0, "tie_rate": 0.0}
    return Fitted(rows, Point(done.ratings, np.zeros(0)), prior, None, info)


def _full(
    rows: Rows, prior: float, design: Design | None, start: Floats | None, held: dict[str, Any]
) -> Fitted:
    of = (*(design.of if design else ()), *([TIES] if rows.tied is not None else []))
    zeros = np.zeros(rows.terms.shape[1])
    first = Point(np.zeros(rows.size) if start is None else start, zeros)
    known = told_apart(slopes(rows, first._replace(ratings=np.zeros(rows.size)), prior))
    if not known.all():
        raise collinear(_marked(of, ~known))
    done = fit_outcomes(rows, prior=prior, start=first)
    largest = np.abs(log_odds(rows, done.point)).max(initial=0.0)
    if max(largest, abs(done.point.tie)) > SUSPICIOUS or done.residual > ENOUGH:
        direction = separated(rows, held=prior > 0)
        if direction is not None:
            raise unbounded(_marked(of, np.abs(direction[1]) > 1e-6))
    info = _told(done.iterations, done.residual) | held
    if rows.tied is not None:
        nu = float(np.exp(done.point.tie))
        info |= {"nu": nu, "tie_rate": nu / (2 + nu)}
    if design is not None:
        info["terms"] = _estimates(design, done)
    return Fitted(rows, done.point, prior, design, info)


def _marked(names: Sequence[str], marks: Any) -> list[str]:
    return [name for name, on in zip(names, marks.tolist(), strict=True) if on]


def _told(iterations: int, residual: float) -> dict[str, Any]:
    if residual > ENOUGH:
        msg = (
            f"elo stopped after {iterations} steps with a residual of {residual:.1g}; at most "
            f"{ENOUGH:g} counts as a fit. A prior, such as prior=0.1, makes the fit easier"
        )
        raise NotConverged(msg)
    return {"iterations": iterations, "residual": residual, "unique": True}


def _estimates(design: Design, done: ModelFit) -> dict[str, Any]:
    """Give the estimate of each term, or of each of its labels, with its standard error."""
    terms = done.point.terms
    spread = np.linalg.inv(unexplained(done.slopes))[: len(terms), : len(terms)]
    told: dict[str, Any] = {}
    for name, label, line in design.made:
        error = float(np.sqrt(line @ spread @ line))
        one = {"estimate": SCALE * float(line @ terms), "error": SCALE * error}
        if label is None:
            told[name] = one
        else:
            told.setdefault(name, {})[label] = one
    return told
