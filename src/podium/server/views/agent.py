"""One agent: where it stands, on what, and against whom."""

from typing import Any

import numpy as np

from podium.server.views._view import Look, Shown, View


def make(look: Look) -> Shown:
    """Show one agent, task by task."""
    picture, code = look.picture, look.agent()
    agent = picture.spec.agents[code]
    seen = picture.plays > 0
    rows: list[dict[str, Any]] = []
    for place, task in enumerate(picture.spec.tasks):
        plays, means = picture.plays[place], picture.means[place]
        others = seen[place].sum() - seen[place, code]
        below = int((means[seen[place]] < means[code]).sum())
        above = int((means[seen[place]] > means[code]).sum())
        there = bool(plays[code])
        rows.append(
            {
                "task": task,
                "scores": int(plays[code]),
                "mean": float(means[code]) if there else None,
                "above": above if there else None,
                "below": below if there else None,
                "others": int(others),
                "cost": float(plays[code] * picture.costs[place, code]),
            }
        )
    standing = next(row for row in picture.ranking.table() if row["agent"] == agent)
    rivals = [
        (rival, float(picture.pairs[code, picture.spec.agents.index(rival)]))
        for rival in picture.ranking.order
        if rival != agent
    ]
    context = {
        "agent": agent,
        "row": standing,
        "rivals": rivals,
        "scores": int(picture.plays[:, code].sum()),
        "coverage": float(seen[:, code].mean()),
        "cost": float(np.sum(picture.plays[:, code] * picture.costs[:, code])),
    }
    return Shown(rows, context, look.command("ranking"))


VIEW = View("agent", "Agent", make, tab=False, keeps=("name",))
