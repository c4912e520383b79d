"""Rankings by one method or several, and how they are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from podium.analysis.compare import Comparison, compare
from podium.analysis.rank import rank
from podium.cli._ranking import in_figures, print_ranking
from podium.cli._requests import Wanted
from podium.cli._screen import line
from podium.cli.options import Format
from podium.cli.output import Rows, write
from podium.data.convert import Data
from podium.data.ratings import Ranking
from podium.errors import DataError
from podium.methods._registry import METHODS


def by_one(data: Data, wanted: Sequence[Wanted], how: Mapping[str, Any]) -> Ranking:
    """Rank by the method that was asked for, or by the one that suits the data."""
    if not wanted:
        return rank(data, **how)
    method, options = wanted[0].method, wanted[0].options
    METHODS[method].bind(options)  # so that no option is taken for one of `rank`
    return rank(data, method, **{**how, **options})


def by_many(data: Data, wanted: Sequence[Wanted], how: Mapping[str, Any]) -> Comparison:
    """Rank by the methods that were asked for, or by all; one at least has to succeed."""
    pairs = [(one.method, one.options) for one in wanted]
    comparison = compare(data, pairs or None, **how)
    if not comparison.rankings:
        raise DataError("\n".join(f"{name}: {why}" for name, why in comparison.errors.items()))
    return comparison


def write_one(ranking: Ranking, form: Format) -> None:
    """Write one ranking."""
    write(
        form,
        document=ranking.to_dict,
        rows=lambda: rows_of({ranking.method: ranking}),
        table=lambda: _print({ranking.method: ranking}, ranking.data),
    )


def write_each(comparison: Comparison, form: Format) -> None:
    """Write rankings one after the other."""
    write(
        form,
        document=comparison.to_dict,
        rows=lambda: rows_of(comparison.rankings),
        table=lambda: _print(comparison.rankings, comparison.data, comparison.errors),
    )


def rows_of(rankings: Mapping[str, Ranking], heading: str = "method") -> Rows:
    """Give a row for each ranking and agent."""
    return [{heading: name, **row} for name, ranking in rankings.items() for row in ranking.table()]


def _print(
    rankings: Mapping[str, Ranking],
    data: Mapping[str, Any],
    errors: Mapping[str, str] | None = None,
) -> None:
    line(in_figures(data))
    shared = shared_notes(rankings)
    for note in shared:
        line(f"Note: {note}")
    for ranking in rankings.values():
        line()
        print_ranking(ranking, told=shared)
    print_errors(errors or {})


def shared_notes(rankings: Mapping[str, Ranking]) -> list[str]:
    """List the notes that all rankings have: what the reader of the data said."""
    each = [list(ranking.info.get("notes", ())) for ranking in rankings.values()]
    return [note for note in each[0] if all(note in notes for notes in each)] if each else []


def print_errors(errors: Mapping[str, str]) -> None:
    """Print which methods could not rank the data, and why."""
    if errors:
        line()
    for name, why in errors.items():
        line(f"Not ranked by {name}: {why}")
