"""Table 1 of Marris et al. (2025): which ratings of games have which properties."""

from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._sources import missing, ready
from podium.methods._registry import GAME_PROPERTIES, METHODS

PRINTED = {
    "nash-average": {"dominance", "copies", "mixtures"},
    "uniform": {"dominance", "n-player", "general-sum"},
    "payoff-rating": {"dominance", "n-player", "general-sum"},
    "deviation": set(GAME_PROPERTIES),
}
"""The ticks of each row; the row of Elo is left out, as it rates no game."""

BROKEN = (
    "podium's tests hold a small game that breaks it: of two strategies each, with payoffs "
    "[[-2,-1],[-2,-2]] and [[0,2],[2,1]], for deviation"
)
WHY = {
    ("deviation", "mixtures"): BROKEN,
    ("nash-average", "copies"): "the paper needs a unique equilibrium, and of several the most "
    "even one changes with copies",
    ("nash-average", "mixtures"): "the paper needs a unique equilibrium, and of several the most "
    "even one changes with mixtures",
}


@experiment("deviation-properties", group="deviation", remakes="Table 1")
def deviation_properties(_: Setting) -> Result:
    """Properties of ratings of games, as printed and as podium's tests find them."""
    return Result(
        findings=tuple(_finding(name, one) for name in PRINTED for one in GAME_PROPERTIES)
    )


def _finding(name: str, claim: str) -> Finding:
    printed = "yes" if claim in PRINTED[name] else "no"
    if not ready(name):
        return Finding("Table 1", claim, printed, "", "no data", missing(name), of=name)
    ours = "yes" if claim in METHODS[name].holds else "no"
    if ours == printed:
        return Finding("Table 1", claim, printed, ours, "equal", of=name)
    why = WHY.get((name, claim), "podium's tests say so of the games that the method reads")
    return Finding("Table 1", claim, printed, ours, "differs", why, of=name)
