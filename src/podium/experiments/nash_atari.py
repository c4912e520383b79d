"""Figures 1 and 2 of Balduzzi et al. (2018) in kind: agents against Atari games."""

from functools import partial

from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sources import bundled_scores, ranked

LATER = {"r2d2_bandit", "agent57", "muzero", "r2d2", "r2d2_retrace", "ngu", "muesli", "muzero2"}
"""Agents of Marris et al. (2025), Table 3, that came after the paper."""

OTHER_DATA = (
    "the paper's scores of 20 agents on 54 games were not published; these are the 12 agents "
    "of those years on the 53 games of Marris et al. (2025), Table 3"
)

TIED = "human among the agents tied first"


@experiment("nash-atari", group="nash", remakes="Figures 1 and 2")
def nash_atari(_: Setting) -> Result:
    """Which agents and games the equilibrium looks at, and what averages become of it."""
    scores = older()
    nash, even = ranked(scores, "nash-average"), ranked(scores, "mean", scaling="minmax")
    first = nash.tiers[0]
    used = [task for task, weight in nash.info["tasks"].items() if weight > 1e-6]
    findings = (
        Finding("Figure 1", "weights of agents and games", "a picture", "see the tables",
                "no data", OTHER_DATA),
        Finding("Figure 2", "agents tied first", TIED, ", ".join(first),
                "consistent" if "human" in first else "differs", OTHER_DATA),
        Finding("Figure 2", "human by even averages", "below the best agents",
                f"rank {even.ranks['human']} of {len(even.ranks)}",
                "consistent" if even.ranks["human"] > 1 else "differs", OTHER_DATA),
        Finding("Section 4", "games in use", "few core environments",
                f"{len(used)} of {len(scores.tasks)}", "consistent", OTHER_DATA),
    )  # fmt: skip
    tables = {
        "Weights of agents": _weights(nash.info["agents"], "agent"),
        "Weights of games": _weights(nash.info["tasks"], "game"),
        "Averages of agents": [
            {"agent": agent, "Nash": round(nash.ratings[agent], 4),
             "even": round(even.ratings[agent], 4)}
            for agent in nash.order
        ],
    }  # fmt: skip
    return Result(findings=findings, tables=tables, pictures=_pictures(scores, nash, even))


def older() -> Scores:
    """Take the agents that are as old as the paper."""
    scores = bundled_scores("deviation-atari")
    return scores.only(agents=[agent for agent in scores.agents if agent not in LATER])


def difficulty(scores: Scores) -> dict[str, float]:
    """Average difficulty of each game over all agents: 1 less the mean scaled score."""
    low, high = scores.means.min(axis=1), scores.means.max(axis=1)
    scaled = (scores.means - low[:, None]) / (high - low)[:, None]
    return dict(zip(scores.tasks, (1.0 - scaled.mean(axis=1)).tolist(), strict=True))


def _weights(weights: dict[str, float], what: str) -> list[dict[str, object]]:
    used = sorted(weights.items(), key=lambda entry: (-entry[1], entry[0]))
    return [{what: name, "weight": round(weight, 4)} for name, weight in used if weight > 1e-6]


def _pictures(scores: Scores, nash: Ranking, even: Ranking) -> tuple[Picture, ...]:
    def bars(which: str, title: str) -> object:
        from podium.plots import weight_bars

        weights = nash.info[which]
        found = weight_bars.x_data(weights)
        return weight_bars.draw(found, title, left_out=len(weights) - len(found))

    def averages(who: str, title: str) -> object:
        from podium.plots import two_averages

        if who == "agents":
            data = two_averages.x_data(even.ratings, nash.ratings, ("even", "Nash"))
            return two_averages.draw(data, title, "average score, scaled by game")
        hard = {task: 1.0 + value for task, value in nash.info["difficulty"].items()}
        data = two_averages.x_data(difficulty(scores), hard, ("even", "Nash"))
        return two_averages.draw(data, title, "1 less the average score, scaled by game")

    return tuple(
        Picture(f"nash-atari-figure-{name}", title, partial(draw, which, title))
        for name, title, draw, which in (
            ("1-agents", "Figure 1 in kind: weights of agents", bars, "agents"),
            ("1-games", "Figure 1 in kind: weights of games", bars, "tasks"),
            ("2-agents", "Figure 2A in kind: skill of agents", averages, "agents"),
            ("2-games", "Figure 2B in kind: difficulty of games", averages, "games"),
        )
    )
