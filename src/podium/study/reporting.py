"""How a study stands: its ranking with certainty, and its figures."""

from dataclasses import replace
from typing import Any

from podium.data.ratings import Ranking
from podium.data.ratings import ranking_of as named
from podium.study.ledger import Ledger
from podium.study.words import standing


def ranking_of(ledger: Ledger, level: float) -> Ranking:
    """Rank the agents by all that was told, with rank intervals and confidence."""
    evaluation = ledger.evaluation
    ratings, posterior = evaluation.ratings(), ledger.posterior()
    intervals = posterior.rank_intervals(level)[evaluation.evaluator.own.agents]
    tops = range(1, len(ledger.spec.agents))
    ranks = {
        agent: (int(low), int(high))
        for agent, (low, high) in zip(ratings.agents, intervals.tolist(), strict=True)
    }
    info = {
        "confidence": posterior.whole,
        "top": {str(k): posterior.top(k) for k in tops},
        "level": level,
        "told": ledger.told,
        "added": ledger.added,
        "spent": ledger.spent,
        "stopped": ledger.stopped,
    }
    ranking = named(ratings, evaluation.preset.name, {}, rank_intervals=ranks)
    return replace(ranking, info=info, data=_in_figures(ledger))


def _in_figures(ledger: Ledger) -> dict[str, Any]:
    """Say in figures what was ranked, as `podium.rank` does."""
    plays = ledger.evaluation.records.plays
    return {
        "kind": "scores",
        "agents": len(ledger.spec.agents),
        "tasks": len(ledger.spec.tasks),
        "records": int(plays.sum()),
        "missing": int((plays == 0).sum()),
    }


def html_of(study: Any) -> str:
    """Show a study, here or on a server, as notebooks do: how it stands, and its ranking."""
    from html import escape

    status = study.status()
    rows = "".join(
        f"<tr><th>{escape(label)}</th><td>{escape(text)}</td></tr>"
        for label, text in standing(status)
    )
    caption = f"<caption>Study {escape(study.name)}</caption>"
    heard = status["told"] + status["added"]
    ranking = study.ranking()._repr_html_() if heard else ""
    return f"<table>{caption}{rows}</table>{ranking}"


def status_of(ledger: Ledger) -> dict[str, Any]:
    """Say in figures how a study stands."""
    spec, plays = ledger.spec, ledger.evaluation.records.plays
    posterior = ledger.posterior()
    return {
        **spec.to_dict(),
        "asked": ledger.chosen,
        "told": ledger.told,
        "added": ledger.added,
        "spent": ledger.spent,
        "left": None if spec.budget is None else ledger.left,
        "open": len(ledger.open),
        "given_up": len(ledger.closed),
        "coverage": float((plays > 0).mean()),
        "certainty": posterior.chance(spec.top),
        "paused": ledger.paused,
        "stopped": ledger.stopped,
    }
