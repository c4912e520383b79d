"""Games in PGN, of which the tag pairs alone are read, line by line.

`*` is a game that was not finished, and no draw. Two games of the same players
in one round are a pair with sides swapped, as fastchess and cutechess play with
`-repeat`, and share a cluster.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from podium.arrays import Ints
from podium.errors import DataError
from podium.importers.cells import Cells, Column
from podium.importers.files import File, check_start, refuse_byte
from podium.importers.options import Options
from podium.importers.tables import Sieve, Table, shown
from podium.importers.tools.logs import Log
from podium.words import counted, listed

NAME = "PGN"
METRICS = False

RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
UNFINISHED = "*"

ROSTER = frozenset((b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"))
"""Tags that every game has, the only ones read; where one comes again, another game starts."""

LONGEST_LINE = 1 << 24
"""Bytes of a line above which a file is taken for something else."""

_TAG = re.compile(rb'\[\s*([A-Za-z0-9_]+)\s+"((?:\\.|[^"\\])*)"\s*\]\s*')
_TAGS = re.compile(rb"(?:" + _TAG.pattern + rb"){2,}")
_LOOSE = re.compile(rb'^\[\s*([A-Za-z0-9_]+)\s+"(.*)"\s*\]$')
_ESCAPED = re.compile(r"\\(.)")
_UNKNOWN = ("", "?", "-")


class _Game(NamedTuple):
    """The tags of a game, and the line on which it starts."""

    line: int
    tags: dict[str, str]


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read the games of some files."""
    games = [(log.file, game) for log in logs for game in _games(log.file)]
    if not games:
        msg = f'{source} holds no game; a game starts with tags such as [White "ann"]'
        raise DataError(msg)
    several = len(logs) > 1
    names = ("White", "Black", "Result")
    table = Table(
        source,
        {name: Cells([game.tags.get(name) for _, game in games]) for name in names},
        len(games),
        lambda row: (f"{games[row][0].name}, " if several else "") + f"line {games[row][1].line}",
    )
    rows, notes = _finished(table, options)
    kept = table.where(rows)
    columns: dict[str, Column] = {"a": kept.columns["White"], "b": kept.columns["Black"]}
    results = [games[row][1].tags["Result"] for row in rows]
    columns["score"] = Cells([RESULTS[result] for result in results])
    clusters = [_pair(*games[row]) for row in rows]
    if len(set(clusters)) < len(clusters):
        columns["cluster"] = Cells(clusters)
    return replace(kept, columns=columns, notes=notes)


def _finished(table: Table, options: Options) -> tuple[Ints, tuple[str, ...]]:
    """Find the games of two named players that were finished."""
    sieve = Sieve(table, skip=options.skip_bad_rows)
    for name in ("White", "Black"):
        codes, names = sieve.names(name, "player")
        nobody = np.array([player in _UNKNOWN for player in names] + [False, False])
        sieve.refuse(nobody[codes], name, "give the name of a player")
    codes, results = sieve.names("Result", "result")
    known = np.array([result in RESULTS for result in results] + [False, False])[codes]
    open_ = np.array([result == UNFINISHED for result in results] + [False, False])[codes]
    allowed = f"a result is {listed(RESULTS)}, or {UNFINISHED!r} of a game that was not finished"
    sieve.refuse(~known & ~open_, "Result", allowed)
    rows = np.flatnonzero(sieve.good & known)
    count = int((sieve.good & open_).sum())
    if not len(rows):
        msg = f"{table.source} holds no finished game: {counted(count, 'game')} with result '*'"
        raise DataError(msg)
    left = (f"{counted(count, 'unfinished game')} ({UNFINISHED}) left out",) if count else ()
    return rows, sieve.notes + left


def _pair(file: File, game: _Game) -> str:
    """Name what a game shares with that of the same round with sides swapped."""
    tags = game.tags
    if tags.get("Round", "") in _UNKNOWN:
        return f"{file.name}, line {game.line}"
    players = sorted((tags["White"], tags["Black"]))
    return repr((file.name, tags.get("Event"), tags.get("Site"), tags["Round"], *players))


def _games(file: File) -> Iterator[_Game]:
    """Find the tags of each game; what looks like a tag inside a comment is none."""
    game = _Game(0, {})
    moves = inside = False
    before = b""
    for number, line in _lines(file):
        bare = line.strip()
        if bare.startswith(b"[") and (not inside or (not before and bare.startswith(b"[Event "))):
            for name, value in _tags(file, number, bare):
                if moves or name in game.tags:
                    yield game
                    game = _Game(number, {})
                    moves = inside = False
                if not game.tags:
                    game = _Game(number, {})
                game.tags[name] = value
        elif bare:
            moves = bool(game.tags)
            inside = _ends_inside(bare, inside=inside)
        before = bare
    if game.tags:
        yield game


def _tags(file: File, number: int, line: bytes) -> Iterator[tuple[str, str]]:
    """Read the tags of the roster on a line.

    One tag alone may have quotes that should have been escaped.
    """
    alone = _TAG.fullmatch(line)
    found = [alone.groups()] if alone else (_TAG if _TAGS.fullmatch(line) else _LOOSE).findall(line)
    for name, value in found:
        if name in ROSTER:
            try:
                text = value.decode("utf-8")
            except UnicodeDecodeError as error:
                refuse_byte(file, value[error.start], number)
            yield name.decode(), _ESCAPED.sub(r"\1", text) if "\\" in text else text
    if not found:
        what = shown(line.decode("utf-8", errors="replace"))
        msg = f'{file.name}, line {number}, holds {what}; a tag is written as [Name "value"]'
        raise DataError(msg)


def _ends_inside(line: bytes, *, inside: bool) -> bool:
    """Tell whether a line of moves ends inside a comment in braces."""
    if b";" not in line:  # then the last brace tells
        start, end = line.rfind(b"{"), line.rfind(b"}")
        return inside if start == end else start > end
    while line:
        if inside:
            _, closed, line = line.partition(b"}")
            inside = not closed
        else:
            moves, opened, line = line.partition(b"{")
            if not opened or b";" in moves:
                return False
            inside = True
    return inside


def _lines(file: File) -> Iterator[tuple[int, bytes]]:
    """Go through the lines of a file that need not fit into memory."""
    number, rest = 1, b""
    for block in file.blocks():
        if number == 1 and not rest:
            check_start(file, block)
            block = block.removeprefix(codecs.BOM_UTF8)  # noqa: PLW2901, the same block
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            yield number, line
            number += 1
        if len(rest) > LONGEST_LINE:
            msg = f"{file.name}, line {number}, has more than {LONGEST_LINE:,} bytes; is it PGN?"
            raise DataError(msg)
    if number == 1 and not rest:
        check_start(file, b"")
    yield number, rest
