"""The views of a study: one file a view; it says what is shown, and the template how."""

from podium.server.views import (
    agent,
    budget,
    commands,
    log,
    next_question,
    pair,
    pairs,
    quality,
    ranking,
    scores,
    task,
    tasks,
    workers,
)
from podium.server.views._view import Look, Shown, View

VIEWS: dict[str, View] = {
    view.name: view
    for view in (
        ranking.VIEW,
        next_question.VIEW,
        budget.VIEW,
        pairs.VIEW,
        tasks.VIEW,
        workers.VIEW,
        quality.VIEW,
        log.VIEW,
        commands.VIEW,
        agent.VIEW,
        task.VIEW,
        pair.VIEW,
        scores.VIEW,
    )
}
"""All views, in the order of the tabs."""

__all__ = ["VIEWS", "Look", "Shown", "View"]
