"""The four ways to write an answer: table, json, csv and md."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from podium.cli.options import Format
from podium.safe import for_markdown, for_sheet

Rows = Sequence[Mapping[str, Any]]


def write(
    form: Format,
    *,
    document: Callable[[], Mapping[str, Any]],
    rows: Callable[[], Rows],
    table: Callable[[], None],
) -> None:
    """Write an answer in the form that was asked for; only that one is made.

    Args:
        form: How to write.
        document: Gives what JSON holds.
        rows: Gives what CSV and Markdown hold, a mapping a row.
        table: Prints the answer for people.
    """
    if form is Format.json:
        write_json(document())
    elif form is Format.csv:
        write_csv(rows())
    elif form is Format.md:
        write_markdown(rows())
    else:
        table()


def write_json(document: Mapping[str, Any]) -> None:
    """Write one JSON document; numbers that JSON does not have become null.

    Letters beyond ASCII are escaped, so that no terminal obeys them and no
    encoding loses them.
    """
    import json

    from podium.data.ratings import plain

    sys.stdout.write(json.dumps(plain(document), indent=2, allow_nan=False) + "\n")


def write_csv(rows: Rows) -> None:
    """Write rows as CSV with a header; no cell can run as a formula of a spreadsheet."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header(rows))
    for row in rows:
        writer.writerow([_cell(value, for_sheet) for value in row.values()])


def write_markdown(rows: Rows) -> None:
    """Write rows as a Markdown table, numbers to the right."""
    names = header(rows)
    numeric = [all(isinstance(row[name], int | float | None) for row in rows) for name in names]
    lines = [names, ["---:" if right else "---" for right in numeric]]
    lines += [[_cell(value, for_markdown) for value in row.values()] for row in rows]
    sys.stdout.writelines(f"| {' | '.join(line)} |\n" for line in lines)


def header(rows: Rows) -> list[str]:
    """Name the columns; rows of one answer have the same."""
    return list(rows[0]) if rows else []


def _cell(value: Any, safe: Callable[[str], str]) -> str:
    if value is None or value != value:  # noqa: PLR0124, NaN is what differs from itself
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return safe("; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
