"""What Lanctot et al. (2025) say of Nash averaging: observations 4 to 6 and 8, and prompts."""

from collections.abc import Iterator

from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments.voting_observations import (
    OBSERVATION_5,
    OBSERVATION_6,
    OBSERVATION_8,
    nash,
    raw_scores,
)

PROMPTS = "Section on prompts"
UNPUBLISHED = "the scores of Figure 17 exist only as a picture"


@experiment("nash-observations", group="nash", remakes="Observations 4, 5, 6 and 8, and prompts")
def nash_observations(_: Setting) -> Result:
    """Few tasks with weight on Atari, AgentBench and prompts."""
    findings = (
        *raw_scores(),
        *nash("Observation 5", "rainbow", OBSERVATION_5, "0.3891"),
        *nash("Observation 6", "rainbow-plus", OBSERVATION_6, "0.4253"),
        *nash("Observation 8", "agentbench", OBSERVATION_8, "0.889"),
        *prompts(),
    )
    return Result(findings=findings)


def prompts() -> Iterator[Finding]:
    """Say what is printed of prompts, whose scores are not public."""
    for task, weight in {"T3": "0.56", "T5": "0.44"}.items():
        yield Finding(PROMPTS, "weight of a task", weight, "", "no data", UNPUBLISHED, of=task)
    order = "2 = 3 > 5 > 1 > 7 > 6"
    yield Finding(PROMPTS, "ranking by Nash averaging", order, "", "no data", UNPUBLISHED)
