"""Scores and summaries from the columns of a table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, bools, floats, locked
from podium.data.roster import Roster
from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers.cells import Names, Numbers, kept_names
from podium.importers.options import Options
from podium.importers.repeats import IDENTIFIERS, Marked, settle
from podium.importers.tables import NAME, Sieve, Table, check_blanks, is_strange, joined_codes
from podium.words import counted

SCORE = "a score is a finite number such as 1.5 or -2e3; leave the cell empty where it is missing"


class _Tasks(NamedTuple):
    """What rows say of their tasks."""

    weight: Floats | None
    lower: Floats | None


def read_tidy(table: Table, roles: Mapping[str, str], options: Options) -> Scores:
    """Read one score a row; rows of one cell are samples of it."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    task, agent, about = _cells(sieve, roles)
    score = _scores(sieve, roles["score"])
    marks = [sieve.marks(roles[name]) for name in IDENTIFIERS if name in roles]
    sieve.check_left("rows of scores")
    task, agent = _compact(sieve, task), _compact(sieve, agent)
    rows = np.flatnonzero(sieve.good & ~score.blank)
    _check_some(table, rows)
    sample, values, notes = None, score.values[rows], missing_notes(sieve, score.blank)
    if marks:
        sample, named = _samples([codes[rows] for codes in marks])
        keys = (task.codes[rows], agent.codes[rows], sample)
        what = "task, agent and identifier"
        kept = settle(Marked(table, roles["score"], rows, keys, values, what), options)
        rows, values, sample = rows[kept.rows], kept.values, sample[kept.rows]
        notes = (*notes, *kept.notes)
        sample = sample if named else None
    scores = build(table, (task, agent), rows, values, about, options)
    return replace(
        scores, sample=None if sample is None else locked(sample), notes=sieve.notes + notes
    )


def read_summaries(table: Table, roles: Mapping[str, str], options: Options) -> Scores:
    """Read one mean and one standard deviation a row; a cell has one row."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    task, agent, about = _cells(sieve, roles)
    mean = _scores(sieve, roles["mean"])
    std, unknown, wrong = table.columns[roles["std"]].numbers()
    with np.errstate(invalid="ignore"):
        low = std < 0
    allowed = "a standard deviation is a number of at least 0; leave it empty where unknown"
    sieve.refuse(wrong | low, roles["std"], allowed)
    orphan = mean.blank & ~unknown
    sieve.refuse(orphan, roles["mean"], "a row with a standard deviation needs its mean")
    sieve.check_left("rows of means")
    task, agent = _compact(sieve, task), _compact(sieve, agent)
    rows = np.flatnonzero(sieve.good & ~mean.blank)
    _check_some(table, rows)
    cells, what = (task.codes, agent.codes), "task and agent"
    keys = tuple(codes[rows] for codes in cells)
    means = settle(Marked(table, roles["mean"], rows, keys, mean.values[rows], what), options)
    scores = build(table, (task, agent), rows[means.rows], means.values, about, options)
    rows = rows[~unknown[rows]]
    keys = tuple(codes[rows] for codes in cells)
    known = settle(Marked(table, roles["std"], rows, keys, std[rows], what), options)
    spread = build(table, (task, agent), rows[known.rows], known.values, about, options)
    stds = np.full((len(scores.tasks), len(scores.agents)), np.nan)
    stds[spread.task, spread.agent] = spread.value
    notes = (*sieve.notes, *missing_notes(sieve, mean.blank), *means.notes)
    return replace(scores, stds=locked(stds), notes=notes)


def read_wide(table: Table, roles: Mapping[str, str], options: Options) -> Scores:
    """Read one task a row and one agent a column; rows of one task are samples."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    task = sieve.names(roles["task"], "task")
    names = [column for column in table.columns if column != roles["task"]]
    for name in filter(is_strange, names):
        msg = f"{table.source}: column {name!r} is to be an agent; {NAME}"
        raise DataError(msg)
    read = [_scores(sieve, name) for name in names]
    sieve.check_left("rows of scores")
    task = _compact(sieve, task)
    values = np.stack([numbers.values for numbers in read], axis=1)
    blank = np.stack([numbers.blank for numbers in read], axis=1)
    there = ~blank & sieve.good[:, None]
    row, agent = np.nonzero(there)
    _check_some(table, row)
    cells = (Names(task.codes[row], task.names), Names(agent, tuple(names)))
    every = np.arange(len(row))
    scores = build(table, cells, every, values[there], _Tasks(None, None), options)
    return replace(scores, notes=sieve.notes + missing_notes(sieve, blank))


