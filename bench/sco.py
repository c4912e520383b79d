"""Soft Condorcet Optimization against OpenSpiel's C++, and at the size of webDiplomacy.

Steps are timed with the making of the profile, and without what `podium.rank`
tells of Condorcet winners, which OpenSpiel does not. Everybody draws batches of 32
votes and makes 10,000 steps of size 0.01, ratings from 0 to 100.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from harness import SUITE
from votes import ballots

STEPS, BATCH, RATE, LOW, HIGH, SIGMA = 10_000, 32, 0.01, 0.0, 100.0, 10.0


class Task(NamedTuple):
    """One set of votes, a loss, and what podium allows itself."""

    agents: int
    votes: int
    length: int
    noisy: bool
    bar: float

    @property
    def label(self) -> str:
        """The name of the task."""
        loss = "Fenchel-Young" if self.noisy else "sigmoid"
        size = f"{self.agents:,} agents x {self.votes:,} votes of {self.length}"
        return f"sco {loss}, {STEPS:,} steps of batch {BATCH}, {size}"


TASKS = (
    Task(20, 54, 20, noisy=False, bar=6.0),
    Task(2_000, 5_000, 7, noisy=False, bar=3.0),
    Task(20, 54, 20, noisy=True, bar=3.0),
)
DIPLOMACY = (52_958, 31_049, 7)
"""Agents, games and players of a game on webDiplomacy (Lanctot et al. 2025, section 4.4)."""


def drawn(task: Task) -> tuple[list[str], list[list[str]]]:
    """Draw Plackett-Luce votes, each of some of the agents."""
    if task.length == task.agents:
        return ballots(task.agents, task.votes, 0.6)
    rng = np.random.default_rng(11)
    strength = rng.normal(0, 0.6, task.agents)
    names = [f"agent-{code:05d}" for code in range(task.agents)]
    votes = []
    for _ in range(task.votes):
        who = rng.choice(task.agents, task.length, replace=False)
        order = who[np.argsort(-(strength[who] + rng.gumbel(size=task.length)))]
        votes.append([names[code] for code in order.tolist()])
    return names, votes


def podium_steps(task: Task) -> Callable[[], Callable[[], Any]]:
    """Prepare podium's steps."""

    def prepare() -> Callable[[], Any]:
        import podium
        from podium.methods.sco import sco
        from podium.methods.sco_fenchel_young import sco_fenchel_young

        names, votes = drawn(task)
        steps: dict[str, Any] = {"iterations": STEPS, "batch_size": BATCH, "step_size": RATE}

        def work() -> Any:
            profile = podium.Profile.from_ballots([(1.0, vote) for vote in votes], names)
            if task.noisy:
                return sco_fenchel_young(profile, sigma=SIGMA, **steps)
            return sco(profile, **steps)

        return work

    return prepare


def open_spiel_steps(task: Task) -> Callable[[], Callable[[], Any]]:
    """Prepare OpenSpiel's C++."""

    def prepare() -> Callable[[], Any]:
        import importlib

        pyspiel = importlib.import_module("pyspiel")
        names, votes = drawn(task)
        listed = [(1, vote) for vote in votes]

        def work() -> Any:
            if task.noisy:
                make, unit = pyspiel.sco.FenchelYoungOptimizer, {"sigma": SIGMA}
            else:
                make, unit = pyspiel.sco.SoftCondorcetOptimizer, {"temperature": 1.0}
            solver = make(listed, LOW, HIGH, BATCH, alternative_names=names, **unit)
            solver.run_solver(STEPS, RATE)
            return solver.ratings()

        return work

    return prepare


def diplomacy() -> Any:
    """Draw games of seven as sparse as those of webDiplomacy: few play many, most play once."""
    import podium

    agents, games, players = DIPLOMACY
    rng = np.random.default_rng(0)
    often = np.cumsum(rng.pareto(1.0, agents) + 0.3)
    seats = np.searchsorted(often, rng.random(games * players) * often[-1])
    seats[rng.permutation(games * players)[:agents]] = rng.permutation(agents)
    skill = rng.normal(0, 1, agents)
    names = [f"player-{code}" for code in range(agents)]
    votes = []
    for row in seats.reshape(games, players):
        who = np.unique(row)
        order = who[np.argsort(-(skill[who] + rng.gumbel(size=len(who))))]
        votes.append((1.0, [names[code] for code in order.tolist()]))
    return podium.Profile.from_ballots(votes, names)


def converged() -> Callable[[], Any]:
    """Prepare a fit of games as many as webDiplomacy's."""
    import podium

    profile = diplomacy()
    return lambda: podium.rank(profile, "sco")


def add_cases() -> None:
    """Put the cases of SCO into the suite."""
    for task in TASKS:
        SUITE.add(task.label, "podium", podium_steps(task), bar=task.bar)
        SUITE.add(task.label, "OpenSpiel C++", open_spiel_steps(task), repeats=3)
    agents, games, players = DIPLOMACY
    label = f"sco to convergence, {agents:,} agents x {games:,} games of {players}"
    SUITE.add(label, "podium", converged, within=60.0, limit=120, repeats=1)
