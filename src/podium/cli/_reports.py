"""Making reports of data and of studies, and writing them."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.cli._requests import Reading, parse_method
from podium.cli._screen import line
from podium.report.document import Document
from podium.report.writing import FORMS, written

USUAL = "report"
"""Name of the file, without its ending, if none is given."""

SCREEN = "-"


@dataclass(frozen=True)
class Target:
    """Where a report goes, and in which form."""

    file: str
    form: str

    @classmethod
    def of(cls, output: str, form: str | None) -> "Target":
        """Choose what was not said.

        >>> Target.of("", None), Target.of("tables.tex", None)
        (Target(file='report.html', form='html'), Target(file='tables.tex', form='tex'))
        """
        ending = Path(output).suffix.removeprefix(".")
        form = form or (ending if ending in FORMS else "html")
        return cls(output or f"{USUAL}.{form}", form)


@dataclass(frozen=True)
class Report:
    """A report that was made."""

    document: Document

    def write(self, target: Target) -> None:
        """Write it, and say where it is and what matters most."""
        text = written(self.document, target.form)
        if target.file == SCREEN:
            sys.stdout.write(text)
            return
        Path(target.file).write_text(text, encoding="utf-8")
        for sentence in self.document.lead:
            line(sentence)
        line(f"Report: {target.file}")


def make(
    reading: Reading, methods: Sequence[str], how: Mapping[str, Any], store: str | None
) -> Report:
    """Make a report on data, or on a study; what is a file, or came with podium, are data."""
    if _is_study(reading.source, store):
        from podium.cli._places import place
        from podium.report.study import study_report

        with place(store) as where:
            study = where.open(reading.source)
            return Report(study_report(study, level=how["level"]))
    from podium.report.data import data_report

    wanted = [parse_method(text) for text in methods]
    pairs = [(one.method, one.options) for one in wanted]
    name = Path(reading.source).name
    return Report(data_report(reading.load(), pairs or None, name=name, **how))


def _is_study(source: str, store: str | None) -> bool:
    """Tell whether a name is that of a study."""
    from podium.bundled import SETS
    from podium.cli._places import place
    from podium.errors import PodiumError

    if source == SCREEN or Path(source).exists() or source in SETS.cards:
        return False
    try:
        with place(store) as where:
            return source in where.names()
    except PodiumError:
        if store is not None:
            raise
        return False
