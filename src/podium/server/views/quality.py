"""What may be wrong with the data: conflicts, failures, gaps, and zeros that look like faults."""

from typing import Any

import numpy as np

from podium.server.entries import entry_of
from podium.server.views._view import Look, Shown, View

TROUBLE = ("conflict", "failed", "lost", "skipped")
"""Kinds of entries that tell of something amiss."""

FAR = 3.0
"""A mean of 0 that lies so many spreads away from the others of its task is suspicious."""

FEWEST = 3
"""Means that a task must have for the spread to say something; scores that must be the same."""

MOST = 200
"""Findings of a kind that the page shows."""


def make(look: Look) -> Shown:
    """List what may be wrong."""
    picture = look.picture
    trouble = {kind: entries_of(look, kind) for kind in TROUBLE}
    missing = [
        {"task": task, "agents": [picture.spec.agents[at] for at in np.flatnonzero(plays == 0)]}
        for task, plays in zip(picture.spec.tasks, picture.plays, strict=True)
        if (plays == 0).any()
    ]
    zeros, same = suspicious_zeros(look), repeats(look)
    rows = [
        {"finding": kind, "task": entry["task"], "agents": entry["agents"], "what": entry["what"]}
        for kind, entries in trouble.items()
        for entry in entries
    ]
    rows += [{"finding": "missing", **cell, "what": "no score yet"} for cell in missing]
    rows += [{"finding": "zero", **cell} for cell in zeros]
    rows += [{"finding": "repeated", **cell} for cell in same]
    context = {
        "trouble": trouble,
        "missing": missing,
        "cells": sum(len(row["agents"]) for row in missing),
        "zeros": zeros,
        "same": same,
        "most": MOST,
    }
    return Shown(rows, context, look.command("log", "--format=json"))


def entries_of(look: Look, kind: str, task: str = "") -> list[dict[str, Any]]:
    """List the entries of a kind, with the task and the agents of the query they are about."""
    asked: dict[str, Any] = {}
    found = []
    for entry in look.entries:
        if entry.kind == "asked":
            asked[entry.query] = entry.data
        elif entry.kind == kind:
            about = asked.get(entry.query, {})
            shown = entry_of(entry)
            what = shown.get("why") or _in_words(shown.get("scores", {}))
            if task and about.get("task") != task:
                continue
            agents = list(about.get("agents", ()))
            found.append({**shown, "task": about.get("task", ""), "agents": agents, "what": what})
    return found


def _in_words(scores: dict[str, float]) -> str:
    return ", ".join(f"{agent} {score:g}" for agent, score in scores.items())


def suspicious_zeros(look: Look) -> list[dict[str, Any]]:
    """Find cells whose mean is exactly 0, far from what the others got on the task."""
    picture, found = look.picture, []
    for task, plays, means in zip(picture.spec.tasks, picture.plays, picture.means, strict=True):
        for at in np.flatnonzero((plays > 0) & (means == 0.0)):
            others = np.delete(means, at)[np.delete(plays, at) > 0]
            if len(others) < FEWEST:
                continue
            centre = float(np.median(others))
            spread = float(np.median(np.abs(others - centre)))
            if abs(centre) > FAR * max(spread, 1e-12):
                agent = picture.spec.agents[at]
                what = f"all {plays[at]} scores are 0; the median of the others is {centre:.4g}"
                found.append({"task": task, "agents": [agent], "what": what})
    return found


def repeats(look: Look) -> list[dict[str, Any]]:
    """Find cells that gave the same score again and again, where others of the task did not."""
    scores = look.picture.scores
    count = len(scores.agents)
    cells = scores.task * count + scores.agent
    lowest = np.full(len(scores.tasks) * count, np.inf)
    highest = -lowest
    np.minimum.at(lowest, cells, scores.value)
    np.maximum.at(highest, cells, scores.value)
    low, high = lowest.reshape(-1, count), highest.reshape(-1, count)
    often = scores.counts >= FEWEST
    fixed = often & (low == high)
    noisy = np.any(often & (low < high), axis=1, keepdims=True)
    return [
        {
            "task": scores.tasks[task],
            "agents": [scores.agents[agent]],
            "what": f"{scores.counts[task, agent]} scores, all {low[task, agent]:g}",
        }
        for task, agent in np.argwhere(fixed & noisy).tolist()
    ]


VIEW = View("quality", "Data quality", make)
