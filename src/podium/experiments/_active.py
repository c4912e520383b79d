"""Printed tables of "Active Evaluation of General Agents" beside simulations of our own.

`expected/active_tables.csv` holds Tables 2, 3 and 5 (Lanctot et al. 2026).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Array, Floats, ints
from podium.experiments._published import rows
from podium.experiments._registry import Finding, Setting, Verdict
from podium.learners import _rules as rule
from podium.learners.mean_model import mean_model
from podium.metrics.curves import means_over
from podium.metrics.ranking import ranking_error
from podium.simulation.result import Simulation
from podium.study.presets import PRESETS, Preset
from podium.worlds import World, agent57, clones, mallows, plackett_luce

ROUNDS, SEEDS = 10_000, 100
"""What the paper used."""

WINDOW = 250
"""Rounds that a point of a curve is the mean of, as in the paper."""

WORLDS: Mapping[str, Callable[[], World]] = {
    "phi = 0.3": partial(mallows, phi=0.3),
    "phi = 0.6": partial(mallows, phi=0.6),
    "tau = 1": partial(plackett_luce, tau=1.0),
    "tau = 2": partial(plackett_luce, tau=2.0),
    "clones": clones,
    "Atari": agent57,
}
"""The worlds of the paper: Mallows, Plackett-Luce, Mallows with clones, and the Agent57 table."""

NEAR = 0.25
"""A mean within this share of the printed one agrees with it."""

PRESET_OF = {
    "UNIFORMAVERAGING": "uniform-averaging",
    "BASICUCB": "basic-ucb",
    "KEMENYEL": "kemeny-el",
    "BATCHELO": "batch-elo",
    "BATCHCOPELAND": "batch-copeland",
    "BATCHRANKEDPAIRS": "batch-ranked-pairs",
    "BATCHMAXLOT": "batch-maximal-lotteries",
    "BATCHMAXIMALLOTTERIES": "batch-maximal-lotteries",
    "BATCHSCO": "batch-sco",
    "BATCHNASHAVG": "batch-nash-averaging",
    "MEANMODELCOPELAND": "mean-model-copeland",
    "MEANMODELRANKEDPAIRS": "mean-model-ranked-pairs",
    "MEANMODELMAXLOT": "mean-model-maximal-lotteries",
    "PROPORTIONALREPRESENTATION": "proportional-representation",
    "ONLINEELO": "online-elo",
    "ONLINESCO": "online-sco",
    "ONLINEMAXLOT": "online-maximal-lotteries",
    "ONLINENASHAVG": "online-nash-averaging",
}
"""Names in the tables, which are in small capitals, and podium's presets."""

OF_BALLOTS = (
    "open in the paper: what a task says of agents that it has not seen, and who comes first where "
    "means are equal; ties by code give the number for k = 3 on Atari (active-choices)"
)
OF_WINS = (
    "chance in part: on Atari the means of 1,000 other seeds are {} and {}; the rest is not known, "
    "as neither burn-in nor ties by the order of the table change them"
)
UNKNOWN = "not known: no reading that was tried gives the number (active-choices)"

OPEN = {
    "uniform-averaging": "not known: the paper leaves nothing open here",
    "batch-nash-averaging": UNKNOWN,
    "online-nash-averaging": UNKNOWN,
    "online-maximal-lotteries": "open in the paper: unseen pairs and mixing (active-choices)",
    "batch-maximal-lotteries": "open in the paper: the share of uniform exploration",
    "batch-sco": "open in the paper: steps; smaller ones than ours come near (active-choices)",
    "online-sco": "open in the paper: step size and temperature",
    "online-elo": "open in the paper: the step K; with 1 or less it agrees (active-choices)",
    "batch-elo": "open in the paper: how the fit keeps finite",
    "kemeny-el": OF_WINS.format("0.0369", "0.0154"),
    "basic-ucb": "open in the paper: the constant's root and who is asked second",
    "batch-copeland": OF_WINS.format("0.0404", "0.0162"),
    "batch-ranked-pairs": OF_WINS.format("0.0363", "0.0152"),
    "proportional-representation": (
        "open in the paper: size of the set, whose ballots are counted, ties (active-choices)"
    ),
    "mean-model-copeland": OF_BALLOTS,
    "mean-model-ranked-pairs": OF_BALLOTS,
    "mean-model-maximal-lotteries": OF_BALLOTS,
}
"""What a paper leaves open that may be why a preset differs."""

AGREES = "within chance of both means, or a quarter of the printed number"


