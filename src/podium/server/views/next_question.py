"""What is asked next, why, and what that is worth."""

import heapq
import math
from collections.abc import Mapping
from typing import Any

from podium.errors import DataError
from podium.server.views._view import Look, Shown, View
from podium.study.forecast import Spend
from podium.words import report

LISTED = 10
"""Tasks of which it is said what a question on them is worth."""


def make(look: Look) -> Shown:
    """Say what would be asked next, without handing it out."""
    found = look.study.next()
    spec = look.picture.spec
    cells: list[dict[str, Any]] = []
    if found:
        task = spec.tasks.index(found["task"])
        ranks = look.picture.ranking.ranks
        for agent in found["agents"]:
            code = spec.agents.index(agent)
            plays = int(look.picture.plays[task, code])
            cells.append(
                {
                    "task": found["task"],
                    "agent": agent,
                    "rank": ranks[agent],
                    "scores_here": plays,
                    "mean_here": float(look.picture.means[task, code]) if plays else None,
                    "cost": float(look.picture.costs[task, code]),
                }
            )
    worths = look.study.worths() if found else {}
    most = max(worths.values(), default=0.0)
    context = {
        "worths": worths_beside(most, worths),
        "worth": worths[found["task"]] / most if most > 0.0 and found["task"] in worths else None,
        "next": found,
        "why": found.get("why", ""),
        "cells": cells,
        **goal_of(look),
    }
    return Shown(cells, context, look.command("next"))


def worths_beside(most: float, worths: Mapping[str, float]) -> list[tuple[str, float]]:
    """List the tasks on which a question is worth most, with its worth beside the best of all.

    >>> worths_beside(2.0, {"a": 1.0, "b": 2.0, "c": 0.0})
    [('b', 1.0), ('a', 0.5)]
    """
    best = heapq.nlargest(LISTED, worths, key=worths.__getitem__)
    return [(task, worths[task] / most) for task in best if worths[task] > 0.0]


def goal_of(look: Look) -> dict[str, Any]:
    """Say how far it is to the certainty that the address asks for."""
    spec = look.picture.spec
    confidence = look.number("confidence", spec.confidence or 0.95)
    top = look.whole("top", spec.top or 0) or None
    if top and top > len(spec.agents):
        msg = f"top is {top}; give a whole number from 1 to {len(spec.agents)}"
        raise DataError(msg, field="top")
    spend = look.study.forecast(confidence, top) if len(look.picture.queries) else None
    return {
        "confidence": confidence,
        "top": top,
        "what": report(top or spec.top),
        "spend": spend,
        "said": _said(spend),
    }


def _said(spend: Spend | None) -> str:
    """Say in words how many more answers it will take."""
    if spend is None:
        return "Nothing was told yet, so nothing can be forecast."
    if spend.rounds == 0:
        return "That is reached already."
    if math.isinf(spend.rounds):
        return "That is out of sight: more answers than can be forecast."
    high = "no bound" if math.isinf(spend.high) else f"{spend.high:,.0f}"
    return f"About {spend.rounds:,.0f} more answers; four in five: {spend.low:,.0f} to {high}."


VIEW = View("next", "Next", make, keeps=("confidence", "top"))
