"""A ranking for each value of a column, and the average rank."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.analysis.groups import GroupedRanking, rank_by
from podium.cli._answers import rows_of
from podium.cli._beside import print_beside
from podium.cli._ranking import in_figures, title
from podium.cli._requests import Reading, Wanted
from podium.cli._screen import line
from podium.cli.options import Format
from podium.cli.output import write
from podium.data.convert import summary
from podium.data.ratings import SCHEMA
from podium.importers.options import Found
from podium.methods._registry import METHODS


def write_by(
    reading: Reading,
    column: str,
    wanted: Sequence[Wanted],
    how: Mapping[str, Any],
    form: Format,
) -> None:
    """Rank the data of each value of a column, and write the rankings side by side."""
    method, options = (wanted[0].method, wanted[0].options) if wanted else (None, {})
    if method:
        METHODS[method].bind(options)
    groups = reading.load_by(column)
    found = rank_by(groups, method, **how, **options)
    write(
        form,
        document=lambda: _document(column, groups, found),
        rows=lambda: [
            *rows_of({"average": found.average}, column),
            *rows_of(found.rankings, column),
        ],
        table=lambda: _print(column, groups, found),
    )


def _document(column: str, groups: Mapping[str, Found], found: GroupedRanking) -> dict[str, Any]:
    results = [
        {"group": name, "data": ranking.data, **ranking.to_result()}
        for name, ranking in found.rankings.items()
    ]
    average = [
        {"rank": rank, "agent": agent, "average_rank": found.average_ranks[agent]}
        for agent, rank in found.average.ranks.items()
    ]
    return {
        "schema": SCHEMA,
        "by": column,
        "data": figures(groups),
        "results": results,
        "average": average,
        "notes": found.average.info.get("notes", []),
    }


def figures(groups: Mapping[str, Found]) -> dict[str, Any]:
    """Say in figures what data all groups hold together.

    Agents and tasks of several groups count once; missing cells are those of
    an agent within a group that holds it.
    """
    parts = [summary(data) for data in groups.values()]
    return {
        "kind": parts[0]["kind"],
        "agents": len({agent for data in groups.values() for agent in data.agents}),
        "tasks": len({task for data in groups.values() for task in data.tasks}),
        "records": sum(part["records"] for part in parts),
        "missing": sum(part["missing"] for part in parts),
    }


def _print(column: str, groups: Mapping[str, Found], found: GroupedRanking) -> None:
    line(in_figures(figures(groups)))
    line()
    line(title(next(iter(found.rankings.values()))))
    line(f"Rank for each {column}, best on average first.")
    print_beside(found.rankings)
    for note in found.average.info.get("notes", []):
        line(f"Note: {note}")
