"""A report as Markdown: texts and tables, without the pictures."""

from podium.report.document import Block, Command, Document, Figure, Points, Prose, Table
from podium.safe import for_markdown


def page(document: Document) -> str:
    """Write a report as Markdown."""
    parts = [f"# {_line(document.title)}", *(_line(text) for text in document.lead)]
    for section in document.sections:
        blocks = [text for block in section.blocks if (text := _block(block))]
        if blocks:
            parts += [f"## {_line(section.title)}", *blocks]
    return "\n\n".join(parts) + "\n"


def _line(text: str) -> str:
    return for_markdown(" ".join(text.split()))


def _block(block: Block) -> str:
    if isinstance(block, Figure):
        return ""
    if isinstance(block, Prose):
        return _line(block.text)
    if isinstance(block, Points):
        return "\n".join(f"- {_line(text)}" for text in block.texts)
    if isinstance(block, Command):
        return "\n".join(f"    {line}" for line in block.text.splitlines())
    return _table(block)


def _table(table: Table) -> str:
    rule = ["---:" if right else "---" for right in table.numeric]
    rows = [[_line(cell) for cell in row] for row in [table.heads, *table.texts]]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    return "\n".join([f"**{_line(table.caption)}**", "", *lines])
