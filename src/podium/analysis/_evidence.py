"""What the data say of two agents, whatever kind of data they are."""

from dataclasses import dataclass

import numpy as np

from podium.words import counted

Interval = tuple[float, float]


@dataclass(frozen=True)
class Asked:
    """How the evidence is to be weighed.

    Attributes:
        level: Share that an interval holds.
        resample: What is taken as drawn by chance, or None for what suits the data.
        replicates: How many signs to draw where there are too many to go through.
        seed: Start of all chance.
    """

    level: float
    resample: str | None
    replicates: int
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        """A fresh source of chance, always the same."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True)
class Evidence:
    """What is known of the difference of two agents; see `Duel`, which holds the same."""

    unit: str
    units: int
    difference: float
    interval: Interval | None
    p_value: float
    test: str
    wins: float
    ties: float
    losses: float
    sign_test: float
    win_share: float
    win_share_interval: Interval
    notes: tuple[str, ...] = ()


def too_few(units: int, unit: str, level: float, hint: str = "") -> tuple[str, ...]:
    """Say where so few units cannot tell two agents apart, whatever they hold."""
    least = 2.0 ** (1 - units)
    if least <= 1 - level or units < 1:
        return ()
    words = f"{counted(units, unit)} cannot tell two agents apart at level {level:g}"
    return (f"{words}: no p-value below {min(1.0, least):g} is possible{hint}",)
