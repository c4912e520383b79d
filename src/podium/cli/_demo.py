"""The demo: an active study of the bundled Atari table, beside one that asks at random."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from podium import worlds
from podium.bundled import SETS
from podium.cli._live import Display, Showing
from podium.cli._ranking import print_table
from podium.cli._screen import line, names
from podium.cli.options import Format
from podium.cli.output import write
from podium.data.ratings import Ranking
from podium.importers import read
from podium.plots import curves
from podium.report.document import Document, Figure, Points, Section
from podium.report.study import study_report
from podium.report.writing import written
from podium.store import open_store
from podium.study.study import Study

SHOWN = "agent57"
"""The bundled data of the demo, and the name of its study."""

TOP, WANTED, BUDGET = 3, 0.95, 1_000
"""So many agents shall be right, with this probability, for so many queries at most."""

REPEATS = 3
"""Studies of each kind that are compared."""

PATIENCE = 5_000
"""Queries after which a study that asks at random has had enough."""

LOOKS = 1.1
"""How much a study grows from one look at its certainty to the next."""

NEXT = {
    "podium study --help": "evaluate your own agents like this",
    "podium rank FILE": "rank results that you have: task, agent, score, or matches, or votes",
    f"podium inspect {SHOWN}": "winners, cycles, clones and gaps in the data",
    "podium methods": "what each method reads, does and promises",
}


class Atari:
    """The games: a score is drawn by chance from a cell of the table.

    Args:
        seed: Decides the scores.
    """

    def __init__(self, seed: int) -> None:
        data = read(SHOWN)
        self.agents, self.tasks = list(data.agents), list(data.tasks)
        self.world = worlds.agent57()
        self._rng = np.random.default_rng([seed, len(self.tasks)])

    def __call__(self, task: str, agents: Sequence[str]) -> dict[str, float]:
        """Play a game with each agent."""
        row = self.tasks.index(task)
        return {agent: self._drawn(row, self.agents.index(agent)) for agent in agents}

    def _drawn(self, task: int, agent: int) -> float:
        cell = task, agent
        means, stds = self.world.means, self.world.stds
        return float(self._rng.normal(means[cell], stds[cell]))

    @property
    def truth(self) -> list[str]:
        """The agents in the Kemeny order of the means of the table."""
        return [self.agents[agent] for agent in self.world.truth.tolist()]


class Trial(NamedTuple):
    """How a study went.

    Attributes:
        asked: Queries that it needed.
        certain: Whether it stopped because it was certain.
        right: Whether the first agents are those of the table.
        path: Queries, and how certain it was after them.
    """

    asked: int
    certain: bool
    right: bool
    path: list[tuple[float, float]]


@dataclass(frozen=True)
class Demo:
    """What the demo has found out.

    Attributes:
        ranking: The ranking of the study.
        truth: The agents in the order of the table.
        trials: Kind of study to how its repetitions went; the first is the study shown.
        report: The file of the report.
        store: URL of the store.
    """

    ranking: Ranking
    truth: Sequence[str]
    trials: Mapping[str, Sequence[Trial]]
    report: Path
    store: str

    def write(self, form: Format) -> None:
        """Write what was found out."""
        write(form, document=self.document, rows=self.ranking.table, table=self.print)

    def document(self) -> dict[str, Any]:
        """Give what JSON holds."""
        return {
            "schema": "podium.demo/1",
            **{key: part for key, part in self.ranking.to_dict().items() if key != "schema"},
            "stopped": self.ranking.info["stopped"],
            "truth": list(self.truth),
            "queries": {kind: [one.asked for one in each] for kind, each in self.trials.items()},
            "right": {kind: [one.right for one in each] for kind, each in self.trials.items()},
            "report": str(self.report),
            "store": self.store,
        }

    def print(self) -> None:
        """Print it for people."""
        line(f"{SETS[SHOWN].title}: each score is drawn by chance from its cell.")
        line(
            f"Goal: the first {TOP} right with probability {WANTED:g}, for {BUDGET:,} queries at "
            "most; a query is one game played by two agents."
        )
        line()
        print_table(self.ranking)
        for sentence in self.sentences():
            line(sentence)
        line()
        line(f"Report: {self.report}")
        line(f"Study:  podium study status {SHOWN} --store {self.store}")
        line()
        line("Next:")
        for command, what in NEXT.items():
            line(f"  {command:<24}{what}")

    def sentences(self) -> list[str]:
        """Say in words what came out."""
        told, stopped = self.ranking.info["told"], self.ranking.info["stopped"]
        found, true = self.ranking.order[:TOP], list(self.truth[:TOP])
        right = "right" if set(found) == set(true) else "wrong"
        mine, uniform = self.trials["podium"], self.trials["uniform"]
        both = f"{_median(mine)} queries in the median against {_median(uniform)}"
        rights = f"{_right(mine)} and {_right(uniform)} of them"
        return [
            f"It stopped after {told:,} of {BUDGET:,} queries: {stopped}.",
            f"The table itself has {names(true)} first, by the Kemeny order of its means: {right}.",
            f"Asked uniformly at random, the same study took {_needed(uniform[0])} queries.",
            f"Over {REPEATS} seeds: {both}; the first {TOP} were right in {rights}.",
        ]


def _needed(trial: Trial) -> str:
    return f"{trial.asked:,}" if trial.certain else f"more than {trial.asked:,}"


def _median(trials: Sequence[Trial]) -> str:
    middle = statistics.median_low(trial.asked for trial in trials)
    return _needed(next(trial for trial in trials if trial.asked == middle))


def _right(trials: Sequence[Trial]) -> int:
    return sum(trial.right for trial in trials)


def show(seed: int, folder: Path) -> Demo:
    """Evaluate the agents of the table, and write the report."""
    folder.mkdir(parents=True, exist_ok=True)
    store = f"sqlite:///{folder}/podium.db"
    atari = Atari(seed)
    ranking = evaluated(atari, seed, store)
    trials = {
        kind: [tried(seed + n, strategy, looks=not n) for n in range(REPEATS)]
        for kind, strategy in (("podium", None), ("uniform", "uniform"))
    }
    demo = Demo(ranking, atari.truth, trials, folder / "report.html", store)
    demo.report.write_text(written(reported(demo)), encoding="utf-8")
    return demo


def reported(demo: Demo) -> Document:
    """Report on the study, and on what choosing its queries has saved."""
    store = open_store(demo.store)
    try:
        document = study_report(Study.open(SHOWN, store))
    finally:
        store.close()
    paths = {
        "podium": demo.trials["podium"][0].path,
        "uniformly at random": demo.trials["uniform"][0].path,
    }
    lines = {name: [(x, y, 0.0) for x, y in path] for name, path in paths.items()}
    says = f"How certain the first {TOP} were, by queries"

    def draw() -> Any:
        shown = curves.x_data(lines)
        return curves.draw(shown, says, x="queries", y="probability to be right")

    saved = Section("What choosing saves", [Points(demo.sentences()), Figure(says, draw)])
    title = f"{SETS[SHOWN].title}: an active evaluation"
    return replace(document, title=title, sections=[saved, *document.sections])


def evaluated(atari: Atari, seed: int, url: str) -> Ranking:
    """Run the study that is kept, with a live display where somebody looks."""
    store = open_store(url)
    try:
        if SHOWN in store.studies():
            store.delete(SHOWN)
        study = Study.create(
            SHOWN,
            agents=atari.agents,
            tasks=atari.tasks,
            store=store,
            budget=BUDGET,
            confidence=WANTED,
            top=TOP,
            seed=seed,
        )
        with Display(study, Showing.auto) as display:
            return study.run(atari, progress=display.note)
    finally:
        store.close()


def tried(seed: int, strategy: str | None, *, looks: bool) -> Trial:
    """Run a study in memory to its end, and look now and then how certain it is.

    Args:
        seed: Decides the scores and the choices.
        strategy: Another strategy than the preset's.
        looks: Whether to look.
    """
    atari = Atari(seed)
    study = Study.create(
        SHOWN,
        agents=atari.agents,
        tasks=atari.tasks,
        store="memory://",
        budget=PATIENCE if strategy else BUDGET,
        confidence=WANTED,
        top=TOP,
        seed=seed,
        strategy=strategy,
    )
    asked, look, path = 0, 2 * len(atari.agents), []
    while (query := study.ask()) is not None:
        study.tell(query, atari(query.task, query.agents))
        asked += 1
        if looks and asked >= look:
            path.append((float(asked), float(study.status()["certainty"])))
            look = int(look * LOOKS) + 1
    ranking = study.ranking()
    path.append((float(asked), float(ranking.info["top"][str(TOP)])))
    right = set(ranking.order[:TOP]) == set(atari.truth[:TOP])
    return Trial(asked, "probability" in study.stopped, right, path)
