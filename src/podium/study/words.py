"""How a study stands, in sentences for people."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from podium.study.forecast import Spend
from podium.words import counted, report


def standing(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Say line by line how a study stands."""
    agents, tasks = counted(len(status["agents"]), "agent"), counted(len(status["tasks"]), "task")
    yield "roster", f"{agents}, {tasks}"
    parts = [f"{part} {status[part]}" for part in ("learner", "strategy") if status.get(part)]
    yield "evaluator", ", ".join([f"preset {status['preset']}", *parts, f"seed {status['seed']}"])
    out = f"{status['open']:,} open, {status['held']:,} of them held"
    yield "queries", f"{status['asked']:,} asked, {out}, {status['given_up']:,} given up"
    yield "answers", f"{status['told']:,} told, {status['added']:,} added"
    budget = status.get("budget")
    spent = f"{status['spent']:g}"
    yield "spent", spent if budget is None else f"{spent} of {budget:g}"
    yield "coverage", f"{status['coverage']:.1%} of all cells have a score"
    yield "certainty", certainty(status)
    yield "state", state(status)


def state(status: Mapping[str, Any]) -> str:
    """Say in a word or more whether a study goes on.

    >>> state({"paused": False, "stopped": "the budget of 5 is spent"})
    'stopped: the budget of 5 is spent'
    """
    if status["stopped"]:
        return f"stopped: {status['stopped']}"
    return "paused" if status["paused"] else "running"


def certainty(status: Mapping[str, Any]) -> str:
    """Say how certain a study is, and how certain it shall be.

    >>> certainty({"certainty": 0.5, "top": 3, "confidence": 0.95})
    'the first 3 are right with probability 0.500; 0.95 is wanted'
    """
    wanted = status.get("confidence")
    goal = "" if wanted is None else f"; {wanted:g} is wanted"
    what = report(status.get("top"))
    return f"{what} right with probability {status['certainty']:.3f}{goal}"


def said_next(found: Mapping[str, Any], reason: str) -> str:
    """Say in a sentence what would be asked next.

    >>> said_next({"task": "t", "agents": ["a", "b"], "cost": 1.0, "why": "drawn by lot"}, "")
    'a, b on t (cost 1): drawn by lot'
    """
    if not found:
        return f"nothing: {reason or 'all that may be asked is out with workers'}"
    who = ", ".join(found["agents"])
    return f"{who} on {found['task']} (cost {found['cost']:g}): {found['why']}"


def said_forecast(found: Spend) -> str:
    """Say in a sentence how many more answers it will take.

    >>> said_forecast(Spend(120.0, 60.0, float("inf")))
    'about 120 more answers; four studies of five would take 60 or more'
    """
    if found.high == 0.0:
        return "no more answers: it is certain enough"
    middle = "more answers than can be foreseen"
    if math.isfinite(found.rounds):
        middle = f"about {found.rounds:,.0f} more answers"
    band = f"{found.low:,.0f} to {found.high:,.0f}" if math.isfinite(found.high) else ""
    band = band or (f"{found.low:,.0f} or more" if math.isfinite(found.low) else "no fewer")
    return f"{middle}; four studies of five would take {band}"
