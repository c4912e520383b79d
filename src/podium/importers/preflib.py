"""PrefLib files of orders: soc, soi, toc and toi, read and written.

The format is that of Mattei and Walsh (2013, "PrefLib: a library for
preferences") as preflib.org describes it: lines `# KEY: value`, then lines
`count: 3,1,{2,4}` with the numbers of the alternatives, best first. The first
letter of an ending says whether orders are strict (s) or may hold ties (t),
the last whether all are complete (c) or some are incomplete (i).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from podium.data.profile import Profile
from podium.errors import DataError
from podium.importers.files import File
from podium.importers.options import Options
from podium.importers.tables import check_blanks, is_strange, shown, skip_note
from podium.words import listed

ENDINGS = (".soc", ".soi", ".toc", ".toi")

Order: TypeAlias = tuple[tuple[int, ...], ...]
"""Tie groups of numbers of alternatives, best first."""

_NAME = re.compile(r"ALTERNATIVE NAME ([1-9][0-9]*)")
_ITEM = r"(?:[0-9]+|\{\s*[0-9]+(?:\s*,\s*[0-9]+)*\s*\})"
_LINE = re.compile(rf"([0-9]+)\s*:\s*({_ITEM}(?:\s*,\s*{_ITEM})*)\s*")
_GROUP = re.compile(r"\{[^}]*\}|[0-9]+")
_OTHER_TYPES = {"cat": "categories", "wmd": "matching data"}


def read(file: File, options: Options) -> Profile:
    """Read the ballots of a PrefLib file, checking all that its head says."""
    options.check_kind(file.name, "ballots")
    options.check_no_scores(file.name, "ballots")
    lines = [line.strip() for line in file.text.splitlines()]
    head = _head(file, lines)
    agents = _agents(file, head)
    notes = [f"PrefLib: {head['TITLE']}"] if head.get("TITLE") else []
    votes, bad = [], []
    for number, line in enumerate(lines, start=1):
        if not line or line.startswith("#"):
            continue
        try:
            votes.append(_vote(f"{file.name}, line {number}", line, len(agents), file.ending))
        except DataError as error:
            if not options.skip_bad_rows:
                raise
            bad.append(str(error))
    if bad:
        notes.append(skip_note(len(bad), f"the first: {bad[0]}"))
    else:
        _check_sums(file, head, votes)
    if not votes:
        msg = f"{file.name} holds no ballot; give lines such as '2: 3,1,{{2,4}}'"
        raise DataError(msg)
    named = [(count, _named(order, agents)) for count, order in votes]
    return Profile.from_ballots(named, agents).with_notes(*notes)


def _named(order: Order, agents: Sequence[str]) -> list[str | list[str]]:
    if all(len(group) == 1 for group in order):
        return [agents[group[0] - 1] for group in order]
    return [[agents[i - 1] for i in group] for group in order]


def _head(file: File, lines: Sequence[str]) -> dict[str, str]:
    """Read the lines that start with #."""
    number, first = next(((n, line) for n, line in enumerate(lines, start=1) if line), (1, ""))
    if not first.startswith("#"):
        old = "this looks like the format before 2022; " if first.isdigit() else ""
        msg = (
            f"{file.name}, line {number}, is {shown(first)}, not '# KEY: value'; "
            f"{old}take the file anew from preflib.org"
        )
        raise DataError(msg)
    pairs = [line[1:].partition(":") for line in lines if line.startswith("#")]
    keys = Counter(key.strip().upper() for key, _, _ in pairs)
    twice = [key for key, count in keys.items() if count > 1]
    if twice:
        msg = f"{file.name} gives {listed(twice)} twice; give each once"
        raise DataError(msg)
    head = {key.strip().upper(): value.strip() for key, _, value in pairs}
    kind = head.get("DATA TYPE", "").lower()
    if kind in _OTHER_TYPES:
        msg = f"{file.name} holds {_OTHER_TYPES[kind]} ({kind}); give orders: {listed(ENDINGS)}"
        raise DataError(msg)
    if f".{kind}" != file.ending:
        msg = (
            f"{file.name}: DATA TYPE is {kind!r} and the name ends in {file.ending!r}; correct one"
        )
        raise DataError(msg)
    return head


def _agents(file: File, head: Mapping[str, str]) -> tuple[str, ...]:
    """Read the names of the alternatives, numbered from 1 without a gap."""
    named = {int(match[1]): name for key, name in head.items() if (match := _NAME.fullmatch(key))}
    number = _stated(file, head, "NUMBER ALTERNATIVES")
    if number != len(named) or set(named) != set(range(1, number + 1)):
        given = f"those named are {listed(sorted(named))}" if named else "none is named"
        msg = f"{file.name}: NUMBER ALTERNATIVES is {number}, but {given}; name 1 to {number}"
        raise DataError(msg)
    names = tuple(named[i] for i in range(1, number + 1))
    for i, name in enumerate(names, start=1):
        if is_strange(name) or names.index(name) < i - 1:
            why = "empty or too long" if is_strange(name) else "the name of another, too"
            msg = f"{file.name}: ALTERNATIVE NAME {i}, {shown(name)}, is {why}; rename it"
            raise DataError(msg)
    check_blanks(file.name, "agent", names)
    return names


def _stated(file: File, head: Mapping[str, str], key: str) -> int:
    value = head.get(key, "")
    if not re.fullmatch("[0-9]{1,15}", value):
        msg = f"{file.name}: {key} is {shown(value)}; give a whole number"
        raise DataError(msg)
    return int(value)


