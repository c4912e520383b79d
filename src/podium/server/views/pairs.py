"""Who is truly above whom, and how sure that is."""

from podium.server.views._view import Look, Shown, View

MOST = 40
"""Agents that the page shows, the best of them; the files hold all pairs."""

STEPS = 10
"""Shades of a cell: from 0, surely below, to this, surely above."""


def make(look: Look) -> Shown:
    """Give the probability of each pair, agents in the order of their ranks."""
    picture = look.picture
    order = picture.ranking.order
    codes = [picture.spec.agents.index(agent) for agent in order]
    table = picture.pairs[codes][:, codes].tolist()
    rows = [
        {"agent": agent, "rival": rival, "above": table[i][j]}
        for i, agent in enumerate(order)
        for j, rival in enumerate(order)
        if i != j
    ]
    shown = order[:MOST]
    grid = [
        (agent, [(rival, table[i][j], round(table[i][j] * STEPS)) for j, rival in enumerate(shown)])
        for i, agent in enumerate(shown)
    ]
    open_pairs = [
        (order[i], order[i + 1], table[i][i + 1]) for i in range(min(len(order), MOST) - 1)
    ]
    context = {"grid": grid, "order": shown, "neighbours": open_pairs, "all": len(order)}
    return Shown(rows, context, look.command("ranking", "--format=json"))


VIEW = View("pairs", "Pairs", make)
