"""The three ways to write a report."""

import importlib

from podium.report.document import Document
from podium.words import check_choice

FORMS = {"html": "html", "md": "markdown", "tex": "latex"}
"""What a form is called outside, and the file that writes it."""


def written(document: Document, form: str = "html") -> str:
    r"""Write a report as one page of HTML, as Markdown ("md") or as LaTeX ("tex").

    >>> written(Document("a report", ["a leads."], []), "md")
    '# a report\n\na leads.\n'
    """
    check_choice("format", form, FORMS)
    return str(importlib.import_module(f"podium.report.{FORMS[form]}").page(document))