def _vote(place: str, line: str, number: int, ending: str) -> tuple[int, Order]:
    """Read one line: how many gave which order."""
    match = _LINE.fullmatch(line)
    if match is None:
        msg = f"{place}, is {shown(line)}; give a line such as '2: 3,1,{{2,4}}'"
        raise DataError(msg)
    count = int(match[1])
    groups = _GROUP.findall(match[2])
    order = tuple(tuple(map(int, group.strip("{} ").split(","))) for group in groups)
    flat = [i for group in order for i in group]
    strange = [i for i in flat if not 1 <= i <= number]
    if strange:
        msg = f"{place}, names alternative {strange[0]}; they are numbered 1 to {number}"
        raise DataError(msg)
    if len(set(flat)) < len(flat):
        twice = next(i for i, times in Counter(flat).items() if times > 1)
        msg = f"{place}, names alternative {twice} twice; an alternative has one place"
        raise DataError(msg)
    if not count:
        msg = f"{place}, counts 0 voters; give at least 1"
        raise DataError(msg)
    kind = _ending(strict=len(flat) == len(order), complete=len(flat) == number)
    if ending not in _holding(kind):
        what = "a tie" if kind[1] > ending[1] else f"{len(flat)} of {number} alternatives"
        msg = f"{place}, has {what}, which {ending} does not allow; name the file {kind}"
        raise DataError(msg)
    return count, order


def _check_sums(file: File, head: Mapping[str, str], votes: Sequence[tuple[int, Order]]) -> None:
    """Compare the ballots with the numbers that the head states."""
    orders = {tuple(frozenset(group) for group in order) for _, order in votes}
    if len(orders) < len(votes):
        msg = f"{file.name} gives one order on two lines; add up their counts on one line"
        raise DataError(msg)
    found = {
        "NUMBER VOTERS": sum(count for count, _ in votes),
        "NUMBER UNIQUE ORDERS": len(votes),
    }
    for key, value in found.items():
        stated = _stated(file, head, key)
        if stated != value:
            msg = f"{file.name}: {key} is {stated}, but its lines add up to {value}; correct one"
            raise DataError(msg)


def _ending(*, strict: bool, complete: bool) -> str:
    """Name the most restrictive type."""
    return f".{'s' if strict else 't'}o{'c' if complete else 'i'}"


def _holding(kind: str) -> tuple[str, ...]:
    """List the endings whose files may hold ballots of a type."""
    return tuple(e for e in ENDINGS if e[1] in (kind[1], "t") and e[3] in (kind[3], "i"))


def ending_of(profile: Profile) -> str:
    """Name the most restrictive PrefLib type that holds a profile.

    >>> ending_of(Profile.from_ballots([(1.0, ["a", ["b", "c"]])]))
    '.toc'
    """
    return _ending(strict=profile.strict, complete=profile.complete)


def write_preflib(profile: Profile, path: Path, ending: str) -> str:
    """Write a profile as PrefLib text, equal orders added up, heavy ones first."""
    kind = ending_of(profile)
    if ending != kind:
        msg = f"{path.name}: these ballots are {kind}, the most restrictive type; name it so"
        raise DataError(msg)
    orders: Counter[Order] = Counter()
    index = {name: i for i, name in enumerate(profile.agents, start=1)}
    for row, (weight, ballot) in enumerate(profile.ballots(), start=1):
        if not ballot or weight != int(weight):
            what = f"has weight {weight:g}" if ballot else "names nobody"
            msg = (
                f"{path.name}: ballot {row} {what}; PrefLib counts whole voters of agents in order"
            )
            raise DataError(msg)
        orders[tuple(tuple(sorted(index[name] for name in group)) for group in ballot)] += int(
            weight
        )
    return "\n".join([*_head_lines(profile, path, orders), *_vote_lines(orders), ""])


def _head_lines(profile: Profile, path: Path, orders: Counter[Order]) -> Iterator[str]:
    bare = path.name.removesuffix(".gz")
    title = next((note[9:] for note in profile.notes if note.startswith("PrefLib: ")), "")
    known = {
        "FILE NAME": bare,
        "TITLE": title or bare.rpartition(".")[0],
        "DESCRIPTION": "",
        "DATA TYPE": bare.rpartition(".")[2],
        "MODIFICATION TYPE": "original",
        "RELATES TO": "",
        "RELATED FILES": "",
        "PUBLICATION DATE": "",
        "MODIFICATION DATE": "",
        "NUMBER ALTERNATIVES": len(profile.agents),
        "NUMBER VOTERS": orders.total(),
        "NUMBER UNIQUE ORDERS": len(orders),
    }
    yield from (f"# {key}: {value}" for key, value in known.items())
    for i, name in enumerate(profile.agents, start=1):
        if name != name.strip() or len(name.splitlines()) > 1:
            msg = f"{path.name}: the name {name!r} does not fit on a line without outer blanks"
            raise DataError(msg)
        yield f"# ALTERNATIVE NAME {i}: {name}"


def _vote_lines(orders: Counter[Order]) -> Iterator[str]:
    for order, count in orders.most_common():
        groups = [",".join(map(str, group)) for group in order]
        written = (f"{{{g}}}" if len(o) > 1 else g for g, o in zip(groups, order, strict=True))
        yield f"{count}: {','.join(written)}"