def build(
    table: Table,
    cells: tuple[Names, Names],
    rows: Ints,
    values: Floats,
    about: _Tasks,
    options: Options,
) -> Scores:
    """Make scores of the rows that are left."""
    task, agent = cells
    check_blanks(table.source, "task", task.names)
    check_blanks(table.source, "agent", agent.names)
    roster = Roster.of(agent.names, task.names)
    scores = Scores.from_codes(
        roster,
        task.codes[rows],
        agent.codes[rows],
        values,
        lower_is_better=options.lower_is_better,
    )
    weights, lower = scores.weights.copy(), scores.lower_is_better.copy()
    known = task.codes >= 0
    if about.weight is not None:
        weights[task.codes[known]] = about.weight[known]
    if about.lower is not None:
        lower[task.codes[known]] |= about.lower[known] > 0
    return replace(scores, weights=floats(weights), lower_is_better=bools(lower))


def missing_notes(sieve: Sieve, blank: Array) -> tuple[str, ...]:
    """Say how many scores are missing."""
    count = int(blank[sieve.good].sum())
    return (f"{counted(count, 'score')} missing",) if count else ()


def _cells(sieve: Sieve, roles: Mapping[str, str]) -> tuple[Names, Names, _Tasks]:
    """Read the task, the agent and what is said of the task."""
    task = sieve.names(roles["task"], "task")
    agent = sieve.names(roles["agent"], "agent")
    weight = sieve.weights(roles.get("weight"))
    if weight is not None:
        _agree(sieve, task.codes, weight, roles["weight"], "weight")
    lower = None
    if "lower_is_better" in roles:
        lower = _flags(sieve, roles["lower_is_better"])
        _agree(sieve, task.codes, lower, roles["lower_is_better"], "direction")
    return task, agent, _Tasks(weight, lower)


def _scores(sieve: Sieve, column: str) -> Numbers:
    numbers = sieve.table.columns[column].numbers()
    sieve.refuse(numbers.wrong, column, SCORE)
    return numbers


def _flags(sieve: Sieve, column: str) -> Floats:
    """Read 1 or 0, or the words true and false."""
    cells = sieve.table.columns[column]
    values = cells.numbers().values
    codes, names = cells.names()
    words = {"true": 1.0, "false": 0.0}
    by_name = np.array([words.get(name.lower(), np.nan) for name in names] + [np.nan, np.nan])
    flags = np.where(np.isin(values, (0.0, 1.0)), values, by_name[codes])
    sieve.refuse(np.isnan(flags), column, "give 1 or 0, true or false")
    return flags


def _agree(sieve: Sieve, task: Ints, values: Floats, column: str, what: str) -> None:
    """Demand one value a task."""
    rows = np.flatnonzero(sieve.good)
    codes, first = np.unique(task[rows], return_index=True)
    value = np.full(int(task.max(initial=0)) + 3, np.nan)  # the last two for negative codes
    value[codes] = values[rows[first]]
    other: Bools = sieve.good & (values != value[task])
    if other.any():
        row = int(np.flatnonzero(other)[0])
        line = sieve.table.place(int(rows[first[np.searchsorted(codes, task[row])]]))
        allowed = f"{line} gave its task another {what}; a task has one {what}"
        sieve.refuse(other, column, allowed)


def _compact(sieve: Sieve, read: Names) -> Names:
    """Forget names that only bad rows held; their rows lose the code, too."""
    if sieve.good.all():
        return read
    return kept_names(np.where(sieve.good, read.codes, -1), read.names)


def _samples(marks: list[Ints]) -> tuple[Ints, bool]:
    """Code what identifies each row; a row without any identifier stands alone."""
    named = np.stack(marks).max(axis=0) >= 0
    alone = np.where(named, -1, np.cumsum(~named))
    return joined_codes(*marks, alone), bool(named.any())


def _check_some(table: Table, rows: Ints) -> None:
    if not len(rows):
        msg = f"{table.source} holds no score: every cell is empty; give some"
        raise DataError(msg)
