"""The `config.json` of fastchess: how often each engine won, and how pairs of games ended.

Two games with one opening and sides swapped are a pair and not independent of
one another. The counts of pairs (`penta_WL`: one win, one loss) are told apart
into games that share a cluster, so that intervals draw pairs whole.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.errors import DataError
from podium.importers.cells import Cells, Reals
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.logs import Log
from podium.importers.tools.nodes import Node
from podium.words import listed

NAME = "fastchess"
METRICS = False

WORTH = {"W": 1.0, "D": 0.5, "L": 0.0}
PAIRS = ("WW", "WD", "WL", "DD", "LD", "LL")
SINGLE = {"W": "wins", "D": "draws", "L": "losses"}


MOST = 10_000_000
"""Games of two engines above which a count is taken for a fault."""


class _Games(NamedTuple):
    """The games of two engines."""

    place: str
    a: str
    b: str
    scores: Floats
    clusters: list[str]


def is_document(content: dict[str, Any]) -> bool:
    """Tell the file by its names; `stats` is there once a game has ended."""
    return "engines" in content and "stats" in content


def read_logs(logs: Sequence[Log], source: str, options: Options) -> Table:
    """Read counts, those of a tournament a file."""
    del options
    games = [games for log in logs for games in _of_file(log)]
    sizes = [len(some.scores) for some in games]
    if not sum(sizes):
        msg = f"{source} holds no game that has ended; give the file of a tournament with some"
        raise DataError(msg)
    ends = np.cumsum(sizes)
    return Table(
        source=source,
        columns={
            "a": Cells([some.a for some in games for _ in some.scores]),
            "b": Cells([some.b for some in games for _ in some.scores]),
            "score": _reals(np.concatenate([some.scores for some in games])),
            "cluster": Cells([name for some in games for name in some.clusters]),
        },
        size=int(ends[-1]),
        place=lambda row: games[int(np.searchsorted(ends, row, side="right"))].place,
    )


def _reals(values: Floats) -> Reals:
    return Reals(values, np.zeros(len(values), dtype=np.bool_))


def _of_file(log: Log) -> Iterator[_Games]:
    top = Node(log.file.name, log.content)
    engines = [engine["name"].text for engine in top["engines"]]
    for pair, counts in top["stats"].parts.items():
        a, b = _sides(counts.place, pair, engines)
        yield _games(counts, a, b)


def _sides(place: str, pair: str, engines: Sequence[str]) -> tuple[str, str]:
    """Take `A vs B` apart; a name may hold ` vs ` itself."""
    parts = pair.split(" vs ")
    cuts = [(" vs ".join(parts[:n]), " vs ".join(parts[n:])) for n in range(1, len(parts))]
    known = [cut for cut in cuts if set(cut) <= set(engines)]
    if len(known) != 1:
        msg = f"{place}, should name two of the engines {listed(engines)}, with ' vs ' between them"
        raise DataError(msg)
    return known[0]


def _games(counts: Node, a: str, b: str) -> _Games:
    """Tell games apart: those of pairs first, then those that were in no whole pair."""
    single = {letter: counts[name].count for letter, name in SINGLE.items()}
    if sum(single.values()) > MOST:
        msg = f"{counts.place}, counts {sum(single.values()):,} games; at most {MOST:,} are read"
        raise DataError(msg)
    scores: list[float] = []
    clusters: list[str] = []
    for kind in PAIRS:
        found = counts.get(f"penta_{kind}")
        size = 0 if found is None else found.count
        for letter in kind:
            single[letter] -= size
            if single[letter] < 0:
                msg = (
                    f"{counts.place}, counts fewer {SINGLE[letter]} than its pairs hold, of which "
                    f"{size:,} are penta_{kind}; correct one"
                )
                raise DataError(msg)
        scores += [WORTH[kind[0]], WORTH[kind[1]]] * size
        clusters += [f"{counts.place} {kind} {n}" for n in range(size) for _ in kind]
    for letter, size in single.items():
        scores += [WORTH[letter]] * size
        clusters += [f"{counts.place} {letter} {n}" for n in range(size)]
    return _Games(counts.place, a, b, np.array(scores), clusters)
