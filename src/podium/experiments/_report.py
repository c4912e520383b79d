"""Reports: a page, findings and data as CSV files, and pictures of an experiment."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.errors import MissingExtra
from podium.experiments._registry import VERDICTS, Finding, Result
from podium.plots._altair import png, svg

COLUMNS = ("where", "what", "of", "printed", "ours", "low", "high", "verdict", "why")


def write_result(result: Result, folder: Path) -> Result:
    """Write all of a result into a folder; return it with a note on what was left out."""
    folder.mkdir(parents=True, exist_ok=True)
    noted, pictures = _write_pictures(result, folder)
    _write_rows(folder / f"{result.name}.csv", COLUMNS, map(row_of, result.findings))
    for name, rows in result.data.items():
        _write_rows(folder / f"{name}.csv", list(rows[0]), rows)
    page = markdown(noted, pictures)
    (folder / f"{result.name}.md").write_text(page, encoding="utf-8")
    return noted


def _write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_pictures(result: Result, folder: Path) -> tuple[Result, dict[str, str]]:
    drawn: dict[str, str] = {}
    for picture in result.pictures:
        try:
            chart = picture.draw()
            text, image = svg(chart), png(chart)
        except MissingExtra as missing:
            note = f"Pictures are left out: {missing}."
            return replace(result, notes=(*result.notes, note)), drawn
        (folder / f"{picture.name}.svg").write_text(text, encoding="utf-8")
        (folder / f"{picture.name}.png").write_bytes(image)
        drawn[f"{picture.name}.svg"] = picture.title
    return result, drawn


def row_of(finding: Finding) -> dict[str, Any]:
    """Lay a finding out as a row of the CSV file."""
    low, high = finding.interval or ("", "")
    return {
        **{name: getattr(finding, name) for name in COLUMNS if name not in ("low", "high")},
        "low": low,
        "high": high,
    }


def markdown(result: Result, pictures: Mapping[str, str]) -> str:
    """Write a result as a Markdown page."""
    parts = [f"# {result.title}", f"Remakes {result.remakes}."]
    parts += [grid([{"verdict": v, "rows": n, "it means": VERDICTS[v]} for v, n in _told(result)])]
    parts += [f"- {note}" for note in result.notes]
    parts += [f"![{title}]({name})" for name, title in pictures.items()]
    for title, rows in result.tables.items():
        parts += [f"## {title}", grid(rows)]
    parts += [f"Data: [{name}.csv]({name}.csv)" for name in result.data]
    for where in dict.fromkeys(finding.where for finding in result.findings):
        here = [finding for finding in result.findings if finding.where == where]
        parts += [f"## {where}: printed and ours", grid([_short(finding) for finding in here])]
    return "\n\n".join(parts) + "\n"


def _told(result: Result) -> list[tuple[str, int]]:
    return [(verdict, number) for verdict, number in result.counts.items() if number]


def _short(finding: Finding) -> dict[str, Any]:
    row = {name: value for name, value in row_of(finding).items() if name != "where"}
    low, high = row.pop("low"), row.pop("high")
    between = f"{low:g} to {high:g}" if finding.interval else ""
    return {**row, "why": " ".join(filter(None, (finding.why, between and f"({between})")))}


def grid(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write rows as a Markdown table.

    >>> print(grid([{"agent": "a", "rank": 1}]))
    | agent | rank |
    | --- | --- |
    | a | 1 |
    """
    if not rows:
        return "No rows."
    lines = [list(rows[0]), ["---"] * len(rows[0]), *[[_cell(v) for v in r.values()] for r in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
