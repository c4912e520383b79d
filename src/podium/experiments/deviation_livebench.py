"""Figure 2 of Marris et al. (2025): language models on the tasks of LiveBench."""

from collections.abc import Mapping
from typing import Any

from podium.data.convert import convert
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._sources import no_shared, ranked, shared
from podium.importers import read

FILE = "data/llm/livebench_2024_08_17.csv"
"""The table as it stood the day before the judgments of the paper."""

FIRST = {
    "claude-3-5-sonnet": "claude-3-5-sonnet-20240620",
    "gemini-1.5-pro": "gemini-1.5-pro-exp-0801",
    "Llama-3.1-405B": "meta-llama-3.1-405b-instruct-turbo",
    "gpt-4o": "gpt-4o-2024-08-06",
}
"""The four models on top in section 5.2, and their names in the data."""

BEST_AT = {
    "LCB_generation": "claude-3-5-sonnet",
    "summarize": "gemini-1.5-pro",
    "connections": "gpt-4o",
}
"""Which of the four a task speaks for; of Llama it is all that the figure calls "other"."""


@experiment("deviation-livebench", group="deviation", remakes="Figure 2")
def deviation_livebench(_: Setting) -> Result:
    """Deviation ratings of language models, and what tasks contribute to them."""
    path = shared(FILE)
    if path is None:
        found = Finding(
            "Figure 2a", "models on top", ", ".join(FIRST), "", "no data", no_shared(FILE)
        )
        return Result(findings=(found,))
    scores: Scores = convert(read(path), Scores)
    ranking = ranked(scores, "deviation")
    parts = ranking.info["contributions"]
    return Result(
        findings=(_on_top(ranking), *(_best_model(task, parts) for task in BEST_AT)),
        tables={"What the tasks that matter contribute": _rows(ranking)},
        notes=(f"scores of {FILE} as they are, in points from 0 to 100",),
    )


def _on_top(ranking: Ranking) -> Finding:
    first = set(ranking.tiers[0])
    same = first == set(FIRST.values())
    return Finding(
        "Figure 2a", "models tied on top", ", ".join(FIRST), ", ".join(sorted(first)),
        "equal" if same else "differs", "" if same else "other models tie in this day's table",
    )  # fmt: skip


def _best_model(task: str, parts: Mapping[str, Mapping[str, float]]) -> Finding:
    """Find the one of the four to whose rating a task contributes most."""
    best = max(FIRST, key=lambda model: parts[FIRST[model]][task])
    printed = BEST_AT[task]
    same = best == printed
    why = "" if same else "contributions depend on the equilibrium that is chosen"
    what = "model of the four to which it contributes most"
    return Finding("Figure 2b", what, printed, best, "equal" if same else "differs", why, of=task)


def _rows(ranking: Ranking) -> list[dict[str, Any]]:
    weights: Mapping[str, float] = ranking.info["played"][-1]
    tasks = sorted((t for t in weights if weights[t] > 1e-9), key=lambda task: -weights[task])
    parts = ranking.info["contributions"]
    return [
        {"model": model, "rating": round(ranking.ratings[model], 3)}
        | {task: round(parts[model][task], 3) + 0.0 for task in tasks}
        for model in ranking.order[:12]
    ]
