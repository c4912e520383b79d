"""What `elo` fits: rows of outcomes, and columns of terms."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.data.convert import matches_to_tally
from podium.data.matches import LOSS, TIE, WIN, Matches
from podium.data.tally import Tally
from podium.data.terms import Term
from podium.errors import DataError
from podium.kernels.outcomes import Rows
from podium.words import listed, unknown

SIDE = "side"
"""Name of the advantage of the first agent."""

TIES = "ties=davidson"
"""Name of the rate of ties."""


class Design(NamedTuple):
    """Columns of terms, as they are fitted, and what they stand for.

    Attributes:
        columns: Rows x columns.
        of: Name of the term of each column.
        made: Each term with its label (None for numbers), and how much of each
            column its estimate is made of.
    """

    columns: Floats
    of: tuple[str, ...]
    made: tuple[tuple[str, str | None, Floats], ...]


def term_names(terms: str | None) -> tuple[str, ...]:
    """Take apart names joined by a plus.

    >>> term_names("length + judge")
    ('length', 'judge')
    """
    names = [name.strip() for name in (terms or "").split("+")] if terms else []
    if "" in names or len(set(names)) != len(names):
        msg = f"elo:terms is {terms!r}; give names of columns joined by +, each once"
        raise DataError(msg)
    return tuple(names)


def demands(options: Mapping[str, Any]) -> tuple[type, ...]:
    """Name what `elo` reads: counts, or the matches themselves where these have terms."""
    return (Matches,) if options.get("terms") or options.get("side") else (Tally,)


def rows_of(data: Tally | Matches, *, davidson: bool, side: bool, terms: str | None) -> Rows:
    """Lay out what is fitted, without terms as pairs of agents."""
    if isinstance(data, Matches):
        if side or terms:
            return _of_matches(data, davidson=davidson)
        data = matches_to_tally(data)
    elif side or terms:
        msg = "elo:side and elo:terms are of single matches; give matches, not counts of pairs"
        raise DataError(msg)
    pairs = data.pairs
    tied = np.maximum(pairs.met - pairs.wins - pairs.losses, 0.0)
    # What is left of rounded weights where there was no tie would connect agents.
    tied[tied <= 1e-12 * pairs.met] = 0.0
    counts = (pairs.wins, pairs.losses, tied)
    return _rows(pairs.left, pairs.right, counts, len(data.agents), davidson=davidson)


def played(matches: Matches) -> Matches:
    """Leave out matches of weight 0, whose terms tell nothing."""
    return matches if (matches.weight > 0).all() else matches.taken(matches.weight.nonzero()[0])


def _of_matches(matches: Matches, *, davidson: bool) -> Rows:
    kinds = (WIN, LOSS, TIE)
    counts = [np.where(matches.score == kind, matches.weight, 0.0) for kind in kinds]
    return _rows(matches.left, matches.right, counts, len(matches.agents), davidson=davidson)


def _rows(
    left: Array, right: Array, counts: Sequence[Floats], size: int, *, davidson: bool
) -> Rows:
    won, lost, tied = counts
    none = np.zeros((len(left), 0))
    if davidson and tied.any():
        return Rows(left, right, won, lost, tied, none, size)
    return Rows(left, right, won + tied / 2, lost + tied / 2, None, none, size)


def design_of(matches: Matches, *, side: bool, names: Sequence[str]) -> Design:
    """Lay out the terms that are asked for.

    A column of labels stands for how much each label, less the mean of all,
    favours the first agent; so it comes with the advantage of the first agent.
    """
    chosen = [_term(matches, name) for name in names]
    parts: list[tuple[str, Floats]] = []
    made: list[tuple[str, str | None, int, Floats]] = []
    if side or any(term.labels for term in chosen):
        made.append((SIDE, None, 0, np.ones(1)))
        parts.append((SIDE, np.ones(len(matches.left))))
    for term in chosen:
        first = len(parts)
        if term.labels:
            parts += [(term.name, column) for column in _contrasts(term)]
            free = np.eye(len(term.labels) - 1)
            lines = zip(term.labels, [*free, -free.sum(axis=0)], strict=True)
            made += [(term.name, label, first, line) for label, line in lines]
        else:
            size = float(np.sqrt(np.mean(np.square(term.values)))) or 1.0
            parts.append((term.name, term.values / size))
            made.append((term.name, None, first, np.array([1.0 / size])))
    return Design(
        np.stack([column for _, column in parts], axis=1),
        tuple(name for name, _ in parts),
        tuple((name, label, _placed(first, line, len(parts))) for name, label, first, line in made),
    )


def _placed(first: int, line: Floats, size: int) -> Floats:
    """Fill a line up with zeros before and behind."""
    return np.pad(line, (first, size - first - len(line)))


def _contrasts(term: Term) -> list[Floats]:
    """Give a column for each label but the last, which is less the sum of the others."""
    last = len(term.labels) - 1
    if not last:
        msg = f"elo:terms: {term.name!r} holds {term.labels[0]!r} alone; leave this term out"
        raise DataError(msg)
    at_last = (term.values == last).astype(np.float64)
    return [(term.values == code) - at_last for code in range(last)]


def _term(matches: Matches, name: str) -> Term:
    known = {term.name: term for term in matches.terms}
    if name == SIDE:
        msg = "elo:terms names 'side', which is the option side=true; rename the column if meant"
        raise DataError(msg)
    if name not in known:
        hint = f"read them with podium.read(..., terms=({name!r},))"
        have = unknown("term", name, known) if known else "these matches have no terms"
        msg = f"elo:terms: {have}; {hint}"
        raise DataError(msg)
    return known[name].compact()


def collinear(names: Sequence[str]) -> DataError:
    """Say that terms cannot be told apart."""
    several = sorted(set(names))
    msg = (
        f"elo: the data do not tell what {listed(several)} would add to the ratings of agents and "
        "to one another: some combination of them can be anything. Leave one of them out"
    )
    return DataError(msg)


def unbounded(names: Sequence[str]) -> DataError:
    """Say that terms, or ties of their own, explain too much."""
    several = sorted(set(names))
    if several == [TIES]:
        msg = (
            "elo: ties=davidson has no finite rate of ties for these data: no pair of agents shows "
            "all that it would have to, such as a win, a tie and a loss; use ties=half"
        )
        return DataError(msg)
    msg = (
        f"elo: there is no finite estimate for {listed(several)}: matches always end as these "
        "say, as they do where a judge has cast few votes. Leave them out, put rare values "
        "together, or give the column as cluster"
    )
    return DataError(msg)
