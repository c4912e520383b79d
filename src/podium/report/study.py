"""A report on a study: who leads, how sure that is, what it has cost, and what to ask next."""

import math
import shlex
from collections.abc import Iterator
from typing import Any

import numpy as np

import podium
from podium.analysis._section import joined
from podium.data.ratings import Ranking
from podium.errors import DataError
from podium.plots import pair_shares, places, spend
from podium.report import _methods, _ranking, _tasks
from podium.report.data import COVERED, TOLD_APART, facts
from podium.report.document import (
    Block,
    Cell,
    Command,
    Document,
    Figure,
    Points,
    Prose,
    Section,
    Table,
)
from podium.report.findings import Findings, find
from podium.report.words import certainty
from podium.safe import visible
from podium.study.forecast import Spend
from podium.study.past import Past, past_of
from podium.study.words import said_forecast, said_next, standing
from podium.words import counted, report

SHOWN = 30
"""So many agents are drawn, the best ones."""

USUAL = 0.95
"""Probability that is forecast if the study names none."""


def study_report(study: Any, *, level: float = 0.95, command: str = "") -> Document:
    """Report on a study, here or on a server.

    Args:
        study: The study.
        level: Chance that the true rank lies within each interval.
        command: The command line that makes this report.
    """
    ranking, status = study.ranking(level), study.status()
    past = past_of(study)
    found = _found(past)
    parts = [
        Section("Ranking", list(_ranked(ranking, past))),
        Section("How sure, and for what", list(_spent(study, status, past))),
        Section("What to evaluate next", list(_next(study, status))),
    ]
    if found is not None:
        parts += [
            Section("Methods side by side", list(_methods.blocks(found))),
            Section("Which tasks decide", list(_tasks.blocks(found))),
            Section("Clones and repeats", list(facts(found, TOLD_APART))),
            Section("Coverage", list(facts(found, COVERED))),
        ]
    parts.append(Section("How this was made", list(_made(command))))
    return Document(f"Study {study.name}", list(_lead(ranking, status)), parts)


def _found(past: Past) -> Findings | None:
    """Rank the scores so far by all methods, if any of them can."""
    if not len(past.scores.value):
        return None
    try:
        return find(past.scores, intervals="none")
    except DataError:  # too little was seen yet
        return None


def _lead(ranking: Ranking, status: dict[str, Any]) -> Iterator[str]:
    if not status["told"] + status["added"]:
        yield "Nothing was told yet, so nobody leads."
        return
    first = ranking.tiers[0]
    yield f"{joined(first)} {'leads' if len(first) == 1 else 'share the lead'}."
    yield from certainty(ranking)
    chance, top = status["certainty"], status.get("top")
    yield f"That {report(top)} right has probability {chance:.3f}."
    answers = counted(status["told"] + status["added"], "answer")
    budget = status.get("budget")
    of = "" if budget is None else f" of {budget:g}"
    yield f"It took {answers} for {status['spent']:g}{of}."
    if status["stopped"]:
        yield f"It stopped: {status['stopped']}."


def _ranked(ranking: Ranking, past: Past) -> Iterator[Block]:
    yield from _ranking.blocks(ranking)
    best = ranking.order[:SHOWN]
    rows = [past.agents.index(agent) for agent in best]
    says = "Which place each agent may truly have"
    chances = past.places[rows]
    yield Figure(says, lambda: places.draw(places.x_data(best, chances), says))
    pairs = past.pairs[np.ix_(rows, rows)].copy()
    np.fill_diagonal(pairs, np.nan)
    above = "Probability that the agent of the row is truly above that of the column"
    yield Figure(above, lambda: pair_shares.draw(pair_shares.x_data(best, pairs), above))


def _spent(study: Any, status: dict[str, Any], past: Past) -> Iterator[Block]:
    if past.looks:
        goal = status.get("confidence") or USUAL
        more = None if status["stopped"] else study.forecast()
        says = "How certain the study was, for what it had spent"
        path = [(look.spent, look.certainty) for look in past.looks]
        band = _band(more, past)
        yield Figure(says, lambda: spend.draw(spend.x_data(path, goal=goal, forecast=band), says))
        if more is not None:
            yield Prose(f"To be right with probability {goal:g}: {said_forecast(more)}.")
        rows: list[list[Cell]] = [[look.heard, look.spent, look.certainty] for look in past.looks]
        yield Table("Certainty by spend", ["answers", "spent", "certainty"], rows, {"certainty": 3})
    standing_rows: list[list[Cell]] = [[label, text] for label, text in standing(status)]
    yield Table("How the study stands", ["what", "how"], standing_rows)


def _band(more: Spend | None, past: Past) -> spend.Forecast | None:
    """Turn answers to come into spend, at what an answer has cost so far."""
    last = past.looks[-1]
    if more is None or not math.isfinite(more.low) or not more.high:
        return None
    each = last.spent / last.heard if last.spent else 1.0
    return spend.Forecast(
        *(last.spent + each * part for part in (more.low, more.rounds, more.high))
    )


def _next(study: Any, status: dict[str, Any]) -> Iterator[Block]:
    found = study.next()
    yield Prose(f"Next: {said_next(found, status['stopped'])}.")
    if found:
        yield Command(f"podium study ask {shlex.quote(visible(study.name))}")


def _made(command: str) -> Iterator[Block]:
    yield Points([f"made by podium {podium.__version__}", *([f"by: {command}"] if command else [])])
