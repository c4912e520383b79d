"""All scores so far, as a file that `podium rank` reads."""

from podium.server.views._view import Look, Shown, View
from podium.server.views.ranking import tasks_like

MOST = 500
"""Scores that the page shows; the file holds all."""


def make(look: Look) -> Shown:
    """List the scores, the newest last."""
    scores = look.picture.scores
    wanted = tasks_like(scores.tasks, look.text("tasks"))
    if len(wanted) < len(scores.tasks):
        scores = scores.only(tasks=wanted)
    rows = [
        {"task": scores.tasks[task], "agent": scores.agents[agent], "score": value}
        for task, agent, value in zip(
            scores.task.tolist(), scores.agent.tolist(), scores.value.tolist(), strict=True
        )
    ]
    return Shown(rows, {"most": MOST}, "podium rank scores.csv")


VIEW = View("scores", "Scores", make, tab=False, keeps=("tasks",))
