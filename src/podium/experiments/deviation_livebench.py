"""Figure 2 of Marris et al. (2025): language models on the tasks of LiveBench."""

from collections.abc import Mapping
from typing import Any

from podium.data.convert import convert
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._sources import no_shared, ranked, shared
from podium.importers import read

FILE = "llm/livebench_2024_08_17.csv"
"""The table as it stood the day before the judgments of the paper."""

FIRST = {
    "claude-3-5-sonnet": "claude-3-5-sonnet-20240620",
    "gemini-1.5-pro": "gemini-1.5-pro-exp-0801",
    "Llama-3.1-405B": "meta-llama-3.1-405b-instruct-turbo",
    "gpt-4o": "gpt-4o-2024-08-06",
}
"""The four models on top in section 5.2, and their names in the data."""

GOOD_AT = {
    "claude-3-5-sonnet": "LCB_generation",
    "gemini-1.5-pro": "summarize",
    "gpt-4o": "connections",
}
"""The task that contributes most to a model's rating; of Llama it is "other"."""


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
        findings=(_on_top(ranking), *(_best_task(model, parts) for model in GOOD_AT)),
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


def _best_task(model: str, parts: Mapping[str, Mapping[str, float]]) -> Finding:
    own = parts[FIRST[model]]
    best = max(own, key=lambda task: own[task])
    same = best == GOOD_AT[model]
    why = "" if same else "which task contributes most depends on the equilibrium that is chosen"
    verdict = "equal" if same else "differs"
    return Finding("Figure 2b", "task that contributes most", GOOD_AT[model], best, verdict, why,
                   of=model)  # fmt: skip


def _rows(ranking: Ranking) -> list[dict[str, Any]]:
    weights: Mapping[str, float] = ranking.info["played"][-1]
    tasks = sorted((t for t in weights if weights[t] > 1e-9), key=lambda task: -weights[task])
    parts = ranking.info["contributions"]
    return [
        {"model": model, "rating": round(ranking.ratings[model], 3)}
        | {task: round(parts[model][task], 3) + 0.0 for task in tasks}
        for model in ranking.order[:12]
    ]
