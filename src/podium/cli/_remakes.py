"""Experiments run again: what the papers print, what podium finds, and the totals."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from podium.cli._screen import line, safe_text, show, table
from podium.cli.options import Format
from podium.cli.output import write
from podium.experiments import VERDICTS, Result, run
from podium.experiments._registry import AMISS
from podium.experiments._report import row_of
from podium.safe import visible

CLEAR = "\r\x1b[K"
"""Goes back to the start of a line, and empties it."""


@dataclass(frozen=True)
class Remakes:
    """What the experiments found, and where their reports are.

    Attributes:
        results: One an experiment.
        output: The folder of the reports.
        full: Whether people see every number, or only those that differ.
    """

    results: Sequence[Result]
    output: Path
    full: bool

    @property
    def totals(self) -> dict[str, int]:
        """How many findings of all experiments have each verdict."""
        return {v: sum(result.counts[v] for result in self.results) for v in VERDICTS}

    def write(self, form: Format) -> None:
        """Write the findings."""
        write(form, document=self.document, rows=lambda: list(self.rows()), table=self.print)

    def document(self) -> dict[str, Any]:
        """Give what JSON holds."""
        experiments = [
            {
                "name": result.name,
                "title": result.title,
                "remakes": result.remakes,
                "counts": result.counts,
                "findings": [asdict(finding) for finding in result.findings],
                "notes": result.notes,
            }
            for result in self.results
        ]
        return {
            "schema": "podium.reproduce/1",
            "output": str(self.output),
            "experiments": experiments,
            "totals": self.totals,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give a row for each finding."""
        for result in self.results:
            for finding in result.findings:
                yield {"experiment": result.name, **row_of(finding)}

    def print(self) -> None:
        """Print the findings of each experiment, then the totals."""
        for result in self.results:
            line(f"{result.name}: {result.title} ({result.remakes})")
            self._print_findings(result)
            for note in result.notes:
                line(f"Note: {note}")
            line()
        self._print_totals()
        line(f"Reports are in {self.output}.")

    def _print_findings(self, result: Result) -> None:
        told = [one for one in result.findings if self.full or one.verdict in AMISS]
        if not told:
            return
        made = table("where", "what", "of", "printed", "ours", "verdict", right=("printed", "ours"))
        reasons = list(dict.fromkeys(one.why for one in told if one.why))
        for one in told:
            verdict = f"{one.verdict} {reasons.index(one.why) + 1})" if one.why else one.verdict
            cells = (one.where, one.what, one.of, one.printed, one.ours, verdict)
            made.add_row(*map(safe_text, cells))
        show(made)
        for number, reason in enumerate(reasons, start=1):
            line(f"{number}) {reason}")

    def _print_totals(self) -> None:
        totals = self.totals
        given = [verdict for verdict in VERDICTS if totals[verdict]]
        made = table("experiment", *given, right=given)
        counts = [(result.name, result.counts) for result in self.results]
        for name, count in [*counts, ("all", totals)]:
            made.add_row(*map(safe_text, (name, *(str(count[v]) for v in given))))
        show(made)
        for verdict in given:
            line(f"{verdict}: {VERDICTS[verdict]}")


def remake(
    names: Sequence[str], seeds: int | None, jobs: int, engine: str, output: Path
) -> Remakes:
    """Run experiments, telling on a terminal how far they are."""
    tell = _tell if sys.stderr.isatty() else None
    results = run(names, output=output, seeds=seeds, jobs=jobs, engine=engine, progress=tell)
    if tell is not None:
        sys.stderr.write(CLEAR)
    return Remakes(results, output, full=bool(names))


def _tell(what: str, done: int, total: int) -> None:
    """Write how far something is over what was told before."""
    sys.stderr.write(f"{CLEAR}{visible(what)}: {done} of {total}")
    sys.stderr.flush()
