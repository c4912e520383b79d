"""A ranking for people: the table, and in words what it does and does not say."""

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from podium.cli._screen import (
    decimals_for,
    line,
    names,
    number,
    safe_text,
    show,
    shown,
    table,
    too_wide,
    unicode_screen,
)
from podium.data.ratings import Ranking
from podium.methods._registry import METHODS
from podium.words import counted

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

WIDEST_BAR = 20

BAR, INTERVAL, SPREAD = "", "interval", "could be"
"""Headings of the columns that a narrow screen goes without."""

RECORDS = {
    "scores": "score",
    "matches": "match",
    "ballots": "ballot",
    "tally": "pair",
    "game": "payoff",
}
"""What one record of each kind of data is called."""


def print_ranking(ranking: Ranking, told: Collection[str] = ()) -> None:
    """Print one ranking: what was asked, the table, and what there is to know of it.

    Args:
        ranking: The ranking.
        told: Notes that the reader has seen already.
    """
    line(title(ranking))
    print_table(ranking)
    for sentence in remarks(ranking):
        line(sentence)
    for note in ranking.info.get("notes", ()):
        if note not in told:
            line(f"Note: {note}")


def title(ranking: Ranking) -> str:
    """Name the method with its options, and what it does."""
    options = ", ".join(f"{name}={shown(value)}" for name, value in ranking.options.items())
    named = f"{ranking.method} ({options})" if options else ranking.method
    return f"{named}: {METHODS[ranking.method].summary}"


def in_figures(data: Mapping[str, Any]) -> str:
    """Say in one line what was ranked.

    >>> in_figures({"kind": "matches", "agents": 2, "tasks": 0, "records": 9, "missing": 0})
    '2 agents, 9 matches'
    """
    if not data:
        return ""
    parts = [counted(data["agents"], "agent")]
    if data["tasks"]:
        parts.append(counted(data["tasks"], "task"))
    parts.append(counted(data["records"], RECORDS.get(data["kind"], "record")))
    if data["missing"]:
        share = data["missing"] / (data["agents"] * data["tasks"])
        parts.append(f"{counted(data['missing'], 'missing cell')} ({share:.1%})")
    return ", ".join(parts)


def print_table(ranking: Ranking) -> None:
    """Print the agents, best first, with what their intervals say.

    A narrow screen goes without the bars, a narrower one without intervals.
    """
    columns = _columns(ranking)
    for spare in (BAR, INTERVAL, SPREAD):
        if too_wide(_filled(ranking, columns)):
            columns.pop(spare, None)
    show(_filled(ranking, columns))


def _columns(ranking: Ranking) -> dict[str, list["Text"]]:
    """Make the cells of each column, by its heading."""
    rows = ranking.table()
    tied = {agent for tier in ranking.tiers if len(tier) > 1 for agent in tier}
    decimals = decimals_for(row["rating"] for row in rows)
    columns = {"rank": [f"{row['rank']}{'=' if row['agent'] in tied else ' '}" for row in rows]}
    if ranking.rank_intervals:
        columns[SPREAD] = [_range(row) for row in rows]
        signs = ("─", "●") if unicode_screen() else ("-", "o")
        columns[BAR] = [bar(row, len(rows), signs) for row in rows]
    columns["agent"] = [row["agent"] for row in rows]
    columns["rating"] = [number(row["rating"], decimals) for row in rows]
    if ranking.intervals:
        ends = (row[end] for row in rows for end in ("rating_low", "rating_high"))
        finer = min(decimals + 1, decimals_for(ends))
        columns[INTERVAL] = [_interval(row, finer) for row in rows]
    return {name: [_styled(name, text) for text in texts] for name, texts in columns.items()}


def _filled(ranking: Ranking, columns: dict[str, list["Text"]]) -> "Table":
    made = table(*columns, right=("rank", SPREAD, "rating", INTERVAL), keep=(BAR,))
    lasts = _lasts_of_groups(ranking)
    for agent, cells in zip(ranking.order, zip(*columns.values(), strict=True), strict=True):
        made.add_row(*cells, end_section=agent in lasts)
    return made


def _styled(column: str, text: str) -> "Text":
    return safe_text(text, {BAR: "cyan", "agent": "bold"}.get(column, ""))


def bar(row: Mapping[str, Any], agents: int, signs: tuple[str, str] = ("─", "●")) -> str:
    """Draw the ranks that an agent could have, the best to the left.

    >>> bar({"rank": 2, "rank_low": 1, "rank_high": 4}, 8)
    '─●──    '
    """
    if row["rank_low"] is None:
        return ""
    width = min(agents, WIDEST_BAR)
    step = (width - 1) / max(1, agents - 1)
    low, here, high = (round((row[k] - 1) * step) for k in ("rank_low", "rank", "rank_high"))
    dash, dot = signs
    cells = [dash if low <= place <= high else " " for place in range(width)]
    cells[here] = dot
    return "".join(cells)


def _range(row: Mapping[str, Any]) -> str:
    low, high = row["rank_low"], row["rank_high"]
    if low is None:
        return ""
    return str(low) if low == high else f"{low}-{high}"


def _interval(row: Mapping[str, Any], decimals: int) -> str:
    if row["rating_low"] is None:
        return ""
    return f"{number(row['rating_low'], decimals)} to {number(row['rating_high'], decimals)}"


def _lasts_of_groups(ranking: Ranking) -> set[str]:
    """Find the agents below which a rule is drawn: the last of each group but the last."""
    groups = _groups(ranking)
    place = {agent: number for number, agent in enumerate(ranking.order)}
    if all(len(group) == 1 for group in groups):
        return set()
    return {max(group, key=lambda agent: place[agent]) for group in groups[:-1]}


def _groups(ranking: Ranking) -> list[list[str]]:
    return [list(group) for group in ranking.info.get("intervals", {}).get("groups", [])]


def remarks(ranking: Ranking) -> Iterator[str]:
    """Say in words what the table does not show."""
    info = ranking.info
    yield from _condorcet(info)
    if info.get("unique") is False:
        yield "The ranking is not the only one that the method allows for these data."
    yield from _about_intervals(info.get("intervals") or {})
    if _lasts_of_groups(ranking):
        yield "Gaps in the table part the groups of agents that these data tell apart."


def _condorcet(info: Mapping[str, Any]) -> Iterator[str]:
    if "condorcet_winner" not in info:
        return
    if info["condorcet_winner"] is not None:
        yield f"Condorcet winner: {info['condorcet_winner']} beats every other agent by majority."
    elif info.get("weak_condorcet_winners"):
        yield f"Weak Condorcet winners, beaten by none: {names(info['weak_condorcet_winners'])}."
    else:
        yield "No Condorcet winner: every agent is beaten by some other."


def _about_intervals(info: Mapping[str, Any]) -> Iterator[str]:
    if info.get("kind"):
        draws = f"{info['replicates']:,} draws of " if info["replicates"] else "by formula, over "
        drawn = draws + (f"{info['unit']}es" if info["unit"] == "match" else f"{info['unit']}s")
        yield f"Intervals: {info['kind']}, {drawn}, level {info['level']:g}."
    for note in info.get("notes", ()):
        yield f"Note: {note}"
