"""Table 2 and Figure 1 of Marris et al. (2025): Shapley's game, biased, and populations in it."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats
from podium.data.game import Game
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sources import ranked
from podium.kernels.deviation import game_deviation

PURE = np.array([[-8.0, -2, 4], [2, -8, -1], [-4, 1, -8]])
"""Payoffs of rock, paper and scissors."""

NASH = np.array([87.0, 100, 54]) / 241
"""The one mixed equilibrium, which is the fourth strategy."""

STRATEGIES = ("R", "P", "S", "N")
TABLE_2 = {
    "uniform": ("-2126", "-2367", "-3331", "-2497"),
    "deviation": ("-2720", "-2720", "-2720", "-2720"),
}
"""Printed ratings, in units of 1/964."""

MISPRINT = "the printed payoffs of N add up to -2496/964"
SIZE = 40
"""Strategies drawn for a population; the paper does not say how many."""

FEW = 0.1
"""Most that a strategy of the population with few scissors plays scissors."""

NOTE = (
    f"populations are drawn anew, {SIZE} mixtures each: the paper shows its own in a picture alone"
)

EQUAL = 1e-6
PLAYED = 1e-6


class Population(NamedTuple):
    """How a population is drawn, and what the paper says of it.

    Attributes:
        draw: Gives mixtures of rock, paper and scissors.
        says: What section 5.1 says of its ratings.
        holds: Tells whether it does.
    """

    draw: Callable[[np.random.Generator], Floats]
    says: str
    holds: Callable[["Rated"], bool]


class Rated(NamedTuple):
    """A population with its ratings and how often each strategy is played."""

    mixtures: Floats
    uniform: Floats
    deviation: Floats
    played: Floats

    @property
    def spread(self) -> float:
        """How far the deviation ratings lie apart."""
        return float(np.ptp(self.deviation))

    def close_to(self, chosen: Bools) -> set[int]:
        """Give the pure strategies that some of the population play most."""
        return set(self.mixtures[chosen].argmax(axis=1).tolist())

    @property
    def favourite(self) -> int:
        """The pure strategy that the one that uniform rates highest plays most."""
        return int(self.mixtures[self.uniform.argmax()].argmax())


@experiment("deviation-shapley", group="deviation", remakes="Table 2 and Figure 1")
def deviation_shapley(setting: Setting) -> Result:
    """Ratings of Shapley's game and of populations of mixed strategies in it."""
    seeds = range(setting.seeds or 20)
    rated = {name: [_rated(one, seed) for seed in seeds] for name, one in POPULATIONS.items()}
    findings = [_printed(method, at) for method in TABLE_2 for at in range(len(STRATEGIES))]
    findings += [_claim(name, rated[name]) for name in POPULATIONS]
    return Result(
        findings=tuple(findings),
        tables={"Populations": [_row(name, own) for name, own in rated.items()]},
        pictures=(Picture("deviation-shapley-figure-1", "Populations of Shapley's game", _draw),),
        notes=(NOTE,),
    )


def _printed(method: str, at: int) -> Finding:
    mixtures = np.vstack([np.eye(3), NASH])
    own = mixtures @ PURE @ mixtures.T
    value = ranked(Game.from_payoffs([own, own.T], [STRATEGIES] * 2), method).ratings[
        STRATEGIES[at]
    ]
    printed = TABLE_2[method][at]
    ours = Fraction(value * 964).limit_denominator(1_000)
    same = abs(value * 964 - int(printed)) < 1e-9
    return Finding(
        "Table 2", f"{method}, in units of 1/964", printed, str(ours),
        "equal" if same else "explained", "" if same else MISPRINT, of=STRATEGIES[at],
    )  # fmt: skip


def _rated(population: Population, seed: int) -> Rated:
    mixtures = population.draw(np.random.default_rng(seed))
    own = mixtures @ PURE @ mixtures.T
    found = game_deviation([own, own.T])
    return Rated(mixtures, own.mean(axis=1), found.ratings[0], found.joint.sum(axis=1))


def _corners(inner: float) -> Floats:
    """Give mixtures close to the pure strategies: 0 is pure, 1 is the middle."""
    return np.asarray((1 - inner) * np.eye(3) + inner / 3)


def _spread(rng: np.random.Generator) -> Floats:
    return np.vstack([np.eye(3), rng.dirichlet([1, 1, 1], SIZE - 3)])


def _papers(rng: np.random.Generator) -> Floats:
    return np.vstack([np.eye(3), rng.dirichlet([1, 12, 1], SIZE - 3)])


def _narrow(rng: np.random.Generator) -> Floats:
    return np.asarray(_spread(rng) @ _corners(0.2))


def _few_scissors(rng: np.random.Generator) -> Floats:
    drawn = rng.dirichlet([1, 1, 1], 50 * SIZE)
    return np.vstack([np.eye(3)[:2], drawn[drawn[:, 2] < FEW][: SIZE - 2]])


def _disc(rng: np.random.Generator) -> Floats:
    angle, radius = rng.uniform(0, 2 * np.pi, SIZE), 0.25 * np.sqrt(rng.random(SIZE))
    ways = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    return np.asarray(
        1 / 3 + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) @ ways
    )


POPULATIONS = {
    "1a unbiased": Population(
        _spread, "all equal; uniform favours rock",
        lambda one: one.spread < EQUAL and one.favourite == 0),
    "1b mostly paper": Population(
        _papers, "all equal; uniform favours scissors",
        lambda one: one.spread < EQUAL and one.favourite == 2),
    "1c slightly restricted": Population(
        _narrow, "all equal", lambda one: one.spread < EQUAL),
    "1d few scissors": Population(
        _few_scissors, "the best is close to paper; ones close to rock and to paper are played",
        lambda one: one.close_to(one.deviation >= one.deviation.max()) == {1}
        and one.close_to(one.played > PLAYED) == {0, 1}),
    "1e no pure strategies": Population(
        _disc, "strategies on the hull alone are played",
        lambda one: bool(_on_hull(one.mixtures)[one.played > PLAYED].all())),
}  # fmt: skip


def _on_hull(mixtures: Floats) -> Bools:
    from scipy.spatial import ConvexHull

    found = np.zeros(len(mixtures), dtype=bool)
    found[ConvexHull(mixtures[:, :2]).vertices] = True
    return found


def _claim(name: str, rated: list[Rated]) -> Finding:
    population = POPULATIONS[name]
    kept = sum(population.holds(one) for one in rated)
    every = kept == len(rated)
    why = "" if every else "populations drawn otherwise than the paper's, which are not given"
    return Finding(
        "Figure 1", f"{name}: {population.says}", "yes", f"in {kept} of {len(rated)} populations",
        "equal" if every else ("consistent" if kept else "differs"), why,
    )  # fmt: skip


def _row(name: str, rated: list[Rated]) -> dict[str, object]:
    return {
        "population": name,
        "draws": len(rated),
        "widest spread of deviation ratings": max(one.spread for one in rated),
        "strategies played": float(np.mean([(one.played > PLAYED).sum() for one in rated])),
    }


def _draw() -> object:
    from podium.plots import simplex_chart

    points = {name: _rated(one, 0) for name, one in POPULATIONS.items()}
    chart = simplex_chart.x_data(
        {name: (one.mixtures, {"uniform": one.uniform, "deviation": one.deviation}, one.played)
         for name, one in points.items()}
    )  # fmt: skip
    return simplex_chart.draw(chart, "Figure 1: populations of Shapley's game")