class Cell(NamedTuple):
    """One printed number.

    Attributes:
        method: Name as printed.
        k: How many agents matter.
        phi: Dispersion, or an empty text.
        text: The number as printed.
    """

    method: str
    k: int
    phi: str
    text: str

    @property
    def preset(self) -> str:
        """Podium's name for the method."""
        return PRESET_OF[self.method.upper()]


@cache
def cells(table: str) -> tuple[Cell, ...]:
    """List the numbers of a table.

    >>> cells("2")[0]
    Cell(method='BASICUCB', k=3, phi='0.3', text='0.003')
    """
    found = (row for row in rows("active_tables.csv") if row["table"] == table)
    return tuple(Cell(r["method"], int(r["k"]), r["phi"], r["agre"]) for r in found)


def as_zero(name: str) -> Preset | None:
    """Give a preset of mean models with unseen cells that count as 0; None for other presets."""
    rules = {"copeland": rule.copeland, "maximal-lotteries": rule.lotteries}
    if not name.startswith("mean-model") and name != "proportional-representation":
        return None
    chosen = rules.get(name.removeprefix("mean-model-"), rule.ranked_pairs)
    learner = mean_model(chosen(), unseen="zero")
    return Preset(f"{name}, unseen cells 0", learner, PRESETS[name].strategy)


def simulated(
    presets: Iterable[str | Preset], where: str, setting: Setting
) -> dict[str, Simulation]:
    """Simulate presets in one of the worlds, as the paper did."""
    world = WORLDS[where]()
    results = [
        setting.kept.simulation(
            preset,
            world,
            rounds=ROUNDS,
            seeds=range(setting.seeds or SEEDS),
            jobs=setting.jobs,
            engine=setting.engine,
            called=where,
        )
        for preset in presets
    ]
    return {result.preset: result for result in results}


def presets_of(table: str) -> list[str]:
    """List the presets of a table, and podium first."""
    return ["podium", *dict.fromkeys(cell.preset for cell in cells(table))]


def agre(results: Mapping[str, Simulation], k: int, at: int | None = None) -> dict[str, Floats]:
    """Give the mean errors of each seed, up to a round or the last of all."""
    return {
        name: result.agre_by_seed(k, min(at or result.rounds, result.rounds))
        for name, result in results.items()
    }


def settled(result: Simulation, k: int, at: int) -> Array:
    """Tell for each seed whether the error was 0 in all of the window that ends at a round."""
    last = ints([min(at, result.rounds)])
    errors = [
        means_over(ranking_error(run.places, k), run.since, last, WINDOW)[0] for run in result.runs
    ]
    return np.asarray(np.array(errors) == 0.0)


def agrees(cell: Cell, result: Simulation) -> bool:
    """Tell whether our mean is the printed one but for chance, or within a quarter of it.

    The printed number is a mean over 100 seeds of the same worlds, and as uncertain as ours.
    """
    mean, half = result.agre(cell.k)
    printed, digits = float(cell.text), len(cell.text.partition(".")[2])
    chance = half * (1.0 + len(result.runs) / SEEDS) ** 0.5 if isfinite(half) else 0.0
    return bool(abs(mean - printed) <= max(NEAR * printed, chance) + 0.5 * 10**-digits)


def judged(where: str, cell: Cell, result: Simulation) -> Finding:
    """Set a printed number beside ours."""
    mean, half = result.agre(cell.k)
    near = agrees(cell, result)
    verdict: Verdict = "consistent" if near else "differs"
    phi = f", phi = {cell.phi}" if cell.phi else ""
    return Finding(
        where=where,
        what=result.preset,
        of=f"k = {cell.k}{phi}",
        printed=cell.text,
        ours=f"{mean:.{len(cell.text.partition('.')[2]) + 1}f}",
        verdict=verdict,
        why=AGREES if near else OPEN[cell.preset],
        interval=(mean - half, mean + half) if isfinite(half) else None,
    )


def beside(results: Mapping[str, Simulation], tops: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Give rows of our own numbers, early and late, podium's among them."""
    for name, result in results.items():
        row: dict[str, Any] = {"preset": name}
        for k in tops:
            for at in sorted({min(1_000, result.rounds), result.rounds}):
                row[f"k = {k}, t = {at:,}"] = f"{result.agre(k, at).mean:.5f}"
        yield row


NOTES = (
    (
        "Printed intervals are all below 0.001. Instances of one world differ by more than that: "
        "our intervals are over seeds, each with a world of its own."
    ),
    "What the paper leaves open is filled in as the docstrings of learners and strategies say.",
)
