"""A report as one page of HTML that needs nothing else: no network, no script."""

import re
from html import escape
from typing import Any

from podium.errors import MissingExtra
from podium.plots._altair import night_css, svg
from podium.report.document import Block, Command, Document, Figure, Points, Prose, Section, Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What the page may load: its own styles, and nothing else."""

LONG = 24
"""A table of more rows scrolls within a window of its own."""

WIDE, WRAPPED = 32, ' class="w"'
"""Only texts of more letters are broken into lines within a table."""

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --line: #e2e5e9;
  --ground: #ffffff; --tint: #f6f8fa; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --quiet: #9aa3ad; --line: #30363d;
  --ground: #14171b; --tint: #1d2126; --accent: #56b4e9; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto;
  padding: 2rem 1rem 4rem; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.75rem 0 .75rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }
.lead { font-size: 1.1rem; border-left: 4px solid var(--accent); padding-left: 1rem; }
.lead p { margin: .35rem 0; }
nav { font-size: .9rem; margin: 1.25rem 0; }
nav a { display: inline-block; margin: .15rem .9rem .15rem 0; }
a { color: var(--accent); }
p, li { max-width: 44rem; }
.window { overflow: auto; margin: 1.25rem 0; }
.long { max-height: 32rem; border: 1px solid var(--line); }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem .5rem .5rem; }
th, td { padding: .28rem .7rem; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th, td { white-space: nowrap; }
td.w { white-space: normal; min-width: 14rem; max-width: 32rem; }
thead th { background: var(--tint); position: sticky; top: 0; }
.n { text-align: right; }
pre { background: var(--tint); padding: .7rem 1rem; overflow-x: auto; }
figure { margin: 1.5rem 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
.wide svg { max-width: max(100%, 44rem); }
@media print { .window { max-height: none; overflow: visible; } }
"""

WIDTH = re.compile(r'<svg[^>]*? width="([\d.]+)"')

BROAD = 640
"""A broader picture is not shrunk to a narrow screen; it is moved there."""

OWN_IDS = re.compile(r'\b(id="|url\(#|href="#)((?:clip|gradient_)\d+)')


def page(document: Document) -> str:
    """Write a report as HTML."""
    title = escape(document.title)
    lead = "".join(f"<p>{escape(text)}</p>\n" for text in document.lead)
    sections = [section for section in document.sections if section.blocks]
    links = "".join(
        f'<a href="#s{place}">{escape(section.title)}</a>\n'
        for place, section in enumerate(sections)
    )
    body = "".join(_section(place, section) for place, section in enumerate(sections))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}{night_css()}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{title}</h1>\n<div class="lead">\n{lead}</div>\n<nav aria-label="Sections">\n'
        f"{links}</nav>\n{body}</main>\n</body>\n</html>\n"
    )


def _section(place: int, section: Section) -> str:
    blocks = "".join(_block(block, f"s{place}b{n}") for n, block in enumerate(section.blocks))
    return f'<section id="s{place}">\n<h2>{escape(section.title)}</h2>\n{blocks}</section>\n'


def _block(block: Block, name: str) -> str:
    if isinstance(block, Prose):
        return f"<p>{escape(block.text)}</p>\n"
    if isinstance(block, Points):
        return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in block.texts)}</ul>\n"
    if isinstance(block, Command):
        return f"<pre><code>{escape(block.text)}</code></pre>\n"
    if isinstance(block, Table):
        return _table(block)
    return _figure(block, name)


def _table(table: Table) -> str:
    right = [' class="n"' if numeric else "" for numeric in table.numeric]
    heads = "".join(
        f'<th scope="col"{mark}>{escape(head)}</th>'
        for head, mark in zip(table.heads, right, strict=True)
    )
    rows = "\n".join(_row(row, right) for row in table.texts)
    kind = "window long" if len(table.rows) > LONG else "window"
    label = escape(table.caption, quote=True)
    return (
        f'<div class="{kind}" role="region" tabindex="0" aria-label="{label}"><table>'
        f"<caption>{label}</caption>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table></div>\n"
    )


def _row(row: list[str], right: list[str]) -> str:
    cells = "".join(
        f"<td{WRAPPED if len(cell) > WIDE else mark}>{escape(cell)}</td>"
        for cell, mark in zip(row, right, strict=True)
    )
    return f"<tr>{cells}</tr>"


def _figure(figure: Figure, name: str) -> str:
    try:
        picture = picture_of(figure.draw(), name)
    except MissingExtra as error:
        return f"<p>No picture here: {escape(str(error))}</p>\n"
    label = escape(figure.says, quote=True)
    size = WIDTH.match(picture)
    kind = ' class="wide"' if size and float(size[1]) > BROAD else ""
    return f'<figure{kind} role="img" tabindex="0" aria-label="{label}">{picture}</figure>\n'


def picture_of(chart: Any, name: str) -> str:
    """Draw a chart as SVG that may stand beside others in one page.

    Args:
        chart: The chart.
        name: Goes before the names of its parts, which would be mistaken for those of others.
    """
    picture = svg(chart)
    numbers: dict[str, int] = {}  # those of the library depend on what was drawn before

    def renamed(match: re.Match[str]) -> str:
        return f"{match[1]}{name}p{numbers.setdefault(match[2], len(numbers))}"

    start = picture.index("<svg")  # what stands before it belongs to a file of its own
    return OWN_IDS.sub(renamed, picture[start:])
