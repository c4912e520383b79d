"""A report on data: who leads, how sure that is, what disagrees, and what to do next."""

from collections.abc import Iterator, Sequence
from typing import Any

import podium
from podium.analysis.compare import Wanted
from podium.report import _methods, _next, _pairs, _ranking, _tasks, words
from podium.report.document import Block, Cell, Document, Points, Prose, Section, Table
from podium.report.findings import Findings, find

TOLD_APART = ("Repeated ballots", "Duplicate tasks", "Clones", "Zeros")
COVERED = ("Coverage", "Samples", "Ties", "Missing votes")
"""Sections of an inspection, by the section of the report that tells them."""


def data_report(
    data: Any,
    methods: Sequence[Wanted] | None = None,
    *,
    name: str = "data",
    command: str = "",
    **how: Any,
) -> Document:
    """Report on data.

    Args:
        data: Scores, matches, a profile, a tally or a game; or a frame or a path.
        methods: Methods, or pairs of a method and its options, the main one first; by
            default all that are quick on so many agents.
        name: What the data are called.
        command: The command line that makes this report.
        **how: Intervals of the main ranking, as for `podium.rank`.

    >>> from podium.data.profile import Profile
    >>> ballots = Profile.from_ballots([(3, "abc"), (1, "bca")])
    >>> data_report(ballots, ["borda", "plurality"], name="club").lead[-1]
    'All 2 methods put a first.'
    """
    found = find(data, methods, **how)
    return Document(name, list(words.lead(found)), list(sections(found, name, command)))


def sections(found: Findings, name: str, command: str = "") -> Iterator[Section]:
    """Give the parts of a report on what was found."""
    seen = found.inspection
    yield Section("Ranking", list(_ranking.blocks(found.ranking)))
    yield Section("What may mislead", [Points(seen.warnings)] if seen.warnings else [])
    yield Section("Methods side by side", list(_methods.blocks(found)))
    yield Section("Who beats whom", list(_pairs.blocks(found)))
    yield Section("Which tasks decide", list(_tasks.blocks(found)))
    yield Section("Clones and repeats", list(facts(found, TOLD_APART)))
    yield Section("Coverage", list(_coverage(found)))
    yield Section("What to evaluate next", list(_next.blocks(found, name)))
    yield Section("How this was made", list(_made(found, command)))


def facts(found: Findings, titles: Sequence[str]) -> Iterator[Block]:
    """Give a table of what an inspection found under some titles."""
    rows: list[list[Cell]] = [
        [title, label, text]
        for title in titles
        for label, text in found.inspection.facts.get(title, ())
    ]
    if rows:
        yield Table(", ".join(titles).capitalize(), ["section", "what", "found"], rows)


def _coverage(found: Findings) -> Iterator[Block]:
    yield from facts(found, COVERED)
    cover = found.inspection.coverage
    if cover is not None and cover.never_met_pairs:
        pairs = [f"{one} and {other}" for one, other in cover.never_met_pairs[:20]]
        yield Prose("Never compared:")
        yield Points(pairs)
    left = found.inspection.left_out
    if left:
        texts = [f"{what.replace('_', ' ')}: {why}" for what, why in left.items()]
        yield Prose("Not looked at:")
        yield Points(texts)


def _made(found: Findings, command: str) -> Iterator[Block]:
    figures = found.comparison.data
    rows: list[list[Cell]] = [[key, value] for key, value in figures.items()]
    yield Table("The data in figures", ["what", "number"], [[a, str(b)] for a, b in rows])
    yield Points([f"made by podium {podium.__version__}", *([f"by: {command}"] if command else [])])
