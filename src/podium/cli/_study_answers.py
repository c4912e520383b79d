"""What commands on studies answer: to people, and as JSON, CSV and Markdown."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from podium.cli._ranking import in_figures, print_table
from podium.cli._screen import line, names, safe_text, show, table
from podium.cli.options import Format
from podium.cli.output import write
from podium.data.ratings import Ranking, plain
from podium.study.forecast import Spend
from podium.study.words import said_forecast, said_next, standing, state
from podium.words import counted

SHOWN = 5
"""Of so many of the best it is said how certain they are."""


def write_said(form: Format, document: Mapping[str, Any], *sentences: str) -> None:
    """Write a small answer: what happened, in sentences or as data."""

    def tell() -> None:
        for sentence in sentences:
            line(sentence)

    write(
        form,
        document=lambda: {"schema": "podium.study/1", **document},
        rows=lambda: [_flat(document)],
        table=tell,
    )


def _flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what does not fit into a cell."""
    return {key: value for key, value in document.items() if not isinstance(value, dict)}


def stamp(moment: datetime) -> str:
    """Write a time as JSON has it.

    >>> stamp(datetime(2026, 1, 31, 12, tzinfo=UTC))
    '2026-01-31T12:00:00Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def write_queries(form: Format, name: str, queries: Sequence[Any], why: str, store: str) -> None:
    """Write queries that were handed out.

    Args:
        form: How to write.
        name: The study.
        queries: The queries.
        why: Why nothing more is asked, if the study has stopped.
        store: The flag that names the store, if there is need of one.
    """
    rows = [{**query._asdict(), "expires": stamp(query.expires)} for query in queries]
    ended = {"done": not queries and bool(why), "reason": why}
    write(
        form,
        document=lambda: {"schema": "podium.ask/1", "study": name, "queries": rows, **ended},
        rows=lambda: rows,
        table=lambda: _print_queries(name, queries, why, store),
    )


def _print_queries(name: str, queries: Sequence[Any], why: str, store: str) -> None:
    for query in queries:
        until = query.expires.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        line(f"{query.id}: evaluate {names(query.agents)} on {query.task} by {until}")
        line(f"  why: {query.why}")
        scores = [f"{agent}=SCORE" for agent in query.agents]
        line(f"  then: {shlex.join(['podium', 'study', 'tell', name, query.id, *scores])}{store}")
    if not queries:
        line(f"Nothing to ask: {why}." if why else "Nothing to ask for now: others hold it all.")


def write_status(form: Format, status: Mapping[str, Any]) -> None:
    """Write how a study stands."""
    write(
        form,
        document=lambda: {"schema": "podium.status/1", **status},
        rows=lambda: [_flat(status)],
        table=lambda: _print_status(status),
    )


def _print_status(status: Mapping[str, Any]) -> None:
    made = table("", status["name"], keep=("",))
    for what, text in standing(status):
        made.add_row(safe_text(what), safe_text(text))
    show(made)


def write_studies(form: Format, studies: Iterable[Mapping[str, Any]], url: str) -> None:
    """Write a line a study."""
    rows = [_in_short(status) for status in studies]
    write(
        form,
        document=lambda: {"schema": "podium.studies/1", "store": url, "studies": rows},
        rows=lambda: rows,
        table=lambda: _print_studies(rows, url),
    )


def _in_short(status: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": status["name"],
        "agents": len(status["agents"]),
        "tasks": len(status["tasks"]),
        "preset": status["preset"],
        "told": status["told"],
        "spent": status["spent"],
        "budget": status.get("budget"),
        "certainty": status["certainty"],
        "state": state(status),
    }


def _print_studies(rows: Sequence[Mapping[str, Any]], url: str) -> None:
    if not rows:
        line(f"No studies in {url}.")
        return
    right = ("agents", "tasks", "told", "spent", "certainty")
    made = table("name", *right, "state", right=right, keep=("name",))
    for row in rows:
        spent = f"{row['spent']:g}"
        spent += "" if row["budget"] is None else f" of {row['budget']:g}"
        cells = (row["name"], f"{row['agents']:,}", f"{row['tasks']:,}", f"{row['told']:,}")
        made.add_row(*map(safe_text, (*cells, spent, f"{row['certainty']:.3f}", row["state"])))
    show(made)


def write_next(form: Format, found: Mapping[str, Any], reason: str) -> None:
    """Write what would be asked next."""
    write_said(form, {"next": found or None, "reason": reason}, said_next(found, reason))


def write_forecast(form: Format, found: Spend) -> None:
    """Write how many more answers it will take."""
    figures = {"answers": found.rounds, "low": found.low, "high": found.high}
    write_said(form, plain(figures), said_forecast(found))


def write_log(form: Format, entries: Sequence[Any], after: int) -> None:
    """Write entries of a log."""
    rows = [
        {
            "seq": entry.seq,
            "kind": entry.kind,
            "id": entry.query,
            "at": stamp(datetime.fromtimestamp(entry.at, UTC)),
            "data": dict(entry.data),
        }
        for entry in entries
    ]
    following = entries[-1].seq + 1 if entries else after + 1
    write(
        form,
        document=lambda: {
            "schema": "podium.log/1",
            "entries": [{**_flat(row), **row["data"]} for row in rows],
            "next": following,
        },
        rows=lambda: [{**row, "data": said_of(row["data"])} for row in rows],
        table=lambda: _print_log(rows),
    )


def said_of(data: Mapping[str, Any]) -> str:
    """Write the data of an entry in one line.

    >>> said_of({"task": "pong", "scores": {"a": 0.5}})
    'task: pong; scores: a 0.5'
    """
    return "; ".join(f"{key}: {_words(value)}" for key, value in data.items())


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(part)}" for key, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _print_log(rows: Sequence[Mapping[str, Any]]) -> None:
    if not rows:
        line("No entries.")
        return
    made = table("seq", "at", "kind", "query", "", right=("seq",), keep=("at", "kind", "query"))
    for row in rows:
        # Why something is asked is said when it is asked; here it would fill the screen.
        data = {k: v for k, v in row["data"].items() if row["kind"] != "asked" or k != "why"}
        cells = (f"{row['seq']:,}", row["at"], row["kind"], row["id"], said_of(data))
        made.add_row(*map(safe_text, cells))
    show(made)


def write_ranking(form: Format, ranking: Ranking) -> None:
    """Write the ranking of a study, in the formats of `podium rank`."""
    write(
        form,
        document=ranking.to_dict,
        rows=lambda: [{"method": ranking.method, **row} for row in ranking.table()],
        table=lambda: print_study(ranking),
    )


def print_study(ranking: Ranking) -> None:
    """Print the ranking of a study, and how certain it is."""
    info = ranking.info
    line(f"{ranking.method}: {in_figures(ranking.data)}")
    print_table(ranking)
    chances = {f"first {k}" if k != "1" else "first": p for k, p in info["top"].items()}
    told = [f"{who} {chance:.3f}" for who, chance in list(chances.items())[:SHOWN]]
    line(f"Probability to be right: {', '.join(told)}, all {info['confidence']:.3f}.")
    line(f"Rank intervals: posterior, level {info['level']:g}.")
    ended = f"; it stopped: {info['stopped']}" if info["stopped"] else ""
    line(f"{counted(info['told'], 'answer')} for {info['spent']:g}{ended}.")
