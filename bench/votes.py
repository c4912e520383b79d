"""Voting methods against the libraries that offer them.

Everybody gets the same lists of names, best first, and gives a ranking; making
a profile of them is inside the clock.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness import SUITE

SIZES = {
    "100 agents x 1,000 complete ballots": (100, 1_000, 0.6),
    "8 agents x 10,000 complete ballots": (8, 10_000, 0.6),
}
CYCLES = "agents, 101 uniformly random ballots"
METHODS = {
    "borda": (0.3, 0.5),
    "copeland": (1.0, 0.5),
    "stv": (0.5, 0.5),
    "ranked-pairs": (1.0, 0.5),
    "schulze": (1.0, 0.5),
    "maximal-lottery": (8.0, 0.5),
    "iterated-lottery": (8.0, 0.5),
    "plurality": (None, 0.5),
    "approval": (None, 0.5),
    "kemeny": (None, 0.5),
}
KEMENY = {10: 0.2, 15: 1.0, 20: 10.0, 30: 40.0}


def ballots(
    agents: int, votes: int, spread: float, seed: int = 11
) -> tuple[list[str], list[list[str]]]:
    """Draw Plackett-Luce ballots, as names best first."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, spread, agents)
    orders = np.argsort(-(strength + rng.gumbel(size=(votes, agents))), axis=1)
    names = [f"agent-{i:04d}" for i in range(agents)]
    return names, [[names[j] for j in order] for order in orders.tolist()]


def podium_case(name: str, size: tuple[int, int, float]) -> Callable[[], Callable[[], Any]]:
    """Prepare podium's method."""

    def prepare() -> Callable[[], Any]:
        import podium

        names, votes = ballots(*size)

        def work() -> Any:
            profile = podium.Profile.from_ballots([(1.0, vote) for vote in votes], names)
            return podium.rank(profile, name)

        return work

    return prepare


def open_spiel_case(
    module: str, title: str, size: tuple[int, int, float]
) -> Callable[[], Callable[[], Any]]:
    """Prepare OpenSpiel's method."""

    def prepare() -> Callable[[], Any]:
        import importlib

        from open_spiel.python.voting import base

        rule = getattr(importlib.import_module(f"open_spiel.python.voting.{module}"), title)
        names, votes = ballots(*size)
        return lambda: rule().run_election(base.PreferenceProfile(votes=votes, alternatives=names))

    return prepare


def pref_voting_case(title: str, size: tuple[int, int, float]) -> Callable[[], Callable[[], Any]]:
    """Prepare pref_voting's method."""

    def prepare() -> Callable[[], Any]:
        import pref_voting.voting_methods as rules
        from pref_voting.profiles import Profile

        names, votes = ballots(*size)

        def work() -> Any:
            code = {name: i for i, name in enumerate(names)}
            return getattr(rules, title)(Profile([[code[n] for n in vote] for vote in votes]))

        return work

    return prepare


def corankco_case(size: tuple[int, int, float]) -> Callable[[], Callable[[], Any]]:
    """Prepare corankco's exact Kemeny."""

    def prepare() -> Callable[[], Any]:
        from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp
        from corankco.dataset import Dataset
        from corankco.scoringscheme import ScoringScheme

        _, votes = ballots(*size)
        scheme = ScoringScheme.get_unifying_scoring_scheme()
        return lambda: ExactAlgorithmPulp().compute_consensus_rankings(
            Dataset.from_raw_list([[{name} for name in vote] for vote in votes]), scheme
        )

    return prepare


OPEN_SPIEL = {
    "borda": ("borda", "BordaVoting"),
    "copeland": ("copeland", "CopelandVoting"),
    "stv": ("stv", "STVVoting"),
    "ranked-pairs": ("ranked_pairs", "RankedPairsVoting"),
    "schulze": ("schulze", "SchulzeVoting"),
    "iterated-lottery": ("maximal_lotteries", "MaximalLotteriesVoting"),
}
PREF_VOTING = {
    "borda": "borda_ranking",
    "copeland": "copeland_ranking",
    "stv": "instant_runoff_ranking",
    "ranked-pairs": "ranked_pairs_zt",
    "schulze": "beat_path",
    "maximal-lottery": "maximal_lottery",
}


def add_cases() -> None:
    """Put all cases of voting into the suite."""
    for index, (label, size) in enumerate(SIZES.items()):
        for name, bars in METHODS.items():
            task = f"{name}, {label}"
            if name == "kemeny" and size[0] > 8:
                continue
            SUITE.add(task, "podium", podium_case(name, size), bar=bars[index])
            if name in OPEN_SPIEL:
                SUITE.add(task, "OpenSpiel", open_spiel_case(*OPEN_SPIEL[name], size), repeats=2)
            if name in PREF_VOTING:
                SUITE.add(task, "pref_voting", pref_voting_case(PREF_VOTING[name], size), repeats=2)
    for agents, bar in KEMENY.items():
        task, size = f"kemeny, {agents} {CYCLES}", (agents, 101, 0.0)
        SUITE.add(task, "podium", podium_case("kemeny", size), bar=bar)
        SUITE.add(task, "corankco", corankco_case(size), repeats=1)
