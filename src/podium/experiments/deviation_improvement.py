"""Figure 3 of Marris et al. (2025): populations of policies that ratings improve."""

import importlib
from typing import Any

import numpy as np

from podium.arrays import Array, Floats
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._trees import Tree, tree_of
from podium.kernels.correlated import most_even_cce
from podium.kernels.deviation import game_deviation

GAMES = {
    "Kuhn poker": "kuhn_poker(players=3)",
    "Sheriff": (
        "sheriff(item_penalty=1.0,item_value=5.0,max_bribe=2,max_items=10,num_rounds=2,"
        "sheriff_penalty=1.0)"
    ),
}
"""The games and their parameters, from appendix C.1."""

RATINGS = ("uniform", "deviation")
FALLS = {
    ("Kuhn poker", "uniform"): True,
    ("Kuhn poker", "deviation"): True,
    ("Sheriff", "uniform"): False,
    ("Sheriff", "deviation"): True,
}
"""Whether the gap falls, in the words of section 5.3."""

YES = {True: "yes", False: "no"}

SIZE, WORST = 8, 2
"""Policies of a player, and how many of them, the worst quarter, are replaced."""

ITERATIONS, EVERY = 100, 10
SEEDS = 10
CERTAIN = 2.0
"""A change of the mean gap counts if it is this many standard errors."""

UNKNOWN = "the paper gives its numbers of neither, and shows the curves in a picture alone"
NO_OPEN_SPIEL = "needs OpenSpiel: pip install open_spiel"


@experiment("deviation-improvement", group="deviation", remakes="Figure 3")
def deviation_improvement(setting: Setting) -> Result:
    """Policies of two games, the worst replaced again and again, by two ratings."""
    games = _games()
    if games is None:
        return Result(
            findings=tuple(
                Finding("Figure 3", _what(game, rating), YES[falls], "", "no data", NO_OPEN_SPIEL)
                for (game, rating), falls in FALLS.items()
            )
        )
    seeds = setting.seeds or SEEDS
    curves = {
        (game, rating): np.array([_curve(tree_of(made), rating, seed) for seed in range(seeds)])
        for game, made in games.items()
        for rating in RATINGS
    }
    return Result(
        findings=tuple(_finding(game, rating, gaps) for (game, rating), gaps in curves.items()),
        tables={f"Gap in {game}": _rows(game, curves) for game in games},
        notes=(f"{seeds} seeds and {ITERATIONS} iterations; {UNKNOWN}",),
    )


def _games() -> dict[str, Any] | None:
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return None
    return {name: pyspiel.load_game(text) for name, text in GAMES.items()}


def _curve(tree: Tree, rating: str, seed: int) -> list[tuple[float, float]]:
    """Run one population; give its gap and its mean payoff every few iterations."""
    rng = np.random.default_rng(seed)
    players = range(len(tree.payoffs))
    population = [np.array([tree.drawn(p, rng) for _ in range(SIZE)]) for p in players]
    found = []
    for iteration in range(ITERATIONS + 1):
        payoffs = tree.meta_game(population)
        if iteration % EVERY == 0:
            joint = most_even_cce(payoffs, np.ones(payoffs[0].shape)).joint
            mean = float(np.mean([payoff.mean() for payoff in payoffs]))
            found.append((tree.gap(population, joint), mean))
        for player, values in enumerate(_rated(payoffs, rating)):
            for policy in worst(values, rng).tolist():
                population[player][policy] = tree.drawn(player, rng)
    return found


def _rated(payoffs: list[Floats], rating: str) -> list[Floats]:
    if rating == "deviation":
        return list(game_deviation(payoffs).ratings)
    axes = range(len(payoffs))
    return [own.mean(axis=tuple(a for a in axes if a != p)) for p, own in enumerate(payoffs)]


def worst(values: Floats, rng: np.random.Generator) -> Array:
    """Choose the policies of lowest rating; which of equal ones, is drawn by lot.

    >>> worst(np.array([0.0, -1.0, -2.0, 0.0]), np.random.default_rng(0)).tolist()
    [2, 1]
    """
    tied = np.round(values, 9)
    return np.lexsort((rng.random(len(values)), tied))[:WORST]


def _finding(game: str, rating: str, gaps: Array) -> Finding:
    change = gaps[:, -1, 0] - gaps[:, 0, 0]
    error = float(change.std(ddof=1) / np.sqrt(len(change))) if len(change) > 1 else 0.0
    falls = bool(change.mean() < -CERTAIN * error)
    first, last = gaps[:, 0, 0].mean(), gaps[:, -1, 0].mean()
    told = f"from {first:.3g} to {last:.3g}, change {change.mean():.3g} +- {error:.2g}"
    same = falls == FALLS[game, rating]
    why = "" if same else f"of the seeds and the iterations {UNKNOWN}"
    return Finding(
        "Figure 3", _what(game, rating), YES[FALLS[game, rating]], f"{YES[falls]}: {told}",
        "equal" if same else "differs", why,
    )  # fmt: skip


def _what(game: str, rating: str) -> str:
    return f"the gap falls in {game}, by the {rating} rating"


def _rows(game: str, curves: dict[tuple[str, str], Array]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for place in range(ITERATIONS // EVERY + 1):
        row: dict[str, object] = {"iteration": place * EVERY}
        for rating in RATINGS:
            gap, payoff = curves[game, rating][:, place].mean(axis=0).tolist()
            row |= {f"gap, {rating}": round(gap, 4), f"payoff, {rating}": round(payoff, 4)}
        rows.append(row)
    return rows
