"""What the analyses have in common: loading data, and asking for intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.data.convert import KINDS, Data
from podium.data.ratings import Ratings
from podium.errors import DataError
from podium.methods._registry import Card
from podium.uncertainty.spread import Spread
from podium.words import check_choice, check_number

INTERVALS = ("none", "auto", "bootstrap", "sandwich", "posterior")


@dataclass(frozen=True)
class Sampling:
    """Which intervals are wanted, and how they are made.

    Attributes:
        intervals: "none", "auto", "bootstrap", "sandwich" or "posterior".
        resample: What is drawn anew, or None for what suits the data.
        level: Share that an interval holds.
        replicates: How many times to draw.
        seed: Start of all chance.
        jobs: Processes that work at the same time.
    """

    intervals: str | None = None
    resample: str | None = None
    level: float = 0.95
    replicates: int = 200
    seed: int = 0
    jobs: int = 1

    @property
    def wanted(self) -> bool:
        """Whether intervals may be wanted."""
        return (self.intervals or "none") != "none"

    def checked(self) -> "Sampling":
        """Return this, or say what of it is impossible."""
        check_choice("intervals", self.intervals or "none", INTERVALS)
        check_number("level", self.level, low=0.5, high=0.9999)
        check_number("replicates", self.replicates, low=2, high=1_000_000)
        check_number("seed", self.seed, low=0)
        check_number("jobs", self.jobs, low=-1)
        return self

    def seeded(self, card: Card, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """Hand the seed to a method that has chance of its own, unless it was given one."""
        return {"seed": self.seed, **options} if self.seed and "seed" in card.options else options

    def spread(
        self, data: Data, card: Card, options: Mapping[str, Any], point: Ratings
    ) -> Spread | str | None:
        """Make the intervals; or nothing, with the reason where they are made only if cheap."""
        if not self.wanted:
            return None
        if self.intervals == "bootstrap":
            return self._bootstrap(data, card, options, point)
        if self.intervals != "auto":
            return self._closed(data, card, options, point)
        from podium.uncertainty.bootstrap import cheap

        try:
            if cheap(data, card, self.resample, options):
                return self._bootstrap(data, card, options, point)
        except DataError as error:
            return f"no intervals: {error}"
        return (
            f"no intervals: {card.name} may take long on these data; ask with intervals=bootstrap"
        )

    def _closed(self, data: Data, card: Card, options: Mapping[str, Any], point: Ratings) -> Spread:
        from podium.uncertainty.closed import closed

        return closed(
            str(self.intervals),
            data,
            card,
            options,
            point,
            unit=self.resample,
            level=self.level,
            replicates=self.replicates,
            seed=self.seed,
        )

    def _bootstrap(
        self, data: Data, card: Card, options: Mapping[str, Any], point: Ratings
    ) -> Spread:
        from podium.uncertainty.bootstrap import bootstrap

        return bootstrap(
            data,
            card,
            options,
            point,
            unit=self.resample,
            level=self.level,
            replicates=self.replicates,
            seed=self.seed,
            jobs=self.jobs,
        )


def loaded(data: Any, weights: Mapping[str, float] | None, terms: Any = None) -> Data:
    """Take a value as it is, count many files, read anything else, and weigh the tasks.

    Args:
        data: The data, or where they are.
        weights: Weights of tasks.
        terms: The option `terms` of a method, whose columns have to be read.
    """
    if type(data) not in KINDS:
        from podium.importers import count, read
        from podium.importers.files import is_many

        if is_many(data):
            return count(data, weights=weights)
        names = terms.split("+") if isinstance(terms, str) else ()
        value: Data = read(data, terms=[name.strip() for name in names])
    else:
        value = data
    if not weights:
        return value
    if not hasattr(value, "with_weights"):
        msg = f"a {KINDS[type(value)]} has no tasks that weights could be given to; leave them out"
        raise DataError(msg)
    return value.with_weights(weights)
