"""One task: who scored what, what it weighs, and what failed."""

from collections import Counter
from typing import Any

from podium.server.views._view import Look, Shown, View
from podium.server.views.quality import entries_of
from podium.server.views.tasks import agreement_of


def make(look: Look) -> Shown:
    """Show one task, agent by agent."""
    picture, code = look.picture, look.task()
    task = picture.spec.tasks[code]
    plays, means, costs = picture.plays[code], picture.means[code], picture.costs[code]
    low, high = _range([m for m, p in zip(means.tolist(), plays.tolist(), strict=True) if p])
    failures = entries_of(look, "failed", task)
    failed = Counter(agent for entry in failures for agent in entry["agents"])
    rows: list[dict[str, Any]] = [
        {
            "agent": agent,
            "scores": int(plays[at]),
            "mean": float(means[at]) if plays[at] else None,
            "share": (float(means[at]) - low) / (high - low) if plays[at] else None,
            "failed": failed[agent],
            "cost": float(plays[at] * costs[at]),
        }
        for at, agent in enumerate(picture.spec.agents)
    ]
    rows.sort(key=lambda row: (row["mean"] is None, -(row["mean"] or 0.0)))
    context = {
        "task": task,
        "low": low,
        "high": high,
        "scores": int(plays.sum()),
        "cost": float((plays * costs).sum()),
        "share": float(plays.sum() / max(1, picture.plays.sum())),
        "agreement": agreement_of(picture)[code],
        "failures": failures[-20:],
    }
    return Shown(rows, context, look.command("log"))


def _range(means: list[float]) -> tuple[float, float]:
    """Give the least and the largest mean, or some where there is no range."""
    low, high = min(means, default=0.0), max(means, default=1.0)
    return (low, high) if high > low else (low - 1.0, low)


VIEW = View("task", "Task", make, tab=False, keeps=("name",))
