"""Ratings from matches against the libraries that offer them.

Everybody gets the same columns of names and outcomes, as text, and gives a
rating for each name; making matches of them is inside the clock.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from harness import SUITE

FITTED = "Bradley-Terry, 1,000,000 named matches x 100 agents"
DRAWN = "Bradley-Terry, the same with 100 bootstrap replicates"
ONLINE = "online Elo, 1,000,000 named matches x 100 agents"

Prepare = Callable[[], Callable[[], Any]]


class Battles(NamedTuple):
    """Columns of matches.

    Attributes:
        first: Names of the first agents.
        second: Names of the second ones.
        winner: "model_a", "model_b" or "tie".
    """

    first: list[str]
    second: list[str]
    winner: list[str]


def battles(rows: int = 1_000_000, agents: int = 100, seed: int = 7) -> Battles:
    """Draw matches by the Bradley-Terry model; some agents meet more often, a tenth are ties."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 1.0, agents)
    often = rng.dirichlet(np.full(agents, 2.0))
    left, right = rng.choice(agents, rows, p=often), rng.choice(agents, rows, p=often)
    same = left == right
    right[same] = (left[same] + 1 + rng.integers(0, agents - 1, same.sum())) % agents
    chance = 1 / (1 + np.exp(strength[right] - strength[left]))
    draw, tie = rng.random(rows), rng.random(rows) < 0.10
    names = np.array([f"agent-{i:03d}" for i in range(agents)], dtype=object)
    winner = np.where(tie, "tie", np.where(draw < chance, "model_a", "model_b")).astype(object)
    return Battles(names[left].tolist(), names[right].tolist(), winner.tolist())


def podium_case(method: str, **settings: Any) -> Prepare:
    """Prepare podium's method."""

    def prepare() -> Callable[[], Any]:
        import podium

        rows = battles()

        def work() -> Any:
            matches = podium.Matches.from_columns(rows.first, rows.second, winner=rows.winner)
            return podium.rank(matches, method, **settings).ratings

        return work

    return prepare


def evalica_winners(rows: Battles) -> list[Any]:
    """Say who won in the words of evalica."""
    winner = import_module("evalica").Winner
    words = {"model_a": winner.X, "model_b": winner.Y, "tie": winner.Draw}
    return [words[word] for word in rows.winner]


def evalica_case(method: str, **settings: Any) -> Prepare:
    """Prepare evalica's method."""

    def prepare() -> Callable[[], Any]:
        evalica = import_module("evalica")
        rows = battles()
        rate = getattr(evalica, method)

        def work() -> Any:
            winners = evalica_winners(rows)
            return rate(rows.first, rows.second, winners, **settings).scores.to_dict()

        return work

    return prepare


def evalica_bootstrap(replicates: int) -> Prepare:
    """Prepare evalica's bootstrap, with percentiles: its default refits once a match."""

    def prepare() -> Callable[[], Any]:
        evalica = import_module("evalica")
        rows = battles()
        return lambda: evalica.bootstrap(
            evalica.bradley_terry,
            rows.first,
            rows.second,
            evalica_winners(rows),
            n_resamples=replicates,
            bootstrap_method="percentile",
            random_state=0,
        )

    return prepare


def choix_case() -> Callable[[], Any]:
    """Prepare choix, which takes counts: they are made by pandas, ties as half."""
    import pandas as pd

    choix = import_module("choix")
    rows = battles()

    def work() -> Any:
        codes, names = pd.factorize(np.array(rows.first + rows.second, dtype=object), sort=True)
        left, right = codes[: len(rows.first)], codes[len(rows.first) :]
        score = pd.Series(rows.winner).map({"model_a": 1.0, "model_b": 0.0, "tie": 0.5}).to_numpy()
        size = len(names)
        won = np.bincount(left * size + right, score, size * size)
        lost = np.bincount(right * size + left, 1 - score, size * size)
        fitted = choix.ilsr_pairwise_dense((won + lost).reshape(size, size))
        return dict(zip(names, (fitted * 400 / np.log(10)).tolist(), strict=True))

    return work


def open_spiel_case() -> Callable[[], Any]:
    """Prepare OpenSpiel's batch Elo."""
    pyspiel = import_module("pyspiel")
    rows = battles()
    record, outcome = pyspiel.elo.MatchRecord, pyspiel.elo.MatchOutcome
    words = {
        "model_a": outcome.FIRST_PLAYER_WIN,
        "model_b": outcome.FIRST_PLAYER_LOSS,
        "tie": outcome.DRAW,
    }

    def work() -> Any:
        records = [
            record(first, second, words[word]) for first, second, word in zip(*rows, strict=True)
        ]
        return dict(pyspiel.elo.compute_ratings_from_match_records(records))

    return work


def add_cases() -> None:
    """Put all cases of ratings into the suite."""
    SUITE.add(FITTED, "podium", podium_case("elo"), bar=2.5)
    SUITE.add(FITTED, "evalica", evalica_case("bradley_terry"))
    SUITE.add(FITTED, "choix", choix_case)
    SUITE.add(FITTED, "OpenSpiel", open_spiel_case, repeats=2)
    drawn = {"intervals": "bootstrap", "replicates": 100}
    SUITE.add(DRAWN, "podium", podium_case("elo", **drawn), bar=20.0, repeats=3)
    SUITE.add(DRAWN, "evalica", evalica_bootstrap(100), limit=150, repeats=1)
    SUITE.add(ONLINE, "podium", podium_case("online-elo"), bar=4.0)
    SUITE.add(ONLINE, "evalica", evalica_case("elo"))
