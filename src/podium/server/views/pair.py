"""Two agents, task by task: the raw results between them."""

from typing import Any

import numpy as np

from podium.server.views._view import Look, Shown, View


def make(look: Look) -> Shown:
    """Set the scores of two agents side by side."""
    picture = look.picture
    a, b = look.agent("a"), look.agent("b")
    rows: list[dict[str, Any]] = []
    for code, task in enumerate(picture.spec.tasks):
        plays, means = picture.plays[code], picture.means[code]
        if not plays[a] and not plays[b]:
            continue
        both = bool(plays[a] and plays[b])
        lead = float(means[a] - means[b]) if both else None
        row = {"task": task, "mean_a": float(means[a]) if plays[a] else None}
        row |= {"mean_b": float(means[b]) if plays[b] else None}
        row |= {"scores_a": int(plays[a]), "scores_b": int(plays[b]), "lead": lead}
        rows.append(row)
    leads = [row["lead"] for row in rows if row["lead"] is not None]
    met = np.isin(picture.queries[:, 1], (a, b)) & np.isin(picture.queries[:, 2], (a, b))
    won = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    context = {
        "a": picture.spec.agents[a],
        "b": picture.spec.agents[b],
        "above": float(picture.pairs[a, b]),
        "won": won,
        "even": len(leads) - sum(won),
        "met": _met(look, np.flatnonzero(met).tolist(), a),
    }
    return Shown(rows, context, look.command("log", "--format=json"))


def _met(look: Look, places: list[int], a: int) -> list[dict[str, Any]]:
    """List the answers about both, the newest first."""
    picture, found = look.picture, []
    for place in reversed(places[-200:]):
        task, first, _ = picture.queries[place].tolist()
        scores = picture.answers[place].tolist()
        mine, other = scores if first == a else scores[::-1]
        found.append({"task": picture.spec.tasks[task], "a": mine, "b": other})
    return found


VIEW = View("pair", "Pair", make, tab=False, keeps=("a", "b"))
