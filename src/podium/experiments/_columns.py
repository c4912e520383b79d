"""Comparing a column of a printed table with what podium's method gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from podium.data.convert import Data
from podium.data.profile import Profile
from podium.data.ratings import Ranking
from podium.experiments._published import Cell, Column
from podium.experiments._registry import Finding, Verdict
from podium.experiments._sources import ballots, missing, ranked, ready
from podium.experiments._ties import TieBreak, lost_and_won
from podium.experiments._twins import NO_TWINS, Span, Twins, agrees, twins

Shown: TypeAlias = float | str

MONOTONE = ("approval", "borda", "copeland", "plurality")
"""Rules where winning a tie never lowers an agent's own number."""

SLACK = 1e-9
"""Rounding error allowed to our own numbers."""


@dataclass(frozen=True)
class Answer:
    """What podium says for a column.

    Attributes:
        ranking: The ranking as a user gets it.
        shown: Agent to the number, or the label, that the paper would print.
        others: What answers just as good say.
    """

    ranking: Ranking
    shown: Mapping[str, Shown]
    others: Twins = NO_TWINS

    def equal(self, cell: Cell) -> bool:
        """Tell whether podium gives the printed number itself."""
        return same(cell.score, self.shown[cell.agent])

    def allows(self, cell: Cell) -> bool:
        """Tell whether an answer just as good gives the printed number."""
        label = self.others.labels.get(cell.agent)
        span = self.others.spans.get(cell.agent)
        return self.equal(cell) or cell.score == label or within(cell.score, span)

    def keeps(self, order: Sequence[str]) -> bool:
        """Tell whether an order is one that the method's answer leaves open."""
        other = self.others.labels or (self.ranking.method == "kemeny" and self.others.spans)
        return bool(other) or agrees(order, self.ranking)


def same(printed: str, ours: Shown) -> bool:
    """Tell whether a number is the printed one, to the digits that are printed.

    >>> same("3.98", 3.9751), same("3.98", 3.97), same("16.19", "16.19")
    (True, False, True)
    """
    if isinstance(ours, str):
        return printed == ours
    return abs(float(printed) - ours) <= half_digit(printed) + SLACK


def half_digit(printed: str) -> float:
    """Return half a unit of the last printed digit; none for whole numbers.

    >>> half_digit("3.98"), half_digit("41")
    (0.005, 0.0)
    """
    decimals = len(printed.partition(".")[2])
    return 0.5 * 10.0**-decimals if decimals else 0.0


def within(printed: str, span: Span | None) -> bool:
    """Tell whether a printed number lies in a span, to the digits that are printed."""
    if span is None:
        return False
    slack = half_digit(printed) + SLACK
    return span[0] - slack <= float(printed) <= span[1] + slack


def written(value: Shown) -> str:
    """Write one of our numbers."""
    return value if isinstance(value, str) else f"{round(value, 6):.10g}"


def answer(column: Column, data: Data) -> Answer:
    """Rank data by the method of a column, as the paper understands it."""
    ranking = ranked(data, column.method, **column.options)
    shown: dict[str, Shown] = dict(ranking.ratings)
    if column.method == "stv":
        shown = {agent: str(label) for agent, label in ranking.info["labels"].items()}
    return Answer(ranking, shown, twins(ranking, data, column.order))


def compare(
    column: Column, data: Data, breaks: Sequence[TieBreak] = (), *, fitted: str = ""
) -> list[Finding]:
    """Compare all cells of a column, and its order, with podium's answer.

    Args:
        column: What is printed.
        data: What it was computed from.
        breaks: Ways to break the ties of the data.
        fitted: Why a printed number that is met proves nothing, if so.
    """
    if not ready(column.method):
        return [_no_data(column, cell, missing(column.method)) for cell in column.cells]
    ours = answer(column, data)
    found = None if all(map(ours.allows, column.cells)) else _whole_column(column, breaks)
    findings = []
    for cell in column.cells:
        verdict, why, span = _judge(column, cell, ours, found, data)
        shown = written(ours.shown[cell.agent])
        plain = Finding(
            column.where, column.printed, cell.score, shown, verdict, why, of=cell.agent
        )
        findings.append(_told_fitted(replace(plain, interval=span), fitted))
    return findings


def _told_fitted(finding: Finding, fitted: str) -> Finding:
    """Mark agreement with data that were fitted to what they are compared with."""
    if not fitted or finding.verdict not in ("equal", "explained"):
        return finding
    why = "; ".join(filter(None, (fitted, finding.why)))
    return replace(finding, verdict="consistent", why=why)


def unpublished(column: Column, why: str) -> list[Finding]:
    """Say for all cells of a column that there are no data to compute them from."""
    return [_no_data(column, cell, why) for cell in column.cells]


def _no_data(column: Column, cell: Cell, why: str) -> Finding:
    return Finding(column.where, column.printed, cell.score, "", "no data", why, of=cell.agent)


def _whole_column(column: Column, breaks: Sequence[TieBreak]) -> TieBreak | None:
    """Find a tie-break under which the method gives every cell of a column."""
    for one in breaks:
        if all(map(answer(column, one.profile).allows, column.cells)):
            return one
    return None


def _judge(
    column: Column, cell: Cell, ours: Answer, found: TieBreak | None, data: Data
) -> tuple[Verdict, str, Span | None]:
    if ours.equal(cell):
        return "equal", "", None
    if ours.allows(cell):
        return "explained", ours.others.why, ours.others.spans.get(cell.agent)
    span = _lost_and_won(column, cell, ballots(data)) if column.method in MONOTONE else None
    if found is not None:
        return "explained", f"ties: {found.label} gives the whole column", span
    if within(cell.score, span):
        return "explained", "ties: between all of its ties lost and all won", span
    return "differs", "no tie, and no other answer of the method, gives it", span


def _lost_and_won(column: Column, cell: Cell, profile: Profile) -> Span:
    lost, won = (
        ranked(votes, column.method, **column.options).ratings[cell.agent]
        for votes in lost_and_won(profile, cell.agent)
    )
    return lost, won


def order_finding(
    column: Column, data: Data, breaks: Sequence[TieBreak] = (), *, fitted: str = ""
) -> Finding:
    """Compare the printed order of a column with podium's tiers, ties either way."""
    printed = " > ".join(column.order)
    if not ready(column.method):
        why = missing(column.method)
        return Finding(column.where, f"{column.printed}: order", printed, "", "no data", why)
    ours = answer(column, data)
    verdict, why = _order_verdict(column, ours, breaks)
    shown = tiers_text(ours.ranking)
    found = Finding(column.where, f"{column.printed}: order", printed, shown, verdict, why)
    return _told_fitted(found, fitted)


def _order_verdict(column: Column, ours: Answer, breaks: Sequence[TieBreak]) -> tuple[Verdict, str]:
    if ours.keeps(column.order):
        ties = len(ours.ranking.tiers) < len(ours.ranking.ratings)
        return "equal", "tied agents either way" if ties else ""
    for one in breaks:
        if answer(column, one.profile).keeps(column.order):
            return "explained", f"ties: {one.label} gives the order"
    return "differs", "no tie gives the order"


def tiers_text(ranking: Ranking) -> str:
    """Write a ranking as `a > b = c`."""
    return " > ".join(" = ".join(tier) for tier in ranking.tiers)
