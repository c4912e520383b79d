"""What came of a simulation."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from podium.arrays import Array, Floats, Ints, ints
from podium.metrics import ranking
from podium.metrics.curves import Estimate, estimate, mean_until, means_over, values_at
from podium.words import check_number
from podium.worlds._instance import World

SHOWN = 500
"""Most rounds that curves are given at."""


@dataclass(frozen=True, eq=False)
class Run:
    """What was reported for one seed.

    Attributes:
        seed: The seed.
        since: The round, from 1, from which each order was reported.
        places: Each order, as the places of agents by true rank.
        tally: Tasks that truly put one agent above another, agents by true rank.
    """

    seed: int
    since: Ints
    places: Array
    tally: Floats


Error = Callable[[Run], Array]


@dataclass(frozen=True, eq=False)
class Simulation:
    """A preset's reports in a world, for all seeds, and their errors.

    Attributes:
        preset: Name of the preset.
        world: The world.
        rounds: Rounds of each seed.
        runs: One a seed.
    """

    preset: str
    world: World
    rounds: int
    runs: tuple[Run, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds."""
        return tuple(run.seed for run in self.runs)

    @cached_property
    def shown(self) -> Ints:
        """The rounds at which curves are given, the last among them."""
        count = min(self.rounds, SHOWN)
        return ints(np.ceil(np.arange(1, count + 1) * (self.rounds / count)))

    def agre(self, k: int, at: int | None = None) -> Estimate:
        """Average the generalized ranking error of the first k over rounds 1 to `at`.

        Args:
            k: How many agents matter.
            at: The last round; by default the last of all.

        Returns:
            The mean over seeds, and half of the width of its 95 % interval.
        """
        return estimate(self.agre_by_seed(k, at))

    def agre_by_seed(self, k: int, at: int | None = None) -> Floats:
        """Give the average generalized ranking error of each seed, to compare presets by seeds."""
        return self._means(lambda run: ranking.ranking_error(run.places, k), at)

    def error_rounds(self, k: int, at: int | None = None) -> Estimate:
        """Add up the generalized ranking error over rounds 1 to `at`: rounds spent in error."""
        last = self.rounds if at is None else at
        return estimate(last * self.agre_by_seed(k, last))

    def gre(self, k: int, *, window: int = 1) -> Floats:
        """Give the generalized ranking error of the first k, seeds x rounds `shown`.

        Args:
            k: How many agents matter.
            window: The number of last rounds that each value is the mean of.
        """
        check_number("window", window, low=1)
        return self._curves(lambda run: ranking.ranking_error(run.places, k), window)

    def ide(self, k: int) -> Floats:
        """Give the identification error of the first k, seeds x rounds `shown`."""
        return self._curves(lambda run: ranking.identification_error(run.places, k))

    def kd(self, *, normalized: bool = False) -> Floats:
        """Give Kendall's distance from the truth, seeds x rounds `shown`.

        Args:
            normalized: Whether to give it as a share of all pairs.
        """
        distance = ranking.normalized_kendall if normalized else ranking.kendall_distance
        return self._curves(lambda run: distance(run.places))

    def ksd(self) -> Floats:
        """Give the distance of Kemeny scores from the truth's, seeds x rounds `shown`."""
        return self._curves(lambda run: ranking.kemeny_score_distance(run.places, run.tally))

    def _means(self, error: Error, at: int | None) -> Floats:
        last = self.rounds if at is None else at
        check_number("at", last, low=1, high=self.rounds)
        return np.array([mean_until(error(run), run.since, last) for run in self.runs])

    def _curves(self, error: Error, window: int = 1) -> Floats:
        take = values_at if window == 1 else partial(means_over, window=window)
        curves = [take(error(run), run.since, self.shown) for run in self.runs]
        return np.array(curves, dtype=np.float64)

    def __repr__(self) -> str:
        return f"Simulation({self.preset!r}, {len(self.runs)} seeds, {self.rounds:,} rounds)"
