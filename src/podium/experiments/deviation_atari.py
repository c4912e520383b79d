"""Table 3 and Figure 4 of Marris et al. (2025): twenty agents on 53 Atari games."""

import numpy as np

from podium.data.ratings import Ranking
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sources import bundled_scores, ranked

GAMES = {"2P": "agent-task", "3P": "agents-and-task"}
TOP = {"2P": 4, "3P": 3}
"""How many agents are first in each game, in the words of appendix D.1."""

FIRST_3P = ("agent57", "muzero", "r2d2_bandit")
HUMAN = {"uniform": 18, "3P": 7}
"""Place of the human."""


@experiment("deviation-atari", group="deviation", remakes="Table 3 and Figure 4")
def deviation_atari(_: Setting) -> Result:
    """Deviation ratings of agents on Atari, against tasks and against each other."""
    rankings = atari_rankings()
    return Result(
        findings=(
            *(_on_top(name, rankings[name]) for name in GAMES),
            *(_human(name, rankings[name]) for name in HUMAN),
            _order(rankings["uniform"]),
        ),
        tables={"Ratings, scaled to -1 to 0 as in Figure 4b": _rows(rankings)},
        pictures=(Picture("deviation-atari-ranks", "Ranks of agents by rating", _draw),),
    )


def atari_rankings() -> dict[str, Ranking]:
    """Rank the agents of Table 3 by each rating of Figure 4."""
    scores = bundled_scores("deviation-atari")
    found = {"uniform": ranked(scores, "uniform")}
    return found | {name: ranked(scores, "deviation", game=game) for name, game in GAMES.items()}


def _on_top(name: str, ranking: Ranking) -> Finding:
    what = f"agents tied on top, {name}"
    first, printed = ranking.tiers[0], TOP[name]
    same = len(first) == printed and (name != "3P" or first == FIRST_3P)
    told = f"{len(first)}: {', '.join(first)}"
    why = "" if same else "other agents tie"
    return Finding("Figure 4b", what, str(printed), told, "equal" if same else "differs", why)


def _human(name: str, ranking: Ranking) -> Finding:
    ours, printed = ranking.ranks["human"], HUMAN[name]
    same = ours == printed
    why = "" if same else "the place in podium's ranking"
    return Finding(
        "Figure 4b", f"rank of the human, {name}", str(printed), str(ours),
        "equal" if same else "differs", why,
    )  # fmt: skip


def _order(ranking: Ranking) -> Finding:
    """Compare the order of the columns of Table 3, which is that of the uniform rating."""
    columns = bundled_scores("deviation-atari").agents
    values = np.array([ranking.ratings[agent] for agent in columns])
    same = bool((np.diff(values) <= 0).all())
    return Finding(
        "Table 3", "columns stand in the order of the uniform rating", "yes",
        "yes" if same else "no", "equal" if same else "differs", "" if same else "some are swapped",
    )  # fmt: skip


def _rows(rankings: dict[str, Ranking]) -> list[dict[str, object]]:
    scaled = {name: _scaled(ranking) for name, ranking in rankings.items()}
    return [
        {"agent": agent} | {name: round(own[agent], 4) + 0.0 for name, own in scaled.items()}
        for agent in rankings["uniform"].order
    ]


def _scaled(ranking: Ranking) -> dict[str, float]:
    """Scale ratings so that the best is 0 and the worst -1."""
    low, high = min(ranking.ratings.values()), max(ranking.ratings.values())
    return {agent: (own - high) / (high - low) for agent, own in ranking.ratings.items()}


def _draw() -> object:
    from podium.plots import rank_chart

    rankings = atari_rankings()
    shown = rankings["uniform"].order[:8]
    kept = {
        name: Ranking(name, _kept(ranking, shown), ranking.ratings)
        for name, ranking in rankings.items()
    }
    chart = rank_chart.x_data(kept, shown)
    return rank_chart.draw(chart, "Figure 4: ranks of the eight agents that uniform rates highest")


def _kept(ranking: Ranking, agents: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    tiers = (tuple(agent for agent in tier if agent in agents) for tier in ranking.tiers)
    return tuple(tier for tier in tiers if tier)
