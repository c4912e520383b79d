"""The tables of a report as LaTeX, for papers: with booktabs, and longtable where they are long."""

import re

from podium.report.document import Document, Points, Prose, Table
from podium.safe import visible

LONG = 40
"""A table of more rows may break across pages."""

SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "'": r"\textquotesingle{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
"""What LaTeX would read as its own: also quotes, and brackets behind the end of a line."""

WIDE = 9
"""Headings of a table with more columns stand upright."""


def page(document: Document) -> str:
    """Write the texts and tables of a report as LaTeX to be put into a paper."""
    parts = [r"% \usepackage[T1]{fontenc}  \usepackage{textcomp,booktabs,longtable,graphicx}"]
    parts += [f"\\section{{{for_latex(document.title)}}}", *map(for_latex, document.lead)]
    for section in document.sections:
        blocks = [_block(block) for block in section.blocks if not _is_left_out(block)]
        if blocks:
            parts += [f"\\subsection{{{for_latex(section.title)}}}", *blocks]
    return "\n\n".join(parts) + "\n"


def for_latex(text: str) -> str:
    r"""Keep LaTeX from reading text as its own signs.

    >>> for_latex("a_b & 100%")
    'a\\_b \\& 100\\%'
    """
    plain = visible(" ".join(text.split()))
    return "".join(SIGNS.get(letter, letter) for letter in plain).replace("--", "-{}-{}")


def _is_left_out(block: object) -> bool:
    """Leave out what a paper has no use for: commands, and pictures."""
    return not isinstance(block, Prose | Points | Table)


def _block(block: object) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Points):
        items = "\n".join(rf"\item {for_latex(text)}" for text in block.texts)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    return for_latex(block.text) if isinstance(block, Prose) else ""


def _table(table: Table) -> str:
    columns = "".join("r" if right else "l" for right in table.numeric)
    head = _heads(table)
    rows = "\n".join(_row(row) for row in table.texts)
    caption, label = for_latex(table.caption), _label(table.caption)
    named = f"\\caption{{{caption}}}\\label{{{label}}}"
    if len(table.rows) > LONG:
        return (
            f"\\begin{{longtable}}{{{columns}}}\n{named}\\\\\n\\toprule\n{head}\n\\midrule\n"
            f"\\endhead\n\\bottomrule\n\\endfoot\n{rows}\n\\end{{longtable}}"
        )
    return (
        f"\\begin{{table}}\n\\centering\n{named}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n"
        f"{head}\n\\midrule\n{rows}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}"
    )


def _heads(table: Table) -> str:
    if len(table.heads) <= WIDE:
        return _row(list(table.heads))
    upright = [rf"\rotatebox{{90}}{{{for_latex(head)}}}" for head in table.heads]
    return " & ".join(upright) + r" \\"


def _row(cells: list[str]) -> str:
    return " & ".join(for_latex(cell) for cell in cells) + r" \\"


def _label(caption: str) -> str:
    """Name a table by its caption.

    >>> _label("Rank by each method")
    'tab:rank-by-each-method'
    """
    return "tab:" + re.sub(r"[^a-z0-9]+", "-", caption.lower()).strip("-")
