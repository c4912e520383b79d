"""When a study may stop: once it is sure enough of what it reports."""

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from podium.errors import DataError
from podium.kernels.records import Records
from podium.study.posterior import Posterior, case_of, drawn
from podium.study.spec import StudySpec
from podium.words import check_number

CONFIDENCE = 0.95
"""Probability of being right that is wanted, if nothing else is said."""

GROWTH = 0.05
"""By how much the rounds grow from one checkpoint to the next."""

ROUNDING = 1e-9
"""A number this little below a whole one is whole."""

DRAWS = (400, 1_200)
"""Truths that are drawn at a look, and again if these meet the goal: luck may not stop a study."""


@dataclass(frozen=True)
class Goal:
    """How sure a study has to be, and of what.

    The chance that the report is right is looked at in checkpoints only. It is a
    posterior probability, which means the same whenever one looks; so the number of
    looks needs no correction. What would need one is that an estimate can be lucky,
    the more so the more often one looks: so it is made from many draws.

    Attributes:
        confidence: Smallest probability to stop at, above 0 and below 1.
        top: How many of the best agents have to be right; None for the whole ranking.
    """

    confidence: float
    top: int | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.confidence < 1.0:
            msg = f"confidence is {self.confidence!r}; give a number above 0 and below 1"
            raise DataError(msg, field="confidence")
        if self.top is not None:
            check_number("top", self.top, low=1)

    def met(self, posterior: Posterior) -> bool:
        """Tell whether a posterior is sure enough."""
        return posterior.chance(self.top) >= self.confidence


def goal_of(spec: StudySpec, confidence: float | None = None, top: int | None = None) -> Goal:
    """Give the goal of a study, with another confidence or another top if one is named.

    >>> spec = StudySpec.of(name="s", agents=["a", "b"], tasks=["t"], top=1)
    >>> goal_of(spec), goal_of(spec, 0.8, 2)
    (Goal(confidence=0.95, top=1), Goal(confidence=0.8, top=2))
    """
    wanted = {"confidence": confidence, "top": top}
    given = {name: part for name, part in wanted.items() if part is not None}
    told = StudySpec.of(**{"confidence": CONFIDENCE, **spec.to_dict(), **given})
    return Goal(told.confidence or CONFIDENCE, told.top)


def next_checkpoint(rounds: int, agents: int) -> int:
    """Give the first checkpoint after some rounds.

    The first is when agents have been asked eight times each on average; from
    there on they come every 5 %, and no more often than agents are asked once.

    Args:
        rounds: Rounds so far.
        agents: Number of agents.

    >>> [next_checkpoint(rounds, agents=8) for rounds in (0, 31, 32, 400)]
    [32, 32, 36, 414]
    """
    at = 4 * agents
    while at <= rounds:
        at = max(at + max(agents // 2, 1), math.ceil(at * (1.0 + GROWTH)))
    return at


def reached(
    goal: Goal,
    records: Records,
    ratings: ArrayLike,
    *,
    seed: int = 0,
    noise: ArrayLike | None = None,
) -> Posterior | None:
    """Give the posterior if the goal is met; None if it is not. To be asked at checkpoints only.

    Draws end when the goal is out of reach, so that asking early is cheap.

    Args:
        goal: What is wanted.
        records: What was seen so far.
        ratings: The report.
        seed: Start of all chance.
        noise: Standard deviation of one score of each task, NaN where it is not known.
    """
    agents = len(records.agent_plays)
    if goal.top is not None:
        check_number("top", goal.top, low=1, high=agents)
    case = case_of(records, ratings, seed=seed, noise=noise)
    for draws in DRAWS:
        misses = math.floor((1.0 - goal.confidence) * draws + ROUNDING)
        posterior = drawn(case, draws, top=goal.top, misses=misses)
        if not goal.met(posterior):
            return None
    return posterior
