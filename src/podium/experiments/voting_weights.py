"""Weights of tasks, as in the HELM section of Lanctot et al. (2025), on bundled data.

The paper's HELM data are not public. Its point is that a user who cares more
for some tasks can say so, and that the Condorcet winner may then vanish or
change. The same is shown here on data that podium carries.
"""

from collections.abc import Iterator
from typing import Any

from podium.data.scores import Scores
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sources import bundled_scores, ranked, ready, winners

HARD = ("freeway", "gravitar", "montezuma_revenge", "pitfall", "private_eye", "solaris", "venture")
"""Games of hard exploration with rare reward (Bellemare et al. 2016, "Unifying Count-Based
Exploration and Intrinsic Motivation")."""

CASES: dict[str, tuple[str, tuple[str, ...], tuple[float, ...]]] = {
    "hard exploration": ("rainbow-plus", HARD, (1, 2, 3, 3.5, 4, 6)),
    "web shopping": ("agentbench", ("WS",), (1, 3, 6, 7, 8)),
}
"""What the user cares for: the data, the tasks, and how much they are to count."""

METHODS_SHOWN = (
    "approval", "borda", "copeland", "iterated-lottery", "kemeny", "plurality", "ranked-pairs",
    "schulze", "stv",
)  # fmt: skip


@experiment("voting-weights", group="voting", remakes="the task weights of the HELM section")
def voting_weights(_: Setting) -> Result:
    """The first by each method as some tasks count for more."""
    tables = {
        f"{case}: {', '.join(tasks)} of {name}": list(rows(bundled_scores(name), tasks, factors))
        for case, (name, tasks, factors) in CASES.items()
    }
    findings = [_change(title, list(table)) for title, table in tables.items()]
    notes = ("The paper weighs HELM's tasks, whose data are not public; here are bundled data.",)
    return Result(findings=tuple(findings), tables=tables, notes=notes)


def rows(
    scores: Scores, tasks: tuple[str, ...], factors: tuple[float, ...]
) -> Iterator[dict[str, Any]]:
    """Name the Condorcet winners and the first by each method, a row a weight."""
    for factor in factors:
        weighted = scores.with_weights(dict.fromkeys(tasks, factor))
        winner, weak = winners(weighted)
        first = {
            method: " = ".join(ranked(weighted, method).tiers[0])
            for method in METHODS_SHOWN
            if ready(method)
        }
        yield {"weight": factor, "Condorcet winner": winner or "none",
               "weak ones": ", ".join(weak) or "none", **first}  # fmt: skip


def _change(title: str, table: list[dict[str, Any]]) -> Finding:
    seen = [row["Condorcet winner"] for row in table]
    moved = len(set(seen)) > 1
    verdict: Verdict = "consistent" if moved else "differs"
    return Finding(
        where="HELM section",
        what=f"the Condorcet winner vanishes or changes, {title}",
        printed="yes, on HELM",
        ours=", ".join(f"{row['weight']:g}: {row['Condorcet winner']}" for row in table),
        verdict=verdict,
        why="the same point on other data, as the paper's are not public",
    )
