"""Matches from the columns of a table."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.data.matches import LOSS, TIE, WIN, Matches
from podium.data.roster import Roster, first_seen
from podium.data.terms import Term
from podium.errors import DataError
from podium.importers.cells import Names, kept_names
from podium.importers.options import Options
from podium.importers.repeats import IDENTIFIERS, Kept, Marked, settle
from podium.importers.tables import Sieve, Table, check_blanks
from podium.words import listed, unknown

TIE_WORDS = ("tie", "tie (bothbad)", "both_bad", "bothbad")
"""Words for a match that nobody won; arenas tell two bad answers from two good ones."""


class _Sides(NamedTuple):
    """Who met, in codes of one list of names."""

    left: Ints
    right: Ints
    names: tuple[str, ...]


@dataclass(frozen=True)
class _Rows:
    """What all rows of a table say, bad ones included."""

    sides: _Sides
    score: Floats
    column: str
    weight: Floats | None
    task: Names | None
    time: Floats | None
    cluster: Names | None
    marks: tuple[Ints, ...]
    terms: tuple[Term, ...]


def read_matches(table: Table, roles: Mapping[str, str], options: Options) -> Matches:
    """Read one match a row: two agents, and who won or the score of the first."""
    options.check_no_scores(table.source, "matches")
    sieve = Sieve(table, skip=options.skip_bad_rows)
    rows = _rows(sieve, roles, options.terms)
    sieve.check_left("matches")
    return _build(sieve, rows, options)


def _rows(sieve: Sieve, roles: Mapping[str, str], terms: Collection[str]) -> _Rows:
    first = next(name for name in ("a", "model_a", "agent_a") if name in roles)
    second = first[:-1] + "b"
    sides = _sides(sieve.names(roles[first], "agent"), sieve.names(roles[second], "agent"))
    sieve.refuse(sides.left == sides.right, roles[second], "an agent cannot meet itself")
    column = roles.get("winner") or roles["score"]
    if "winner" in roles:
        words = {first: WIN, second: LOSS} | dict.fromkeys(TIE_WORDS, TIE)
        score = _winners(sieve, column, words, sides)
    else:
        score = sieve.table.columns[column].numbers().values
        wrong = ~np.isin(score, (WIN, TIE, LOSS))
        sieve.refuse(wrong, column, f"the score of {first!r} is 1, 0.5 or 0")
    return _Rows(
        sides=sides,
        score=score,
        column=column,
        weight=sieve.weights(roles.get("weight")),
        task=sieve.names(roles["task"], "task") if "task" in roles else None,
        time=_times(sieve, roles["time"]) if "time" in roles else None,
        cluster=sieve.names(roles["cluster"], "cluster") if "cluster" in roles else None,
        marks=tuple(sieve.marks(roles[name]) for name in IDENTIFIERS if name in roles),
        terms=tuple(_term(sieve, name) for name in terms),
    )


def _term(sieve: Sieve, name: str) -> Term:
    """Read a column of numbers, or of labels where a cell is no number."""
    if name not in sieve.table.columns:
        msg = f"{sieve.table.source}: {unknown('column', name, sieve.table.columns)}"
        raise DataError(msg)
    values, blank, wrong = sieve.table.columns[name].numbers()
    if wrong.any():
        codes, labels = sieve.names(name, name)
        return Term(name, codes, labels)
    sieve.refuse(blank, name, "a term has a value in every match")
    return Term(name, values)


def _sides(left: Names, right: Names) -> _Sides:
    """Code both sides by one list of names."""
    names = first_seen((*left.names, *right.names))
    index = {name: code for code, name in enumerate(names)}
    codes = np.array([index[name] for name in right.names] + [-2, -1])  # as negative codes index
    return _Sides(left.codes, codes[right.codes], names)


def _winners(sieve: Sieve, column: str, words: Mapping[str, float], sides: _Sides) -> Floats:
    """Read who won, by a word or by name; a word that is another agent's name is no answer."""
    codes, names = sieve.table.columns[column].names()
    by_word = np.array([words.get(name, np.nan) for name in names] + [np.nan, np.nan])[codes]
    index = {name: code for code, name in enumerate(sides.names)}
    agent = np.array([index.get(name, -3) for name in names] + [-3, -3])[codes]
    by_name = np.full(len(codes), np.nan)
    by_name[agent == sides.left] = WIN
    by_name[agent == sides.right] = LOSS
    allowed = f"the winner is {listed(words)}, or the name of one of the two agents"
    sieve.refuse(np.isnan(by_word) & np.isnan(by_name), column, allowed)
    unclear = ~np.isnan(by_word) & ~np.isnan(by_name) & (by_word != by_name)
    hint = "this is a word for the outcome and also the name of an agent; give a column score"
    sieve.refuse(unclear, column, f"{hint} with 1, 0.5 or 0 instead")
    return np.where(np.isnan(by_word), by_name, by_word)


def _times(sieve: Sieve, column: str) -> Floats:
    """Read times: numbers, or dates as seconds since 1970."""
    cells = sieve.table.columns[column]
    values, _, wrong = cells.numbers()
    if wrong.any():
        values = cells.times()
    allowed = "a time is a number, or a date such as 2026-01-31 or 2026-01-31T12:00:00 in all rows"
    sieve.refuse(np.isnan(values), column, allowed)
    return values


def _build(sieve: Sieve, rows: _Rows, options: Options) -> Matches:
    """Make matches of the good rows, each identified match once."""
    good = np.flatnonzero(sieve.good)
    score, notes = rows.score[good], sieve.notes
    if rows.marks:
        kept = _settled(sieve.table, rows, good, options)
        good, score, notes = good[kept.rows], kept.values, notes + kept.notes
    met = np.concatenate([rows.sides.left[good], rows.sides.right[good]])
    codes, names = kept_names(met, rows.sides.names)
    check_blanks(sieve.table.source, "agent", names)
    task = _kept(rows.task, good)
    cluster = _kept(rows.cluster, good)
    return Matches.from_codes(
        Roster.of(names, task.names if task else ()),
        codes[: len(good)],
        codes[len(good) :],
        score,
        weight=None if rows.weight is None else rows.weight[good],
        task=task and task.codes,
        time=None if rows.time is None else rows.time[good],
        cluster=cluster and cluster.codes,
        terms=tuple(term.taken(good).compact() for term in rows.terms),
        notes=notes,
    )


def _kept(read: Names | None, good: Ints) -> Names | None:
    return None if read is None else kept_names(read.codes[good], read.names)


def _settled(table: Table, rows: _Rows, good: Ints, options: Options) -> Kept:
    """Count matches with one identifier once; those without any identifier all count."""
    marks = [codes[good] for codes in rows.marks]
    named = np.stack(marks).max(axis=0) >= 0
    alone = np.where(named, -1, np.cumsum(~named))
    task = [] if rows.task is None else [rows.task.codes[good]]
    keys = (rows.sides.left[good], rows.sides.right[good], *task, *marks, alone)
    what = "agents and identifier"
    kept = settle(Marked(table, rows.column, good, keys, rows.score[good], what), options)
    if not np.isin(kept.values, (WIN, TIE, LOSS)).all():
        msg = f"{table.source}: contradicting outcomes have no mean; say 'first' or 'last'"
        raise DataError(msg)
    return kept
