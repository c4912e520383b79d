"""What podium alone does at sizes that its peers do not reach."""

from collections.abc import Callable
from typing import Any

import numpy as np

from harness import SUITE


def large_tally(agents: int, votes: int = 101, seed: int = 5) -> Any:
    """Count uniformly random complete ballots."""
    import podium

    rng = np.random.default_rng(seed)
    wins = np.zeros((agents, agents))
    for _ in range(votes):
        place = rng.permutation(agents)
        wins += place[:, None] < place[None, :]
    return podium.Tally.from_matrix(wins, [f"agent-{i}" for i in range(agents)])


def ranked(name: str, agents: int) -> Callable[[], Callable[[], Any]]:
    """Prepare one method at one size."""

    def prepare() -> Callable[[], Any]:
        import podium

        tally = large_tally(agents)
        return lambda: podium.rank(tally, name)

    return prepare


def bootstrapped(name: str) -> Callable[[], Callable[[], Any]]:
    """Prepare 1,000 bootstrap replicates at the size of a public embedding board."""

    def prepare() -> Callable[[], Any]:
        import podium

        rng = np.random.default_rng(3)
        skill = rng.normal(0, 1, 332)
        table = skill + rng.normal(0, 1, (41, 332))
        names = [f"agent-{i}" for i in range(332)]
        scores = podium.Scores.from_matrix(table, [f"task-{i}" for i in range(41)], names)
        return lambda: podium.rank(scores, name, intervals="bootstrap", replicates=1_000)

    return prepare


def seven_player_games(
    agents: int = 52_958, games: int = 31_049, seats: int = 7
) -> Callable[[], Callable[[], Any]]:
    """Prepare Elo on games of several players, each a ballot, with counts of pairs made inside.

    Diplomacy games of this number are ranked in Lanctot et al. (2025), section
    10; theirs are not public, so these are simulated. Few players play much, as there.
    """

    def prepare() -> Callable[[], Any]:
        import podium

        rng = np.random.default_rng(9)
        skill = rng.normal(0, 1, agents)
        habit = rng.pareto(1.5, agents) + 0.1
        names = [f"agent-{i}" for i in range(agents)]
        drawn = rng.choice(agents, (games, 3 * seats), p=habit / habit.sum())
        ballots = []
        for row in drawn.tolist():
            seated = np.array(list(dict.fromkeys(row))[:seats])
            order = seated[np.argsort(-(skill[seated] + rng.gumbel(size=len(seated))))]
            ballots.append((1.0, [names[code] for code in order]))
        profile = podium.Profile.from_ballots(ballots, names)
        return lambda: podium.rank(profile, "elo", prior=0.1)

    return prepare


def add_cases() -> None:
    """Put the large cases into the suite."""
    SUITE.add(
        "elo, 52,958 agents x 31,049 games of 7, prior 0.1",
        "podium",
        seven_player_games(),
        within=60.0,
        repeats=1,
    )
    for name in ("schulze", "ranked-pairs", "copeland"):
        SUITE.add(f"{name}, 3,000 agents", "podium", ranked(name, 3_000), within=10.0, repeats=1)
    SUITE.add(
        "kemeny, 60 agents, 101 random ballots",
        "podium",
        ranked("kemeny", 60),
        within=60.0,
        repeats=1,
    )
    for name in ("borda", "copeland"):
        task = f"{name}, 332 agents x 41 tasks, 1,000 replicates"
        SUITE.add(task, "podium", bootstrapped(name), within=2.0, repeats=2)
