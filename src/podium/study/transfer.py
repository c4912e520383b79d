"""A study in one file: its specification, then its log, a line of JSON each."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from podium.errors import DataError
from podium.store import Entry, Standing, Store
from podium.store.records import OPEN, TOLD, packed
from podium.study.evaluation import Evaluation
from podium.study.ledger import Ledger
from podium.study.spec import StudySpec

FORMAT = "podium.study/1"
"""Names the form of the file, in its first line."""

Line = dict[str, Any]


def exported(store: Store, study: str) -> Iterator[str]:
    """Write a study, line by line; each line ends with a sum of what stands in it."""
    spec, log = store.load(study), store.read(study)
    yield _line({"format": FORMAT, "name": study, "entries": len(log), "spec": spec})
    for entry in log:
        yield _line(entry._asdict())


def imported(store: Store, lines: Iterable[str], source: str, name: str | None = None) -> str:
    """Read a study that `exported` wrote into a store; gives its name there.

    The log is taken in once before anything is kept, so that a file that is
    damaged leaves nothing behind.

    Args:
        store: Where it shall be kept.
        lines: The lines of the file.
        source: The file, for messages.
        name: Another name for the study.
    """
    whole = enumerate((_whole(line, n, source) for n, line in enumerate(lines, start=1)), start=1)
    head = next(whole, (0, {}))[1]
    if head.get("format") != FORMAT:
        msg = f"{source} holds no study; give a file that `podium study export` wrote"
        raise DataError(msg)
    spec = StudySpec.of(**{**head["spec"], "name": name or head["name"]})
    log = list(_taken_in(Ledger(Evaluation(spec)), whole, source))
    if len(log) != head["entries"]:
        msg = (
            f"{source} ends after entry {len(log):,} of the log, and {head['entries']:,} were "
            "written; the rest is missing"
        )
        raise DataError(msg)
    store.restore(spec.name, spec.to_dict(), log, standings(log))
    return spec.name


def standings(log: Sequence[Entry]) -> list[Standing]:
    """Say how each query stands after all entries of a log.

    >>> asked, failed = Entry(1, "asked", "q1", {}, 0.0), Entry(2, "failed", "q1", {}, 0.0)
    >>> standings([asked, failed])
    [Standing(id='q1', data={}, state='open', answer='', leases=1)]
    """
    found: dict[str, Standing] = {}
    for entry in log:
        if entry.kind == "asked":
            found[entry.query] = Standing(entry.query, entry.data)
        elif entry.query in found:
            found[entry.query] = _after(found[entry.query], entry)
    return list(found.values())


def _after(query: Standing, entry: Entry) -> Standing:
    """Say how a query stands after one more entry about it."""
    if entry.kind == TOLD:
        return query._replace(state=TOLD, answer=packed(entry.data["scores"]))
    if query.state != OPEN:
        return query
    if entry.kind == "failed":
        final = bool(entry.data.get("final"))
        return query._replace(state="failed" if final else OPEN, leases=query.leases + 1)
    return query._replace(state=entry.kind) if entry.kind in ("skipped", "lost") else query


def _line(data: Mapping[str, Any]) -> str:
    return packed({**data, "sum": zlib.crc32(packed(data).encode())}) + "\n"


def _whole(text: str, number: int, source: str) -> Line:
    """Read a line, or say that it is not what was written."""
    try:
        data = msgspec.json.decode(text, type=Line)
    except msgspec.DecodeError:
        data = {}
    if data.pop("sum", None) == zlib.crc32(packed(data).encode()):
        return data
    if number == 1:
        return {}
    msg = f"{source}, line {number:,}: this is not what was written; the file is damaged there"
    raise DataError(msg)


def _taken_in(ledger: Ledger, lines: Iterable[tuple[int, Line]], source: str) -> Iterator[Entry]:
    """Take entries in, one by one, and give them."""
    for number, data in lines:
        try:
            entry = Entry(**data)
            ledger.take(entry)
        except (TypeError, KeyError, ValueError, RuntimeError) as error:
            msg = f"{source}, line {number:,}: this cannot follow what stands before it: {error}"
            raise DataError(msg) from None
        yield entry
