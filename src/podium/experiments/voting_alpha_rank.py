"""Figures 7 and 8 of Lanctot et al. (2025): alpha-rank on Atari."""

from collections.abc import Iterator, Mapping

from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sources import bundled, missing, ranked, ready

ORDER = ["rainbow", "dist_dqn", "duel_ddqn", "prio_ddqn", "a3c", "ddqn", "noisy_dqn", "dqn"]
AGENTS, TASKS = (0.07, 0.21), (0.005, 0.057)
"""Printed ranges of the probabilities of agents and of tasks."""

DIGIT = {"agents": 0.01, "tasks": 0.001}
"""A unit of the last printed digit: the paper gives ranges that hold the numbers."""


@experiment("voting-alpha-rank", group="voting", remakes="Figures 7 and 8")
def voting_alpha_rank(_: Setting) -> Result:
    """Alpha-rank on Atari, agents against games."""
    if not ready("alpha-rank"):
        why = missing("alpha-rank")
        return Result(
            findings=(
                Finding("Figure 8", "ranking", " > ".join(ORDER), "", "no data", why),
                Finding("Figure 8", "mass of agents", _range(AGENTS), "", "no data", why),
                Finding("Figure 7", "mass of tasks", _range(TASKS), "", "no data", why),
            )
        )
    ranking = ranked(bundled("rainbow"), "alpha-rank")
    agents, tasks = ranking.info["players"][:2]
    order = " > ".join(ranking.order)
    same = order == " > ".join(ORDER)
    found = Finding("Figure 8", "ranking", " > ".join(ORDER), order, "equal" if same else "differs")
    ranges = (*_compare("8", "agents", AGENTS, agents), *_compare("7", "tasks", TASKS, tasks))
    return Result(findings=(found, *ranges))


def _compare(
    figure: str, who: str, printed: tuple[float, float], mass: Mapping[str, float]
) -> Iterator[Finding]:
    ours = min(mass.values()), max(mass.values())
    inside = printed[0] <= ours[0] and ours[1] <= printed[1]
    near = inside and all(abs(a - b) < DIGIT[who] for a, b in zip(printed, ours, strict=True))
    verdict: Verdict = "equal" if near else "differs"
    yield Finding(f"Figure {figure}", f"mass of {who}", _range(printed), _range(ours), verdict)


def _range(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.4g} to {ends[1]:.4g}"
