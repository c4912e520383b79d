"""What the columns of a table mean: which kind of data it holds."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from podium.errors import DataError
from podium.importers.ballots import read_ballots
from podium.importers.cells import NUMBER
from podium.importers.matches import read_matches
from podium.importers.options import Found, Options
from podium.importers.repeats import IDENTIFIERS
from podium.importers.scores import read_summaries, read_tidy, read_wide
from podium.importers.tables import Table
from podium.importers.tools.rows import understood
from podium.words import listed

Roles = Mapping[str, str]
"""Part of a row (`"task"`, `"agent"`, ...) to the column that holds it."""


class Shape(NamedTuple):
    """Columns that make a kind of data: those it needs and those it may have."""

    kind: str
    needs: tuple[str, ...]
    may: tuple[str, ...]
    read: Callable[[Table, Roles, Options], Found]


_MATCH = ("weight", "task", "time", "cluster", *IDENTIFIERS)
_SCORE = ("weight", "lower_is_better")

SHAPES = (
    Shape("scores", ("task", "agent", "score"), (*_SCORE, *IDENTIFIERS), read_tidy),
    Shape("summaries", ("task", "agent", "mean", "std"), _SCORE, read_summaries),
    Shape("matches", ("a", "b", "winner"), _MATCH, read_matches),
    Shape("matches", ("a", "b", "score"), _MATCH, read_matches),
    Shape("matches", ("model_a", "model_b", "winner"), _MATCH, read_matches),
    Shape("matches", ("model_a", "model_b", "score"), _MATCH, read_matches),
    Shape("matches", ("agent_a", "agent_b", "winner"), _MATCH, read_matches),
    Shape("matches", ("agent_a", "agent_b", "score"), _MATCH, read_matches),
    Shape("ballots", ("ballot",), ("weight", "task", "agents"), read_ballots),
)

_WIDE = "task first and one column an agent"
_NOT_WIDE = frozenset(
    ("agent", "score", "mean", "std", "winner", "ballot", "weight", "lower_is_better", *IDENTIFIERS)
)


def interpret(table: Table, options: Options) -> Found:
    """Find out which kind of data a table holds, and read it.

    The names of parts (`task`, `agent`, ...) are found in any case and with
    blanks around them; names of agents are taken as they are written. Rows of
    evaluation tools are known by their columns.
    """
    table = understood(table, options)
    if not table.chosen:
        options.check_no_metric(table.source)
    roles = find_roles(table, options.columns)
    shape = find_shape(table, roles, options)
    if shape is None or shape.kind != "matches":
        options.check_no_terms(table.source, shape.kind if shape else "scores")
    if shape is None:
        return _wide(table, roles, options)
    used = {name: roles[name] for name in (*shape.needs, *shape.may) if name in roles}
    known = used | {f"term {name}": name for name in options.terms}
    return shape.read(table, used, options).with_notes(*ignored_note(table.columns, known))


def find_shape(table: Table, roles: Roles, options: Options) -> Shape | None:
    """Find the columns that make a kind of data; None for the wide form of scores."""
    if options.kind == "game":
        msg = f"{table.source} holds rows; a game is a .npz or .json file with payoff_1, ..."
        raise DataError(msg)
    wanted = [shape for shape in SHAPES if options.kind in (None, shape.kind)]
    fits = [shape for shape in wanted if roles.keys() >= set(shape.needs)]
    if len(fits) > 1:
        ways = " or as ".join(f"{shape.kind} ({', '.join(shape.needs)})" for shape in fits)
        hint = "" if len({shape.kind for shape in fits}) == 1 else "give kind=, or "
        msg = f"{table.source} can be read as {ways}; {hint}rename the columns that are not meant"
        raise DataError(msg)
    if fits:
        return fits[0]
    if options.kind in (None, "scores") and _fold(next(iter(table.columns))) == "task":
        return None
    raise DataError(_unfit(table, options))


def find_roles(table: Table, columns: Mapping[str, str]) -> dict[str, str]:
    """Match the parts of a row with the names in the header."""
    roles: dict[str, str] = {}
    twice: dict[str, list[str]] = {}
    for column in table.columns:
        role = _fold(column)
        if role in roles:
            twice.setdefault(role, [roles[role]]).append(column)
        roles.setdefault(role, column)
    for role, column in columns.items():
        if column not in table.columns:
            msg = f"{table.source} has no column {column!r}; it has {listed(table.columns, 20)}"
            raise DataError(msg)
        if role not in PARTS:
            msg = f"columns names {role!r}; choose from {listed(sorted(PARTS), 40)}"
            raise DataError(msg)
        roles = {known: found for known, found in roles.items() if found != column}
        roles[role] = column
    for role, names in twice.items():
        if role in PARTS and role not in columns:
            msg = f"{table.source}: columns {listed(names)} both mean {role!r}; rename one"
            raise DataError(msg)
    return roles


PARTS = frozenset(part for shape in SHAPES for part in (*shape.needs, *shape.may))


def _fold(column: str) -> str:
    return column.strip().lower()


def _wide(table: Table, roles: Roles, options: Options) -> Found:
    strange = [roles[name] for name in roles if name in _NOT_WIDE]
    if strange:
        msg = (
            f"{table.source} has columns {listed(table.columns, 20)}; with {listed(strange)} it is "
            f"neither the wide form ({_WIDE}) nor the tidy form (task, agent, score); "
            "name the other columns, or rename an agent of that name"
        )
        raise DataError(msg)
    if len(table.columns) == 1:
        msg = f"{table.source} has the column {roles['task']!r} alone; give {_WIDE}"
        raise DataError(msg)
    return read_wide(table, roles, options)


def ignored_note(columns: Iterable[str], used: Roles) -> tuple[str, ...]:
    """Say which columns were not used, if any."""
    ignored = [column for column in columns if column not in used.values()]
    noun = "column" if len(ignored) == 1 else "columns"
    return (f"{noun} {listed(ignored)} ignored",) if ignored else ()


def _unfit(table: Table, options: Options) -> str:
    """Say which columns came, which are expected, and what is lacking most nearly."""
    import re

    shapes = [shape for shape in SHAPES if options.kind in (None, shape.kind)]
    ways = [", ".join(shape.needs) for shape in shapes if "_" not in shape.needs[0]]
    if options.kind in (None, "scores"):
        ways.append(_WIDE)
    what = f" for {options.kind}" if options.kind else ""
    msg = f"{table.source} has columns {listed(table.columns, 20)}; give{what} {'; or '.join(ways)}"
    if any(re.fullmatch(NUMBER, column.strip()) for column in table.columns):
        return f"{msg}. The first line holds a number: is the header missing?"
    there = find_roles(table, options.columns).keys()
    nearest = min(shapes, key=lambda shape: len(set(shape.needs) - there) / len(shape.needs))
    lacking = [name for name in nearest.needs if name not in there]
    if len(lacking) == len(nearest.needs):
        return msg
    return (
        f"{msg}. Nearest to {', '.join(nearest.needs)}, it lacks {listed(lacking)}; "
        f"columns={{{lacking[0]!r}: '...'}} names the column that holds it"
    )
