"""Circles: how much of the results ratings can explain, and how many skills tasks tell apart."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.analysis._section import Fact, View
from podium.data.game import Game
from podium.data.scores import Scores
from podium.errors import PodiumError
from podium.methods.hodge import hodge

LARGEST = 500
"""Above this many agents, results are not split."""

CELLS = 1_000_000
"""Above this many cells, results are not split."""

MOSTLY = 0.5
"""Ratings that explain less than this share explain less than half."""

SPREAD = 0.9
"""Share of what differs between agents that the latent skills counted explain."""


@dataclass(frozen=True)
class Hodge:
    """What one number an agent explains, in the sense of Hodge.

    Attributes:
        cyclic_share: Share of squared log-odds of wins that no ratings explain;
            of scores, of what differs between agents on a task. Chance counts as
            cyclic, too.
        latent_skills: Number of skills that together explain 90 % of what differs
            between agents on tasks; None without tasks.
        tasks: Number of tasks that tell agents apart.
    """

    cyclic_share: float
    latent_skills: int | None
    tasks: int

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        facts = [("not explained by ratings", f"{self.cyclic_share:.0%}")]
        if self.latent_skills is not None:
            text = f"{self.latent_skills} (of {self.tasks} tasks)"
            facts.append((f"skills that make up {SPREAD:.0%}", text))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if self.latent_skills is not None or self.cyclic_share <= MOSTLY:
            return []
        return [
            (
                f"ratings such as elo can explain only {1 - self.cyclic_share:.0%} of who beats "
                "whom; the rest is circles or chance. melo predicts it, and nash-average and "
                "maximal-lottery rank in spite of it"
            )
        ]


def circles(view: View) -> Hodge | str:
    """Split results into what ratings explain and what goes in circles."""
    if isinstance(view.data, Game):
        return "a game is no table of who beats whom"
    size = len(view.agents)
    cells = size * (len(view.data.tasks) if isinstance(view.data, Scores) else size)
    if size > LARGEST or cells > CELLS:
        return f"there are {size:,} agents and {cells:,} cells; this is up to {LARGEST:,} agents"
    data: Any = view.by_names
    try:
        found = hodge(data, planes=0)
    except PodiumError as why:
        return str(why)
    if not isinstance(data, Scores):
        return Hodge(found.info["cyclic_share"], None, 0)
    skills = _skills(found.values, found.info["strengths"], len(found.info["difficulty"]))
    return Hodge(found.info["cyclic_share"], skills, len(found.info["difficulty"]))


def _skills(general: Any, strengths: list[float], tasks: int) -> int:
    """Count the general skill, if any, and the latent ones that are needed beside it."""
    spread = general - general.mean() if len(general) else general
    parts = np.append(tasks * float(np.square(spread).sum()), np.square(strengths))
    total = float(parts.sum())
    if not total:
        return 0
    ordered = np.sort(parts)[::-1]
    return int(np.searchsorted(np.cumsum(ordered), SPREAD * total * (1 - 1e-12))) + 1
