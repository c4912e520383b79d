"""The part of a report that says what to evaluate next."""

import shlex
from collections.abc import Iterator

from podium.report.document import Block, Cell, Command, Prose, Table
from podium.report.findings import Findings
from podium.safe import visible

SHOWN = 10
"""So many pairs are named."""


def blocks(found: Findings, source: str) -> Iterator[Block]:
    """Name the neighbours whose order is least sure, and the commands that go on from here."""
    if found.doubts:
        yield Prose(
            "Neighbours in the ranking whose order rests on least evidence. Evaluate both agents "
            "of a pair on common tasks, those pairs first that matter to you."
        )
        rows: list[list[Cell]] = [
            [one.place, one.above, one.below, one.wins, one.ties, one.losses, one.p_value]
            for one in found.doubts[:SHOWN]
        ]
        heads = ["rank", "above", "below", "wins", "ties", "losses", "p"]
        yield Table("Pairs in doubt", heads, rows, {"p": 3})
    if found.has_tasks:
        yield Prose(
            "Or let a study choose: it asks what tells most, and stops when it is sure enough."
        )
        file = shlex.quote(visible(source))
        yield Command(
            f"podium study create again --agents @{file} --tasks @{file} --budget 200\n"
            f"podium study add again {file}\npodium study ask again"
        )
