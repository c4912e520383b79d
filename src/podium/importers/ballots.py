"""Ballots written as text: best first, `>` between places and `=` between equals."""

import re
from collections.abc import Mapping

import numpy as np

from podium.data.profile import Ballot, Profile
from podium.data.roster import first_seen
from podium.errors import DataError
from podium.importers.options import Options
from podium.importers.tables import Sieve, Table, check_blanks, is_strange, shown
from podium.words import listed

_SPECIAL = re.compile(r'[>=,;<~|{}"]')
_TOKEN = re.compile(r'\s*(?:"((?:[^"]|"")*)"|([^>="]*))\s*(>|=|$)')


def read_ballots(table: Table, roles: Mapping[str, str], options: Options) -> Profile:
    """Read one ballot a row, with its weight and its task where these are given."""
    options.check_no_scores(table.source, "ballots")
    sieve = Sieve(table, skip=options.skip_bad_rows)
    column = roles["ballot"]
    codes, texts = table.columns[column].names()
    sieve.refuse(codes < 0, column, "a ballot names at least one agent, such as 'a > b = c'")
    orders = [_order(text) for text in texts]
    wrong = np.array([isinstance(order, str) for order in orders] + [False, False])[codes]
    if wrong.any():
        sieve.refuse(wrong, column, str(orders[codes[int(np.flatnonzero(wrong)[0])]]))
    weights = sieve.weights(roles.get("weight"), zero=False)
    task = sieve.names(roles["task"], "task") if "task" in roles else None
    stood = _listed_agents(sieve, roles.get("agents"))
    sieve.check_left("ballots")
    rows = np.flatnonzero(sieve.good).tolist()
    read = [order for order in map(orders.__getitem__, codes[rows].tolist()) if order]
    heavy = [1.0] * len(rows) if weights is None else weights[rows].tolist()
    known = [*stood, *dict.fromkeys(read)]
    agents = first_seen(name for order in known for group in order for name in group)
    check_blanks(table.source, "agent", agents)
    profile = Profile.from_ballots(
        zip(heavy, read, strict=True),
        agents,
        sources=() if task is None else [task.names[code] for code in task.codes[rows]],
    )
    return profile.with_notes(*sieve.notes)


def _listed_agents(sieve: Sieve, column: str | None) -> list[Ballot]:
    """Read who stood for election, in any rows, so that agents on no ballot are known."""
    if column is None:
        return []
    codes, texts = sieve.table.columns[column].names()
    lists = [_order(text) for text in texts]
    wrong = np.array([isinstance(order, str) for order in lists] + [True, False])[codes]
    sieve.refuse(wrong, column, "list agents as in 'a = b = c', or leave it empty")
    return [order for order in lists if not isinstance(order, str)]


def _order(text: str) -> Ballot | str:
    try:
        return parse_ballot(text)
    except DataError as error:
        return str(error)


def parse_ballot(text: str) -> Ballot:
    """Read a ballot; names that hold a mark of this form stand in double quotes.

    >>> parse_ballot('a > b = "c > d"')
    (('a',), ('b', 'c > d'))
    """
    groups: list[list[str]] = [[]]
    position = 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            msg = f"{shown(text[position:].strip())} is no name; a name in quotes ends with them"
            raise DataError(msg)
        inside, bare, mark = match.groups()
        groups[-1].append(_name(inside, bare))
        if mark == ">":
            groups.append([])
        position = match.end()
        if not mark:
            break
    names = [name for group in groups for name in group]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = f"it names {listed(twice)} twice; an agent has one place"
        raise DataError(msg)
    return tuple(tuple(group) for group in groups)


def _name(inside: str | None, bare: str | None) -> str:
    """Take a name out of its quotes, or check that it needs none."""
    if inside is not None:
        name = inside.replace('""', '"')
    else:
        name = (bare or "").strip()
        if not name:
            msg = "a place is empty; write a name on both sides of each > and ="
            raise DataError(msg)
        if _SPECIAL.search(name):
            msg = f'write > or = between names, and {name!r} as "{name}" if it is one name'
            raise DataError(msg)
    if is_strange(name):
        msg = f"{name[:20]!r} cannot be a name"
        raise DataError(msg)
    return name


def write_ballot(ballot: Ballot) -> str:
    """Write a ballot as `parse_ballot` reads it.

    >>> write_ballot((("a",), ("b", "c > d")))
    'a > b = "c > d"'
    """
    return " > ".join(" = ".join(map(_written, group)) for group in ballot)


def _written(name: str) -> str:
    if _SPECIAL.search(name) or name != name.strip():
        return '"' + name.replace('"', '""') + '"'
    return name
