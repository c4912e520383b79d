"""Whether matches connect all agents, and what to say where they don't."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from podium.arrays import Bools, Ints
from podium.errors import DataError
from podium.kernels.components import Components, components
from podium.kernels.outcomes import Rows
from podium.words import listed

Groups = tuple[tuple[str, ...], ...]

FEW = 4
"""Groups that a message spells out."""


def connection(rows: Rows) -> Components:
    """Find out who can be reached from whom by wins and ties."""
    ahead, behind = rows.won > 0, rows.lost > 0
    if rows.tied is not None:
        ahead, behind = ahead | (rows.tied > 0), behind | (rows.tied > 0)
    source = np.concatenate([rows.left[ahead], rows.right[behind]])
    target = np.concatenate([rows.right[ahead], rows.left[behind]])
    return components(source, target, rows.size)


def is_whole(found: Components) -> bool:
    """Tell whether every agent can be reached from every other."""
    return not found.strong.any()


def named(agents: Iterable[str], labels: Ints) -> Groups:
    """Name the agents of each group; the largest group first, then by name.

    >>> named("cab", np.array([0, 1, 0]))
    (('b', 'c'), ('a',))
    """
    members: dict[int, list[str]] = {}
    for agent, label in zip(agents, labels.tolist(), strict=True):
        members.setdefault(label, []).append(agent)
    groups = [tuple(sorted(group)) for group in members.values()]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def refusal(agents: Sequence[str], found: Components) -> DataError:
    """Say why there are no finite ratings, and what to do."""
    why = "; ".join(_reasons(agents, found))
    msg = (
        f"elo has no finite ratings for these data: {why}. Give prior=0.1 (each agent has "
        "also beaten and lost to a rival of rating 0 that often), leave these agents out, or use "
        "a method that needs no such connection, such as copeland (--method copeland)"
    )
    return DataError(msg, components=named(agents, found.strong))


def held_by_prior(agents: Sequence[str], found: Components) -> dict[str, Any]:
    """Say which agents are held together by the prior alone."""
    if is_whole(found):
        return {}
    why = "; ".join(_reasons(agents, found))
    apart = "ratings between groups that never met" if found.weak.any() else "how far they stand"
    note = f"without the prior there are no finite ratings: {why}. So {apart} "
    more = "come from the prior alone" if found.weak.any() else "apart depends on the prior"
    return {"components": named(agents, found.strong), "notes": [note + more]}


def _reasons(agents: Sequence[str], found: Components) -> Iterator[str]:
    names = np.array(agents, dtype=object)
    lonely = np.bincount(found.weak)[found.weak] == 1
    if lonely.all():
        yield "nobody met anybody"
        return
    if lonely.any():
        yield f"{_who(names, lonely)} in no match"
    groups = named(names[~lonely], found.weak[~lonely])
    if len(groups) > 1:
        shown = " | ".join(listed(group, FEW) for group in groups[:FEW])
        more = f" | and {len(groups) - FEW:,} groups more" if len(groups) > FEW else ""
        yield f"these groups never met: {shown}{more}"
    tops, bottoms = found.rises & ~found.falls, found.falls & ~found.rises
    yield from _one_way(names, found, tops, "undefeated", "lost or tied")
    yield from _one_way(names, found, bottoms, "winless", "won or tied")


def _one_way(names: Any, found: Components, marked: Bools, word: str, verb: str) -> Iterator[str]:
    alone = np.bincount(found.strong) == 1
    single = (marked & alone)[found.strong]
    if single.any():
        yield f"{_who(names, single)} {word}"
    for group in np.flatnonzero(marked & ~alone)[:FEW]:
        members = sorted(names[found.strong == group])
        yield f"of {listed(members, FEW)} nobody ever {verb} against anybody else"


def _who(names: Any, marked: Bools) -> str:
    chosen = sorted(names[marked])
    return f"{listed(chosen)} {'is' if len(chosen) == 1 else 'are'}"
