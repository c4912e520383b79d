"""All tasks: how much was asked on each, and how well it tells agents apart."""

from typing import Any

import numpy as np

from podium.server.views._view import Look, Shown, View
from podium.study.picture import Picture


def make(look: Look) -> Shown:
    """List the tasks."""
    picture = look.picture
    agreement = agreement_of(picture)
    rows: list[dict[str, Any]] = [
        {
            "task": task,
            "scores": int(picture.plays[code].sum()),
            "agents": int((picture.plays[code] > 0).sum()),
            "cost": float((picture.plays[code] * picture.costs[code]).sum()),
            "agreement": agreement[code],
        }
        for code, task in enumerate(picture.spec.tasks)
    ]
    most = max((row["scores"] for row in rows), default=0) or 1
    return Shown(rows, {"most": most}, look.command("status"))


def agreement_of(picture: Picture) -> list[float | None]:
    """Give the share of pairs that each task puts as the ranking does; None if it tells none."""
    ratings = np.array([picture.ranking.ratings[agent] for agent in picture.spec.agents])
    ahead = np.sign(ratings[:, None] - ratings[None, :])
    found: list[Any] = []
    for plays, means in zip(picture.plays, picture.means, strict=True):
        both = np.multiply.outer(plays > 0, plays > 0)
        here = np.sign(means[:, None] - means[None, :])
        told = both & (here != 0) & (ahead != 0)
        found.append(float((here == ahead)[told].mean()) if told.any() else None)
    return found


VIEW = View("tasks", "Tasks", make)
