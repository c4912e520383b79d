"""Nash weights: which agents and tasks the equilibrium of the game of evaluation looks at."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.analysis._section import Fact, View
from podium.data.game import Game
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import PodiumError
from podium.methods.nash_average import nash_average

LARGEST = 500
"""Above this many agents no equilibrium is looked for."""

CELLS = 1_000_000
"""Above this many cells no equilibrium is looked for."""

WEIGHT = 1e-6
"""A lower weight is none."""

FEW = 0.25
"""Tasks count as few where they weigh as much as less than this share of all tasks would."""

FEWEST_TASKS = 4
"""With fewer tasks, few of them are nothing to warn of."""


@dataclass(frozen=True)
class Nash:
    """The most even equilibrium, in which agents are chosen to do well where it is hardest.

    Attributes:
        agents: Weights of the agents in use; these are tied first by nash-average.
        tasks: Weights of the tasks in use; none where agents meet each other.
        all_tasks: Number of tasks.
        value: The expected payoff of the agents in use.
        unique: Whether there is no other equilibrium.
        effective_tasks: Number of equally weighted tasks of the same entropy.
    """

    agents: dict[str, float]
    tasks: dict[str, float]
    all_tasks: int
    value: float
    unique: bool
    effective_tasks: float

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        facts = [("agents that matter", _weights(self.agents))]
        if self.tasks:
            facts.append(("tasks that matter", _weights(self.tasks)))
            facts.append(("in use", f"{len(self.tasks)} of {self.all_tasks} tasks"))
            facts.append(("value of the game", f"{self.value:.4g}"))
        if not self.unique:
            facts.append(("other equilibria", "yes; this is the most even one"))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        few = self.effective_tasks <= FEW * self.all_tasks
        if not self.tasks or self.all_tasks < FEWEST_TASKS or not few:
            return []
        return [
            (
                f"adversarial task selection: nash-average would rank by {len(self.tasks)} of "
                f"{self.all_tasks} tasks alone ({_weights(self.tasks)}); beside it, use a method "
                "to which all tasks matter"
            )
        ]


def nash(view: View) -> Nash | str:
    """Find the most even equilibrium of agents against tasks, or against each other."""
    if isinstance(view.data, Game):
        return "a game is played as it is: rank it with nash-average"
    size = len(view.agents)
    cells = size * (len(view.data.tasks) if isinstance(view.data, Scores) else size)
    if size > LARGEST or cells > CELLS:
        return (
            f"there are {size:,} agents and {cells:,} cells; an equilibrium is looked for up to "
            f"{LARGEST:,} and {CELLS:,}"
        )
    data: Any = view.by_names
    try:
        found = nash_average(data, missing="common")
    except PodiumError as why:
        return str(why)
    tasks = _used(found.info["tasks"])
    return Nash(
        agents=_used(found.info["agents"]),
        tasks=tasks,
        all_tasks=0 if isinstance(data, Tally) else int((data.weights > 0).sum()),
        value=found.info["value"],
        unique=found.info["unique"],
        effective_tasks=_effective(tasks),
    )


def _used(weights: dict[str, float]) -> dict[str, float]:
    kept = {name: weight for name, weight in weights.items() if weight > WEIGHT}
    return dict(sorted(kept.items(), key=lambda entry: (-round(entry[1], 9), entry[0])))


def _effective(weights: dict[str, float]) -> float:
    """Turn entropy into a number of tasks.

    >>> round(_effective({"s": 0.5, "t": 0.5}), 9)
    2.0
    """
    shares = np.array(list(weights.values()))
    return float(np.exp(-(shares * np.log(shares)).sum())) if len(shares) else 0.0


def _weights(weights: dict[str, float], limit: int = 6) -> str:
    """Write weights for a reader.

    >>> _weights({"pong": 0.75, "skiing": 0.25})
    'pong 75%, skiing 25%'
    """
    shown = [f"{name} {weight:.0%}" for name, weight in list(weights.items())[:limit]]
    more = len(weights) - limit
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "") or "none"
